/**
 * Browser wallets on EVM networks: found on the page (EIP-6963, or `window.ethereum`) or passed in, asked for accounts, and
 * for transactions that their user approves. The keys stay in the wallet.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Config, type ResolvedConfig } from "../config/Config.js"
import type { BrowserWallet } from "../config/Extension.js"
import { definedRow } from "../data/definedNetworks.js"
import { group, Refused, rpc } from "../data/Endpoint.js"
import {
  requestWallet,
  sendWithWallet,
  USER_REJECTED_CODE,
  type WalletFailure,
  type WalletRequest
} from "../data/eip1193.js"
import { addressProblem } from "../data/evmAddress.js"
import type { AnyNetwork, NetworkInfo } from "../data/Network.js"
import {
  type Aborted,
  AccountAccessDenied,
  DecimalsUnreadable,
  type GatewayCallError,
  InvalidArgument,
  type LoadError,
  NoChainId,
  NotSupportedForNetwork,
  type RpcCallError,
  TransactionDenied,
  WalletBusy,
  WalletError,
  type WalletErrorKind,
  type WalletNotChosen,
  type WalletNotFound,
  WalletNotInstalled,
  type WalletUnclear,
  WrongChain
} from "../data/SdkError.js"
import { readMember } from "../data/untrusted.js"
import { make as makeClient, routingOf } from "../transport/Client.js"
import { Transport, type TransportService } from "../wire/Transport.js"
import { Gateway, type GatewayService } from "./Gateway.js"
import { toUnits } from "./internal/amounts.js"
import { isEvm, loadNetworkInfo } from "./internal/networks.js"
import { makeAnswerReader, makeInputCheck } from "./internal/schema.js"
import type { DiscoveredWallet } from "./internal/wallets.js"
import * as Wallets from "./internal/wallets.js"

export type { BrowserWallet } from "../config/Extension.js"
export type { DiscoveredWallet } from "./internal/wallets.js"

/**
 * A quantity in the smallest unit (wei, gas): hexadecimal with 0x, or a bigint.
 *
 * @since 0.1.0
 * @category models
 */
export type WalletQuantity = string | bigint

/**
 * A transaction of the caller. It is sent from the wallet's account, whatever `from` is. `value` and the prices are in wei, `data` is
 * hexadecimal with 0x. The wallet fills in missing fields.
 *
 * @since 0.1.0
 * @category models
 */
export interface TxPayload {
  readonly to?: string
  readonly from?: string
  readonly gas?: WalletQuantity
  readonly gasPrice?: WalletQuantity
  readonly maxFeePerGas?: WalletQuantity
  readonly maxPriorityFeePerGas?: WalletQuantity
  readonly nonce?: WalletQuantity
  readonly value?: WalletQuantity
  readonly data?: string
}

/**
 * A collection of NFTs (ERC-721). `author` and `minter` are the wallet's account by default.
 *
 * @since 0.1.0
 * @category models
 */
export interface WalletNftCollection {
  readonly name: string
  readonly symbol: string
  /** The prefix of the url of a token's metadata, before its id (default: empty). */
  readonly baseURI?: string
  readonly author?: string
  readonly minter?: string
}

/**
 * A collection of multitokens (ERC-1155). `author` and `minter` are the wallet's account by default.
 *
 * @since 0.1.0
 * @category models
 */
export interface WalletErc1155Collection {
  /** The prefix of the url of a token's metadata, before its id (default: empty). */
  readonly baseURI?: string
  readonly author?: string
  readonly minter?: string
}

/**
 * A token (ERC-20). All addresses are the wallet's account by default.
 *
 * @since 0.1.0
 * @category models
 */
export interface WalletFungibleToken {
  readonly name: string
  readonly symbol: string
  /** Digits after the point, 0 to 255; default 18. */
  readonly decimals?: number
  /** In whole tokens, as a decimal string. */
  readonly initialSupply: string
  readonly initialHolder?: string
  readonly admin?: string
  readonly minter?: string
  readonly pauser?: string
}

/**
 * Why there is no wallet: the page has none, the chosen one is missing, or there are several and the user has chosen none.
 *
 * @since 0.1.0
 * @category errors
 */
export type WalletMissing = WalletNotInstalled | WalletNotFound | WalletNotChosen

/**
 * The errors of a question to the wallet that its user does not see.
 *
 * @since 0.1.0
 * @category errors
 */
export type WalletReadError = WalletMissing | WalletBusy | WalletError | LoadError | Aborted

/**
 * The errors of asking for the account.
 *
 * @since 0.1.0
 * @category errors
 */
export type WalletConnectError = WalletReadError | AccountAccessDenied

/**
 * The errors of bringing the wallet to a network.
 *
 * @since 0.1.0
 * @category errors
 */
export type WalletSwitchError =
  | WalletReadError
  | TransactionDenied
  | WrongChain
  | NoChainId
  | NotSupportedForNetwork
  | InvalidArgument

/**
 * The errors of sending a transaction. Nothing was sent, but for `WalletUnclear`: it may have been.
 *
 * @since 0.1.0
 * @category errors
 */
export type WalletSendError =
  | WalletConnectError
  | TransactionDenied
  | WalletUnclear
  | WrongChain
  | InvalidArgument

/**
 * The errors of sending tokens, whose decimals are read from nodes first.
 *
 * @since 0.1.0
 * @category errors
 */
