/** What holds the key of an account of an EVM chain: a key of ours, or someone who signs. */
import * as Effect from "effect/Effect"
import type { Hex, TransactionRequest } from "../../chains/evm/Types.js"
import type { BrowserWallet } from "../../config/Extension.js"
import { sendWithWallet, type WalletRequest } from "../../data/eip1193.js"
import { addressProblem } from "../../data/evmAddress.js"
import { bytesToHex, hexToBytes } from "../../data/hex.js"
import { loadPeer } from "../../data/loadOnce.js"
import type { NetworkRow } from "../../data/Network.js"
import { InvalidKey, SigningFailed, type WalletUnclear } from "../../data/SdkError.js"
import { isRecord } from "../../data/untrusted.js"
import { ignoreRequest, makeAccountKey, type RequestWithPreimage, withPreimage } from "../accountKey.js"
import type { Account as ExternalAccount, FromMnemonic, PolicyRequest, SignerError } from "../Signer.js"
import { invalidKey, missingKeySource, reveal, trySigning } from "../signerChecks.js"
import type { EvmFrom, EvmTransaction, TypedDataDefinition, ViemAccount } from "./Types.js"

/** The derivation paths of `@tatumio/tatum`'s wallet package: one for each mainnet that it supports. */
const tatumPaths: Readonly<Record<string, string>> = {
  "arb-nova-mainnet": "60'/0'/0",
  "arbitrum-one-mainnet": "60'/0'/0",
  "aurora-mainnet": "60'/0'/0",
  "avalanche-c-mainnet": "9005'/0'/0",
  "bsc-mainnet": "9006'/0'/0",
  "celo-mainnet": "52752'/0'/0",
  "chiliz-mainnet": "2182'/0'/0",
  "cronos-mainnet": "394'/0'/0",
  "eon-mainnet": "121'/0'/0",
  "ethereum-classic-mainnet": "61'/0'/0",
  "ethereum-mainnet": "60'/0'/0",
  "fantom-mainnet": "1007'/0'/0",
  "flare-mainnet": "60'/0'/0",
  "gno-mainnet": "700'/0'/0",
  "haqq-mainnet": "1348'/0'/0",
  // the chain has another name now, and its accounts are the same
  "kaia-mainnet": "8217'/0'/0",
  "kcs-mainnet": "641'/0'/0",
  "klaytn-mainnet": "8217'/0'/0",
  "oasis-mainnet": "474'/0'/0'",
  "one-mainnet-s0": "1023'/0'/0",
  "optimism-mainnet": "60'/0'/0",
  "palm-mainnet": "60'/0'/0",
  "polygon-mainnet": "966'/0'/0",
  "vechain-mainnet": "818'/0'/0",
  "xinfin-mainnet": "550'/0'/0"
}

/** A wallet of the page: it signs no transaction for others to send. */
export interface SendingWallet {
  /** Whether the wallet is on the chain of a transaction: it would be sent on another one. */
  readonly checkChain: (transaction: EvmTransaction) => Effect.Effect<void, SigningFailed>
  readonly requestOf: (transaction: EvmTransaction) => WalletRequest
  /** Asks for a signature and the sending: the hash. `next` is the account's next nonce. */
  readonly send: (
    request: WalletRequest,
    next: number
  ) => Effect.Effect<string, SigningFailed | WalletUnclear>
}

/** Signs the content of a request. */
type SignContent<A> = (content: A, request?: PolicyRequest) => Promise<Hex>

/** What holds the key. */
export interface Account {
  readonly address: Hex
  /** Gives the bytes as blocks have them. */
  readonly signTransaction: SignContent<EvmTransaction>
  readonly signMessage: SignContent<string | Uint8Array>
  readonly signTypedData: SignContent<TypedDataDefinition>
  readonly wallet?: SendingWallet
}

export type OxModule = typeof import("./ox.js")

