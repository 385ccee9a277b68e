/** What signers of TON need of @ton/core, @ton/crypto and the wallets of @ton/ton: loaded with the first of them. */
import {
  Address,
  beginCell,
  Cell,
  comment,
  Dictionary,
  external,
  internal,
  loadTransaction,
  type MessageRelaxed,
  SendMode,
  type Slice,
  storeMessage,
  type Transaction
} from "@ton/core"
import {
  keyPairFromSeed,
  mnemonicToPrivateKey,
  mnemonicValidate,
  sha256_sync,
  sign,
  signVerify
} from "@ton/crypto"
// the package's index has an HTTP client in it
import { WalletContractV4 } from "@ton/ton/dist/wallets/v4/WalletContractV4.js"
import { WalletContractV5R1 } from "@ton/ton/dist/wallets/v5r1/WalletContractV5R1.js"
import { bytesToHex } from "../../data/hex.js"
import { reasonOf } from "../../data/SdkError.js"
import type { SignBytes } from "../accountKey.js"
import { parseDecimals } from "../tokens.js"
import { parseAddress } from "./address.js"
import type { TonTransaction, TonWallet } from "./Types.js"

export interface WalletKey {
  readonly publicKey: Uint8Array
  /** Signs 32 bytes. */
  readonly sign: SignBytes
}

/** The key of a seed. */
export const keyFromSeed = (seed: Uint8Array): WalletKey => {
  const { publicKey, secretKey } = keyPairFromSeed(Buffer.from(seed))
  return {
    publicKey: Uint8Array.from(publicKey),
    sign: (hash) => Uint8Array.from(sign(Buffer.from(hash), secretKey))
  }
}

/** Whether these are words of TON's own. */
export const isTonMnemonic = (words: ReadonlyArray<string>, password: string): Promise<boolean> =>
  mnemonicValidate([...words], password)

/** The seed of TON's own words. */
export const seedFromMnemonic = async (words: ReadonlyArray<string>, password: string): Promise<Uint8Array> =>
  Uint8Array.from((await mnemonicToPrivateKey([...words], password)).secretKey.subarray(0, 32))

/** What someone has signed, who gets a copy. Throws unless the key has signed it. */
export const signVerified = async (hash: Uint8Array, { publicKey, sign }: WalletKey): Promise<Buffer> => {
  const signature = Buffer.from(await sign(Uint8Array.from(hash)))
  if (signature.length !== 64 || !signVerify(Buffer.from(hash), signature, Buffer.from(publicKey)))
    throw new Error("the signature is not that of the account's key")
  return signature
}

/** A message of a wallet in its place: its number, and the time until which it is good, in seconds. */
export interface WalletOrder {
  readonly seqno: number
  readonly validUntil: number
}

/** A message as nodes take it, and the hash of its normal form, under which it is found (TEP-467). */
export interface EncodedMessage {
  readonly raw: string
  readonly hash: string
}

/** The contract of an account. Cells are bags of cells in base64. */
export interface WalletContract {
  readonly raw: string
  readonly version: TonWallet
  /** The public key, as hexadecimal. */
  readonly publicKey: string
  readonly code: string
  readonly data: string
  /** Reads the wallet's next sequence number from its code and data. Undefined for another contract. */
  readonly readSeqno: (code: string, data: string) => number | undefined
  /** A message to the wallet as nodes take it, without a signature, for emulators that do not look at it. */
  readonly makeTrialMessage: (transaction: TonTransaction, order: WalletOrder) => Promise<string>
  /** The message of a payment without a signature, to estimate its fee. */
  readonly makeTrialBody: (transaction: TonTransaction, order: WalletOrder) => Promise<string>
  readonly makeMessage: (
    transaction: TonTransaction,
    order: WalletOrder & { readonly isFirst: boolean },
    key: WalletKey
  ) => Promise<EncodedMessage>
}

const encodeBoc = (cell: Cell): string => cell.toBoc().toString("base64")

const parseRawAddress = (raw: string): Address => Address.parseRaw(raw)

/** The form of a message that all with the same content have. */
const computeNormalizedHash = (to: Address, body: Cell): string => {
  const head = beginCell().storeUint(2, 2).storeUint(0, 2).storeAddress(to).storeCoins(0)
  return bytesToHex(head.storeBit(0).storeBit(1).storeRef(body).endCell().hash())
}

/**
 * The modes of a message: fees are paid besides the amount, and errors are ignored. Without the second, a payment that cannot be made
 * would be tried until it expires.
 */
const SEND_MODE = SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS

/** The mode of a message with all that the account has, without the fees. */
const SWEEP_MODE = SendMode.CARRY_ALL_REMAINING_BALANCE | SendMode.IGNORE_ERRORS

/** The call of a wallet of tokens that sends some of them. */
const JETTON_TRANSFER = 0x0f8a7ea5

const parseAnyAddress = (address: string): Address => {
  // flags of networks were looked at when it was prepared
  const found = parseAddress(address, true)
  if (typeof found === "string") throw new Error(`${address} ${found}`)
  return parseRawAddress(found.raw)
}

