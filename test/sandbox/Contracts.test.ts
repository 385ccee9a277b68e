import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { describe, expect, it, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import {
  type Abi,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  maxUint256,
  parseAbi
} from "viem"
import type { Network } from "../../src/data/Network.js"
import { init } from "../../src/promise.js"
import { group } from "../../src/sandbox/api/Contract.js"
import { group as filesGroup } from "../../src/sandbox/api/Files.js"
import { group as rateGroup } from "../../src/sandbox/api/Rate.js"
import * as Chain from "../../src/sandbox/Chain.js"
import { parseBody } from "../../src/sandbox/Loopback.js"
import { Nodes } from "../../src/sandbox/Nodes.js"
import { binary } from "../../src/sandbox/nodes/Anvil.js"
import * as Contract from "../../src/sandbox/provider/Contract.js"
import * as Files from "../../src/sandbox/provider/Files.js"
import * as Rate from "../../src/sandbox/provider/Rate.js"
import { SandboxError } from "../../src/sandbox/SandboxError.js"
import { fetchJson, serve } from "./serve.js"

const available = Either.isRight(Effect.runSync(Effect.either(binary)))
if (!available && process.env.CI !== "true")
  console.log("left out: contracts of the sandbox (no anvil binary)")
if (!available && process.env.CI === "true") it.effect("has an anvil binary in CI", () => binary)

const owner = getAddress("0x53e8577c4347c365e4e0da5b57a589cb6f2ab849")
const stranger = getAddress("0xe7438d25519dcf7301238cb3ef8a824e805aa7f0")
/** The first account of anvil, whose mnemonic is public. */
const known = getAddress("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266")
const MINTER_ROLE = "0x9f2df0fed2c77648de5860a4cc508cd0818c85b8b8a1ab4ceeef8d981c8956a6"

const abi = parseAbi([
  "function name() view returns (string)",
  "function symbol() view returns (string)",
  "function decimals() view returns (uint8)",
  "function totalSupply() view returns (uint256)",
  "function cap() view returns (uint256)",
  "function owner() view returns (address)",
  "function hasRole(bytes32, address) view returns (bool)",
  "function balanceOf(address) view returns (uint256)",
  "function ownerOf(uint256) view returns (address)",
  "function tokenURI(uint256) view returns (string)",
  "function uri(uint256) view returns (string)",
  "function supportsInterface(bytes4) view returns (bool)",
  "function mint(address, uint256)",
  "function pause()",
  "function transfer(address, uint256) returns (bool)",
  "function burn(uint256)"
])
const erc1155 = parseAbi([
  "function mint(address, uint256, uint256, bytes)",
  "function mintBatch(address, uint256[], uint256[], bytes)",
  "function balanceOf(address, uint256) view returns (uint256)"
])

interface Provider {
  readonly url: string
  readonly ethereum: (
    method: string,
    ...params: ReadonlyArray<unknown>
  ) => Effect.Effect<unknown, SandboxError>
  /** The same at the other node of the chain. */
  readonly neighbour: (
    method: string,
    ...params: ReadonlyArray<unknown>
  ) => Effect.Effect<unknown, SandboxError>
}
class Running extends Context.Tag("Running")<Running, Provider>() {}

const rpcOf =
  (member: Chain.ChainMember) =>
  (method: string, ...params: ReadonlyArray<unknown>) =>
    Effect.flatMap(
      member.handler({
        method: "POST",
        path: "/",
        headers: { "content-type": "application/json" },
        body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }))
      }),
      (answer) => {
        const said = answer === "drop" ? undefined : parseBody(answer.body)
        const error = field(said, "error")
        return said === undefined || error !== undefined
          ? Effect.fail(
              new SandboxError({ reason: "chain", message: `${method}: ${String(field(error, "message"))}` })
            )
          : Effect.succeed(field(said, "result"))
      }
    )

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** The provider over two anvils, as Ethereum; other networks are recordings. */
const provider = (blocks: { readonly blockTime?: number } = {}) =>
  Layer.scoped(
    Running,
    Effect.gen(function* () {
      const { members } = yield* Chain.make({ chainId: 1, size: 2, ...blocks })
      const [first, second] = members
      if (first === undefined || second === undefined) return yield* Effect.dieMessage("no nodes")
      const nodes = Layer.succeed(Nodes, {
        kindOf: (network: Network) => (network === "ethereum-mainnet" ? "evm" : "recorded"),
        rpc: (network, method, params) =>
          network === "ethereum-mainnet"
            ? rpcOf(first)(method, ...params)
            : Effect.dieMessage(`unexpected: ${method} on ${network}`),
        indexNewBlocks: () => Effect.dieMessage("unexpected: fresh")
      })
      const api = HttpApi.make("provider").add(group).add(filesGroup).add(rateGroup)
      const live = HttpApiBuilder.api(api).pipe(
        Layer.provide([Contract.layer, Files.layer, Rate.layer()]),
        Layer.provide([nodes, Files.memoryLayer])
      )
      return { url: yield* serve(live), ethereum: rpcOf(first), neighbour: rpcOf(second) }
    })
  )