const accountFromSignFunction = (
  ox: OxModule,
  address: Hex,
  sign: (hash: Hex, request?: RequestWithPreimage) => Hex | Promise<Hex>
): Account => {
  const signFor = (request?: PolicyRequest) => (hash: Hex, preimage?: Hex) =>
    sign(hash, preimage === undefined ? request : withPreimage(request, hexToBytes(preimage.slice(2))))
  return {
    address,
    signTransaction: (transaction, request) => ox.signTransaction(transaction, signFor(request), address),
    signMessage: (message, request) => ox.signMessage(message, signFor(request), address),
    signTypedData: (data, request) => ox.signTypedData(data, signFor(request), address)
  }
}

const accountFromExternal = (ox: OxModule, external: ExternalAccount): Effect.Effect<Account, InvalidKey> =>
  Effect.map(makeAccountKey(external, { secp256k1: ox.secp256k1Library }), ({ publicKey, sign }) =>
    accountFromSignFunction(
      ox,
      ox.addressFromPublicKey(publicKey),
      async (hash, request) => `0x${bytesToHex(await sign(hexToBytes(hash.slice(2)), request))}`
    )
  )

const accountFromPrivateKey = (ox: OxModule, given: string): Effect.Effect<Account, InvalidKey> => {
  const digits = given.replace(/^0x/, "")
  if (!/^[0-9a-f]{64}$/i.test(digits))
    return invalidKey("a private key of an EVM chain is 32 bytes: 64 hexadecimal digits")
  const key: Hex = `0x${digits}`
  return Effect.try({
    try: () => accountFromSignFunction(ox, ox.addressFromPrivateKey(key), ox.makeSignHash(key)),
    catch: () => new InvalidKey({ reason: "it is none of the curve's keys" })
  })
}

const accountFromMnemonic = (ox: OxModule, from: FromMnemonic, { id, testnet }: NetworkRow) => {
  const theirs = testnet === true ? "1'/0'/0" : tatumPaths[id]
  const paths = {
    standard: (index: number) => `m/44'/60'/0'/0/${index}`,
    tatum: theirs === undefined ? undefined : (index: number) => `m/44'/${theirs}/${index}`
  }
  return Effect.flatMap(
    loadPeer("ox @scure/bip39", () => Promise.all([import("../keys/bip39.js"), import("./hd.js")])),
    ([{ deriveKey }, { deriveHdKey }]) =>
      Effect.flatMap(deriveKey(from, paths, deriveHdKey), (key) => accountFromPrivateKey(ox, key))
  )
}

/** An address as text, in the case of its checksum. */
const checkOwnAddress = (ox: OxModule, address: unknown): Effect.Effect<Hex, InvalidKey> =>
  typeof address === "string" && addressProblem(address) === undefined
    ? Effect.succeed(ox.toChecksumAddress(address as Hex))
    : invalidKey("its address must be 0x and 40 hexadecimal digits")

const accountFromViem = (
  ox: OxModule,
  { viem }: { readonly viem: ViemAccount }
): Effect.Effect<Account, InvalidKey> =>
  Effect.map(checkOwnAddress(ox, viem.address), (address) => {
    // viem types the arguments of its functions, and its types are not named in ours
    const sign = viem as unknown as {
      readonly [K in "signTransaction" | "signMessage" | "signTypedData"]: (given: object) => Promise<Hex>
    }
    return {
      address,
      signTransaction: async (transaction) => {
        const raw = await sign.signTransaction({
          ...ox.signedFieldsOf(await ox.nameBlobs(transaction)),
          type:
            transaction.blobs !== undefined
              ? "eip4844"
              : transaction.gasPrice === undefined
                ? "eip1559"
                : "legacy"
        })
        if (!(await ox.isSignedTransactionOf(raw, transaction, address)))
          throw new Error("the account has signed another transaction")
        return raw
      },
      signMessage: (message) =>
        sign.signMessage({ message: typeof message === "string" ? message : { raw: message } }),
      signTypedData: (data) => sign.signTypedData(data)
    }
  })

