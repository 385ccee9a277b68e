/** The page: clients of the SDK, a wallet, and functions for the test to call, which return values that JSON can carry. */
import { announceProvider } from "mipd"
import type { Network } from "../../../src/data/Network.js"
import { init, type PromiseSdk } from "../../../src/promise.js"
import { PageWallet } from "./wallet.js"

export interface Told {
  readonly status: string
  readonly data: unknown
  readonly tag?: string
  readonly kind?: unknown
  readonly message?: string
}

export interface Settings {
  /** How the page has its wallet. */
  readonly wallet: "announced" | "ethereum" | "none"
  readonly nodes: Readonly<Record<string, string>>
  readonly chain: string
  readonly account: string
}

const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (_, item: unknown) => (typeof item === "bigint" ? String(item) : item))
  )

const isMethod = (value: unknown): value is (...args: ReadonlyArray<unknown>) => unknown =>
  typeof value === "function"

const isResult = (
  value: unknown
): value is Awaited<ReturnType<PromiseSdk<"ethereum-mainnet">["wallet"]["getWallet"]>> =>
  typeof value === "object" && value !== null && "status" in value

const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value

const tell = (value: unknown): Told => {
  if (!isResult(value)) throw new Error("a call gave no Result")
  if (value.status === "SUCCESS") return { status: value.status, data: plain(value.data) }
  const { cause, message } = value.error
  return {
    status: value.status,
    data: null,
    tag: cause._tag,
    ...("kind" in cause ? { kind: cause.kind } : {}),
    message: message.join("; ")
  }
}

const announce = (rdns: string, provider: Parameters<typeof announceProvider>[0]["provider"]): void => {
  announceProvider({
    info: {
      uuid: crypto.randomUUID(),
      name: "Test wallet",
      icon: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>",
      rdns
    },
    provider
  })
}

class Driver {
  private wallet: PageWallet | undefined
  private readonly others = new Map<string, PageWallet>()
  private readonly clients = new Map<string, PromiseSdk<Network>>()
  private readonly seen: Array<Told> = []

  install({ account, chain, nodes, wallet }: Settings): void {
    this.wallet = new PageWallet(nodes, chain, account)
    const { request } = this.wallet
    if (wallet === "ethereum") Object.assign(window, { ethereum: this.wallet })
    // the types of mipd list every method of every wallet
    if (wallet === "announced")
      announce("example.wallet", Object.assign(Object.create(this.wallet), { request }))
  }

  /** One more wallet, whose user has let the page in on an earlier visit. */
  visited(rdns: string, { account, chain, nodes }: Omit<Settings, "wallet">): void {
    const wallet = new PageWallet(nodes, chain, account, true)
    const { request } = wallet
    this.others.set(rdns, wallet)
    announce(rdns, Object.assign(Object.create(wallet), { request }))
  }

  /** What one of those was asked since the last time. */
  askedOf(rdns: string): ReadonlyArray<string> {
    return this.others.get(rdns)?.asked.splice(0) ?? []
  }

  /** What the wallet's user does next. */
  user(action: "rejectNext" | "holdNext" | "release", method = ""): void {
    this.wallet?.[action](method)
  }

  /** What the wallet was asked since the last time. */
  asked(): ReadonlyArray<string> {
    return this.wallet?.asked.splice(0) ?? []
  }

  async open(network: Network, nodes: ReadonlyArray<string>): Promise<void> {
    const rpc = { nodes: nodes.map((url) => ({ url })) }
    this.clients.set(
      network,
      await init({ network, rpc, provider: { baseUrl: location.origin }, quiet: true })
    )
  }

  private method(network: string, name: string): (...args: ReadonlyArray<unknown>) => unknown {
    const client = this.clients.get(network)
    const service: unknown = client === undefined ? undefined : Reflect.get(client, "wallet")
    const method: unknown =
      typeof service === "object" && service !== null ? Reflect.get(service, name) : undefined
    if (!isMethod(method)) throw new Error(`no wallet.${name} on ${network}`)
    return method
  }

  async call(network: string, name: string, args: ReadonlyArray<unknown>): Promise<Told> {
    return tell(await this.method(network, name)(...args))
  }

  /** Follows a stream; `told` has what it gave. */
  follow(network: string, name: string): void {
    const items = this.method(network, name)()
    if (!isIterable(items)) throw new Error(`wallet.${name} is no stream`)
    const read = async (): Promise<void> => {
      for await (const item of items) this.seen.push(tell(item))
    }
    void read()
  }

  told(): ReadonlyArray<Told> {
    return this.seen.splice(0)
  }

  async close(): Promise<void> {
    await Promise.all([...this.clients.values()].map((client) => client.destroy()))
  }
}

declare global {
  interface Window {
    driver: Driver
  }
}

window.driver = new Driver()