export type WalletTokenError = WalletSendError | DecimalsUnreadable

/**
 * The errors of deploying a contract, whose code the provider prepares first.
 *
 * @since 0.1.0
 * @category errors
 */
export type WalletDeployError = WalletSendError | GatewayCallError

/**
 * Why it may be another wallet than before: the user has chosen, connected or forgotten one, or one has announced itself.
 *
 * @since 0.1.0
 * @category models
 */
export interface WalletChange {
  readonly reason: "chosen" | "announced"
}

/**
 * A browser wallet. Amounts are decimal strings in whole coins or tokens, and a send yields the hash of its transaction. All arguments
 * are checked before the user is asked for anything. Before a send the wallet switches to the chain of the client's network, with the
 * user's consent. There is no time limit: an `AbortSignal` or an interruption ends the wait, but the user may still approve the request.
 * After a send request, every failure except the user's refusal is `WalletUnclear`: the wallet may have sent the transaction.
 *
 * @since 0.1.0
 * @category models
 */
export interface WalletProviderService {
  /** The wallets that announce themselves on the page (EIP-6963) within 100 ms. */
  readonly discover: () => Effect.Effect<ReadonlyArray<DiscoveredWallet>, LoadError | Aborted>
  /**
   * Chooses the wallet of this client, by the `rdns` or `uuid` of a wallet on the page, or as an object. Without a choice it is the first
   * of `configureWalletProviders`, the only one that announces itself, or `window.ethereum`, in this order; if several announce
   * themselves, one has to be chosen. The browser's `localStorage` keeps the choice for the chain, and the last choice for other EVM
   * chains without one. It also keeps a wallet that was taken without a choice, once it is connected. No other wallet replaces a chosen
   * one: if it is not on the page within half a second, the call fails with `WalletNotFound`. A wallet that was passed in as an object
   * and is not on the page has to be passed in again.
   */
  readonly use: (
    wallet: string | DiscoveredWallet | BrowserWallet
  ) => Effect.Effect<void, WalletNotInstalled | InvalidArgument | LoadError | Aborted>
  /**
   * Forgets the wallet of this client, here and for the next visit: the page shows no account before `use`, `getWallet` or
   * a send. The page's right to see the account is taken back in the wallet.
   */
  readonly disconnect: () => Effect.Effect<void, LoadError | Aborted>
  /** The address of the active account. Asks the user for access if the page has none. */
  readonly getWallet: () => Effect.Effect<string, WalletConnectError>
  /** The wallet as an EIP-1193 provider, connected and on the network's chain: for signers, and for libraries that take one. */
  readonly getProvider: () => Effect.Effect<
    BrowserWallet,
    WalletConnectError | TransactionDenied | WrongChain
  >
  /** The accounts that the page may see, without asking the user: none before the first `getWallet` or send. */
  readonly getAccounts: () => Effect.Effect<ReadonlyArray<string>, WalletReadError>
  /** The id of the chain that the wallet is on (EIP-155). */
  readonly chainId: () => Effect.Effect<bigint, WalletReadError>
  /** Brings the wallet to the chain of a network, by default the client's. */
  readonly switchChain: (network?: AnyNetwork) => Effect.Effect<void, WalletSwitchError>
  /** Sends native coins. */
  readonly transferNative: (recipient: string, amount: string) => Effect.Effect<string, WalletSendError>
  /** Sends tokens (ERC-20); their decimals are read from the contract, over the client's nodes. */
  readonly transferErc20: (
    recipient: string,
    amount: string,
    tokenAddress: string
  ) => Effect.Effect<string, WalletTokenError>
  /** Allows an address to spend tokens (ERC-20). */
  readonly approveErc20: (
    spender: string,
    amount: string,
    tokenAddress: string
  ) => Effect.Effect<string, WalletTokenError>
  /** Sends an NFT (ERC-721, `safeTransferFrom`); its id in digits or hexadecimal with 0x. */
  readonly transferNft: (
    recipient: string,
    tokenId: string | bigint,
    tokenAddress: string
  ) => Effect.Effect<string, WalletSendError>
  /** Deploys a collection of NFTs (ERC-721). */
  readonly createNftCollection: (body: WalletNftCollection) => Effect.Effect<string, WalletDeployError>
  /** Deploys a token (ERC-20). */
  readonly createFungibleToken: (body: WalletFungibleToken) => Effect.Effect<string, WalletDeployError>
  /** Deploys a collection of multitokens (ERC-1155). */
  readonly createErc1155NftCollection: (
    body?: WalletErc1155Collection
  ) => Effect.Effect<string, WalletDeployError>
  /** Has a transaction of one's own signed and sent. */
  readonly signAndBroadcast: (payload: TxPayload) => Effect.Effect<string, WalletSendError>
  /** Each change that may mean another wallet: one was chosen, connected or disconnected, or was announced late. */
  readonly changed: () => Stream.Stream<WalletChange>
  /** The accounts, whenever the user changes them and after a `disconnect`. Empty when the page has lost its access. */
  readonly accountsChanged: () => Stream.Stream<ReadonlyArray<string>, WalletMissing | WalletError>
  /** The chain id, whenever the wallet switches to another chain. */
  readonly chainChanged: () => Stream.Stream<bigint, WalletMissing | WalletError>
}

