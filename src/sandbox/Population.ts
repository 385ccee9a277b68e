/**
 * Gives a chain the state of a used one: balances, a history, tokens, NFTs with pictures, and items. It is the same for
 * every sandbox.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Network } from "../data/Network.js"
import { makeRandom, pickRandom } from "./faults/Random.js"
import { hasNames, registerNames } from "./Names.js"
import type { RunningNetwork, SandboxNetwork } from "./Networks.js"
import { Nodes } from "./Nodes.js"
import { evmAccounts } from "./nodes/keys.js"
import * as Contract from "./provider/Contract.js"
import { computeCid, FileStore } from "./provider/Files.js"
import { SandboxError } from "./SandboxError.js"

/** The number of coin transfers in the history of an EVM chain. */
const TRANSFER_COUNT = 60

const WEI_PER_CENT = 10n ** 16n

/** The most that an account gives away at first, in cents. It makes balances uneven and leaves every account enough. */
const MAX_GIVEN_CENTS = 850_000

/** The receiver of these coins. Nobody has its key. */
const SINK_ADDRESS = `0x${"5a".repeat(20)}`

/** The account that deploys. It may mint, and the nodes have its key. */
const deployer = evmAccounts[0]?.address ?? "0x"

const animals = ["Otter", "Heron", "Lynx", "Gecko", "Bison", "Raven", "Tapir", "Ibex"]

