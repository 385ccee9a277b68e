/**
 * A wallet of the page for its sandbox: the accounts with public keys, which the sandbox's nodes sign for. It
 * announces itself (EIP-6963), speaks EIP-1193, and asks its user like any other wallet.
 *
 * @since 0.1.0
 */
import type { BrowserWallet } from "../../../src/services/WalletProvider.js"

/**
 * A chain that the wallet knows: its id, the name of its network, the symbol of its coin, and the url of a node of it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Chain {
  readonly id: bigint
  readonly name: string
  readonly symbol: string
  readonly url: string
}

/**
 * A question of the wallet to its user: for access to an account, for a transaction, or for another chain.
 *
 * @since 0.1.0
 * @category models
 */
export type Question =
  | { readonly _tag: "connect"; readonly accounts: ReadonlyArray<string>; readonly origin: string }
  | {
      readonly _tag: "send"
      readonly chain: Chain
      readonly from: string
      readonly to: string | undefined
      readonly value: bigint
      readonly data: string | undefined
    }
  | { readonly _tag: "switch"; readonly from: Chain | undefined; readonly to: Chain }

/**
 * The answer of the user: no, or yes with the account that was picked.
 *
 * @since 0.1.0
 * @category models
 */
export type Reply = { readonly agreed: false } | { readonly agreed: true; readonly account?: string }

/**
 * What the wallet needs. It calls `chains` again for a chain that it does not know.
 *
 * @since 0.1.0
 * @category models
 */
export interface WalletOptions {
  readonly accounts: ReadonlyArray<string>
  readonly chain: bigint
  readonly chains: () => Promise<ReadonlyArray<Chain>>
  readonly ask: (question: Question) => Promise<Reply>
}

interface RpcRequest {
  readonly method: string
  readonly params?: unknown
}

type Listener = (value: unknown) => void

/** Errors of EIP-1193 and EIP-3326. */
const makeRpcError = (code: number, message: string): Error => Object.assign(new Error(message), { code })

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const parseQuantity = (value: unknown): bigint => {
  if (value === undefined) return 0n
  if (typeof value === "string" && /^0x[0-9a-f]+$/i.test(value)) return BigInt(value)
  throw makeRpcError(-32602, "a quantity is hexadecimal text with 0x")
}

const toHex = (value: bigint): string => `0x${value.toString(16)}`

/**
 * The wallet. It keeps no key: the nodes of the sandbox sign for the accounts that it has.
 *
 * @since 0.1.0
 * @category models
 */
export class SandboxWallet implements BrowserWallet {
  private account: string | undefined
  private isAsking = false
  private chain: bigint
  private readonly listeners = new Map<string, Set<Listener>>()

  constructor(private readonly options: WalletOptions) {
    this.chain = options.chain
  }

  /** Listens to an event of EIP-1193. */
  on(event: string, listener: Listener): void {
    this.listeners.set(event, (this.listeners.get(event) ?? new Set()).add(listener))
  }

  /** Stops listening. */
  removeListener(event: string, listener: Listener): void {
    this.listeners.get(event)?.delete(listener)
  }

  private emit(event: string, value: unknown): void {
    for (const listener of [...(this.listeners.get(event) ?? [])]) listener(value)
  }

  /** Changes the account as the user does in the wallet itself; undefined disconnects the page. */
  setAccount(account: string | undefined): void {
    this.account = account
    this.emit("accountsChanged", account === undefined ? [] : [account])
  }

  /** An arrow function, since applications call it without its object. */
  readonly request = async ({ method, params }: RpcRequest): Promise<unknown> => {
    const [first] = Array.isArray(params) ? params : []
    switch (method) {
      case "eth_accounts":
        return this.account === undefined ? [] : [this.account]
      case "eth_chainId":
        return toHex(this.chain)
      case "eth_requestAccounts":
        return this.connect()
      case "wallet_switchEthereumChain":
        return this.switchChain(isRecord(first) ? parseQuantity(first.chainId) : 0n)
      case "eth_sendTransaction":
        return this.send(isRecord(first) ? first : {})
      default:
        if (!/^(eth_(get|call|estimate|blockNumber|gasPrice|feeHistory)|net_|web3_)/.test(method)) {
          throw makeRpcError(4200, `The sandbox wallet does not support ${method}.`)
        }
        return this.callNode(await this.chainOf(this.chain), method, params)
    }
  }

