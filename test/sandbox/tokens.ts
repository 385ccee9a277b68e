import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { type Abi, encodeDeployData, encodeFunctionData, parseAbi } from "viem"
import * as Artefacts from "../../src/sandbox/contracts/artefacts.js"
import type { Rpc } from "../../src/sandbox/indexer/Utxo.js"
import { callJsonRpc, withRealClock } from "../../src/sandbox/Loopback.js"
import { SandboxError } from "../../src/sandbox/SandboxError.js"

/** Accounts that every anvil has. */
export const alice = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
export const bob = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8"
export const carol = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc"

/** JSON-RPC at a url. */
export const rpcAt =
  (url: string): Rpc =>
  (method, params) =>
    Effect.flatMap(callJsonRpc(url, { method, params }), (answer) =>
      "result" in answer
        ? Effect.succeed(answer.result)
        : new SandboxError({ reason: "chain", message: `${method}: ${JSON.stringify(answer)}` })
    )

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** Sends a transaction from an account of the node and yields its hash and the contract that it made, if it made one. */
export const send = (rpc: Rpc, transaction: object) =>
  Effect.gen(function* () {
    const hash = String(yield* rpc("eth_sendTransaction", [{ from: alice, ...transaction }]))
    // anvil answers before the block is there
    const receipt = yield* rpc("eth_getTransactionReceipt", [hash]).pipe(
      Effect.filterOrFail(
        (said) => said !== null,
        () => new SandboxError({ reason: "chain", message: `${hash} is in no block` })
      ),
      Effect.retry({ schedule: Schedule.spaced("5 millis"), times: 1_000 }),
      withRealClock
    )
    return {
      hash,
      block: Number(field(receipt, "blockNumber")),
      contract: String(field(receipt, "contractAddress")),
      status: Number(field(receipt, "status")),
      fee: BigInt(String(field(receipt, "gasUsed"))) * BigInt(String(field(receipt, "effectiveGasPrice")))
    }
  })

const functions = parseAbi([
  "function transfer(address, uint256) returns (bool)",
  "function mint(address, uint256)",
  "function burn(uint256)",
  "function mintWithTokenURI(address, uint256, string)",
  "function transferFrom(address, address, uint256)",
  "function safeTransferFrom(address, address, uint256, uint256, bytes)",
  "function mintBatch(address, uint256[], uint256[], bytes)",
  "function burn(address, uint256, uint256)",
  "function supportsInterface(bytes4) view returns (bool)"
])

/** Calls a function of a template. */
export const callContract = (
  rpc: Rpc,
  to: string,
  functionName: string,
  args: ReadonlyArray<unknown>,
  transaction: object = {}
) =>
  send(rpc, {
    to,
    data: encodeFunctionData<Abi, string>({ abi: functions, functionName, args }),
    ...transaction
  })

/** A fungible token with `supply` of the smallest unit for alice, its minter. A cap of 0 is none. */
export const deployFungible = (
  rpc: Rpc,
  token: {
    readonly decimals: number
    readonly supply: bigint
    readonly cap?: bigint
    readonly symbol?: string
  }
) =>
  send(rpc, {
    data: encodeDeployData({
      abi: Artefacts.Fungible.abi,
      bytecode: Artefacts.Fungible.bytecode,
      args: [
        "My Token",
        token.symbol ?? "MTK",
        token.decimals,
        token.supply,
        alice,
        alice,
        alice,
        alice,
        token.cap ?? 0n
      ]
    })
  })

/** A collection whose minter is alice. */
export const deployCollection = (rpc: Rpc, baseURI = "") =>
  send(rpc, {
    data: encodeDeployData({
      abi: Artefacts.Nft.abi,
      bytecode: Artefacts.Nft.bytecode,
      args: ["Bored", "BAYC", baseURI, alice, alice]
    })
  })

/** A collection of multitokens whose minter is alice. */
export const deployMultitoken = (rpc: Rpc, uri: string) =>
  send(rpc, {
    data: encodeDeployData({
      abi: Artefacts.Multitoken.abi,
      bytecode: Artefacts.Multitoken.bytecode,
      args: [alice, alice, uri]
    })
  })

/** Code that makes a contract of a runtime code of at most 255 bytes. */
const toDeploymentCode = (runtime: string): string => {
  const length = (runtime.length / 2).toString(16).padStart(2, "0")
  return `0x60${length}600a5f3960${length}5ff3${runtime}`
}

/** A contract that passes on the coins that it gets to an address. */
export const deployForwarder = (rpc: Rpc, to: string) =>
  send(rpc, { data: toDeploymentCode(`5f5f5f5f3473${to.slice(2)}5af100`) })

/** A contract that passes on the coins that it gets and then reverts. */
export const deployReverting = (rpc: Rpc, to: string) =>
  send(rpc, { data: toDeploymentCode(`5f5f5f5f3473${to.slice(2)}5af15f5ffd`) })

/** Code that logs words as data and topics, and makes a contract without code. */
export const makeLoggingCode = (topics: ReadonlyArray<string>, words: ReadonlyArray<string> = []): string => {
  const stored = words.map((word, i) => `7f${word}60${(i * 32).toString(16).padStart(2, "0")}52`)
  const pushed = [...topics].reverse().map((topic) => `7f${topic.replace(/^0x/, "")}`)
  const length = (words.length * 32).toString(16).padStart(2, "0")
  return `0x${stored.join("")}${pushed.join("")}60${length}5fa${topics.length}00`
}

/** A word with an address or a number in it. */
export const word = (content: string | bigint): string =>
  (typeof content === "bigint" ? content.toString(16) : content.slice(2)).padStart(64, "0")
