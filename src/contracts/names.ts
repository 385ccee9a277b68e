/**
 * Names of ENS (ERC-137, ERC-181), by its registry and the resolvers of names, on Ethereum and Sepolia. Resolvers may answer for names
 * below theirs (ENSIP-10), and from outside of the chain (EIP-3668).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Hex } from "../chains/evm/Types.js"
import { kept, loadPeer } from "../data/loadOnce.js"
import type { ContractReverted, MissingPeer } from "../data/SdkError.js"
import { refused } from "../signers/Signer.js"
import { membersOf } from "./Contract.js"
import { checksOf, decoded, fitting, loadOx } from "./calling.js"
import type {
  Contract,
  ContractCall,
  ContractClient,
  ContractError,
  NameError,
  NameOptions
} from "./Types.js"

/** The registry has one address on all networks that have it. */
const REGISTRY = "0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e"
const NETWORKS: ReadonlyArray<string> = ["ethereum-mainnet", "ethereum-sepolia"]
const ZERO = /^0x0{40}$/

/** The interface of resolvers that answer for names below theirs (ENSIP-10), by `resolve`. */
const EXTENDED = "0x9061b923"

/** The selector of `OffchainLookup`, by which a contract refers to its gateways. */
const LOOKUP = "0x556f1830"

const abi = [
  {
    type: "function",
    name: "resolver",
    stateMutability: "view",
    inputs: [{ name: "node", type: "bytes32" }],
    outputs: [{ name: "resolver", type: "address" }]
  },
  {
    type: "function",
    name: "addr",
    stateMutability: "view",
    inputs: [{ name: "node", type: "bytes32" }],
    outputs: [{ name: "address", type: "address" }]
  },
  {
    type: "function",
    name: "name",
    stateMutability: "view",
    inputs: [{ name: "node", type: "bytes32" }],
    outputs: [{ name: "name", type: "string" }]
  },
  {
    type: "function",
    name: "supportsInterface",
    stateMutability: "view",
    inputs: [{ name: "id", type: "bytes4" }],
    outputs: [{ name: "supported", type: "bool" }]
  },
  {
    type: "function",
    name: "resolve",
    stateMutability: "view",
    inputs: [
      { name: "name", type: "bytes" },
      { name: "data", type: "bytes" }
    ],
    outputs: [{ name: "answer", type: "bytes" }]
  }
] as const

type Ens = typeof import("./ens.js")

const loaded: Effect.Effect<Ens, MissingPeer> = /*#__PURE__*/ kept(
  /*#__PURE__*/ loadPeer("ox", () => import("./ens.js"))
)

const at = (client: ContractClient, address: string): Contract<typeof abi> =>
  // the members are those of the ABI above; its functions have no events to stream
  membersOf({ client, signer: undefined }, { address, abi }, () => undefined) as unknown as Contract<
    typeof abi
  >

/** How names are read. */
interface Reading extends NameOptions {
  readonly client: ContractClient
  readonly ens: Ens
}

/** A resolver, and whether it is the name's own or one of a parent. */
interface Found {
  readonly resolver: Contract<typeof abi>
  readonly isOwn: boolean
}

/** The resolver of the first of these nodes that has one. */
const resolverOf = (
  client: ContractClient,
  [node, ...parents]: ReadonlyArray<Hex>,
  isOwn = true
): Effect.Effect<Found | undefined, ContractError> =>
  node === undefined
    ? Effect.succeed(undefined)
    : Effect.flatMap(at(client, REGISTRY).read.resolver(node), (resolver) =>
        ZERO.test(resolver)
          ? resolverOf(client, parents, false)
          : Effect.succeed({ resolver: at(client, resolver), isOwn })
      )

const no = () => Effect.succeed(false)

/** Whether a resolver is one for names below its own, too. One that does not know the question is none. */
const isExtended = ({ read }: Contract<typeof abi>): Effect.Effect<boolean, ContractError> =>
  read
    .supportsInterface(EXTENDED)
    .pipe(Effect.catchTag("ContractReverted", no), Effect.catchTag("InvalidArgument", no))

