/** A wallet in a page, with accounts that a real node keeps unlocked, and a user who follows the test. */

interface Asked {
  readonly method: string
  readonly params?: unknown
}

type Listener = (value: unknown) => void

/** The errors that EIP-1193 and EIP-1474 have names for. */
const failure = (code: number, message: string): Error => Object.assign(new Error(message), { code })

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

export class PageWallet {
  /** Everything it was asked, by method. */
  readonly asked: Array<string> = []
  private refused: string | undefined
  private held: { readonly method: string; release?: () => void } | undefined
  private readonly listeners = new Map<string, Set<Listener>>()

  /** `nodes` has the url of a node by chain id; `connected` is whether its user has let the page in before. */
  constructor(
    private readonly nodes: Readonly<Record<string, string>>,
    private chain: string,
    private readonly account: string,
    private connected = false
  ) {}

  /** The user says no to the next request of this method. */
  rejectNext(method: string): void {
    this.refused = method
  }

  /** The user leaves the next request of this method open until `release`. */
  holdNext(method: string): void {
    this.held = { method }
  }

  release(): void {
    this.held?.release?.()
    this.held = undefined
  }

  on(event: string, listener: Listener): void {
    this.listeners.set(event, (this.listeners.get(event) ?? new Set()).add(listener))
  }

  removeListener(event: string, listener: Listener): void {
    this.listeners.get(event)?.delete(listener)
  }

  /** A method of its own, so that it can be handed out without its object. */
  readonly request = async ({ method, params }: Asked): Promise<unknown> => {
    this.asked.push(method)
    const [first] = Array.isArray(params) ? params : []
    switch (method) {
      case "eth_accounts":
        return this.connected ? [this.account] : []
      case "eth_chainId":
        return this.chain
      case "eth_requestAccounts":
        if (!this.connected) await this.user(method)
        this.connected = true
        return [this.account]
      case "wallet_switchEthereumChain":
        return this.go(isRecord(first) ? String(first.chainId) : "")
      case "eth_sendTransaction":
        if (!this.connected) throw failure(4100, "The account has not been authorized by the user.")
        if (!isRecord(first) || first.from !== this.account) throw failure(-32602, "from is not the account")
        await this.user(method)
        return this.node(method, params)
      default:
        throw failure(4200, `The wallet does not support ${method}.`)
    }
  }

  private async go(chain: string): Promise<null> {
    if (this.nodes[chain] === undefined) throw failure(4902, `Unrecognized chain ID "${chain}".`)
    await this.user("wallet_switchEthereumChain")
    this.chain = chain
    for (const listener of this.listeners.get("chainChanged") ?? []) listener(chain)
    return null
  }

  private async user(method: string): Promise<void> {
    if (this.held?.method === method) {
      if (this.held.release !== undefined) throw failure(-32002, `A ${method} is already pending.`)
      const held = this.held
      await new Promise<void>((resolve) => {
        held.release = resolve
      })
    }
    if (this.refused !== method) return
    this.refused = undefined
    throw failure(4001, "User rejected the request.")
  }

  private async node(method: string, params: unknown): Promise<unknown> {
    const response = await fetch(this.nodes[this.chain] ?? "", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
    })
    const { error, result }: { readonly error?: unknown; readonly result?: unknown } = await response.json()
    if (isRecord(error)) throw failure(Number(error.code), String(error.message))
    return result
  }
}