/** The call of the wallet of tokens for a payment. What is left of its coins goes to `rest`. */
export const encodeJettonTransfer = ({ amount, memo, to, token }: TonTransaction, rest: string): Cell => {
  const head = beginCell()
    .storeUint(JETTON_TRANSFER, 32)
    .storeUint(0, 64)
    .storeCoins(amount)
    .storeAddress(parseAnyAddress(to))
    .storeAddress(parseAnyAddress(rest))
    .storeBit(0)
    .storeCoins(token?.forward ?? 0n)
  const body = memo === undefined ? head.storeBit(0) : head.storeBit(1).storeRef(comment(memo))
  return body.endCell()
}

/** What the wallet sends for a payment. */
const makeInternalMessage = (transaction: TonTransaction) => {
  const { amount, bounce, from, memo, to, token } = transaction
  return token === undefined
    ? internal({
        to: parseAnyAddress(to),
        value: amount,
        bounce,
        ...(memo === undefined ? {} : { body: comment(memo) })
      })
    : internal({
        to: parseAnyAddress(token.wallet),
        value: token.attached,
        bounce: true,
        body: encodeJettonTransfer(transaction, from)
      })
}

/** All that the wallet sends: what a relay has asked for, or the payment. */
const makeInternalMessages = (transaction: TonTransaction): Array<MessageRelaxed> =>
  transaction.relay === undefined
    ? [makeInternalMessage(transaction)]
    : transaction.relay.messages.map(({ address, amount, payload }) =>
        internal({
          to: parseAnyAddress(address),
          value: amount,
          bounce: true,
          body: Cell.fromBase64(payload)
        })
      )

/** The networks as version 5 has them in its data. */
const MAINNET_GLOBAL_ID = -239
const TESTNET_GLOBAL_ID = -3

/** What the wallets of both versions take. */
interface TransferArguments {
  readonly seqno: number
  readonly timeout: number
  readonly sendMode: SendMode
  readonly messages: Array<MessageRelaxed>
  readonly signer: (cell: Cell) => Promise<Buffer>
  /** How the wallet gets what was signed: in a message from outside, or in one of a relay's wallet. */
  readonly authType: "external" | "internal"
}

const makeWallet = (publicKey: Buffer, version: TonWallet, isTest: boolean) => {
  if (version === "v4") {
    const wallet = WalletContractV4.create({ workchain: 0, publicKey })
    return {
      ...wallet,
      transfer: async ({ authType, ...given }: TransferArguments) => {
        if (authType === "internal") throw new Error("wallets of version 4 take no messages of relays")
        return wallet.createTransfer(given)
      }
    }
  }
  const networkGlobalId = isTest ? TESTNET_GLOBAL_ID : MAINNET_GLOBAL_ID
  const wallet = WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId } })
  return { ...wallet, transfer: (given: TransferArguments) => wallet.createTransfer(given) }
}

/** The contract of a key. */
export const makeContract = (publicKey: Uint8Array, version: TonWallet, isTest: boolean): WalletContract => {
  const { address, init, transfer } = makeWallet(Buffer.from(publicKey), version, isTest)
  const bodyOf = (
    transaction: TonTransaction,
    { seqno, validUntil }: WalletOrder,
    signer: TransferArguments["signer"]
  ): Promise<Cell> =>
    transfer({
      seqno,
      timeout: validUntil,
      sendMode: transaction.sweeps === true ? SWEEP_MODE : SEND_MODE,
      messages: makeInternalMessages(transaction),
      authType: transaction.relay === undefined ? "external" : "internal",
      signer
    })
  return {
    raw: address.toRawString(),
    version,
    publicKey: bytesToHex(publicKey),
    code: encodeBoc(init.code),
    data: encodeBoc(init.data),
    readSeqno: (code, data) => {
      if (!Cell.fromBase64(code).equals(init.code)) return undefined
      const slice = Cell.fromBase64(data).beginParse()
      // whether its key may sign
      if (version === "v5" && !slice.loadBit()) return undefined
      return slice.loadUint(32)
    },
    makeTrialBody: async (transaction, order) =>
      encodeBoc(await bodyOf(transaction, order, async () => Buffer.alloc(64))),
    makeTrialMessage: async (transaction, order) => {
      const body = await bodyOf(transaction, order, async () => Buffer.alloc(64))
      return encodeBoc(
        beginCell()
          .store(storeMessage(external({ to: address, body })))
          .endCell()
      )
    },
    makeMessage: async (transaction, order, key) => {
      const body = await bodyOf(transaction, order, (cell) => signVerified(cell.hash(), key))
      const message = external({ to: address, body, ...(order.isFirst ? { init } : {}) })
      return {
        raw: encodeBoc(beginCell().store(storeMessage(message)).endCell()),
        hash: computeNormalizedHash(address, body)
      }
    }
  }
}