const read = <const A extends Abi>(
  rpc: Provider["ethereum"],
  to: string,
  contract: A,
  functionName: string,
  ...args: ReadonlyArray<unknown>
) =>
  Effect.map(
    rpc(
      "eth_call",
      { to, data: encodeFunctionData<Abi, string>({ abi: contract, functionName, args }) },
      "latest"
    ),
    (data) =>
      decodeFunctionResult<Abi, string>({ abi: contract, functionName, data: `0x${String(data).slice(2)}` })
  )

/** Sends a transaction from an account of the node, unless it would revert, and yields its receipt. */
const transact = (rpc: Provider["ethereum"], transaction: object) =>
  rpc("eth_call", transaction, "latest").pipe(
    Effect.zipRight(rpc("eth_sendTransaction", transaction)),
    Effect.flatMap((hash) => rpc("eth_getTransactionReceipt", hash))
  )

const deployed = (rpc: Provider["ethereum"], answer: { readonly body: unknown }) =>
  Effect.map(rpc("eth_getTransactionReceipt", field(answer.body, "txId")), (receipt) => {
    expect(field(receipt, "status")).toBe("0x1")
    return String(field(receipt, "contractAddress"))
  })

const fungible = {
  chain: "ethereum",
  contractType: "fungible",
  name: "My Token",
  symbol: "MTK",
  initialSupply: "1000000.5",
  initialHolder: owner,
  owner,
  minter: known,
  pauser: known,
  decimals: "6"
}
const nft = { chain: "ethereum-mainnet", contractType: "nft", name: "Bored", symbol: "BAYC", owner }

