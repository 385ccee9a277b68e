/** Accounts with many addresses, which come from one extended key (BIP-44): their keys, and what they have. Loaded with the first one. */
import { HDKey } from "@scure/bip32"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { bytesToHex } from "../../data/hex.js"
import { loadPeer } from "../../data/loadOnce.js"
import { InvalidArgument, InvalidKey, reasonOf } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { isRecord } from "../../data/untrusted.js"
import { makeMalformedError } from "../evidence.js"
import type { PrepareError, SignerError } from "../Signer.js"
import { catchMalformedAnswer, invalidArgument, invalidKey, reveal } from "../signerChecks.js"
import { type Account, accountFromPublicKey, addressTypeOf, type KeyContext, purposes } from "./accounts.js"
import * as Coins from "./Coins.js"
import {
  type DescriptorKey,
  formatDescriptor,
  formatKey,
  parseDescriptor,
  type SingleKeyDescriptor
} from "./descriptor.js"
import { type ExtendedKey, parseExtendedKey, publicTextOf } from "./extendedKeys.js"
import { parseMultisig } from "./multisig.js"
import type { Chain } from "./networks.js"
import { prepare } from "./payments.js"
import { makeFindUtxos, parseOutputs, type SignerContext, toUnits } from "./reading.js"
import type {
  BitcoinInput,
  BitcoinPayment,
  BitcoinTransaction,
  FindAddresses,
  HdAddress,
  HdClient,
  HdFrom,
  HdFromMnemonic,
  HdScan,
  HdSources,
  HdUtxo,
  MultisigAccount,
  MultisigFrom,
  WatchedAccount,
  WatchFrom
} from "./Types.js"

/** The consecutive addresses without a payment after which no more are looked at (BIP-44). */
const GAP_LIMIT = 20
const MAX_GAP_LIMIT = 1_000

/** The most addresses of one kind. An account with more is none of a person, or its list of used addresses is wrong. */
const MAX_ADDRESSES = 10_000

/** How many requests about outputs run at the same time. */
const CONCURRENCY = 8

/** The keys of an account, and whether they are private. */
interface HdKeys extends SingleKeyDescriptor {
  readonly isPrivate: boolean
}

const STANDARD_BRANCHES = [0, 1] as const

const UNKNOWN_SOURCE =
  "say which account it is: { extendedKey } or { descriptor } to watch it, { mnemonic } or a private { extendedKey } to sign"

/** The type of an account's addresses. The text of a key alone may not say it, and a guess would show an empty account. */
const resolveType = (
  { type: said }: Pick<ExtendedKey, "type">,
  wanted: HdSources["type"],
  { chain, network }: KeyContext
): Effect.Effect<SingleKeyDescriptor["type"], InvalidKey> => {
  const { types } = chain
  if (wanted !== undefined && !types.includes(wanted))
    return invalidKey(`type must be ${types.join(" or ")} on ${network}`)
  if (said !== undefined && wanted !== undefined && said !== wanted)
    return invalidKey(`its prefix is that of addresses of ${said}, and type is ${wanted}`)
  const type = said ?? wanted ?? (types.length === 1 ? types[0] : undefined)
  return type === undefined
    ? invalidKey(`its prefix does not say which addresses it has: type must be ${types.join(" or ")}`)
    : Effect.succeed(type)
}

const toKeys = (
  node: HDKey,
  origin: DescriptorKey["origin"],
  type: SingleKeyDescriptor["type"],
  isPrivate: boolean
): HdKeys => ({ type, key: { node, origin, branches: STANDARD_BRANCHES }, isPrivate })

/** The path of an account's key. */
const pathOf = (type: SingleKeyDescriptor["type"], { coin }: Chain, account: number): string =>
  `m/${purposes[type]}'/${coin}'/${account}'`