export const toQuantity = (value: bigint | number): Hex => `0x${value.toString(16)}`

/** A transaction as nodes and wallets take it. */
export const requestOf = (
  from: Hex,
  { chainId, nonce, value, ...rest }: EvmTransaction
): TransactionRequest<string> & WalletRequest => ({
  from,
  ...(rest.to === undefined ? {} : { to: rest.to }),
  ...(rest.data === undefined ? {} : { data: rest.data }),
  value: toQuantity(value),
  gas: toQuantity(rest.gas),
  ...(rest.gasPrice === undefined ? {} : { gasPrice: toQuantity(rest.gasPrice) }),
  ...(rest.maxFeePerGas === undefined ? {} : { maxFeePerGas: toQuantity(rest.maxFeePerGas) }),
  ...(rest.maxPriorityFeePerGas === undefined
    ? {}
    : { maxPriorityFeePerGas: toQuantity(rest.maxPriorityFeePerGas) }),
  ...(nonce === undefined ? {} : { nonce: toQuantity(nonce) }),
  chainId: toQuantity(chainId)
})

const accountFromWallet = (
  ox: OxModule,
  { address: wanted, eip1193 }: { readonly eip1193: BrowserWallet; readonly address?: string }
): Effect.Effect<Account, InvalidKey | SigningFailed> =>
  Effect.gen(function* () {
    const accounts = yield* trySigning(() => eip1193.request({ method: "eth_requestAccounts" }))
    const given: ReadonlyArray<unknown> = Array.isArray(accounts) ? accounts : []
    const found =
      wanted === undefined
        ? given[0]
        : given.find((each) => String(each).toLowerCase() === wanted.toLowerCase())
    if (found === undefined)
      return yield* invalidKey(
        wanted === undefined ? "the wallet gave no account" : `the wallet does not have ${wanted}`
      )
    const address = yield* checkOwnAddress(ox, found)
    // the answer is a signature, which is what its callers check
    const request = (method: string, params: ReadonlyArray<unknown>) =>
      eip1193.request({ method, params }) as Promise<Hex>
    return {
      address,
      signTransaction: () => Promise.reject(new Error("a wallet sends what it signs: use send")),
      wallet: {
        checkChain: ({ chainId }) =>
          trySigning(async () => {
            const chain = Number(await eip1193.request({ method: "eth_chainId" }))
            if (chain !== chainId)
              throw new Error(`the wallet is on chain ${chain}, and this is one of chain ${chainId}`)
          }),
        requestOf: (transaction) => requestOf(address, transaction),
        send: (given, next) =>
          sendWithWallet(eip1193, given, {
            denied: ({ detail }) => new SigningFailed({ reason: detail }),
            next
          })
      },
      signMessage: (message) => request("personal_sign", [ox.toMessageHex(message), address]),
      signTypedData: (data) =>
        request("eth_signTypedData_v4", [
          address,
          JSON.stringify(data, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))
        ])
    }
  })

export const makeAccount = (
  ox: OxModule,
  from: EvmFrom,
  row: NetworkRow
): Effect.Effect<Account, SignerError> => {
  if (!isRecord(from as unknown)) return missingKeySource
  const given: EvmFrom = from
  if ("mnemonic" in given) return accountFromMnemonic(ox, given, row)
  if ("privateKey" in given) return accountFromPrivateKey(ox, reveal(given.privateKey))
  if ("eip1193" in given) return accountFromWallet(ox, given)
  if ("viem" in given) return accountFromViem(ox, given)
  if ("account" in given) return accountFromExternal(ox, given.account)
  if (typeof given.sign === "function")
    return Effect.map(checkOwnAddress(ox, given.address), (address) =>
      accountFromSignFunction(ox, address, ignoreRequest(given.sign))
    )
  return invalidKey("must have mnemonic, privateKey, account, eip1193, viem, or sign with address")
}
