/**
 * Accounts whose key is on a Ledger, by Ledger's own libraries over any transport: `effect-chains/accounts/ledger`.
 *
 * ```ts
 * const account = await ledgerEvm({ app: new Eth(await TransportWebHID.create()) })
 * ```
 *
 * @since 0.1.0
 */
import { bytesToHex, hexToBytes } from "../data/hex.js"
import { InvalidKey, reasonOf, SigningFailed } from "../data/SdkError.js"
import { readMember } from "../data/untrusted.js"
import type { Account, SigningRequest } from "../signers/Signer.js"
import { callWithin } from "./callWithin.js"
import { checkOptions } from "./options.js"
import { compressPoint } from "./publicKeys.js"

export type { Account, FromAccount, KeyScheme, SigningRequest } from "../signers/Signer.js"

/**
 * What all accounts of a Ledger have in common. `path` is the derivation path, without `m/`.
 *
 * @since 0.1.0
 * @category models
 */
export interface LedgerOptions<App> {
  readonly app: App
  readonly path?: string
  /** The milliseconds that a person has to look at the device and confirm (default: 300,000). */
  readonly timeout?: number
}

/** A signature of secp256k1: 32 bytes each, as hexadecimal. */
interface LedgerSignature {
  readonly r: string
  readonly s: string
}

/**
 * The calls of `@ledgerhq/hw-app-eth` that an account needs.
 *
 * @since 0.1.0
 * @category models
 */
export interface LedgerEthApp {
  getAddress(path: string): Promise<{ readonly publicKey: string }>
  signTransaction(path: string, rawTxHex: string, resolution: null): Promise<LedgerSignature>
  signPersonalMessage(path: string, messageHex: string): Promise<LedgerSignature>
  signEIP712Message(path: string, jsonMessage: never): Promise<LedgerSignature>
  signEIP712HashedMessage(path: string, domainHex: string, messageHex: string): Promise<LedgerSignature>
}

/**
 * The calls of `@ledgerhq/hw-app-solana` that an account needs.
 *
 * @since 0.1.0
 * @category models
 */
export interface LedgerSolanaApp {
  getAddress(path: string): Promise<{ readonly address: Uint8Array }>
  signTransaction(path: string, transaction: Uint8Array): Promise<{ readonly signature: Uint8Array }>
}

/**
 * The calls of `@ledgerhq/hw-app-trx` that an account needs.
 *
 * @since 0.1.0
 * @category models
 */
export interface LedgerTronApp {
  getAddress(path: string): Promise<{ readonly publicKey: string }>
  signTransaction(path: string, rawTxHex: string, tokenSignatures: Array<string>): Promise<string>
  signPersonalMessage(path: string, messageHex: string): Promise<string>
}

const DEFAULT_TIMEOUT_MS = 300_000

/** The apps that wait for an answer: a device has one exchange at a time, and refuses a second one. */
const pending = new WeakMap<object, Promise<unknown>>()

/** Runs a call of an app after those before it. */
const runAlone = <A>(app: object, call: () => Promise<A>): Promise<A> => {
  const before = pending.get(app) ?? Promise.resolve()
  const own = before.then(call, call)
  // the next call waits for the end of this one, and has nothing to do with its error
  pending.set(
    app,
    own.catch(() => undefined)
  )
  return own
}

/** What the status words of a device mean for a person (ISO 7816-4, and Ledger's own). */
const statusWords: Readonly<Record<number, string>> = {
  27013: "it was refused on the device",
  27264:
    "the device does not sign this: allow blind signing in the settings of its app, if you know what you sign",
  27904: "the app on the device is another one, or too old for this",
  28160: "the app on the device is another one: open that of the chain",
  21781: "the device is locked",
  25873: "the app on the device is another one: open that of the chain"
}

const describeStatus = (error: unknown): string => {
  const status = readMember(error, "statusCode")
  return (typeof status === "number" ? statusWords[status] : undefined) ?? reasonOf(error)
}

/** Calls the app within the time of a person, with the device's refusals in words. */
const makeAsk =
  <App extends object>({ app, timeout = DEFAULT_TIMEOUT_MS }: LedgerOptions<App>) =>
  <A>(call: (app: App) => Promise<A>): Promise<A> =>
    callWithin({ name: "Ledger", timeout }, () =>
      runAlone(app, () =>
        // a call that throws at once is one that fails
        Promise.resolve(app)
          .then(call)
          .catch((error: unknown) => {
            throw new Error(describeStatus(error))
          })
      )
    )

/** The account of a key on the device. */
const makeLedgerAccount = async (
  readKey: () => Promise<Pick<Account, "scheme" | "publicKey"> | undefined>,
  sign: Account["sign"]
): Promise<Account> => {
  const key = await readKey().catch((error: unknown) => {
    throw new SigningFailed({ reason: reasonOf(error) })
  })
  if (key === undefined) throw new InvalidKey({ reason: "Ledger: the device gave no public key" })
  return { ...key, sign }
}

/** A public key of secp256k1 as devices write it: both coordinates behind 04. */
const parseUncompressed = (publicKey: string): Pick<Account, "scheme" | "publicKey"> | undefined => {
  if (!/^04[0-9a-f]{128}$/i.test(publicKey)) return undefined
  const bytes = hexToBytes(publicKey)
  return compressPoint(bytes.slice(1, 33), bytes.slice(33))
}