const keysFromExtended = (
  ground: KeyContext,
  given: string,
  { account, type: wanted }: HdSources & { readonly account?: number }
): Effect.Effect<HdKeys, InvalidKey> =>
  Effect.gen(function* () {
    const found = parseExtendedKey(given, ground.chain)
    if (typeof found === "string") return yield* invalidKey(found)
    const { isPrivate, node } = found
    const type = yield* resolveType(found, wanted, ground)
    if (node.depth > 0) return toKeys(node, { fingerprint: node.fingerprint, path: "m" }, type, isPrivate)
    const path = pathOf(type, ground.chain, account ?? 0)
    if (!isPrivate) return yield* invalidKey(`it is a root key, and no account's: export the one at ${path}`)
    return toKeys(node.derive(path), { fingerprint: node.fingerprint, path }, type, true)
  })

const keysFromMnemonic = (ground: KeyContext, from: HdFromMnemonic): Effect.Effect<HdKeys, SignerError> =>
  Effect.gen(function* () {
    const { account = 0, path, ...rest } = from
    const { deriveKey } = yield* loadPeer("@scure/bip39", () => import("../keys/bip39.js"))
    const wanted = { ...rest, index: account, ...(path === undefined ? {} : { path }) }
    const type = yield* resolveType({ type: undefined }, addressTypeOf(wanted, ground.chain), ground)
    return yield* deriveKey(
      wanted,
      { standard: (index) => pathOf(type, ground.chain, index) },
      (seed, found) => {
        const root = HDKey.fromMasterSeed(seed)
        return toKeys(root.derive(found), { fingerprint: root.fingerprint, path: found }, type, true)
      }
    )
  })

const keysFromDescriptor = (
  { chain }: KeyContext,
  descriptor: Parameters<typeof parseDescriptor>[0]
): Effect.Effect<HdKeys, InvalidKey> =>
  Effect.try({
    try: () => ({ ...parseDescriptor(descriptor, chain), isPrivate: false }),
    catch: (error) => new InvalidKey({ reason: `the descriptor cannot be used: ${reasonOf(error)}` })
  })

const readKeys = (ground: KeyContext, from: WatchFrom | HdFrom): Effect.Effect<HdKeys, SignerError> => {
  if (!isRecord(from as unknown)) return invalidKey(UNKNOWN_SOURCE)
  if ("descriptor" in from) return keysFromDescriptor(ground, from.descriptor)
  if ("mnemonic" in from) return keysFromMnemonic(ground, from)
  return "extendedKey" in from
    ? keysFromExtended(ground, reveal(from.extendedKey), from)
    : invalidKey(UNKNOWN_SOURCE)
}

/** What a watched account is asked for that only its owner can do. */
const refuseToSign = (): never => {
  throw new Error("the account is watched, and its private keys are elsewhere")
}

const PATH_PATTERN = /^(0|[1-9]\d{0,9})\/(0|[1-9]\d{0,9})$/
const HIGHEST_INDEX = 0x7fffffff

/** Derives the keys of an account. Paths that it does not have are those of its first address, which is whose they are not. */
const makeKeyAt = (ground: KeyContext, { isPrivate, key, type }: HdKeys) => {
  const branches = new Map(key.branches.map((branch) => [String(branch), key.node.deriveChild(branch)]))
  const known = new Map<string, Account>()
  const first = `${key.branches[0]}/0`
  const hasPath = (path: string): boolean => {
    const [, branch = "", index] = PATH_PATTERN.exec(path) ?? []
    return branches.has(branch) && Number(index) <= HIGHEST_INDEX
  }
  const derive = (path: string): Account => {
    const [branch = "", index] = path.split("/")
    const node = branches.get(branch)?.deriveChild(Number(index))
    const [publicKey, privateKey] = [node?.publicKey, node?.privateKey]
    if (!publicKey) throw new Error("a derived key has a public part")
    const sign = isPrivate && privateKey ? ground.scure.makeSignDigest(privateKey, type) : refuseToSign
    const origin = { fingerprint: key.origin.fingerprint, path: `${key.origin.path}/${path}` }
    return { ...accountFromPublicKey(ground, type, publicKey, sign), origin }
  }
  const keyAt: SignerContext["keyAt"] = ({ path = first }) => {
    const wanted = hasPath(path) ? path : first
    const account = known.get(wanted) ?? derive(wanted)
    known.set(wanted, account)
    return account
  }
  return { keyAt, hasPath }
}