const isLookup = ({ data }: ContractReverted): boolean => data?.startsWith(LOOKUP) === true

/** An answer, or null where it is outside of the chain and that is not to be read. */
const through = <A>(
  reading: Reading,
  call: ContractCall<A>,
  answer: Effect.Effect<A, NameError>,
  depth = 1
): Effect.Effect<A | null, NameError> =>
  Effect.catchTag(answer, "ContractReverted", (error): Effect.Effect<A | null, NameError> => {
    if (!isLookup(error)) return Effect.fail(error)
    if (reading.ccipRead === false) return Effect.succeed(null)
    const next = Effect.flatMap(
      loadPeer("ox", () => import("./ccip.js")),
      ({ answerThrough }) => answerThrough(reading, call, error, depth)
    )
    // the answer is of the type that the call says
    return through(reading, call, next as Effect.Effect<A, NameError>, depth + 1)
  })

/** The record of a name in its normal form, or null if nobody answers for it. */
const recordOf = (
  reading: Reading,
  name: string,
  record: "addr" | "name"
): Effect.Effect<string | null, NameError> =>
  Effect.gen(function* () {
    const { client, ens } = reading
    const nodes = ens.nodesOf(name)
    const found = yield* resolverOf(client, nodes)
    if (found === undefined) return null
    const { calls, read } = found.resolver
    const call = calls[record](nodes[0])
    if (yield* isExtended(found.resolver)) {
      const ox = yield* loadOx
      const data = yield* fitting(record, () => ox.encodeCall(call.item, call.args))
      const question = [ens.wireOf(name), data] as const
      const answer = yield* through(reading, calls.resolve(...question), read.resolve(...question))
      return answer === null || answer === "0x" ? null : String(yield* decoded(ox, call, answer))
    }
    return found.isOwn ? yield* through<string>(reading, call, read[record](nodes[0])) : null
  })

const addressOf = (reading: Reading, name: string): Effect.Effect<Hex | null, NameError> =>
  Effect.map(recordOf(reading, name, "addr"), (address) =>
    // the type of an address is that of any hexadecimal digits
    address === null || ZERO.test(address) ? null : (address as Hex)
  )

const onEns = <A, E>(call: string, { network }: ContractClient, then: Effect.Effect<A, E>) =>
  NETWORKS.includes(network)
    ? then
    : Effect.fail(refused(call, `ENS is on ${NETWORKS.join(" and ")}, and this client is of ${network}`))

/**
 * The address that a name of ENS stands for, or null if it stands for none.
 *
 * @since 0.1.0
 * @category operations
 */
export const resolveName = (
  client: ContractClient,
  name: string,
  options: NameOptions = {}
): Effect.Effect<Hex | null, NameError> =>
  onEns(
    "resolveName",
    client,
    Effect.gen(function* () {
      const ens = yield* loaded
      const normal = yield* fitting("resolveName", () => ens.normalOf(name))
      return yield* addressOf({ ...options, client, ens }, normal)
    })
  )

/**
 * The name of ENS that an address has chosen, if that name stands for the address; null otherwise.
 *
 * @since 0.1.0
 * @category operations
 */
export const lookupAddress = (
  client: ContractClient,
  address: string,
  options: NameOptions = {}
): Effect.Effect<string | null, NameError> =>
  onEns(
    "lookupAddress",
    client,
    Effect.gen(function* () {
      const ens = yield* loaded
      const check = yield* checksOf(client.network)
      const wanted = (yield* check(address)).toLowerCase()
      const reading = { ...options, client, ens }
      const name = yield* recordOf(reading, ens.reverseOf(wanted), "name")
      // a name that is not in its normal form looks like another one
      if (name === null || !ens.isNormal(name)) return null
      return (yield* addressOf(reading, name))?.toLowerCase() === wanted ? name : null
    })
  )