  private async connect(): Promise<ReadonlyArray<string>> {
    if (this.account !== undefined) return [this.account]
    const reply = await this.ask({
      _tag: "connect",
      accounts: this.options.accounts,
      origin: location.origin
    })
    this.account = reply.account ?? this.options.accounts[0]
    if (this.account === undefined) throw makeRpcError(4100, "The sandbox has no accounts.")
    this.emit("accountsChanged", [this.account])
    return [this.account]
  }

  private async switchChain(id: bigint): Promise<null> {
    if (id === this.chain) return null
    const to = await this.chainOf(id)
    const from = (await this.options.chains()).find((chain) => chain.id === this.chain)
    await this.ask({ _tag: "switch", from, to })
    this.chain = id
    this.emit("chainChanged", toHex(id))
    return null
  }

  private async send(transaction: Readonly<Record<string, unknown>>): Promise<unknown> {
    const { data, from, to, value } = transaction
    if (this.account === undefined) throw makeRpcError(4100, "The page is not connected with the wallet.")
    if (typeof from !== "string" || from.toLowerCase() !== this.account.toLowerCase()) {
      throw makeRpcError(4100, "The transaction is not from the account of the wallet.")
    }
    const chain = await this.chainOf(this.chain)
    await this.ask({
      _tag: "send",
      chain,
      from: this.account,
      to: typeof to === "string" ? to : undefined,
      value: parseQuantity(value),
      data: typeof data === "string" && data !== "0x" ? data : undefined
    })
    return this.callNode(chain, "eth_sendTransaction", [transaction])
  }

  private async chainOf(id: bigint): Promise<Chain> {
    const found = (await this.options.chains()).find((chain) => chain.id === id)
    if (found === undefined) throw makeRpcError(4902, `The sandbox does not run a chain with the id ${id}.`)
    return found
  }

  /** Asks the user. Like other wallets, it refuses a second question meanwhile. */
  private async ask(question: Question): Promise<Extract<Reply, { readonly agreed: true }>> {
    if (this.isAsking) throw makeRpcError(-32002, "The wallet waits for its user already.")
    this.isAsking = true
    try {
      const reply = await this.options.ask(question)
      if (!reply.agreed) throw makeRpcError(4001, "User rejected the request.")
      return reply
    } finally {
      this.isAsking = false
    }
  }

  private async callNode({ url }: Chain, method: string, params: unknown): Promise<unknown> {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: params ?? [] })
    })
    const answer: unknown = await response.json()
    const error = isRecord(answer) ? answer.error : undefined
    if (isRecord(error)) throw makeRpcError(Number(error.code), String(error.message))
    return isRecord(answer) ? answer.result : undefined
  }
}

/** The wallet's icon, visible on light and dark. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#d9822b"/><path d="M8 11h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H8zM8 11a2 2 0 0 1 0-3h12" fill="none" stroke="#fff" stroke-width="2"/><circle cx="20" cy="17" r="1.6" fill="#fff"/></svg>'
)}`

/**
 * Announces the wallet on the page (EIP-6963), now and at every request. Returns the function that withdraws it.
 *
 * @since 0.1.0
 * @category operations
 */
export const announceWallet = (provider: SandboxWallet): (() => void) => {
  const info = Object.freeze({
    uuid: crypto.randomUUID(),
    name: "Sandbox wallet",
    icon,
    rdns: "dev.effect-chains.sandbox"
  })
  const detail = Object.freeze({ info, provider })
  const announce = (): void => {
    window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }))
  }
  window.addEventListener("eip6963:requestProvider", announce)
  announce()
  return () => window.removeEventListener("eip6963:requestProvider", announce)
}