/** An address of an account, and what is known of it. */
interface AddressState extends HdAddress {
  readonly index: number
  readonly isUsed: boolean
  /** What arrives with transactions that wait for a block, if the source says it. */
  readonly arriving?: bigint
  /** Absent if they are still to be listed, empty if there are none. */
  readonly listed?: ReadonlyArray<BitcoinInput>
}

type Place = HdAddress & { readonly index: number }
type Places = readonly [Place, ...ReadonlyArray<Place>]

/** Reads which addresses were ever paid. Fails if that is not known of each of them. */
type ReadStates = (places: Places) => Effect.Effect<ReadonlyArray<AddressState>, PrepareError>

/** Whole coins of the data API. */
const parseWholeCoins = (value: unknown, decimals: number): bigint | undefined =>
  typeof value === "string" ? Option.getOrUndefined(Units.parse(value, decimals)) : undefined

const BALANCES = "data.blockchains.getBalanceBatch"

const NEEDED =
  "findAddresses is needed: it says of addresses whether they were ever paid, and which outputs they have"

const invalidScan = (why: string) => Effect.fail(invalidArgument("scan", `${NEEDED}. ${why}`))

/** Asks the data API for the balances of all addresses at once. */
const makeReadBalances = ({
  client: { data },
  row: { decimals, id }
}: Pick<ScanContext, "client" | "row">): ReadStates => {
  const toState = (rows: ReadonlyArray<unknown>, place: Place): AddressState | undefined => {
    const row = rows.find((each) => isRecord(each) && each.address === place.address)
    if (!isRecord(row)) return undefined
    const { balance = "0", incoming, incomingPending = "0" } = row
    const [has, got, arriving] = [balance, incoming, incomingPending].map((each) =>
      parseWholeCoins(each, decimals)
    )
    return has === undefined || got === undefined || arriving === undefined
      ? undefined
      : {
          ...place,
          isUsed: got > 0n || arriving > 0n,
          arriving,
          ...(has > 0n || arriving > 0n ? {} : { listed: [] })
        }
  }
  return ([first, ...rest]) =>
    data?.blockchains === undefined
      ? invalidScan("The client has no data API")
      : data.blockchains
          .getBalanceBatch({ chain: id, addresses: [first.address, ...rest.map(({ address }) => address)] })
          .pipe(
            Effect.catchTag("NotSupportedForNetwork", () =>
              invalidScan(`The data API has no balances of ${id}`)
            ),
            Effect.flatMap((rows) =>
              Effect.forEach([first, ...rest], (place) => {
                const state = toState(Array.isArray(rows) ? rows : [], place)
                return state === undefined
                  ? Effect.fail(
                      makeMalformedError(
                        BALANCES,
                        `it does not say what ${place.address} has, or whether it was ever paid`
                      )
                    )
                  : Effect.succeed(state)
              })
            )
          )
}

const SOURCE = "findAddresses"

/** What the caller's own source says of an address. One with outputs was paid. */
const readFound = (
  rows: unknown,
  place: Place,
  decimals: number
): Effect.Effect<AddressState, InvalidArgument> => {
  const row: unknown = Array.isArray(rows)
    ? rows.find((each) => isRecord(each) && each.address === place.address)
    : undefined
  if (!isRecord(row) || typeof row.isUsed !== "boolean")
    return Effect.fail(
      invalidArgument(SOURCE, `it must yield { address, isUsed, utxos } for ${place.address}`)
    )
  const { isUsed } = row
  return Effect.map(parseOutputs(SOURCE, row.utxos, decimals), (listed) => ({
    ...place,
    isUsed: isUsed || listed.length > 0,
    listed
  }))
}

/** Asks the caller's own source about all addresses at once. */
const makeAskSource =
  (findAddresses: FindAddresses, decimals: number): ReadStates =>
  (places) =>
    Effect.flatMap(
      Effect.tryPromise({
        try: async () => findAddresses(places.map(({ address }) => address)),
        catch: (error) => new InvalidArgument({ call: SOURCE, reason: reasonOf(error) })
      }),
      (rows) => Effect.forEach(places, (place) => readFound(rows, place, decimals))
    )

