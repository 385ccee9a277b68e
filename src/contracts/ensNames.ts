/**
 * Names of ENS (ERC-137, ERC-181), by its registry and the resolvers of names, on Ethereum and Sepolia. Resolvers may answer for names
 * below theirs (ENSIP-10), and from outside of the chain (EIP-3668).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Hex } from "../chains/evm/Types.js"
import { loadPeer, memoizeSuccess } from "../data/loadOnce.js"
import type { ContractReverted, MissingPeer } from "../data/SdkError.js"
import { invalidArgument } from "../signers/signerChecks.js"
import { makeContractMembers } from "./Contract.js"
import { decodeCallAnswer, loadCodec, makeAddressCheck, orInvalidArgument } from "./callEncoding.js"
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
const ENS_NETWORKS: ReadonlyArray<string> = ["ethereum-mainnet", "ethereum-sepolia"]
const zeroAddress = /^0x0{40}$/

/** The interface of resolvers that answer for names below theirs (ENSIP-10), by `resolve`. */
const WILDCARD_INTERFACE_ID = "0x9061b923"

/** The selector of `OffchainLookup`, by which a contract refers to its gateways. */
const OFFCHAIN_LOOKUP_SELECTOR = "0x556f1830"

const ensAbi = [
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

type EnsModule = typeof import("./ensEncoding.js")

const loadEns: Effect.Effect<EnsModule, MissingPeer> = /*#__PURE__*/ memoizeSuccess(
  /*#__PURE__*/ loadPeer("ox", () => import("./ensEncoding.js"))
)

const contractAt = (client: ContractClient, address: string): Contract<typeof ensAbi> =>
  // the members are those of the ABI above, whose functions have no events to stream
  makeContractMembers(
    { client, signer: undefined },
    { address, abi: ensAbi },
    () => undefined
  ) as unknown as Contract<typeof ensAbi>

/** How names are read. */
interface NameContext extends NameOptions {
  readonly client: ContractClient
  readonly ens: EnsModule
}

/** A resolver, and whether it is the name's own or a parent's. */
interface FoundResolver {
  readonly resolver: Contract<typeof ensAbi>
  readonly isOwn: boolean
}

/** The resolver of the first of these nodes that has one. */
const findResolver = (
  client: ContractClient,
  [node, ...parents]: ReadonlyArray<Hex>,
  isOwn = true
): Effect.Effect<FoundResolver | undefined, ContractError> =>
  node === undefined
    ? Effect.succeed(undefined)
    : Effect.flatMap(contractAt(client, REGISTRY).read.resolver(node), (resolver) =>
        zeroAddress.test(resolver)
          ? findResolver(client, parents, false)
          : Effect.succeed({ resolver: contractAt(client, resolver), isOwn })
      )

const answerFalse = () => Effect.succeed(false)

/** Whether a resolver also serves names below its own. One that does not know the question does not. */
const isWildcardResolver = ({ read }: Contract<typeof ensAbi>): Effect.Effect<boolean, ContractError> =>
  read
    .supportsInterface(WILDCARD_INTERFACE_ID)
    .pipe(Effect.catchTag("ContractReverted", answerFalse), Effect.catchTag("InvalidArgument", answerFalse))

const isOffchainLookup = ({ data }: ContractReverted): boolean =>
  data?.startsWith(OFFCHAIN_LOOKUP_SELECTOR) === true

/** Reads an answer; null if it is off-chain and off-chain reads are turned off. */
const followLookups = <A>(
  context: NameContext,
  call: ContractCall<A>,
  answer: Effect.Effect<A, NameError>,
  depth = 1
): Effect.Effect<A | null, NameError> =>
  Effect.catchTag(answer, "ContractReverted", (error): Effect.Effect<A | null, NameError> => {
    if (!isOffchainLookup(error)) return Effect.fail(error)
    if (context.ccipRead === false) return Effect.succeed(null)
    const next = Effect.flatMap(
      loadPeer("ox", () => import("./ccipRead.js")),
      ({ answerOffchain }) => answerOffchain(context, call, error, depth)
    )
    // the answer has the type of the call
    return followLookups(context, call, next as Effect.Effect<A, NameError>, depth + 1)
  })

/** Reads a record of a normalized name; null if no resolver answers for it. */
const readRecord = (
  context: NameContext,
  name: string,
  record: "addr" | "name"
): Effect.Effect<string | null, NameError> =>
  Effect.gen(function* () {
    const { client, ens } = context
    const nodes = ens.namehashesOf(name)
    const found = yield* findResolver(client, nodes)
    if (found === undefined) return null
    const { calls, read } = found.resolver
    const call = calls[record](nodes[0])
    if (yield* isWildcardResolver(found.resolver)) {
      const ox = yield* loadCodec
      const data = yield* orInvalidArgument(record, () => ox.encodeCall(call.item, call.args))
      const resolveArgs = [ens.encodeDnsName(name), data] as const
      const answer = yield* followLookups(
        context,
        calls.resolve(...resolveArgs),
        read.resolve(...resolveArgs)
      )
      return answer === null || answer === "0x" ? null : String(yield* decodeCallAnswer(ox, call, answer))
    }
    return found.isOwn ? yield* followLookups<string>(context, call, read[record](nodes[0])) : null
  })

const readAddress = (context: NameContext, name: string): Effect.Effect<Hex | null, NameError> =>
  Effect.map(readRecord(context, name, "addr"), (address) =>
    // the type of an address is that of any hexadecimal text
    address === null || zeroAddress.test(address) ? null : (address as Hex)
  )

const requireEnsNetwork = <A, E>(call: string, { network }: ContractClient, then: Effect.Effect<A, E>) =>
  ENS_NETWORKS.includes(network)
    ? then
    : Effect.fail(
        invalidArgument(call, `ENS is on ${ENS_NETWORKS.join(" and ")}, and this client is of ${network}`)
      )

/**
 * Reads the address of an ENS name; null if it has none.
 *
 * @since 0.1.0
 * @category operations
 */
export const resolveName = (
  client: ContractClient,
  name: string,
  options: NameOptions = {}
): Effect.Effect<Hex | null, NameError> =>
  requireEnsNetwork(
    "resolveName",
    client,
    Effect.gen(function* () {
      const ens = yield* loadEns
      const normal = yield* orInvalidArgument("resolveName", () => ens.normalizeName(name))
      return yield* readAddress({ ...options, client, ens }, normal)
    })
  )

/**
 * Reads the ENS name that an address has chosen; null unless that name has the address.
 *
 * @since 0.1.0
 * @category operations
 */
export const lookupAddress = (
  client: ContractClient,
  address: string,
  options: NameOptions = {}
): Effect.Effect<string | null, NameError> =>
  requireEnsNetwork(
    "lookupAddress",
    client,
    Effect.gen(function* () {
      const ens = yield* loadEns
      const check = yield* makeAddressCheck(client.network)
      const expected = (yield* check(address)).toLowerCase()
      const context = { ...options, client, ens }
      const name = yield* readRecord(context, ens.reverseNameOf(expected), "name")
      // a name that is not in its normal form looks like another one
      if (name === null || !ens.isNormalized(name)) return null
      return (yield* readAddress(context, name))?.toLowerCase() === expected ? name : null
    })
  )
