/**
 * A double of `@walletconnect/ethereum-provider`, with the surface of its declarations: the relay and the phone on its other side are
 * methods of the test. The package itself asks for its maker's licence, and its relay is a server on the internet. docs/react.md is
 * compiled with this in its place.
 */

interface RpcRequest {
  readonly method: string
  readonly params?: unknown
}

type Listener = (value: unknown) => void

/** What has a phone been paired for. */
interface Session {
  readonly topic: string
}

interface Options {
  readonly projectId: string
  readonly optionalChains: readonly [number, ...ReadonlyArray<number>]
  readonly showQrModal: boolean
}

/** The session that outlives the page, as the provider keeps it in the browser. */
let savedSession: { readonly session: Session; readonly accounts: ReadonlyArray<string> } | undefined

/** The provider of a page, and of the phone that it is paired with. */
export class EthereumProvider {
  session: Session | undefined
  accounts: ReadonlyArray<string> = []
  chainId: number
  /** Everything that the phone was asked. */
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
    // so does the provider, before it looks at the method
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

  /** The user scans the code and lets the page in. */
  approve(accounts: ReadonlyArray<string>): void {
    this.session = { topic: "t-1" }
    this.accounts = accounts
    savedSession = { session: this.session, accounts }
    this.#pairing?.approve()
    this.emit("connect", { chainId: `0x${this.chainId.toString(16)}` })
  }

  /** The user scans the code and says no. */
  rejectPairing(): void {
    this.#pairing?.reject(Object.assign(new Error("User rejected."), { code: 5000 }))
  }

  /** The phone ends the session: the page is told in both ways that the provider has. */
  endSession(): void {
    const topic = this.session?.topic
    this.#reset()
    this.emit("session_delete", { id: 1, topic })
    this.emit("disconnect", { code: 6000, message: "User disconnected.", data: topic })
  }

  /** The relay is out of reach for a while; the session is not over. */
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