/**
 * The browser wallet, as a service.
 *
 * @since 0.1.0
 * @category services
 */
export class WalletProvider extends /*#__PURE__*/ Context.Tag("effect-chains/services/WalletProvider")<
  WalletProvider,
  WalletProviderService
>() {}

/** The codes of wallets (EIP-1193, EIP-1474 and EIP-3326). */
const UNKNOWN_CHAIN_CODE = 4902
const PENDING_REQUEST_CODE = -32_002
const errorKinds: Readonly<Record<number, WalletErrorKind>> = {
  4100: "unauthorized",
  4200: "unsupported",
  4900: "disconnected",
  4901: "disconnected",
  [-32_601]: "unsupported",
  [-32_004]: "unsupported"
}

const toWalletError = ({ method, code, detail }: WalletFailure): WalletBusy | WalletError =>
  code === PENDING_REQUEST_CODE
    ? new WalletBusy({ method, detail })
    : new WalletError({
        kind: (code === undefined ? undefined : errorKinds[code]) ?? "failed",
        method,
        detail,
        ...(code === undefined ? {} : { code })
      })

/** Makes the error of the user's refusal. Its sentence ends with a full stop, so the one of the wallet's message is removed. */
const toDenial =
  <E>(Denied: new (fields: { readonly detail: string }) => E) =>
  ({ detail }: WalletFailure): E =>
    new Denied({ detail: detail.replace(/\.$/, "") })

/** The user's refusal, or the wallet's failure. */
const toDenialOrError =
  <E>(Denied: new (fields: { readonly detail: string }) => E) =>
  (said: WalletFailure): E | WalletBusy | WalletError =>
    said.code === USER_REJECTED_CODE ? toDenial(Denied)(said) : toWalletError(said)

const makeMalformed = (method: string, detail: string): WalletError =>
  new WalletError({ kind: "malformed", method, detail })

const isAddress = (value: unknown): value is string =>
  typeof value === "string" && /^0x[0-9a-f]{40}$/i.test(value)

const isAddresses = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every(isAddress)

/** A chain id as wallets give it: a 0x quantity (EIP-695); some older ones have digits or a number. */
const parseChainId = (value: unknown): bigint | undefined =>
  typeof value === "string" && /^(0x[0-9a-f]+|\d+)$/i.test(value)
    ? BigInt(value)
    : typeof value === "number" && Number.isSafeInteger(value) && value >= 0
      ? BigInt(value)
      : undefined

const readChainId = (wallet: BrowserWallet): Effect.Effect<bigint, WalletBusy | WalletError> =>
  Effect.flatMap(Effect.mapError(requestWallet(wallet, "eth_chainId"), toWalletError), (id) => {
    const chain = parseChainId(id)
    return chain === undefined
      ? Effect.fail(makeMalformed("eth_chainId", "its answer is not a chain id"))
      : Effect.succeed(chain)
  })

const requestAccount = (
  wallet: BrowserWallet
): Effect.Effect<string, AccountAccessDenied | WalletBusy | WalletError> =>
  requestWallet(wallet, "eth_requestAccounts").pipe(
    Effect.mapError(toDenialOrError(AccountAccessDenied)),
    Effect.flatMap((accounts) => {
      const [account] = isAddresses(accounts) ? accounts : []
      return account === undefined
        ? Effect.fail(makeMalformed("eth_requestAccounts", "its answer has no account"))
        : Effect.succeed(account)
    })
  )

/** How often the chain id is read again, every 100 ms: some wallets report a switch before it is done. */
const MAX_SWITCH_CHECKS = 10

/** A network on which a wallet can be. */
interface WalletChain {
  readonly network: string
  readonly info: NetworkInfo
  readonly chainId: number
}

/** Switches the wallet to a network, and checks that it did. */
const switchChain = (
  wallet: BrowserWallet,
  { chainId: expected, info: { decimals, symbol }, network }: WalletChain
): Effect.Effect<void, TransactionDenied | WalletBusy | WalletError | WrongChain> => {
  const hex = toQuantity(expected)
  const makeWrongChain = (kind: WrongChain["kind"], actual: bigint, detail: string) =>
    new WrongChain({ kind, network, expected, actual: String(actual), detail })
  const isExpected = (chain: bigint): boolean => chain === BigInt(expected)
  const requestSwitch = (actual: bigint) =>
    Effect.mapError(requestWallet(wallet, "wallet_switchEthereumChain", [{ chainId: hex }]), (said) =>
      said.code === UNKNOWN_CHAIN_CODE
        ? makeWrongChain(
            "unknown",
            actual,
            `The wallet does not know that chain: add it (wallet_addEthereumChain with chainId ${hex}, native currency ${symbol} of ${decimals} decimals, and the url of a node), then try again.`
          )
        : said.code !== undefined && errorKinds[said.code] === "unsupported"
          ? makeWrongChain(
              "unsupported",
              actual,
              "The wallet cannot switch by itself: its user has to do it."
            )
          : toDenialOrError(TransactionDenied)(said)
    )
  const waitForSwitch = (checksLeft: number): Effect.Effect<bigint, WalletBusy | WalletError> =>
    Effect.flatMap(readChainId(wallet), (chain) =>
      isExpected(chain) || checksLeft === 0
        ? Effect.succeed(chain)
        : Effect.zipRight(Effect.sleep("100 millis"), waitForSwitch(checksLeft - 1))
    )
  return Effect.gen(function* () {
    const before = yield* readChainId(wallet)
    if (isExpected(before)) return
    yield* requestSwitch(before)
    const after = yield* waitForSwitch(MAX_SWITCH_CHECKS)
    if (!isExpected(after)) {
      return yield* makeWrongChain(
        "unchanged",
        after,
        "The wallet says that it has switched, and it has not."
      )
    }
  })
}