/** What a client and its network give a scan. */
export interface ScanGround extends Pick<SignerContext, "row"> {
  readonly chain: Chain
  readonly client: Omit<HdClient, "rpc"> & { readonly rpc: Pick<HdClient["rpc"], "getTxOut"> }
}

/** What a scan needs. */
export interface ScanContext extends ScanGround, Pick<SignerContext, "findUtxos"> {
  readonly branches: DescriptorKey["branches"]
  readonly keyAt: (place: { readonly path?: string }) => Pick<Account, "address" | "script">
  readonly readStates: ReadStates
  readonly gapLimit: number
}

const lastUsedOf = (states: ReadonlyArray<AddressState>): number =>
  states.findLast(({ isUsed }) => isUsed)?.index ?? -1

/** The addresses of one branch that are known, and those to read next: as many as the gap limit follow the last one that was paid. */
const placesAfter = (
  { gapLimit, keyAt }: ScanContext,
  branch: number,
  states: ReadonlyArray<AddressState>
): ReadonlyArray<Place> => {
  const length = Math.max(0, lastUsedOf(states) + 1 + gapLimit - states.length)
  return Array.from({ length }, (_, at) => {
    const index = states.length + at
    const path = `${branch}/${index}`
    return { index, path, address: keyAt({ path }).address }
  })
}

/** Reads the addresses of both branches, as many of them at once as can be asked for. */
export const readAddresses = (
  context: ScanContext
): Effect.Effect<readonly [ReadonlyArray<AddressState>, ReadonlyArray<AddressState>], PrepareError> =>
  Effect.gen(function* () {
    const [receiveBranch, changeBranch] = context.branches
    let receiving: ReadonlyArray<AddressState> = []
    let changing: ReadonlyArray<AddressState> = []
    while (true) {
      if (receiving.length > MAX_ADDRESSES || changing.length > MAX_ADDRESSES)
        return yield* invalidArgument("scan", `it has more than ${MAX_ADDRESSES} addresses of one kind`)
      const toReceive = placesAfter(context, receiveBranch, receiving)
      const [first, ...rest] = [...toReceive, ...placesAfter(context, changeBranch, changing)]
      if (first === undefined) return [receiving, changing]
      const states = yield* context.readStates([first, ...rest])
      receiving = [...receiving, ...states.slice(0, toReceive.length)]
      changing = [...changing, ...states.slice(toReceive.length)]
    }
  })

/** A listed output as nodes know it; undefined if they do not, or something that waits for a block spends it. */
const readUtxo = (
  { chain: { maturity }, client: { rpc }, keyAt, row }: ScanContext,
  { address, path }: HdAddress,
  { txid, vout }: BitcoinInput
): Effect.Effect<HdUtxo | undefined, PrepareError> =>
  Effect.map(rpc.getTxOut(txid, vout), (output) =>
    output === null || output.scriptPubKey.hex !== bytesToHex(keyAt({ path }).script)
      ? undefined
      : {
          txid,
          vout,
          amount: toUnits(row.decimals, output.value),
          address,
          path,
          isConfirmed: output.confirmations >= (output.coinbase ? maturity : 1)
        }
  )

const listUtxos = (context: ScanContext, states: ReadonlyArray<AddressState>) =>
  Effect.gen(function* () {
    const listed = yield* Effect.forEach(
      states.filter(({ isUsed }) => isUsed),
      (state) =>
        Effect.map(
          state.listed === undefined ? context.findUtxos(state.address) : Effect.succeed(state.listed),
          (coins) => coins.map((coin) => ({ state, coin }))
        ),
      { concurrency: CONCURRENCY }
    )
    const found = yield* Effect.forEach(listed.flat(), ({ coin, state }) => readUtxo(context, state, coin), {
      concurrency: CONCURRENCY
    })
    return found.flatMap((utxo) => utxo ?? [])
  })

const sumOf = (utxos: ReadonlyArray<HdUtxo>, isConfirmed: boolean): bigint =>
  utxos.reduce((sum, utxo) => (utxo.isConfirmed === isConfirmed ? sum + utxo.amount : sum), 0n)

const toAddress = ({ address, path }: HdAddress): HdAddress => ({ address, path })

