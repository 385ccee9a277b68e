/**
 * A double of `@walletconnect/ethereum-provider` with the surface of its declarations. Its methods also play the relay and the phone. The
 * package itself has a licence of its own, and needs a server on the internet. docs/react/wallet.md is compiled against this double.
 */

interface RpcRequest {
  readonly method: string
  readonly params?: unknown
}

type Listener = (value: unknown) => void

/** The session with a paired phone. */
interface Session {
  readonly topic: string
}

interface Options {
  readonly projectId: string
  readonly optionalChains: readonly [number, ...ReadonlyArray<number>]
  readonly showQrModal: boolean
}

/** The session in the browser's storage, which outlives the page. */
let savedSession: { readonly session: Session; readonly accounts: ReadonlyArray<string> } | undefined

/** The provider of a page, and the phone that is paired with it. */
export class EthereumProvider {
  session: Session | undefined
  accounts: ReadonlyArray<string> = []
  chainId: number
  /** The parameters of each request to the phone. */
  readonly asked: Array<string> = []
  readonly #listeners = new Map<string, Set<Listener>>()
  #pairing: { readonly approve: () => void; readonly reject: (error: Error) => void } | undefined

  protected constructor(chainId: number) {
    this.chainId = chainId
  }

  static async init({ optionalChains }: Options): Promise<EthereumProvider> {
    const provider = new EthereumProvider(optionalChains[0])
    provider.session = savedSession?.session
    provider.accounts = savedSession?.accounts ?? []
    return provider
  }

  /** The next visit begins without a session. */
  static forget(): void {
    savedSession = undefined
  }

  get connected(): boolean {
    return this.session !== undefined
  }

  async connect(): Promise<void> {
    const paired = new Promise<void>((approve, reject) => {
      this.#pairing = { approve, reject }
    })
    this.emit("display_uri", `wc:${"7f".repeat(32)}@2?relay-protocol=irn`)
    await paired
  }

  async enable(): Promise<ReadonlyArray<string>> {
    if (this.session === undefined) await this.connect()
    return this.accounts
  }

  async disconnect(): Promise<void> {
    this.#reset()
  }

  readonly request = async ({ method, params }: RpcRequest): Promise<unknown> => {
    // as the provider does, before it looks at the method
    if (this.session === undefined) throw new Error("Please call connect() before request()")
    switch (method) {
      case "eth_accounts":
      case "eth_requestAccounts":
        return this.accounts
      case "eth_chainId":
        return this.chainId
      case "eth_sendTransaction":
        this.asked.push(JSON.stringify(params))
        return `0x${"cd".repeat(32)}`
      default:
        throw new Error(`unexpected: ${method}`)
    }
  }

  on(event: string, listener: Listener): this {
    this.#listeners.set(event, (this.#listeners.get(event) ?? new Set()).add(listener))
    return this
  }

  removeListener(event: string, listener: Listener): this {
    this.#listeners.get(event)?.delete(listener)
    return this
  }

  listenerCount(): number {
    return [...this.#listeners.values()].reduce((sum, { size }) => sum + size, 0)
  }

  private emit(event: string, value: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(value)
  }

  #reset(): void {
    savedSession = undefined
    this.session = undefined
    this.accounts = []
  }

  /** The user scans the code and approves. */
  approve(accounts: ReadonlyArray<string>): void {
    this.session = { topic: "t-1" }
    this.accounts = accounts
    savedSession = { session: this.session, accounts }
    this.#pairing?.approve()
    this.emit("connect", { chainId: `0x${this.chainId.toString(16)}` })
  }

  /** The user scans the code and rejects. */
  rejectPairing(): void {
    this.#pairing?.reject(Object.assign(new Error("User rejected."), { code: 5000 }))
  }

  /** The phone ends the session, which the provider reports with two events. */
  endSession(): void {
    const topic = this.session?.topic
    this.#reset()
    this.emit("session_delete", { id: 1, topic })
    this.emit("disconnect", { code: 6000, message: "User disconnected.", data: topic })
  }

  /** The relay is unreachable for a while, and the session goes on. */
  loseRelay(): void {
    this.emit("disconnect", { code: 1013, message: "Disconnected from chain" })
  }

  changeAccounts(accounts: ReadonlyArray<string>): void {
    this.accounts = accounts
    this.emit("accountsChanged", accounts)
  }

  changeChain(chainId: number): void {
    this.chainId = chainId
    this.emit("chainChanged", `0x${chainId.toString(16)}`)
  }
}