/** A wallet, and the account of its user. */
interface WalletSession {
  readonly wallet: BrowserWallet
  readonly account: string
}

const submit = (
  { account, wallet }: WalletSession,
  transaction: Omit<WalletRequest, "from">
): Effect.Effect<string, TransactionDenied | WalletUnclear> =>
  sendWithWallet(wallet, { ...transaction, from: account }, { denied: toDenial(TransactionDenied) })

/** The largest number that a contract takes (uint256). */
const MAX_UINT256 = 2n ** 256n - 1n
/** The most digits of an amount: 78 before the point, 255 after it. */
const MAX_AMOUNT_LENGTH = 400

const toQuantity = (value: bigint | number): string => `0x${value.toString(16)}`

/** Encodes an argument as a word of the contract ABI. The calls here only take addresses and numbers. */
const toAbiWord = (value: string | bigint): string =>
  (typeof value === "bigint" ? value.toString(16) : value.slice(2)).padStart(64, "0")

/** Selectors of ERC-20 and ERC-721: the first bytes of the hash of a function's name and types. */
const selectors = {
  /** `decimals()` */
  decimals: "0x313ce567",
  /** `transfer(address,uint256)` */
  transfer: "0xa9059cbb",
  /** `approve(address,uint256)` */
  approve: "0x095ea7b3",
  /** `safeTransferFrom(address,address,uint256)` */
  safeTransferFrom: "0x42842e0e"
} as const

const encodeCall = (name: keyof typeof selectors, ...args: ReadonlyArray<string | bigint>): string =>
  `${selectors[name]}${args.map(toAbiWord).join("")}`

const isReverted = ({ code, message }: { readonly code: number; readonly message: string }): boolean =>
  code === 3 || /revert/i.test(message)

/** The one question to the nodes. It is well formed, so any error but a revert speaks of the node. */
const endpoints = group(
  { classify: (error) => (isReverted(error) ? "caller" : "elsewhere") },
  {
    decimals: rpc<[token: string], number>("eth_call")
      .params((to) => [{ to, data: selectors.decimals }, "latest"])
      .decode((reply: string) => {
        if (typeof reply !== "string" || !/^0x[0-9a-f]*$/i.test(reply)) throw new Error("no 0x string")
        if (reply === "0x") throw new Refused("there is no token contract at the address")
        const decimals = BigInt(reply)
        if (decimals > 255n) throw new Refused("the contract's decimals are no number from 0 to 255")
        return Number(decimals)
      })
  }
)

const isAmount = (text: string): boolean =>
  text.length <= MAX_AMOUNT_LENGTH && (toUnits(text, MAX_AMOUNT_LENGTH) ?? -1n) >= 0n

const Amount = Schema.String.pipe(
  Schema.filter((text) =>
    isAmount(text) ? undefined : 'must be an amount from 0 in whole coins, as decimal text such as "1.5"'
  )
)

const TokenId = Schema.Union(Schema.String, Schema.BigIntFromSelf).pipe(
  Schema.filter((id) =>
    typeof id === "bigint" || /^(\d{1,78}|0x[0-9a-f]{1,64})$/i.test(id)
      ? BigInt(id) >= 0n && BigInt(id) <= MAX_UINT256
        ? undefined
        : "must be a number from 0 to 2^256 - 1"
      : "must be digits, or hexadecimal with 0x"
  )
)

const Quantity = Schema.Union(Schema.String, Schema.BigIntFromSelf).pipe(
  Schema.filter((value) =>
    (typeof value === "bigint" ? value >= 0n && value <= MAX_UINT256 : /^0x[0-9a-f]{1,64}$/i.test(value))
      ? undefined
      : "must be a quantity in the smallest unit: hexadecimal with 0x, or a bigint from 0"
  )
)

const Bytes = Schema.String.pipe(
  Schema.filter((text) =>
    /^0x([0-9a-f]{2})*$/i.test(text)
      ? undefined
      : "must be bytes: an even number of hexadecimal digits with 0x"
  )
)