describe.runIf(available)("contracts of the sandbox", () => {
  layer(provider(), { excludeTestServices: true })("over two nodes", (it) => {
    it.effect("deploys a fungible token with its supply, roles and cap", () =>
      Effect.gen(function* () {
        const { ethereum, neighbour, url } = yield* Running
        const answer = yield* fetchJson(`${url}/contract/deploy`, { ...fungible, cap: "1000001" })
        expect(answer.status).toBe(200)
        const token = yield* deployed(ethereum, answer)
        expect(yield* ethereum("eth_getCode", token, "latest")).not.toBe("0x")
        expect(yield* read(ethereum, token, abi, "name")).toBe("My Token")
        expect(yield* read(ethereum, token, abi, "symbol")).toBe("MTK")
        expect(yield* read(ethereum, token, abi, "decimals")).toBe(6)
        expect(yield* read(ethereum, token, abi, "totalSupply")).toBe(1_000_000_500_000n)
        expect(yield* read(ethereum, token, abi, "balanceOf", owner)).toBe(1_000_000_500_000n)
        expect(yield* read(ethereum, token, abi, "cap")).toBe(1_000_001_000_000n)
        expect(yield* read(ethereum, token, abi, "owner")).toBe(owner)
        expect(yield* read(ethereum, token, abi, "hasRole", MINTER_ROLE, known)).toBe(true)
        expect(yield* read(ethereum, token, abi, "hasRole", MINTER_ROLE, stranger)).toBe(false)

        const mint = (amount: bigint) => ({
          from: known,
          to: token,
          data: encodeFunctionData({ abi, functionName: "mint", args: [known, amount] })
        })
        yield* transact(ethereum, mint(500_000n))
        expect(yield* read(neighbour, token, abi, "balanceOf", known)).toBe(500_000n)
        expect((yield* Effect.flip(transact(ethereum, mint(1n)))).message).toContain("cap exceeded")
        const act = (functionName: "burn" | "pause" | "transfer", ...args: ReadonlyArray<unknown>) =>
          transact(ethereum, {
            from: known,
            to: token,
            data: encodeFunctionData<Abi, string>({ abi, functionName, args })
          })
        yield* act("burn", 1n)
        expect(yield* read(ethereum, token, abi, "totalSupply")).toBe(1_000_000_999_999n)
        yield* act("pause")
        expect((yield* Effect.flip(act("transfer", owner, 1n))).message).toContain("paused")
      })
    )

    it.effect("has 18 decimals, no cap and the owner for everything where nothing is said", () =>
      Effect.gen(function* () {
        const { ethereum, url } = yield* Running
        const { decimals: _, minter: __, pauser: ___, ...least } = fungible
        const token = yield* deployed(ethereum, yield* fetchJson(`${url}/contract/deploy`, least))
        expect(yield* read(ethereum, token, abi, "decimals")).toBe(18)
        expect(yield* read(ethereum, token, abi, "totalSupply")).toBe(1_000_000_500_000n * 10n ** 12n)
        expect(yield* read(ethereum, token, abi, "cap")).toBe(maxUint256)
        expect(yield* read(ethereum, token, abi, "hasRole", MINTER_ROLE, owner)).toBe(true)
      })
    )

    it.effect("mints NFTs itself, once each, the same on both nodes", () =>
      Effect.gen(function* () {
        const { ethereum, neighbour, url } = yield* Running
        const answer = yield* fetchJson(`${url}/contract/deploy`, { ...nft, baseURI: "ipfs://base/" })
        const contractAddress = yield* deployed(ethereum, answer)
        expect(yield* read(ethereum, contractAddress, abi, "owner")).toBe(owner)
        expect(yield* read(ethereum, contractAddress, abi, "supportsInterface", "0x80ac58cd")).toBe(true)
        const mint = {
          chain: "ethereum-mainnet",
          to: stranger,
          contractAddress,
          tokenId: "7",
          url: "ipfs://meta"
        }
        const minted = yield* fetchJson(`${url}/contract/erc721/mint`, mint)
        expect(minted).toMatchObject({
          status: 200,
          body: { txId: expect.stringMatching(/^0x[0-9a-f]{64}$/) }
        })
        yield* fetchJson(`${url}/contract/erc721/mint`, { ...mint, tokenId: "8", url: "" })
        for (const rpc of [ethereum, neighbour]) {
          expect(yield* read(rpc, contractAddress, abi, "ownerOf", 7n)).toBe(stranger)
          expect(yield* read(rpc, contractAddress, abi, "tokenURI", 7n)).toBe("ipfs://meta")
          expect(yield* read(rpc, contractAddress, abi, "tokenURI", 8n)).toBe("ipfs://base/8")
          expect(yield* read(rpc, contractAddress, abi, "balanceOf", stranger)).toBe(2n)
        }
        expect(yield* fetchJson(`${url}/contract/erc721/mint`, mint)).toEqual({
          status: 400,
          body: {
            statusCode: 400,
            errorCode: "contract.reverted",
            message: "The contract reverted: ERC721: token already minted"
          }
        })
      })
    )

    it.effect("mints tokens and items, in whole tokens and by number", () =>
      Effect.gen(function* () {
        const { ethereum, neighbour, url } = yield* Running
        const token = yield* deployed(ethereum, yield* fetchJson(`${url}/contract/deploy`, fungible))
        const coins = {
          chain: "ethereum",
          to: stranger,
          contractAddress: token,
          amount: "2.5",
          minter: known
        }
        expect((yield* fetchJson(`${url}/contract/erc20/mint`, coins)).status).toBe(200)
        const multi = yield* deployed(
          ethereum,
          yield* fetchJson(`${url}/contract/deploy`, { chain: "ethereum", contractType: "multitoken", owner })
        )
        const items = { chain: "ethereum", to: stranger, contractAddress: multi, tokenId: "7", amount: "3" }
        // the owner's key is not here: the provider may not mint in a contract that names another minter
        expect(yield* fetchJson(`${url}/contract/erc1155/mint`, items)).toMatchObject({
          status: 400,
          body: { errorCode: "contract.reverted" }
        })
        const own = yield* deployed(
          ethereum,
          yield* fetchJson(`${url}/contract/deploy`, {
            chain: "ethereum",
            contractType: "multitoken",
            owner,
            minter: known
          })
        )
        const mine = { ...items, contractAddress: own, minter: known, data: "0x01" }
        expect((yield* fetchJson(`${url}/contract/erc1155/mint`, mine)).status).toBe(200)
        for (const rpc of [ethereum, neighbour]) {
          expect(yield* read(rpc, token, abi, "balanceOf", stranger)).toBe(2_500_000n)
          expect(yield* read(rpc, own, erc1155, "balanceOf", stranger, 7n)).toBe(3n)
        }
        const cases: ReadonlyArray<readonly [string, object, RegExp]> = [
          ["erc20/mint", { ...coins, amount: "0.0000001" }, /at most 6 digits/],
          ["erc20/mint", { ...coins, contractAddress: own }, /reverted|token with decimals/],
          ["erc20/mint", { ...coins, contractAddress: stranger }, /is not a contract/],
          ["erc1155/mint", { ...mine, data: "0x1" }, /must be bytes/],
          ["erc1155/mint", { ...mine, amount: "9".repeat(78) }, /amount must fit/]
        ]
        for (const [route, body, words] of cases) {
          const answer = yield* fetchJson(`${url}/contract/${route}`, body)
          expect(answer.status).toBe(400)
          expect(JSON.stringify(answer.body)).toMatch(words)
        }
      })
    )

    it.effect("mints in the name of a minter, with its key or without, and of nobody else", () =>
      Effect.gen(function* () {
        const { ethereum, url } = yield* Running
        const first = yield* ethereum("eth_accounts")
        expect(Array.isArray(first) ? first[0] : first).toBe(known.toLowerCase())
        for (const minter of [known, stranger]) {
          const contractAddress = yield* deployed(
            ethereum,
            yield* fetchJson(`${url}/contract/deploy`, { ...nft, minter })
          )
          const mint = {
            chain: "ethereum",
            to: owner,
            contractAddress,
            tokenId: "1",
            url: "ipfs://1",
            minter
          }
          const minted = yield* fetchJson(`${url}/contract/erc721/mint`, mint)
          expect(minted.status).toBe(200)
          expect(yield* read(ethereum, contractAddress, abi, "ownerOf", 1n)).toBe(owner)
          const sent = yield* ethereum("eth_getTransactionByHash", field(minted.body, "txId"))
          expect(field(sent, "from") === known.toLowerCase()).toBe(minter === known)
          const other = yield* fetchJson(`${url}/contract/erc721/mint`, {
            ...mint,
            tokenId: "2",
            minter: owner
          })
          expect(other.status).toBe(400)
          expect(String(field(other.body, "message"))).toContain(
            `account ${owner.toLowerCase()} is missing role`
          )
        }
      })
    )

    it.effect("mints a token once, however many ask at a time", () =>
      Effect.gen(function* () {
        const { ethereum, url } = yield* Running
        const contractAddress = yield* deployed(ethereum, yield* fetchJson(`${url}/contract/deploy`, nft))
        const mint = { chain: "ethereum", to: owner, contractAddress, tokenId: "1", url: "" }
        const answers = yield* Effect.all(
          Array.from({ length: 4 }, () => fetchJson(`${url}/contract/erc721/mint`, mint)),
          { concurrency: "unbounded" }
        )
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
        for (const { body, status } of answers.filter((answer) => answer.status !== 200)) {
          expect(status).toBe(400)
          expect(field(body, "message")).toBe("The contract reverted: ERC721: token already minted")
        }
      })
    )

    it.effect("works for the SDK, which uploads, deploys and mints", () =>
      Effect.gen(function* () {
        const { ethereum, url } = yield* Running
        const sdk = yield* Effect.acquireRelease(
          Effect.promise(() =>
            init({
              network: "ethereum-mainnet",
              rpc: { nodes: [{ url, type: 0 }] },
              provider: { baseUrl: url, nodeListUrl: url, domain: "127.0.0.1" }
            })
          ),
          (made) => Effect.promise(() => made.destroy())
        )
        const of = <A>(call: () => Promise<{ readonly data: A | null }>) =>
          Effect.flatMap(Effect.promise(call), (result) =>
            result.data === null ? Effect.dieMessage(JSON.stringify(result)) : Effect.succeed(result.data)
          )
        const collection = yield* of(() =>
          sdk.nft.createNftCollection({ name: "Bored", symbol: "BAYC", owner })
        )
        const contractAddress = yield* deployed(ethereum, { body: collection })
        const mint = { to: owner, contractAddress, tokenId: "1", file: "an image", metadata: { name: "Ape" } }
        yield* of(() => sdk.nft.mintNftWithMetadata(mint))
        const uri = String(yield* read(ethereum, contractAddress, abi, "tokenURI", 1n))
        const metadata = yield* of(() => sdk.ipfs.getFile({ id: uri.replace("ipfs://", "") }))
        const image = field(JSON.parse(yield* Effect.promise(() => metadata.text())), "image")
        const bytes = yield* of(() => sdk.ipfs.getFile({ id: String(image).replace("ipfs://", "") }))
        expect(yield* Effect.promise(() => bytes.text())).toBe("an image")
        const again = yield* Effect.promise(() => sdk.nft.mintNftWithMetadata(mint))
        expect(again).toMatchObject({
          status: "ERROR",
          error: {
            message: ["The contract reverted: ERC721: token already minted"],
            code: "contract.reverted"
          }
        })
        const token = yield* of(() =>
          sdk.token.createNewFungibleToken({
            name: "N",
            symbol: "S",
            decimals: 2,
            initialSupply: "1.25",
            owner,
            initialHolder: stranger
          })
        )
        const address = yield* deployed(ethereum, { body: token })
        expect(yield* read(ethereum, address, abi, "balanceOf", stranger)).toBe(125n)
        const multi = yield* of(() =>
          sdk.nft.createMultiTokenNftCollection({ owner, baseURI: "ipfs://{id}" })
        )
        expect(yield* read(ethereum, yield* deployed(ethereum, { body: multi }), abi, "uri", 1n)).toBe(
          "ipfs://{id}"
        )
        const progress: Array<number> = []
        const { ipfsHash } = yield* of(() =>
          sdk.ipfs.uploadFile({ file: "x".repeat(100_000), onProgress: ({ sent }) => progress.push(sent) })
        )
        expect(ipfsHash).toBe(yield* Files.computeCid(new TextEncoder().encode("x".repeat(100_000))))
        expect(progress.at(-1)).toBe(100_000)
        expect((yield* of(() => sdk.rates.getCurrentRate("BTC", "EUR"))).basePair).toBe("EUR")
        const batch = yield* of(() => sdk.rates.getCurrentRateBatch([{ currency: "BTC", basePair: "EUR" }]))
        expect(batch).toMatchObject([{ _id: "BTC", batchId: "BTC/EUR" }])
      }).pipe(Effect.scoped)
    )

    it.effect("prepares what a wallet deploys", () =>
      Effect.gen(function* () {
        const { ethereum, url } = yield* Running
        const deploy = (contractType: string, params: ReadonlyArray<unknown>) =>
          Effect.gen(function* () {
            const { body, status } = yield* fetchJson(`${url}/contract/deploy/prepare`, {
              contractType,
              params
            })
            expect(status).toBe(200)
            const nonce = BigInt(String(yield* ethereum("eth_getTransactionCount", known, "latest")))
            const receipt = yield* transact(ethereum, { from: known, data: field(body, "data") })
            expect(field(receipt, "contractAddress")).toBe(
              getContractAddress({ from: known, nonce }).toLowerCase()
            )
            return String(field(receipt, "contractAddress"))
          })
        const token = yield* deploy("fungible", ["N", "S", 2, "0x7d", owner, known, stranger, known])
        expect(yield* read(ethereum, token, abi, "balanceOf", owner)).toBe(125n)
        expect(yield* read(ethereum, token, abi, "owner")).toBe(known)
        const collection = yield* deploy("nft", ["N", "S", "ipfs://x/", owner, stranger])
        expect(yield* read(ethereum, collection, abi, "hasRole", MINTER_ROLE, stranger)).toBe(true)
        const multi = yield* deploy("multitoken", [owner, known, "ipfs://x/{id}"])
        expect(yield* read(ethereum, multi, abi, "uri", 1n)).toBe("ipfs://x/{id}")
        const minting = [
          encodeFunctionData({ abi: erc1155, functionName: "mint", args: [owner, 5n, 3n, "0x"] }),
          encodeFunctionData({
            abi: erc1155,
            functionName: "mintBatch",
            args: [owner, [5n, 6n], [1n, 2n], "0x"]
          })
        ]
        for (const data of minting) yield* transact(ethereum, { from: known, to: multi, data })
        expect(yield* read(ethereum, multi, erc1155, "balanceOf", owner, 5n)).toBe(4n)
        expect(yield* read(ethereum, multi, erc1155, "balanceOf", owner, 6n)).toBe(2n)
      })
    )

    it.effect("deploys multitokens for their owner", () =>
      Effect.gen(function* () {
        const { ethereum, url } = yield* Running
        const answer = yield* fetchJson(`${url}/contract/deploy`, {
          chain: "ethereum-mainnet",
          contractType: "multitoken",
          owner,
          baseURI: "ipfs://x/"
        })
        const multi = yield* deployed(ethereum, answer)
        expect(yield* read(ethereum, multi, abi, "owner")).toBe(owner)
        expect(yield* read(ethereum, multi, abi, "supportsInterface", "0xd9b67a26")).toBe(true)
      })
    )

    it.effect("refuses what makes no sense", () =>
      Effect.gen(function* () {
        const { ethereum, url } = yield* Running
        const before = yield* ethereum("eth_blockNumber")
        const cases: ReadonlyArray<readonly [string, object, string, RegExp]> = [
          ["deploy", { ...fungible, chain: "nowhere" }, "validation.failed", /chain nowhere/],
          ["deploy", { ...nft, chain: "tezos-mainnet" }, "chain.not.supported", /tezos-mainnet/],
          ["deploy", { ...fungible, initialSupply: "0.0000001" }, "validation.failed", /initialSupply/],
          ["deploy", { ...fungible, initialSupply: "9".repeat(80) }, "validation.failed", /initialSupply/],
          ["deploy", { ...fungible, cap: "1" }, "contract.reverted", /cap exceeded/],
          ["deploy/prepare", { contractType: "nft", params: ["N"] }, "validation.failed", /params\.1/],
          [
            "deploy/prepare",
            { contractType: "multitoken", params: [owner, "0x12", ""] },
            "validation.failed",
            /params\.1 must be an address/
          ],
          [
            "erc721/mint",
            { chain: "ethereum", to: owner, contractAddress: stranger, tokenId: "1", url: "" },
            "validation.failed",
            /is not a contract/
          ],
          [
            "erc721/mint",
            { chain: "ethereum", to: owner, contractAddress: stranger, tokenId: "9".repeat(78), url: "" },
            "validation.failed",
            /256 bits/
          ]
        ]
        for (const [route, body, errorCode, words] of cases) {
          const answer = yield* fetchJson(`${url}/contract/${route}`, body)
          expect(answer).toMatchObject({ status: 400, body: { statusCode: 400, errorCode } })
          expect(JSON.stringify(answer.body)).toMatch(words)
        }
        for (const wrong of [
          { owner: "0x12" },
          { initialHolder: undefined },
          { decimals: 256 },
          { contractType: "x" }
        ])
          expect((yield* fetchJson(`${url}/contract/deploy`, { ...fungible, ...wrong })).status).toBe(400)
        expect(yield* ethereum("eth_blockNumber")).toBe(before)
      })
    )
  })

  it.scopedLive("answers when the transaction is in a block, also where blocks take their time", () =>
    Effect.gen(function* () {
      const { ethereum, url } = yield* Running
      const contractAddress = yield* deployed(ethereum, yield* fetchJson(`${url}/contract/deploy`, nft))
      const mint = { chain: "ethereum", to: owner, contractAddress, tokenId: "1", url: "" }
      expect((yield* fetchJson(`${url}/contract/erc721/mint`, mint)).status).toBe(200)
      expect(yield* read(ethereum, contractAddress, abi, "ownerOf", 1n)).toBe(owner)
    }).pipe(Effect.provide(provider({ blockTime: 1 })))
  )
})