const toBytes = ({ r, s }: LedgerSignature): Uint8Array => hexToBytes(`${r}${s}`)

const requirePreimage = ({ kind, preimage }: SigningRequest): Uint8Array => {
  if (preimage === undefined) throw new Error(`Ledger: a device does not sign a hash of a ${kind} alone`)
  return preimage
}

const messageHexOf = (message: string | Uint8Array): string => {
  if (message.length === 0) throw new Error("a device signs no empty message")
  return bytesToHex(typeof message === "string" ? new TextEncoder().encode(message) : message)
}

/** Typed data as JSON has it. */
const toJson = (data: unknown): never =>
  // the library types the data of each of its versions
  JSON.parse(
    JSON.stringify(data, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))
  ) as never

/** Whether a device has no such command: the oldest ones cannot show typed data. */
const isUnknownCommand = (error: unknown): boolean =>
  [0x6d00, 0x6e00, 0x6d02].includes(Number(readMember(error, "statusCode")))

const signTypedData = async (app: LedgerEthApp, path: string, request: SigningRequest) => {
  const hashes = requirePreimage(request)
  const data = request.kind === "typedData" ? request.data : undefined
  try {
    return await app.signEIP712Message(path, toJson(data))
  } catch (error) {
    if (!isUnknownCommand(error)) throw error
    return app.signEIP712HashedMessage(path, bytesToHex(hashes.slice(2, 34)), bytesToHex(hashes.slice(34)))
  }
}

/**
 * An account of EVM chains on a Ledger (default path `44'/60'/0'/0/0`). The device shows what it signs: transactions, messages (EIP-191) and typed
 * data. A call of a contract that its app does not know needs blind signing, which the device says. Rejects with `SigningFailed` if the device does
 * not answer, is locked or has another app open, and with `InvalidArgument` if the options cannot be used.
 *
 * @since 0.1.0
 * @category constructors
 */
export const ledgerEvm = async (options: LedgerOptions<LedgerEthApp>): Promise<Account> => {
  checkOptions("ledgerEvm", options, {
    library: {
      name: "app",
      calls: [
        "getAddress",
        "signTransaction",
        "signPersonalMessage",
        "signEIP712Message",
        "signEIP712HashedMessage"
      ]
    }
  })
  const { path = "44'/60'/0'/0/0" } = options
  const ask = makeAsk(options)
  return makeLedgerAccount(
    async () => parseUncompressed((await ask((app) => app.getAddress(path))).publicKey),
    async (request) =>
      toBytes(
        await ask((app) =>
          request.kind === "message"
            ? app.signPersonalMessage(path, messageHexOf(request.message))
            : request.kind === "typedData"
              ? signTypedData(app, path, request)
              : // without a resolution of names the library asks no server
                app.signTransaction(path, bytesToHex(requirePreimage(request)), null)
        )
      )
  )
}

/**
 * An account of Solana on a Ledger (default path `44'/501'/0'/0'`, that of mnemonics here). The device signs transactions. Messages in the form
 * that wallets sign are refused: its app signs them in a form of their own. Rejects as {@link ledgerEvm} does.
 *
 * @since 0.1.0
 * @category constructors
 */
export const ledgerSolana = async (options: LedgerOptions<LedgerSolanaApp>): Promise<Account> => {
  checkOptions("ledgerSolana", options, {
    library: { name: "app", calls: ["getAddress", "signTransaction"] }
  })
  const { path = "44'/501'/0'/0'" } = options
  const ask = makeAsk(options)
  return makeLedgerAccount(
    async () => {
      const { address } = await ask((app) => app.getAddress(path))
      return address.length === 32 ? { scheme: "ed25519", publicKey: bytesToHex(address) } : undefined
    },
    async ({ bytes, kind }) => {
      if (kind === "message") throw new Error("Ledger: the app of Solana signs no such messages")
      const { signature } = await ask((app) => app.signTransaction(path, bytes))
      return Uint8Array.from(signature)
    }
  )
}

/**
 * An account of Tron on a Ledger (default path `44'/195'/0'/0/0`). The device signs transactions and messages (TIP-191). Rejects as
 * {@link ledgerEvm} does.
 *
 * @since 0.1.0
 * @category constructors
 */
export const ledgerTron = async (options: LedgerOptions<LedgerTronApp>): Promise<Account> => {
  checkOptions("ledgerTron", options, {
    library: { name: "app", calls: ["getAddress", "signTransaction", "signPersonalMessage"] }
  })
  const { path = "44'/195'/0'/0/0" } = options
  const ask = makeAsk(options)
  return makeLedgerAccount(
    async () => parseUncompressed((await ask((app) => app.getAddress(path))).publicKey),
    async (request) => {
      const signature = await ask((app) =>
        request.kind === "message"
          ? app.signPersonalMessage(path, messageHexOf(request.message))
          : app.signTransaction(path, bytesToHex(requirePreimage(request)), [])
      )
      return hexToBytes(signature).slice(0, 64)
    }
  )
}