/** Checks the arguments of methods: addresses by the checksum of the chain. */
const makeInputChecks = (chainId: number) => {
  const Address = Schema.String.pipe(Schema.filter((text) => addressProblem(text, chainId)))
  const token = Schema.Struct({ recipient: Address, amount: Amount, tokenAddress: Address })
  const optional = Schema.optional(Address)
  const payload = Schema.Struct({
    to: optional,
    from: optional,
    gas: Schema.optional(Quantity),
    gasPrice: Schema.optional(Quantity),
    maxFeePerGas: Schema.optional(Quantity),
    maxPriorityFeePerGas: Schema.optional(Quantity),
    nonce: Schema.optional(Quantity),
    value: Schema.optional(Quantity),
    data: Schema.optional(Bytes)
  })
  return {
    native: makeInputCheck("wallet.transferNative", Schema.Struct({ recipient: Address, amount: Amount })),
    transfer: makeInputCheck("wallet.transferErc20", token),
    approve: makeInputCheck(
      "wallet.approveErc20",
      Schema.Struct({ spender: Address, amount: Amount, tokenAddress: Address })
    ),
    nft: makeInputCheck(
      "wallet.transferNft",
      Schema.Struct({ recipient: Address, tokenId: TokenId, tokenAddress: Address })
    ),
    collection: makeInputCheck(
      "wallet.createNftCollection",
      Schema.Struct({
        name: Schema.NonEmptyString,
        symbol: Schema.NonEmptyString,
        baseURI: Schema.optional(Schema.String),
        author: optional,
        minter: optional
      })
    ),
    multitoken: makeInputCheck(
      "wallet.createErc1155NftCollection",
      Schema.Struct({ baseURI: Schema.optional(Schema.String), author: optional, minter: optional })
    ),
    fungible: makeInputCheck(
      "wallet.createFungibleToken",
      Schema.Struct({
        name: Schema.NonEmptyString,
        symbol: Schema.NonEmptyString,
        decimals: Schema.optional(Schema.Int.pipe(Schema.between(0, 255))),
        initialSupply: Amount,
        initialHolder: optional,
        admin: optional,
        minter: optional,
        pauser: optional
      })
    ),
    payload: makeInputCheck("wallet.signAndBroadcast", payload),
    fields: Object.keys(payload.fields)
  }
}

const readPrepared = makeAnswerReader("POST contract/deploy/prepare", Schema.Struct({ data: Bytes }))

/**
 * The chosen wallets, by the configuration of their client. If several wallet services are made over one configuration (by layers, say),
 * they share the wallet.
 */
const choicesByConfig = new WeakMap<ResolvedConfig, Wallets.WalletChoice>()

/** Followers of changes, by the configuration of their client. */
const listenersByConfig = new WeakMap<ResolvedConfig, Set<() => void>>()

const listenersOf = (config: ResolvedConfig): Set<() => void> => {
  const known = listenersByConfig.get(config) ?? new Set()
  listenersByConfig.set(config, known)
  return known
}

const streamChanges = (config: ResolvedConfig): Stream.Stream<WalletChange> =>
  Stream.asyncScoped<WalletChange>((emit) =>
    Effect.acquireRelease(
      Effect.map(
        Wallets.listenForWallets(() => void emit.single({ reason: "announced" })),
        ({ end }) => {
          const listener = () => void emit.single({ reason: "chosen" })
          listenersOf(config).add(listener)
          return () => {
            end()
            listenersOf(config).delete(listener)
          }
        }
      ),
      Effect.sync
    )
  )

/** The wallet that a choice is, and its rdns if it has one. */
const parseChoice = (choice: unknown) => {
  const [inner, rdns] = [readMember(choice, "provider"), readMember(choice, "rdns")]
  return Wallets.isWallet(inner)
    ? { provider: inner, rdns: typeof rdns === "string" && rdns !== "" ? rdns : undefined }
    : { provider: Wallets.isWallet(choice) ? choice : undefined, rdns: undefined }
}

/** The wallet that the caller of `use` names. The wallets of the configuration are known by their names, all others by their rdns. */
const findNamedWallet = (
  wallet: string | DiscoveredWallet | BrowserWallet,
  configured: ReadonlyArray<Wallets.WalletCandidate>
) =>
  Effect.gen(function* () {
    const announced =
      typeof wallet === "string"
        ? (yield* Wallets.discover).find(({ rdns, uuid }) => wallet === rdns || wallet === uuid)
        : undefined
    if (typeof wallet === "string" && announced === undefined) return yield* new WalletNotInstalled()
    const { provider, rdns } = parseChoice(announced ?? wallet)
    if (provider === undefined) {
      return yield* new InvalidArgument({
        call: "wallet.use",
        reason: "must be the rdns or uuid of a wallet, or an EIP-1193 provider with the function request"
      })
    }
    return rdns === undefined
      ? yield* Wallets.identifyWallet(configured, provider)
      : { id: Wallets.walletIdOf(rdns), provider }
  })

