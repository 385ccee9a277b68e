/** The layout of programs' instructions and accounts, as far as payments have to do with them. */
import { encodeBase58 } from "../../chains/internal/base58.js"

/** The programs that payments go through, and others of the chain. */
export const programs = {
  system: "11111111111111111111111111111111",
  token: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  token2022: "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
  associatedToken: "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
  memo: "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
  computeBudget: "ComputeBudget111111111111111111111111111111",
  lookupTable: "AddressLookupTab1e1111111111111111111111111",
  stake: "Stake11111111111111111111111111111111111111"
} as const

/** The programs that verify signatures of other chains, or many at once: each costs as much as one of the transaction. */
export const signaturePrograms: ReadonlySet<string> = /*#__PURE__*/ new Set([
  "Ed25519SigVerify111111111111111111111111111",
  "KeccakSecp256k11111111111111111111111111111",
  "Secp256r1SigVerify1111111111111111111111111"
])

/** Whether a program is one of the chain or of its standards, which does what its instructions say. */
export const isKnownProgram = (program: string): boolean =>
  Object.values<string>(programs).includes(program) || signaturePrograms.has(program)

/** Instructions begin with their number: of the system program (four bytes), and of the token programs (one). */
export const TRANSFER: ReadonlyArray<number> = [2, 0, 0, 0]
export const TRANSFER_CHECKED: ReadonlyArray<number> = [12]
export const CREATE_IDEMPOTENT = Uint8Array.of(1)

export const CREATE_WITH_SEED: ReadonlyArray<number> = [3, 0, 0, 0]
export const ADVANCE_NONCE: ReadonlyArray<number> = [4, 0, 0, 0]
export const INITIALIZE_NONCE: ReadonlyArray<number> = [6, 0, 0, 0]

/** The accounts of the chain that instructions about nonces name. */
export const RECENT_BLOCKHASHES = "SysvarRecentB1ockHashes11111111111111111111"
export const RENT = "SysvarRent111111111111111111111111111111111"

export const encodeMemo = (memo: string): Uint8Array => new TextEncoder().encode(memo)

/** The longest memo of a transaction in bytes, by its program. */
export const MAX_MEMO_BYTES = 566

export const isMemo = (memo: unknown): memo is string =>
  typeof memo === "string" && memo !== "" && encodeMemo(memo).length <= MAX_MEMO_BYTES

const MAX_U32 = 0xffff_ffff
export const MAX_U64 = 0xffff_ffff_ffff_ffffn

/** Whether a number fits into an instruction. */
export const isAmount = (amount: unknown): amount is bigint =>
  typeof amount === "bigint" && amount > 0n && amount <= MAX_U64

/** An instruction's number, and an amount of 64 bits behind it. */
export const encodeInstruction = (instruction: ReadonlyArray<number>, amount: bigint): Uint8Array => {
  const data = new Uint8Array(instruction.length + 8)
  data.set(instruction)
  new DataView(data.buffer).setBigUint64(instruction.length, amount, true)
  return data
}

/** The number of the instruction that sets the price of a compute unit, in micro-lamports. */
export const SET_COMPUTE_UNIT_PRICE: ReadonlyArray<number> = [3]

/** The instruction that limits the compute units: its number, and 32 bits. */
export const encodeComputeUnitLimit = (limit: number): Uint8Array => {
  const data = Uint8Array.of(2, 0, 0, 0, 0)
  new DataView(data.buffer).setUint32(1, limit, true)
  return data
}

/** The most compute units that a transaction gets, whatever limit it asks for. */
export const MAX_COMPUTE_UNITS = 1_400_000

/** The compute units that the chain gives each instruction of a transaction without a limit. */
export const COMPUTE_UNITS_PER_INSTRUCTION = 200_000

const MICRO_LAMPORTS = 1_000_000n