/** An SVG with shapes whose colours follow from a number. */
const drawPicture = (id: number, name: string): string => {
  const next = makeRandom(id)
  const hue = (): number => Math.floor(next() * 360)
  const shapes = Array.from({ length: 5 }, () => {
    const [x, y, size] = [next() * 320, next() * 320, 30 + next() * 90]
    return `<circle cx="${x.toFixed()}" cy="${y.toFixed()}" r="${size.toFixed()}" fill="hsl(${hue()} 70% 60%)" fill-opacity=".7"/>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 320"><rect width="320" height="320" fill="hsl(${hue()} 45% 22%)"/>${shapes.join("")}<text x="160" y="300" fill="#fff" font-family="sans-serif" font-size="28" text-anchor="middle">${name} #${id}</text></svg>`
}

const storeFile = (text: string, contentType: string, name: string) =>
  Effect.gen(function* () {
    const files = yield* FileStore
    const bytes = new TextEncoder().encode(text)
    const cid = yield* computeCid(bytes)
    yield* files.put(cid, bytes, contentType, name)
    return `ipfs://${cid}`
  })

const toSandboxError = (error: { readonly message: string }): SandboxError =>
  error instanceof SandboxError
    ? error
    : new SandboxError({ reason: "chain", message: `The chain cannot be populated: ${error.message}` })

const readDeployedAddress = (network: Network, hash: string) =>
  Effect.flatMap(Nodes, ({ rpc }) =>
    Effect.map(rpc(network, "eth_getTransactionReceipt", [hash]), (receipt) => {
      const address: unknown = Object(receipt).contractAddress
      return `0x${String(address).slice(2)}` as const
    })
  )

const makeRoles = (chain: Network) => ({ chain, owner: deployer, minter: deployer }) as const

const deployContract = (id: Network, deployment: Parameters<Contract.ContractsService["deploy"]>[0]) =>
  Effect.gen(function* () {
    const { deploy } = yield* Contract.deployAndMint
    const { txId } = yield* deploy(deployment)
    return yield* readDeployedAddress(id, txId)
  })

const mintTokens = (id: Network, next: () => number) =>
  Effect.gen(function* () {
    const { mintFungible } = yield* Contract.deployAndMint
    for (const [name, symbol, decimals] of [
      ["Sandbox Dollar", "SBD", 6],
      ["Governance of Sand", "SAND", 18]
    ] as const) {
      const contractAddress = yield* deployContract(id, {
        ...makeRoles(id),
        contractType: "fungible",
        name,
        symbol,
        decimals,
        initialSupply: "1000000",
        initialHolder: deployer
      })
      for (const { address: to } of evmAccounts.slice(1, 7)) {
        const amount = (next() * 10 ** (1 + Math.floor(next() * 4))).toFixed(2)
        yield* mintFungible({ chain: id, to, contractAddress, minter: deployer, amount })
      }
    }
  })

/** Stores the picture and the description of an animal, and yields the description's uri. */
const storeAnimal = (name: string, i: number) =>
  Effect.gen(function* () {
    const image = yield* storeFile(drawPicture(i, name), "image/svg+xml", `${name}.svg`)
    const attributes = [{ trait_type: "legs", value: name === "Heron" || name === "Raven" ? 2 : 4 }]
    const metadata = {
      name: `${name} #${i}`,
      description: `The ${name} of the sandbox.`,
      image,
      attributes
    }
    return yield* storeFile(JSON.stringify(metadata), "application/json", `${i}.json`)
  })

const mintAnimals = (id: Network, next: () => number) =>
  Effect.gen(function* () {
    const { mint } = yield* Contract.deployAndMint
    const contractAddress = yield* deployContract(id, {
      ...makeRoles(id),
      contractType: "nft",
      name: "Sandbox Animals",
      symbol: "ANIMAL",
      baseURI: ""
    })
    for (const [i, name] of animals.entries()) {
      const url = yield* storeAnimal(name, i)
      const to = pickRandom(next, evmAccounts)?.address ?? deployer
      yield* mint({ chain: id, to, contractAddress, minter: deployer, tokenId: String(i), url })
    }
  })

const mintItems = (id: Network, next: () => number) =>
  Effect.gen(function* () {
    const { mintMultitoken } = yield* Contract.deployAndMint
    const contractAddress = yield* deployContract(id, {
      ...makeRoles(id),
      contractType: "multitoken",
      baseURI: ""
    })
    for (const tokenId of ["1", "2", "3"])
      for (const { address: to } of evmAccounts.slice(0, 4))
        yield* mintMultitoken({
          chain: id,
          to,
          contractAddress,
          minter: deployer,
          tokenId,
          amount: String(1 + Math.floor(next() * 50)),
          data: "0x"
        })
  })

const deployContracts = (id: Network) =>
  Effect.suspend(() => {
    const next = makeRandom(1)
    return Effect.all([mintTokens(id, next), mintAnimals(id, next), mintItems(id, next)], { discard: true })
  })

const sendTransfers = (id: Network) =>
  Effect.gen(function* () {
    const { rpc } = yield* Nodes
    const next = makeRandom(2)
    for (const { address: from } of evmAccounts) {
      const cents = BigInt(Math.floor(next() * MAX_GIVEN_CENTS))
      yield* rpc(id, "eth_sendTransaction", [
        { from, to: SINK_ADDRESS, value: `0x${(cents * WEI_PER_CENT).toString(16)}` }
      ])
    }
    for (let i = 0; i < TRANSFER_COUNT; i++) {
      const from = pickRandom(next, evmAccounts)?.address
      // nobody has the keys of some receivers
      const to =
        next() < 0.3 ? `0x${String(i + 1).padStart(40, "5")}` : pickRandom(next, evmAccounts)?.address
      const cents = BigInt(Math.floor(next() * 10 ** (1 + Math.floor(next() * 4))))
      const value = `0x${(cents * WEI_PER_CENT).toString(16)}`
      yield* rpc(id, "eth_sendTransaction", [{ from, to, value }])
    }
  })

/** The names of the first accounts. */
const labels = ["alice", "bob", "carol"]

const registerLabels = (id: Network) =>
  Effect.flatMap(Nodes, ({ rpc }) =>
    hasNames(id)
      ? registerNames(
          (method, params) => rpc(id, method, params),
          labels.flatMap((label, i) => {
            const address = evmAccounts[i]?.address
            return address === undefined ? [] : [[label, address] as const]
          })
        )
      : Effect.void
  )

/**
 * Mines while a chain is filled, whatever its block time is. At a block every few seconds, a history would take
 * minutes.
 *
 * @since 0.1.0
 * @category combinators
 */
export const mineWhile = <A, E, R>(
  { mine }: SandboxNetwork,
  filling: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.raceFirst(
    filling,
    Effect.forever(Effect.zipRight(Effect.sleep("120 millis"), Effect.ignore(mine(1))))
  )

/**
 * Populates a network that has just started. EVM chains get transfers, two tokens, a collection of NFTs whose pictures
 * are in the file store, and items. On Ethereum the first accounts get names (`alice.eth`, `bob.eth`, `carol.eth`). The
 * accounts of other chains get coins in different amounts. Recordings do not change.
 *
 * @since 0.1.0
 * @category operations
 */
export const populate = (
  { accounts, fund, id, runs }: RunningNetwork,
  network: Network
): Effect.Effect<void, SandboxError, Nodes | FileStore> => {
  if (runs === "recorded") return Effect.void
  if (runs === "evm")
    return Effect.mapError(
      Effect.all([sendTransfers(network), deployContracts(network), registerLabels(network)], {
        discard: true
      }),
      toSandboxError
    )
  const next = makeRandom(id.length)
  return Effect.forEach(accounts.slice(1), ({ address }) => fund(address, (0.5 + next() * 20).toFixed(2)), {
    discard: true
  })
}
