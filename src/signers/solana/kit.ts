/** What signers of Solana need of kit: loaded with the first of them. Keys stay in the closures of accounts, as WebCrypto's. */
import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createKeyPairFromPrivateKeyBytes,
  createTransactionMessage,
  getAddressEncoder,
  getAddressFromPublicKey,
  getBase58Decoder,
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getProgramDerivedAddress,
  getPublicKeyFromAddress,
  isOffCurveAddress,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signatureBytes,
  signBytes,
  type Transaction,
  verifySignature
} from "@solana/kit"
import {
  ADVANCE_NONCE,
  CREATE_IDEMPOTENT,
  encodeComputeUnitLimit,
  encodeInstruction,
  encodeMemo,
  programs,
  RECENT_BLOCKHASHES,
  SET_COMPUTE_UNIT_PRICE,
  TRANSFER,
  TRANSFER_CHECKED
} from "./layout.js"
import type { SolanaNonce, SolanaToken, SolanaTransaction } from "./Types.js"

/** A payment in the bytes that are signed. */
export type CompiledTransaction = ReturnType<typeof compile>

/** Any transaction that is signed: the bytes of its message, and the signatures of others. */
export type SignableTransaction = Transaction

const { READONLY, READONLY_SIGNER, WRITABLE, WRITABLE_SIGNER } = AccountRole

const makeCoinTransfer = ({ amount, from, to }: SolanaTransaction) => ({
  programAddress: address(programs.system),
  accounts: [
    { address: address(from), role: WRITABLE_SIGNER },
    { address: address(to), role: WRITABLE }
  ],
  data: encodeInstruction(TRANSFER, amount)
})

const makeTokenTransfer = ({ amount, from }: SolanaTransaction, token: SolanaToken) => ({
  programAddress: address(token.program),
  accounts: [
    { address: address(token.source), role: WRITABLE },
    { address: address(token.mint), role: READONLY },
    { address: address(token.destination), role: WRITABLE },
    { address: address(from), role: READONLY_SIGNER }
  ],
  data: Uint8Array.of(...encodeInstruction(TRANSFER_CHECKED, amount), token.decimals)
})

/** Creates the receiver's token account, unless it exists by then. */
const makeAccountCreation = ({ from, to }: SolanaTransaction, token: SolanaToken) => ({
  programAddress: address(programs.associatedToken),
  accounts: [
    { address: address(from), role: WRITABLE_SIGNER },
    { address: address(token.destination), role: WRITABLE },
    { address: address(to), role: READONLY },
    { address: address(token.mint), role: READONLY },
    { address: address(programs.system), role: READONLY },
    { address: address(token.program), role: READONLY }
  ],
  data: CREATE_IDEMPOTENT
})

const makeComputeBudgetInstruction = (data: Uint8Array) => ({
  programAddress: address(programs.computeBudget),
  accounts: [],
  data
})

/** Uses the value of a nonce account. The chain wants it first. */
const makeNonceAdvance = ({ from }: SolanaTransaction, { account }: SolanaNonce) => ({
  programAddress: address(programs.system),
  accounts: [
    { address: address(account), role: WRITABLE },
    { address: address(RECENT_BLOCKHASHES), role: READONLY },
    { address: address(from), role: READONLY_SIGNER }
  ],
  data: Uint8Array.from(ADVANCE_NONCE)
})

/** The instructions of a payment, and no others. Accounts that want a memo want it right before what they get. */
const makeInstructions = (transaction: SolanaTransaction) => {
  const { computeUnitLimit, computeUnitPrice, memo, nonce, token } = transaction
  return [
    ...(nonce === undefined ? [] : [makeNonceAdvance(transaction, nonce)]),
    ...(computeUnitLimit === undefined
      ? []
      : [makeComputeBudgetInstruction(encodeComputeUnitLimit(computeUnitLimit))]),
    ...(computeUnitPrice === undefined
      ? []
      : [makeComputeBudgetInstruction(encodeInstruction(SET_COMPUTE_UNIT_PRICE, computeUnitPrice))]),
    ...(token?.creates === true ? [makeAccountCreation(transaction, token)] : []),
    ...(memo === undefined
      ? []
      : [{ programAddress: address(programs.memo), accounts: [], data: encodeMemo(memo) }]),
    token === undefined ? makeCoinTransfer(transaction) : makeTokenTransfer(transaction, token)
  ]
}