/** The wallet of a client: how it is found, chosen, remembered and forgotten. */
const makeWalletChoice = (config: ResolvedConfig, chainId: number, given: BrowserWallet | undefined) => {
  // a wallet that is passed in belongs to this client: it does not share choices with others
  const choices = given === undefined ? choicesByConfig : new WeakMap<ResolvedConfig, Wallets.WalletChoice>()
  const remember = given === undefined ? Wallets.rememberChoice : () => {}
  const listConfigured = (): ReadonlyArray<Wallets.WalletCandidate> =>
    given === undefined
      ? config.walletProviders.flatMap(({ name, provider }) =>
          Wallets.isWallet(provider) ? [Wallets.makeConfigured(name, provider)] : []
        )
      : [Wallets.makeConfigured("own", given)]
  const readChoice = (): Wallets.WalletChoice => {
    const known = choices.get(config)
    if (known !== undefined) return known
    const id = given === undefined ? Wallets.readRemembered(chainId) : undefined
    return id === undefined ? {} : { id }
  }
  const notifyListeners = (): void => {
    for (const follower of listenersOf(config)) follower()
  }
  const choose = (wallet: Wallets.WalletChoice & { readonly id: string }) =>
    Effect.sync(() => {
      choices.set(config, wallet)
      remember(chainId, wallet.id)
      notifyListeners()
    })
  const findWallet = (passive: boolean): Effect.Effect<BrowserWallet, WalletMissing> =>
    Effect.suspend(() => {
      const { provider } = readChoice()
      return provider !== undefined
        ? Effect.succeed(provider)
        : Effect.map(
            Wallets.resolveWallet({ own: listConfigured(), choice: readChoice, passive }),
            (wallet) => {
              // a wallet that was chosen in the meantime stays
              const current = readChoice().provider
              if (current !== undefined) return current
              choices.set(config, wallet)
              return wallet.provider
            }
          )
    })
  return {
    /** For actions of the user. */
    wallet: findWallet(false),
    /** For reads of the page by itself. */
    passive: findWallet(true),
    disconnect: choose({ id: Wallets.DISCONNECTED_ID }),
    changed: Effect.sync(notifyListeners),
    /** A wallet that was taken without a choice becomes the choice as soon as its user has let the page in. */
    connected: Effect.sync(() => {
      const { id } = readChoice()
      if (id !== undefined && Wallets.hasNoChoice(chainId)) remember(chainId, id)
    }),
    use: (
      wallet: string | DiscoveredWallet | BrowserWallet
    ): Effect.Effect<void, WalletNotInstalled | InvalidArgument | LoadError | Aborted> =>
      Effect.flatMap(
        Effect.suspend(() => findNamedWallet(wallet, listConfigured())),
        choose
      )
  }
}

/** The wallet of a page, and the parts that its methods need. */
interface WalletContext {
  readonly config: ResolvedConfig
  readonly gateway: GatewayService
  readonly nodes: ReturnType<typeof makeNodes>
  readonly inputs: ReturnType<typeof makeInputChecks>
  readonly choice: ReturnType<typeof makeWalletChoice>
  /** The wallet and its account. */
  readonly session: Effect.Effect<WalletSession, WalletConnectError>
  /** The same, once the wallet is on the network's chain. */
  readonly ready: Effect.Effect<WalletSession, WalletConnectError | TransactionDenied | WrongChain>
}

const makeNodes = (transport: TransportService, { info }: ResolvedConfig) =>
  makeClient(endpoints, transport, routingOf(info))

/**
 * Makes the browser wallet of the configured network. `own` is the wallet to use instead of one of the page. Fails if the network is no
 * EVM network or has no chain id.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeWith = (
  own?: BrowserWallet
): Effect.Effect<WalletProviderService, NoChainId | NotSupportedForNetwork, Config | Gateway | Transport> =>
  Effect.gen(function* () {
    const config = yield* Config
    const { network } = config
    const chain = yield* requireChain(network, config.info)
    const { chainId } = chain
    const choice = makeWalletChoice(config, chainId, own)
    const session: WalletContext["session"] = Effect.flatMap(choice.wallet, (found) =>
      Effect.map(Effect.zipLeft(requestAccount(found), choice.connected), (account) => ({
        wallet: found,
        account
      }))
    )
    const page: WalletContext = {
      config,
      gateway: yield* Gateway,
      nodes: makeNodes(yield* Transport, config),
      inputs: makeInputChecks(chainId),
      choice,
      session,
      ready: Effect.tap(session, ({ wallet }) => switchChain(wallet, chain))
    }
    return {
      ...makeConnectionMethods(page),
      ...makeTransferMethods(page),
      ...makeDeploymentMethods(page),
      signAndBroadcast: (payload) => signAndBroadcast(page, payload),
      ...makeEventStreams(page)
    }
  })

type Methods<K extends keyof WalletProviderService> = Pick<WalletProviderService, K>

/** The methods of finding a wallet, and of reading its accounts and its chain. */
const makeConnectionMethods = ({
  choice,
  config: { info, network },
  ready,
  session
}: WalletContext): Methods<
  "discover" | "use" | "disconnect" | "getWallet" | "getProvider" | "getAccounts" | "chainId" | "switchChain"
> => ({
  discover: () => Wallets.discover,
  use: choice.use,
  disconnect: () => choice.disconnect,
  getWallet: () =>
    Effect.zipLeft(
      Effect.map(session, ({ account }) => account),
      choice.changed
    ),
  getProvider: () => Effect.map(ready, ({ wallet }) => wallet),
  getAccounts: () =>
    Effect.flatMap(choice.passive, (found) =>
      Effect.flatMap(Effect.mapError(requestWallet(found, "eth_accounts"), toWalletError), (accounts) =>
        isAddresses(accounts)
          ? Effect.succeed(accounts)
          : Effect.fail(makeMalformed("eth_accounts", "its answer is no list of addresses"))
      )
    ),
  chainId: () => Effect.flatMap(choice.passive, readChainId),
  switchChain: (wanted) =>
    Effect.gen(function* () {
      const target = typeof wanted === "object" ? wanted.id : (wanted ?? network)
      const known = definedRow(wanted) ?? (target === network ? info : yield* loadNetworkInfo(target))
      if (known === undefined) {
        return yield* new InvalidArgument({
          call: "wallet.switchChain",
          reason: `network: ${String(target)} is not the id of a network`
        })
      }
      const chain = yield* requireChain(target, known)
      yield* switchChain(yield* choice.wallet, chain)
    })
})