const scan = (context: ScanContext): Effect.Effect<HdScan, PrepareError> =>
  catchMalformedAnswer(
    Effect.gen(function* () {
      const { branches, keyAt } = context
      const [receiveBranch, changeBranch] = branches
      const [receiving, changing] = yield* readAddresses(context)
      const states = [...receiving, ...changing]
      const utxos = yield* listUtxos(context, states)
      const arriving = states.flatMap((state) => state.arriving ?? [])
      const next = (branch: number, of: ReadonlyArray<AddressState>): HdAddress => {
        const path = `${branch}/${lastUsedOf(of) + 1}`
        return { path, address: keyAt({ path }).address }
      }
      return {
        balance: {
          confirmed: sumOf(utxos, true),
          unconfirmed:
            arriving.length > 0 ? arriving.reduce((sum, each) => sum + each, 0n) : sumOf(utxos, false)
        },
        utxos,
        used: states.filter(({ isUsed }) => isUsed).map(toAddress),
        receive: next(receiveBranch, receiving),
        change: next(changeBranch, changing)
      }
    }),
    "scan"
  )

/** The later of two addresses of one branch. */
const laterOf = (one: string, other: string | undefined): string =>
  other !== undefined && Number(other.split("/")[1]) >= Number(one.split("/")[1])
    ? other.replace(/\d+$/, (index) => String(Number(index) + 1))
    : one

/** A payment with the places of the outputs that it names, as a scan has them. */
const withPlaces = (payment: BitcoinPayment, { utxos }: HdScan): BitcoinPayment => {
  if (!Array.isArray(payment.utxos)) return payment
  const paths = new Map(utxos.map((utxo) => [Coins.keyOf(utxo), utxo.path]))
  return {
    ...payment,
    utxos: payment.utxos.map((place: unknown) => {
      if (!isRecord(place)) return place
      const path = paths.get(`${String(place.txid).toLowerCase()}:${String(place.vout)}`)
      return path === undefined ? place : { ...place, path }
      // what is no outpoint is refused when it is prepared
    }) as NonNullable<BitcoinPayment["utxos"]>
  }
}

/** Why the inputs or the change of a transaction cannot be those of an account; undefined if they can. */
const findPathProblem = (
  hasPath: (path: string) => boolean,
  { inputs, outputs }: BitcoinTransaction
): string | undefined => {
  const wrong = [...inputs, ...outputs].find(({ path }) => path !== undefined && !hasPath(String(path)))
  return wrong === undefined ? undefined : `the account has no address at the path ${String(wrong.path)}`
}

const gapLimitProblem = (gapLimit: unknown): string | undefined =>
  Number.isSafeInteger(gapLimit) && Number(gapLimit) >= 1 && Number(gapLimit) <= MAX_GAP_LIMIT
    ? undefined
    : `gapLimit must be a whole number from 1 to ${MAX_GAP_LIMIT}`

/** Makes the scan of an account, by its own source or by the data API. Nothing is read yet. */
export const makeScan = (
  ground: ScanGround,
  { findAddresses, gapLimit = GAP_LIMIT }: { [K in keyof HdSources]?: HdSources[K] | undefined },
  branches: ScanContext["branches"],
  keyAt: ScanContext["keyAt"]
): Effect.Effect<Effect.Effect<HdScan, PrepareError>, InvalidArgument> => {
  const { client, row } = ground
  const problem = gapLimitProblem(gapLimit)
  if (problem !== undefined) return Effect.fail(invalidArgument("scan", problem))
  const findUtxos = makeFindUtxos(row, findAddresses === undefined ? undefined : () => [], client.data)
  if (findUtxos === undefined) return Effect.fail(invalidArgument("scan", NEEDED))
  const readStates =
    findAddresses === undefined
      ? makeReadBalances({ client, row })
      : makeAskSource(findAddresses, row.decimals)
  return Effect.succeed(
    Effect.suspend(() => scan({ ...ground, branches, keyAt, findUtxos, readStates, gapLimit }))
  )
}

const invalidIndex = Effect.fail(
  invalidArgument("addressAt", `index must be a whole number from 0 to ${HIGHEST_INDEX}`)
)