/** The priority fee of a limit and a price of compute units, in lamports. The chain rounds it up. */
export const priorityFeeOf = (limit: number, price: bigint): bigint =>
  (BigInt(limit) * price + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS

/** The highest price at which a limit of compute units costs at most this priority fee. */
export const highestPriceFor = (limit: number, fee: bigint): bigint => (fee * MICRO_LAMPORTS) / BigInt(limit)

/** Why the limit and the price of compute units fit into no transaction; undefined if they do. A price alone has no known fee. */
export const computeBudgetProblem = (limit: unknown, price: unknown): string | undefined => {
  if (
    limit !== undefined &&
    !(typeof limit === "number" && Number.isInteger(limit) && limit > 0 && limit <= MAX_U32)
  )
    return "its limit of compute units is none of 32 bits"
  if (price === undefined) return undefined
  if (!isAmount(price)) return "its price of compute units is none of 64 bits"
  return limit === undefined ? "its price of compute units has no limit beside it" : undefined
}

/** An account: its owner and its data. */
export interface AccountState {
  readonly lamports: bigint
  readonly owner: string
  readonly data: Uint8Array
}

const isTokenProgramAccount = ({ owner }: AccountState): boolean =>
  owner === programs.token || owner === programs.token2022

/** The types of the token programs' accounts. With extensions, the type follows the longest fixed layout. */
const MINT_KIND = 1
const ACCOUNT_KIND = 2
const KIND_OFFSET = 165
const MINT_LENGTH = 82

const isKind = (state: AccountState | undefined, kind: number, length: number): state is AccountState =>
  state !== undefined &&
  isTokenProgramAccount(state) &&
  // shorter data has no type
  (state.data.length === length || state.data[KIND_OFFSET] === kind)

const toDataView = ({ data }: AccountState): DataView =>
  new DataView(data.buffer, data.byteOffset, data.byteLength)

/** The extensions of an account of Token-2022: their kinds, and the first byte of their data. */
const parseExtensions = (state: AccountState): ReadonlyMap<number, number | undefined> => {
  const view = toDataView(state)
  const found = new Map<number, number | undefined>()
  for (let at = KIND_OFFSET + 1; at + 4 <= view.byteLength; at += 4 + view.getUint16(at + 2, true)) {
    const kind = view.getUint16(at, true)
    // the rest is empty
    if (kind === 0) break
    found.set(kind, state.data[at + 4])
  }
  return found
}

/** Extensions of mints that payments have to do with. */
const TRANSFER_FEE = 1
const NON_TRANSFERABLE = 9
const TRANSFER_HOOK = 14
const PAUSABLE = 26

/** An extension of accounts that take nothing without a memo. */
const MEMO_TRANSFER = 8

/** Bytes that accounts have for the extensions of their mint: what a transfer's fee has kept, and a mark. */
const accountExtensionSizes: ReadonlyMap<number, number> = new Map([
  [TRANSFER_FEE, 12],
  [PAUSABLE, 4]
])

/** The size of a token account of Token-2022. It always has the extension by which its owner cannot change. */
const ACCOUNT_2022_BYTES = KIND_OFFSET + 1 + 4

export interface ParsedMint {
  readonly program: string
  readonly decimals: number
  /** The length of an account for it. */
  readonly space: number
  readonly hasFee: boolean
  /** Extensions of tokens that a plain transfer cannot send. */
  readonly problem?: string
}

/** Parses the mint of a token; undefined if the account is none. */
export const parseMint = (state: AccountState | undefined): ParsedMint | undefined => {
  if (!isKind(state, MINT_KIND, MINT_LENGTH) || state.data[45] !== 1) return undefined
  const { owner: program } = state
  const extensions = parseExtensions(state)
  const problem = extensions.has(NON_TRANSFERABLE)
    ? "it cannot be transferred"
    : extensions.has(TRANSFER_HOOK)
      ? "its transfers call another program"
      : undefined
  return {
    program,
    decimals: state.data[44] ?? 0,
    space:
      program === programs.token
        ? KIND_OFFSET
        : [...extensions.keys()].reduce(
            (sum, kind) => sum + (accountExtensionSizes.get(kind) ?? 0),
            ACCOUNT_2022_BYTES
          ),
    hasFee: extensions.has(TRANSFER_FEE),
    ...(problem === undefined ? {} : { problem })
  }
}

export interface Holding {
  readonly mint: string
  readonly owner: string
  readonly amount: bigint
  readonly isFrozen: boolean
  readonly wantsMemo: boolean
}

/** The extension of mints whose tokens somebody may take from every account. */
const PERMANENT_DELEGATE = 12

/** Who may take a token from every account; undefined if nobody may. */
export const parsePermanentDelegate = (state: AccountState | undefined): string | undefined => {
  if (!isKind(state, MINT_KIND, MINT_LENGTH)) return undefined
  const view = toDataView(state)
  for (let at = KIND_OFFSET + 1; at + 36 <= view.byteLength; at += 4 + view.getUint16(at + 2, true)) {
    const kind = view.getUint16(at, true)
    if (kind === 0) return undefined
    const key = state.data.subarray(at + 4, at + 36)
    // 32 zeros are nobody
    if (kind === PERMANENT_DELEGATE) return key.some((byte) => byte !== 0) ? encodeBase58(key) : undefined
  }
  return undefined
}

/** Parses a token account; undefined if the account is none. */
export const parseHolding = (state: AccountState | undefined): Holding | undefined => {
  if (!isKind(state, ACCOUNT_KIND, KIND_OFFSET)) return undefined
  return {
    mint: encodeBase58(state.data.subarray(0, 32)),
    owner: encodeBase58(state.data.subarray(32, 64)),
    amount: toDataView(state).getBigUint64(64, true),
    isFrozen: state.data[108] === 2,
    wantsMemo: parseExtensions(state).get(MEMO_TRANSFER) === 1
  }
}

/** Who may take tokens from an account besides its owner, and how many of the smallest unit. */
export interface Delegation {
  readonly delegate: string
  readonly amount: bigint
}

/** Parses the delegation of a token account; undefined if there is none. */
export const parseDelegation = (state: AccountState | undefined): Delegation | undefined => {
  if (!isKind(state, ACCOUNT_KIND, KIND_OFFSET)) return undefined
  const view = toDataView(state)
  return view.getUint32(72, true) === 0
    ? undefined
    : { delegate: encodeBase58(state.data.subarray(76, 108)), amount: view.getBigUint64(121, true) }
}

/** A lookup table: its kind (32 bits), the slots at which it was closed and grew (64 bits each), and, behind its head, its addresses. */
const TABLE_KIND = 1
const TABLE_HEAD_BYTES = 56
const NEVER_CLOSED = MAX_U64

/** The size of a nonce account: its version and its state (32 bits each), who may use it, its value, and the fee of a signature. */
export const NONCE_BYTES = 80
const NONCE_VERSION = 1
const NONCE_INITIALIZED = 1

/** Who may use a nonce account, and the value that it has: a transaction with it is valid until the account has another one. */
export interface NonceState {
  readonly authority: string
  readonly value: string
}

/** Parses a nonce account; undefined if the account is none. */
export const parseNonce = (state: AccountState | undefined): NonceState | undefined => {
  if (state === undefined || state.owner !== programs.system || state.data.length !== NONCE_BYTES)
    return undefined
  const view = toDataView(state)
  return view.getUint32(0, true) === NONCE_VERSION && view.getUint32(4, true) === NONCE_INITIALIZED
    ? {
        authority: encodeBase58(state.data.subarray(8, 40)),
        value: encodeBase58(state.data.subarray(40, 72))
      }
    : undefined
}

/** The addresses that transactions can take from a lookup table, or why they can take none. */
export type LookupTable = { readonly addresses: ReadonlyArray<string> } | { readonly problem: string }

/** Parses a lookup table as it is at a slot. */
export const parseLookupTable = (state: AccountState | undefined, slot: bigint): LookupTable => {
  if (state === undefined) return { problem: "does not exist" }
  if (state.owner !== programs.lookupTable)
    return { problem: `is no lookup table: it belongs to the program ${state.owner}` }
  const view = toDataView(state)
  const size = view.byteLength - TABLE_HEAD_BYTES
  if (size < 0 || size % 32 !== 0 || view.getUint32(0, true) !== TABLE_KIND)
    return { problem: "is no lookup table" }
  if (view.getBigUint64(4, true) !== NEVER_CLOSED) return { problem: "is being closed" }
  // what was added in the newest slot can be used from the next one on
  const isGrowing = slot <= view.getBigUint64(12, true)
  const count = isGrowing ? view.getUint8(20) : size / 32
  return {
    addresses: Array.from({ length: count }, (_, at) =>
      encodeBase58(state.data.subarray(TABLE_HEAD_BYTES + 32 * at, TABLE_HEAD_BYTES + 32 * (at + 1)))
    )
  }
}