/** A transaction of a wallet: the message that it has received, how many it has sent, and what went wrong. */
export interface ExecutedMessage {
  readonly hash: string
  readonly sent: number
  readonly problem: string | undefined
}

const findProblem = ({ description }: Transaction): string | undefined => {
  if (description.type !== "generic") return "it is none of a message"
  const { actionPhase, computePhase } = description
  if (computePhase.type === "skipped") return `its contract did not run: ${computePhase.reason}`
  if (!computePhase.success) return `its contract has failed with the code ${computePhase.exitCode}`
  if (actionPhase?.success !== true)
    return `it could not be sent: the code is ${actionPhase?.resultCode ?? "none"}`
  return actionPhase.skippedActions > 0 ? "nothing was sent: the account had too little" : undefined
}

/** A transaction of a node's answer (a bag of cells, in base64). Throws a `TypeError`, as answers that cannot be read do. */
const parseTransaction = (data: string): Transaction => {
  try {
    return loadTransaction(Cell.fromBase64(data).beginParse())
  } catch (error) {
    throw new TypeError(`a transaction cannot be read: ${reasonOf(error)}`)
  }
}

/** The first bits of a message of a relay that a wallet of version 5 takes as signed. */
const AUTH_SIGNED_INTERNAL = 0x73696e74

const isRelayed = (body: Cell): boolean => {
  const slice = body.beginParse()
  return slice.remainingBits >= 32 && slice.preloadUint(32) === AUTH_SIGNED_INTERNAL
}

/** What a transaction (a bag of cells, in base64) has done for a signed message: from outside, or of a relay. Undefined for all others. */
export const parseExecutedMessage = (data: string): ExecutedMessage | undefined => {
  const transaction = parseTransaction(data)
  const { inMessage, outMessagesCount } = transaction
  const { body, info } = inMessage ?? {}
  if (body === undefined || info === undefined || info.type === "external-out") return undefined
  if (info.type === "internal" && !isRelayed(body)) return undefined
  const hash = computeNormalizedHash(info.dest, body)
  return { hash, sent: outMessagesCount, problem: findProblem(transaction) }
}

/** The operation and the amount of a message about tokens (its body as bytes); undefined if it has none. */
export const parseOperation = (
  body: Uint8Array
): { readonly operation: number; readonly amount: bigint } | undefined => {
  try {
    const slice = Cell.fromBoc(Buffer.from(body))[0]?.beginParse()
    if (slice === undefined) return undefined
    const operation = slice.loadUint(32)
    slice.skip(64)
    return { operation, amount: slice.loadCoins() }
  } catch {
    // it may be a message of any contract
    return undefined
  }
}

/** An address as get-methods take it. */
export const encodeAddressSlice = (raw: string): string =>
  encodeBoc(beginCell().storeAddress(parseRawAddress(raw)).endCell())

/** The address in a cell (base64). */
export const decodeAddress = (cell: string): string =>
  Cell.fromBase64(cell).beginParse().loadAddress().toRawString()

/** Reads the bytes of a value after its prefix, over all of its cells. */
const readSnakeText = (slice: Slice): Buffer => {
  const parts: Array<Buffer> = []
  for (let rest = slice; ; rest = rest.loadRef().beginParse()) {
    parts.push(rest.loadBuffer(Math.floor(rest.remainingBits / 8)))
    if (rest.remainingRefs === 0) return Buffer.concat(parts)
  }
}

/** Reads the details of a token from its master contract (TEP-64). */
export interface JettonContent {
  readonly decimals: number | undefined
  readonly symbol: string | undefined
  /** Whether it names the tree of those who may claim tokens (TEP-177). */
  readonly isMintless: boolean
}

const ON_CHAIN_CONTENT = 0x00

/** The decimals of on-chain metadata without them. */
const DEFAULT_DECIMALS = 9

/** Parses the metadata in a cell (base64). Metadata at a url is not read. */
export const parseJettonContent = (cell: string): JettonContent => {
  const content = Cell.fromBase64(cell).beginParse()
  if (content.remainingBits < 8 || content.loadUint(8) !== ON_CHAIN_CONTENT)
    return { decimals: undefined, symbol: undefined, isMintless: false }
  const entries = content.loadDict(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell())
  const readField = (name: string): string | undefined => {
    const value = entries.get(sha256_sync(name))?.beginParse()
    // in one value; those in pieces are of images
    return value === undefined || value.remainingBits < 8 || value.loadUint(8) !== 0
      ? undefined
      : readSnakeText(value).toString()
  }
  const [decimals, symbol, uri] = ["decimals", "symbol", "uri"].map(readField)
  return {
    decimals: decimals === undefined && uri === undefined ? DEFAULT_DECIMALS : parseDecimals(decimals),
    symbol,
    // contracts have the name without the slip of the proposal, too
    isMintless: ["mintless_merkle_dump_uri", "mintles_merkle_dump_uri"].some((name) =>
      entries.has(sha256_sync(name))
    )
  }
}