/** An account that was opened: what reads it, and what a signer is made of. */
export interface HdAccount
  extends Pick<WatchedAccount, "descriptor" | "extendedKey" | "descriptorKey" | "scan" | "addressAt"> {
  readonly context: SignerContext
  readonly isPrivate: boolean
  readonly prepare: (payment: BitcoinPayment) => ReturnType<typeof prepare>
}

/** What a client and its network give an account. */
export interface HdGround extends KeyContext, Pick<SignerContext, "row"> {
  readonly client: HdClient
}

/** The outputs of an account. `lastChange` is the newest address to which this process has sent change: lists may be late. */
const makeCoins = () => {
  const coins = Coins.make()
  let lastChange: string | undefined
  const add: Coins.Coins["add"] = (out) => {
    lastChange = out.change?.path ?? lastChange
    coins.add(out)
  }
  return { coins: { ...coins, add }, lastChange: () => lastChange }
}

/** Opens an account: derives its keys, and reads nothing yet. */
export const openHdAccount = (
  ground: HdGround,
  from: WatchFrom | HdFrom
): Effect.Effect<HdAccount, SignerError> =>
  Effect.gen(function* () {
    const { chain, client, row, scure } = ground
    const keys = yield* readKeys(ground, from)
    const { hasPath, keyAt } = makeKeyAt(ground, keys)
    const { branches } = keys.key
    const scanAll = yield* makeScan({ client, row, chain }, from, branches, keyAt)
    const { coins, lastChange } = makeCoins()
    const account = keyAt({})
    const { nodes, rpc } = client
    const context: SignerContext = {
      ...{ scure, row, nodes, rpc, account, keyAt, coins },
      findUtxos: () => Effect.succeed([]),
      change: { address: account.address },
      findProblem: (transaction) => findPathProblem(hasPath, transaction)
    }
    return {
      context,
      isPrivate: keys.isPrivate,
      descriptor: formatDescriptor(keys, chain),
      extendedKey: publicTextOf(keys.key.node, chain),
      descriptorKey: formatKey(keys.key, chain),
      scan: () => scanAll,
      addressAt: (index, { isChange = false } = {}) => {
        const path = `${branches[isChange ? 1 : 0]}/${index}`
        return hasPath(path) ? Effect.succeed({ path, address: keyAt({ path }).address }) : invalidIndex
      },
      prepare: (payment) =>
        Effect.flatMap(scanAll, (found) => {
          const path = laterOf(found.change.path, lastChange())
          const change = { path, address: keyAt({ path }).address }
          const listed = found.utxos.map(({ amount, path: own, txid, vout }) => ({
            txid,
            vout,
            amount,
            path: own
          }))
          return prepare(
            { ...context, change, findUtxos: () => Effect.succeed(listed) },
            withPlaces(payment, found)
          )
        })
    }
  })

/** Opens an account of several keys: what reads it. */
export const openMultisig = (
  ground: ScanGround,
  { descriptor, ...sources }: MultisigFrom
): Effect.Effect<Omit<MultisigAccount, "network">, SignerError> =>
  Effect.gen(function* () {
    if (typeof descriptor !== "string") return yield* invalidKey("the descriptor is text")
    const account = yield* Effect.try({
      try: () => parseMultisig(descriptor, ground.chain),
      catch: (error) => new InvalidKey({ reason: `the descriptor cannot be used: ${reasonOf(error)}` })
    })
    const { branches, hasPath, scriptsAt } = account
    const addressOf = (path: string): HdAddress => ({ path, address: scriptsAt(path).address })
    const scanAll = yield* makeScan(ground, sources, branches, ({ path }) =>
      scriptsAt(path ?? `${branches[0]}/0`)
    )
    return {
      descriptor: account.descriptor,
      threshold: account.threshold,
      members: account.members.map(({ member }) => member),
      scan: () => scanAll,
      addressAt: (index, { isChange = false } = {}) => {
        const path = `${branches[isChange ? 1 : 0]}/${index}`
        return hasPath(path) ? Effect.succeed(addressOf(path)) : invalidIndex
      }
    }
  })
