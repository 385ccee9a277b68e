/**
 * The Ethereum Name Service on the sandbox's chains. The registry has the same address as on Ethereum, and so has the
 * resolver. The first account owns the root and registers names.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Artefacts from "./contracts/artefacts.js"
import { decodeAnswer } from "./indexer/decodeAnswer.js"
import { decodeInteger } from "./indexer/Tokens.js"
import type { Rpc } from "./indexer/Utxo.js"
import { evmAccounts } from "./nodes/keys.js"
import { abi, ensPackage } from "./Packages.js"
import { SandboxError } from "./SandboxError.js"

/**
 * The address of the registry on all networks that have it.
 *
 * @since 0.1.0
 * @category constants
 */
export const REGISTRY = "0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e"

/**
 * The address of the resolver, which is a public resolver on Ethereum.
 *
 * @since 0.1.0
 * @category constants
 */
export const RESOLVER = "0x231b0Ee14048e9dCcD1d247744d114a4EB5E8E63"

const networks: ReadonlyArray<string> = ["ethereum-mainnet", "ethereum-sepolia"]

/**
 * Whether a network has names.
 *
 * @since 0.1.0
 * @category predicates
 */
export const hasNames = (network: string): boolean => networks.includes(network)

/** The storage slot of the root's owner: the hash of 64 zero bytes, the root node and the position of the mapping. */
const ROOT_OWNER_SLOT = "0xad3228b676f7d3cd4284a5443f17f1962b36e491b30a40b2405849e597ba5fb5"

const toWord = (hex: string): string => `0x${hex.slice(2).toLowerCase().padStart(64, "0")}`

const [owner] = evmAccounts

/**
 * Puts the registry and the resolver on a new chain. They exist from its first block on, without transactions.
 *
 * @since 0.1.0
 * @category operations
 */
export const deployContracts = (rpc: Rpc): Effect.Effect<void, SandboxError> =>
  Effect.forEach(
    [
      ["anvil_setCode", [REGISTRY, Artefacts.Registry.code]],
      ["anvil_setCode", [RESOLVER, Artefacts.Resolver.code]],
      ["anvil_setStorageAt", [REGISTRY, ROOT_OWNER_SLOT, toWord(owner?.address ?? "0x")]]
    ] as const,
    ([method, params]) => rpc(method, params),
    { discard: true }
  )

const toSandboxError = (error: unknown): SandboxError =>
  error instanceof SandboxError
    ? error
    : new SandboxError({ reason: "chain", message: error instanceof Error ? error.message : String(error) })

/**
 * Registers names of one label below `eth` with transactions of the root's owner.
 *
 * @since 0.1.0
 * @category operations
 */
export const registerNames = (
  rpc: Rpc,
  given: ReadonlyArray<readonly [label: string, address: `0x${string}`]>
): Effect.Effect<void, SandboxError> =>
  Effect.gen(function* () {
    const { AbiFunction } = yield* abi
    const ens = yield* ensPackage
    const from = owner?.address ?? "0x"
    const send = (to: string, data: string) => rpc("eth_sendTransaction", [{ from, to, data }])
    const subnode = AbiFunction.fromAbi(Artefacts.Registry.abi, "setSubnodeOwner")
    const resolver = AbiFunction.fromAbi(Artefacts.Registry.abi, "setResolver")
    const address = AbiFunction.fromAbi(Artefacts.Resolver.abi, "setAddr")
    yield* send(REGISTRY, AbiFunction.encodeData(subnode, [ens.namehash(""), ens.labelhash("eth"), from]))
    for (const [label, to] of given) {
      const node = ens.namehash(`${label}.eth`)
      yield* send(
        REGISTRY,
        AbiFunction.encodeData(subnode, [ens.namehash("eth"), ens.labelhash(label), from])
      )
      yield* send(REGISTRY, AbiFunction.encodeData(resolver, [node, RESOLVER]))
      yield* send(RESOLVER, AbiFunction.encodeData(address, [node, to]))
    }
  }).pipe(Effect.mapError(toSandboxError))

const readWord = decodeAnswer("eth_call", Schema.String)

/** The selectors of `resolver(bytes32)` and `addr(bytes32)`. */
const selectors = { resolver: "0x0178b8bf", addr: "0x3b3b57de" }

/** The address that a contract's function returns for a node; undefined for none. */
const readAddress = (rpc: Rpc, to: string, name: keyof typeof selectors, node: string) =>
  Effect.map(
    Effect.flatMap(rpc("eth_call", [{ to, data: `${selectors[name]}${node.slice(2)}` }, "latest"]), readWord),
    (said) => {
      const number = decodeInteger(said)
      return number === undefined || number === 0n ? undefined : `0x${said.slice(26, 66)}`
    }
  )

/**
 * The normal form of a name; undefined for an invalid one.
 *
 * @since 0.1.0
 * @category conversions
 */
export const normalizeName = (text: string): Effect.Effect<string | undefined, SandboxError> =>
  Effect.map(ensPackage, ({ normalize }) => {
    try {
      const normal = normalize(text)
      return normal === "" || normal.split(".").some((label) => label === "") ? undefined : normal
    } catch {
      return undefined
    }
  })

/**
 * The address of a name in normal form, by the registry and the name's own resolver; undefined if it has none. Fails if
 * the node does (`chain`).
 *
 * @since 0.1.0
 * @category operations
 */
export const resolveEnsName = (rpc: Rpc, name: string): Effect.Effect<string | undefined, SandboxError> =>
  Effect.gen(function* () {
    const { namehash } = yield* ensPackage
    const node = namehash(name)
    const resolver = yield* readAddress(rpc, REGISTRY, "resolver", node)
    return resolver === undefined ? undefined : yield* readAddress(rpc, resolver, "addr", node)
  })