/** The events of the wallet. */
const makeEventStreams = ({
  choice: { passive },
  config
}: WalletContext): Methods<"changed" | "accountsChanged" | "chainChanged"> => ({
  changed: () => streamChanges(config),
  accountsChanged: () =>
    streamWalletEvents(passive, ["accountsChanged", "disconnect"], async (value, found) => {
      // the other side has ended the session, or nodes are unreachable: the wallet reports which accounts are left
      const accounts = Array.isArray(value)
        ? value
        : await found.request({ method: "eth_accounts" }).catch(() => [])
      return isAddresses(accounts) ? accounts : undefined
    }),
  chainChanged: () => streamWalletEvents(passive, ["chainChanged"], parseChainId)
})

const streamWalletEvents = <A>(
  wallet: Effect.Effect<BrowserWallet, WalletMissing>,
  names: readonly [string, ...ReadonlyArray<string>],
  read: (value: unknown, wallet: BrowserWallet) => A | undefined | Promise<A | undefined>
): Stream.Stream<A, WalletMissing | WalletError> =>
  Stream.unwrap(
    Effect.map(wallet, (found) =>
      Stream.async<A, WalletError>((emit) => {
        const [event] = names
        if (typeof found.on !== "function") {
          const detail = "the wallet has no events"
          return void emit.fail(new WalletError({ kind: "unsupported", method: event, detail }))
        }
        const listener = async (value: unknown): Promise<void> => {
          const item = await read(value, found)
          void (item === undefined
            ? emit.fail(makeMalformed(event, "the event is not what EIP-1193 says"))
            : emit.single(item))
        }
        for (const name of names) found.on(name, listener)
        return Effect.sync(() => {
          for (const name of names) found.removeListener?.(name, listener)
        })
      })
    )
  )

/** Converts an amount to the smallest unit, if it has no more digits than the asset and fits into a word. */
const parseAmount = (
  call: string,
  field: string,
  amount: string,
  decimals: number
): Effect.Effect<bigint, InvalidArgument> => {
  const units = toUnits(amount, decimals)
  return units !== undefined && units <= MAX_UINT256
    ? Effect.succeed(units)
    : Effect.fail(
        new InvalidArgument({
          call,
          reason:
            units === undefined
              ? `${field}: has more digits after the point than the asset, which has ${decimals}`
              : `${field}: is more than a contract can count (2^256 - 1 of the smallest unit)`
        })
      )
}

const readDecimals = (
  { nodes }: WalletContext,
  call: string,
  token: string
): Effect.Effect<number, Aborted | InvalidArgument | DecimalsUnreadable> =>
  Effect.mapError(nodes.decimals(token), (error: RpcCallError) => {
    if (error._tag === "Aborted") return error
    if (error._tag === "InvalidArgument")
      return new InvalidArgument({ call, reason: `tokenAddress: ${error.reason}` })
    if (error._tag === "RpcError" && isReverted(error))
      return new InvalidArgument({
        call,
        reason: "tokenAddress: the contract has no decimals(), so it is no ERC-20 token"
      })
    return new DecimalsUnreadable({ token, cause: error })
  })

/** Calls a token contract with an address and an amount. */
const sendTokens = (
  page: WalletContext,
  selector: "transfer" | "approve",
  to: string,
  { amount, tokenAddress }: { readonly amount: string; readonly tokenAddress: string }
): Effect.Effect<string, WalletTokenError> =>
  Effect.gen(function* () {
    const call = `wallet.${selector}Erc20`
    // without a wallet the nodes need not be asked, and without decimals the user need not be
    yield* page.choice.wallet
    const units = yield* parseAmount(call, "amount", amount, yield* readDecimals(page, call, tokenAddress))
    return yield* submit(yield* page.ready, { to: tokenAddress, data: encodeCall(selector, to, units) })
  })

const makeTransferMethods = (
  page: WalletContext
): Methods<"transferNative" | "transferErc20" | "approveErc20" | "transferNft"> => {
  const { config, inputs, ready } = page
  return {
    transferNative: (recipient, amount) =>
      Effect.gen(function* () {
        const given = yield* inputs.native({ recipient, amount })
        const units = yield* parseAmount(
          "wallet.transferNative",
          "amount",
          given.amount,
          config.info.decimals
        )
        return yield* submit(yield* ready, { to: given.recipient, value: toQuantity(units) })
      }),
    transferErc20: (recipient, amount, tokenAddress) =>
      Effect.flatMap(inputs.transfer({ recipient, amount, tokenAddress }), (given) =>
        sendTokens(page, "transfer", given.recipient, given)
      ),
    approveErc20: (spender, amount, tokenAddress) =>
      Effect.flatMap(inputs.approve({ spender, amount, tokenAddress }), (given) =>
        sendTokens(page, "approve", given.spender, given)
      ),
    transferNft: (recipient, tokenId, tokenAddress) =>
      Effect.gen(function* () {
        const given = yield* inputs.nft({ recipient, tokenId, tokenAddress })
        const current = yield* ready
        return yield* submit(current, {
          to: given.tokenAddress,
          data: encodeCall("safeTransferFrom", current.account, given.recipient, BigInt(given.tokenId))
        })
      })
  }
}

