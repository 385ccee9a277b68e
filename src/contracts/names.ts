/**
 * Names of ENS (ERC-137, ERC-181), by its registry and the resolvers of names, on Ethereum and Sepolia.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Hex } from "../chains/evm/Types.js"
import { kept, loadPeer } from "../data/loadOnce.js"
import type { MissingPeer } from "../data/SdkError.js"
import { refused } from "../signers/Signer.js"
import { membersOf } from "./Contract.js"
import { checksOf, fitting } from "./calling.js"
import type { Contract, ContractClient, ContractError } from "./Types.js"

/** The registry has one address on all networks that have it. */
const REGISTRY = "0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e"
const NETWORKS: ReadonlyArray<string> = ["ethereum-mainnet", "ethereum-sepolia"]
const ZERO = /^0x0{40}$/

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

const resolverOf = (
  client: ContractClient,
  node: Hex
): Effect.Effect<Contract<typeof abi> | undefined, ContractError> =>
  Effect.map(at(client, REGISTRY).read.resolver(node), (resolver) =>
    ZERO.test(resolver) ? undefined : at(client, resolver)
  )

const addressOf = (client: ContractClient, node: Hex): Effect.Effect<Hex | null, ContractError> =>
  Effect.flatMap(resolverOf(client, node), (resolver) =>
    resolver === undefined
      ? Effect.succeed(null)
      : Effect.map(resolver.read.addr(node), (address) => (ZERO.test(address) ? null : address))
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
export const resolveName = (client: ContractClient, name: string): Effect.Effect<Hex | null, ContractError> =>
  onEns(
    "resolveName",
    client,
    Effect.gen(function* () {
      const ens = yield* loaded
      const node = yield* fitting("resolveName", () => ens.nodeOf(name))
      return yield* addressOf(client, node)
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
  address: string
): Effect.Effect<string | null, ContractError> =>
  onEns(
    "lookupAddress",
    client,
    Effect.gen(function* () {
      const ens = yield* loaded
      const check = yield* checksOf(client.network)
      const wanted = (yield* check(address)).toLowerCase()
      const node = ens.reverseNodeOf(wanted)
      const resolver = yield* resolverOf(client, node)
      if (resolver === undefined) return null
      const name = yield* resolver.read.name(node)
      // a name that is not in its normal form looks like another one
      const normal = ens.isNormal(name) ? ens.nodeOf(name) : undefined
      if (normal === undefined) return null
      return (yield* addressOf(client, normal))?.toLowerCase() === wanted ? name : null
    })
  )