/** Compiles a payment to bytes. The value of a nonce is where a blockhash is. Throws on invalid addresses and blockhashes. */
export const compile = (
  transaction: SolanaTransaction,
  lifetime: { readonly blockhash: string; readonly lastValidBlockHeight: bigint }
) =>
  compileTransaction(
    appendTransactionMessageInstructions(
      makeInstructions(transaction),
      setTransactionMessageLifetimeUsingBlockhash(
        { ...lifetime, blockhash: blockhash(transaction.nonce?.value ?? lifetime.blockhash) },
        // nothing here needs more, and every reader of transactions takes this version
        setTransactionMessageFeePayer(
          address(transaction.from),
          createTransactionMessage({ version: "legacy" })
        )
      )
    )
  )

export const encodeMessage = ({ messageBytes }: Pick<SignableTransaction, "messageBytes">): string =>
  getBase64Decoder().decode(messageBytes)

/** Encodes a transaction as nodes expect it, in Base64. A missing signature is zeros. */
export const encodeTransaction = (
  transaction: CompiledTransaction,
  of: string,
  signature?: Uint8Array
): string =>
  getBase64EncodedWireTransaction(
    signature === undefined
      ? transaction
      : { ...transaction, signatures: { [address(of)]: signatureBytes(signature) } }
  )

export const encodeSignature = (signature: Uint8Array): string => getBase58Decoder().decode(signature)

/** Signs with a private key of 32 bytes. */
export const keyPairFromPrivateKey = async (privateKey: Uint8Array) => {
  const keys = await createKeyPairFromPrivateKeyBytes(privateKey)
  return {
    address: await getAddressFromPublicKey(keys.publicKey),
    sign: (bytes: Uint8Array): Promise<Uint8Array> => signBytes(keys.privateKey, bytes)
  }
}

/** Whether a value is bytes, even if it comes from another frame or context with an `Uint8Array` of its own. */
export const isBytes = (value: unknown): value is Uint8Array =>
  Object.prototype.toString.call(value) === "[object Uint8Array]"

/** Checks that a signature is the address's over the bytes. */
export const toVerifiedSignature = async (
  of: string,
  bytes: Uint8Array,
  signature: unknown
): Promise<Uint8Array> => {
  const own =
    isBytes(signature) && signature.length === 64 ? signatureBytes(Uint8Array.from(signature)) : undefined
  if (own === undefined || !(await verifySignature(await getPublicKeyFromAddress(address(of)), own, bytes)))
    throw new Error(`the signature is not that of ${of}`)
  return own
}

/** The account that an owner has for the tokens of a mint. */
export const findAssociatedAccount = async (
  owner: string,
  mint: string,
  program: string
): Promise<string> => {
  const encoder = getAddressEncoder()
  const [found] = await getProgramDerivedAddress({
    programAddress: address(programs.associatedToken),
    seeds: [owner, program, mint].map((seed) => encoder.encode(address(seed)))
  })
  return found
}

/** Whether an address cannot have a key, since it is derived from a program. */
export const isProgramAddress = (of: string): boolean => isOffCurveAddress(address(of))

/** No transaction is longer, of any version. */
const MAX_MESSAGE_BYTES = 4_096

/** The first byte of messages of version 1, which older versions of kit cannot read. */
const VERSION_1 = 0x81

/** Whether bytes may be the message of a transaction, which anybody who has its signature can send. */
export const canBeTransaction = (bytes: Uint8Array): boolean => {
  if (bytes.length > MAX_MESSAGE_BYTES) return false
  if (bytes[0] === VERSION_1) return true
  try {
    const { header, staticAccounts } = getCompiledTransactionMessageDecoder().decode(bytes)
    return header.numSignerAccounts > 0 && header.numSignerAccounts <= staticAccounts.length
  } catch {
    return false
  }
}