/** Deploys a contract of the provider. The deploying account may be one of its parameters. */
const deploy = (
  { gateway, ready }: WalletContext,
  contractType: "nft" | "fungible" | "multitoken",
  params: (account: string) => ReadonlyArray<unknown>
): Effect.Effect<string, WalletDeployError> =>
  Effect.gen(function* () {
    const current = yield* ready
    const { data } = yield* Effect.flatMap(
      gateway.request({
        method: "POST",
        path: "contract/deploy/prepare",
        body: { contractType, params: params(current.account) }
      }),
      readPrepared
    )
    return yield* submit(current, { data })
  })

const makeDeploymentMethods = (
  page: WalletContext
): Methods<"createNftCollection" | "createFungibleToken" | "createErc1155NftCollection"> => {
  const { inputs } = page
  return {
    createNftCollection: (body) =>
      Effect.flatMap(inputs.collection(body), ({ name, symbol, baseURI = "", author, minter }) =>
        deploy(page, "nft", (account) => [name, symbol, baseURI, author ?? account, minter ?? account])
      ),
    createFungibleToken: (body) =>
      Effect.gen(function* () {
        const given = yield* inputs.fungible(body)
        const { name, symbol, decimals = 18, initialSupply } = given
        const supply = yield* parseAmount(
          "wallet.createFungibleToken",
          "initialSupply",
          initialSupply,
          decimals
        )
        const { initialHolder, admin, minter, pauser } = given
        return yield* deploy(page, "fungible", (account) => [
          name,
          symbol,
          decimals,
          toQuantity(supply),
          ...[initialHolder, admin, minter, pauser].map((address) => address ?? account)
        ])
      }),
    createErc1155NftCollection: (body = {}) =>
      Effect.flatMap(inputs.multitoken(body), ({ baseURI = "", author, minter }) =>
        deploy(page, "multitoken", (account) => [author ?? account, minter ?? account, baseURI])
      )
  }
}

const signAndBroadcast = (
  { inputs, ready }: WalletContext,
  payload: Parameters<WalletProviderService["signAndBroadcast"]>[0]
): ReturnType<WalletProviderService["signAndBroadcast"]> =>
  Effect.gen(function* () {
    const call = "wallet.signAndBroadcast"
    const given = yield* inputs.payload(payload)
    const strange = Object.keys(payload).filter((name) => !inputs.fields.includes(name))
    if (strange.length > 0) {
      // without this field it could be another transaction
      const reason = `${strange.join(", ")}: no such field; there are ${inputs.fields.join(", ")}`
      return yield* new InvalidArgument({ call, reason })
    }
    const fields = Object.entries(given).flatMap(
      ([name, value]): ReadonlyArray<[string, string]> =>
        value === undefined ? [] : [[name, typeof value === "bigint" ? toQuantity(value) : value]]
    )
    return yield* submit(yield* ready, Object.fromEntries(fields))
  })

const requireChain = (
  network: string,
  info: NetworkInfo
): Effect.Effect<WalletChain, NoChainId | NotSupportedForNetwork> => {
  const { chainId } = info
  if (chainId === undefined) return Effect.fail(new NoChainId({ network }))
  return isEvm(info)
    ? Effect.succeed({ network, info, chainId })
    : Effect.fail(new NotSupportedForNetwork({ network, feature: "wallet" }))
}

/** The methods of a client on a network without wallets. They all fail. */
const makeRefusing = (error: NoChainId | NotSupportedForNetwork): WalletProviderService => {
  const refuse = () => Effect.fail(error)
  const methods = {
    discover: () => Wallets.discover,
    use: refuse,
    disconnect: refuse,
    getWallet: refuse,
    getProvider: refuse,
    getAccounts: refuse,
    chainId: refuse,
    switchChain: refuse,
    transferNative: refuse,
    transferErc20: refuse,
    approveErc20: refuse,
    transferNft: refuse,
    createNftCollection: refuse,
    createFungibleToken: refuse,
    createErc1155NftCollection: refuse,
    signAndBroadcast: refuse,
    changed: () => Stream.fail(error),
    accountsChanged: () => Stream.fail(error),
    chainChanged: () => Stream.fail(error)
  } satisfies Record<keyof WalletProviderService, unknown>
  // the types have no wallet on such a network, so only callers without types get here
  return methods as unknown as WalletProviderService
}

/**
 * The browser wallet of a client: the one that it was given, or the page's. On a network without one, which the types rule out,
 * every method fails with `NoChainId` or `NotSupportedForNetwork`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<WalletProviderService, never, Config | Gateway | Transport> =
  /*#__PURE__*/ Effect.flatMap(
    /*#__PURE__*/ Effect.serviceOption(WalletProvider),
    Option.match({
      onNone: () => Effect.catchAll(makeWith(), (error) => Effect.succeed(makeRefusing(error))),
      onSome: (given) => Effect.succeed(given)
    })
  )

/**
 * The wallet of the page as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<
  WalletProvider,
  NoChainId | NotSupportedForNetwork,
  Config | Gateway | Transport
> = /*#__PURE__*/ Layer.effect(WalletProvider, /*#__PURE__*/ makeWith())

/**
 * A wallet of your own (EIP-1193) as a layer: WalletConnect, a hardware wallet's bridge, a test's double.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerFrom = (
  wallet: BrowserWallet
): Layer.Layer<WalletProvider, NoChainId | NotSupportedForNetwork, Config | Gateway | Transport> =>
  Layer.effect(WalletProvider, makeWith(wallet))
