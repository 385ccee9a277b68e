// @runtime both
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { encodeFunctionData, getAddress, type Hex, parseAbi } from "viem"
import { afterEach } from "vitest"
import * as Config from "../../src/config/Config.js"
import { addressProblem } from "../../src/data/evmAddress.js"
import type { Network } from "../../src/data/Network.js"
import { CallTimeout, NoActiveNode } from "../../src/data/SdkError.js"
import * as Units from "../../src/data/Units.js"
import { init } from "../../src/promise.js"
import { Gateway, type GatewayRequest } from "../../src/services/Gateway.js"
import * as WalletProvider from "../../src/services/WalletProvider.js"
import { type Call, type CallError, Transport } from "../../src/wire/Transport.js"
import { runs } from "../properties.js"

const account = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
const other = "0x690B9A9E9aa1C9dB991C7721a92d351Db4FaC990"
const token = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
const hash = `0x${"ab".repeat(32)}`

/** An error in the form of wallets. */
const refusal = (code: unknown, message = "no", data?: unknown): Error =>
  Object.assign(new Error(message), { code, data })

type Answer = unknown | (() => unknown)

/** A wallet that answers by method, a list in its order, and throws what is an error; it fails on what it does not expect. */
class Wallet implements WalletProvider.BrowserWallet {
  readonly asked: Array<unknown> = []
  readonly listeners = new Map<string, Set<(value: unknown) => void>>()
  private readonly counts = new Map<string, number>()
  constructor(private readonly answers: Readonly<Record<string, Answer>> = {}) {}
  async request(request: { readonly method: string; readonly params?: unknown }): Promise<unknown> {
    this.asked.push(request)
    const { method } = request
    if (!Object.hasOwn(this.answers, method)) throw new Error(`unexpected: ${method}`)
    const scripted = this.answers[method]
    const count = this.counts.get(method) ?? 0
    this.counts.set(method, count + 1)
    const answer =
      scripted instanceof Each ? scripted.answers[Math.min(count, scripted.answers.length - 1)] : scripted
    if (answer instanceof Error) throw answer
    return answer
  }
  on(event: string, listener: (value: unknown) => void): void {
    const set = this.listeners.get(event) ?? new Set()
    this.listeners.set(event, set.add(listener))
  }
  removeListener(event: string, listener: (value: unknown) => void): void {
    this.listeners.get(event)?.delete(listener)
  }
  emit(event: string, value: unknown): void {
    for (const listener of this.listeners.get(event) ?? []) listener(value)
  }
  get methods(): ReadonlyArray<string> {
    return this.asked.map((each) => (each as { readonly method: string }).method)
  }
}

/** One answer after the other; the last one stays. */
class Each {
  readonly answers: ReadonlyArray<unknown>
  constructor(...answers: ReadonlyArray<unknown>) {
    this.answers = answers
  }
}

/** A wallet on Ethereum whose user agrees to everything. */
const agreeing = (answers: Readonly<Record<string, Answer>> = {}): Wallet =>
  new Wallet({
    eth_requestAccounts: [account],
    eth_chainId: "0x1",
    eth_sendTransaction: hash,
    ...answers
  })

interface Outside {
  readonly network?: Network
  readonly config?: Omit<Config.SdkConfig, "network">
  /** What the nodes answer to `eth_call`: a result, a JSON-RPC error, or a failure of the pool. */
  readonly node?: { readonly result: unknown } | { readonly error: unknown } | CallError
  readonly gateway?: unknown
}

/** The service over nodes and a provider that fail loudly where they are not expected. */
const setUp = (wallet: Wallet | undefined, outside: Outside = {}) =>
  Effect.gen(function* () {
    const called: Array<unknown> = []
    const posted: Array<GatewayRequest> = []
    const { node } = outside
    const send = <A>(call: Call<A>): Effect.Effect<A, CallError> => {
      called.push(JSON.parse(String(call.body)))
      if (node === undefined) return Effect.die(new Error(`unexpected: ${call.label}`))
      if ("_tag" in node) return Effect.fail(node)
      const { id } = JSON.parse(String(call.body))
      const text = JSON.stringify({ jsonrpc: "2.0", id, ...node })
      const decoded = call.decode({ status: 200, text, url: "https://node.example" })
      return decoded._tag === "Right" ? Effect.succeed(decoded.right) : Effect.fail(decoded.left.error)
    }
    const layer = Layer.mergeAll(
      Config.layer({ network: outside.network ?? "ethereum-mainnet", ...outside.config }),
      Layer.succeed(Transport, { send, nodeUrl: () => Effect.die(new Error("unexpected: nodeUrl")) }),
      Layer.succeed(Gateway, {
        request: <A>(request: GatewayRequest) => {
          posted.push(request)
          return outside.gateway === undefined
            ? Effect.die(new Error(`unexpected: ${request.path}`))
            : Effect.succeed(outside.gateway as A)
        },
        download: () => Effect.die(new Error("unexpected: download"))
      })
    )
    const service = yield* Effect.provide(WalletProvider.makeWith(wallet), layer)
    return { called, posted, service }
  }).pipe(Effect.orDie)

/** The page of a browser, with what wallets put there. */
const openPage = (fields: object = {}): EventTarget => {
  const page = Object.assign(new EventTarget(), fields)
  Object.defineProperty(globalThis, "window", { value: page, configurable: true })
  return page
}

const announcement = (wallet: unknown, info: object = {}): Event =>
  Object.assign(new Event("eip6963:announceProvider"), {
    detail: {
      info: { uuid: "u-1", name: "One", icon: "data:image/svg+xml,", rdns: "example.one", ...info },
      provider: wallet
    }
  })

/** A wallet that announces itself whenever the page asks for it. */
const announce = (page: EventTarget, wallet: unknown, info: object = {}): void =>
  page.addEventListener("eip6963:requestProvider", () => page.dispatchEvent(announcement(wallet, info)))

afterEach(() => {
  Reflect.deleteProperty(globalThis, "window")
})

/** Waits until somebody sleeps: what they need before that is loaded by promises. */
const sleeping = Effect.gen(function* () {
  while ((yield* TestClock.sleeps()).length === 0)
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
})

/** Waits until the wallets of a page have been asked for. */
const lookedFor = (page: EventTarget) => {
  let isAsked = false
  page.addEventListener("eip6963:requestProvider", () => {
    isAsked = true
  })
  return Effect.gen(function* () {
    do yield* Effect.sleep(1)
    while (!isAsked)
  })
}

const live = Effect.gen(function* () {
  return (yield* setUp(undefined)).service
})

describe("the wallets of a page", () => {
  it.live("are those that announce themselves, each once, with what they say of themselves", () =>
    Effect.gen(function* () {
      const page = openPage()
      const [one, two] = [agreeing(), agreeing()]
      announce(page, one)
      announce(page, two, { uuid: "u-2", name: "Two", rdns: "example.two", more: "not kept" })
      announce(page, agreeing(), { uuid: "u-1", name: "Thief" })
      announce(page, {}, { uuid: "u-3" })
      announce(page, agreeing(), { uuid: "u-4", rdns: 5 })
      page.addEventListener("eip6963:requestProvider", () =>
        page.dispatchEvent(new Event("eip6963:announceProvider"))
      )
      const service = yield* live
      const found = yield* service.discover()
      const icon = "data:image/svg+xml,"
      expect(found).toEqual([
        { uuid: "u-1", name: "One", icon, rdns: "example.one", provider: one },
        { uuid: "u-2", name: "Two", icon, rdns: "example.two", provider: two }
      ])
      expect(found[0]?.provider).toBe(one)
    })
  )

  it.live("are listened to only while they are looked for", () =>
    Effect.gen(function* () {
      const page = openPage({ ethereum: agreeing() })
      let listening = 0
      const { addEventListener, removeEventListener } = page
      page.addEventListener = (...args) => {
        listening++
        addEventListener.apply(page, args)
      }
      page.removeEventListener = (...args) => {
        listening--
        removeEventListener.apply(page, args)
      }
      const service = yield* live
      expect(yield* service.discover()).toEqual([])
      yield* service.getWallet()
      const looking = yield* Effect.fork(service.discover())
      while (listening === 0) yield* Effect.sleep(1)
      expect(listening).toBe(1)
      yield* Fiber.interrupt(looking)
      expect(listening).toBe(0)
    })
  )

  it.live("come before window.ethereum, which comes before nothing", () =>
    Effect.gen(function* () {
      const [old, announced] = [agreeing(), agreeing()]
      const page = openPage({ ethereum: old })
      expect(yield* (yield* live).getWallet()).toBe(account)
      expect(old.methods).toEqual(["eth_requestAccounts"])
      announce(page, announced)
      const service = yield* live
      expect(yield* service.getWallet()).toBe(account)
      // what was found stays, whoever else comes
      announce(page, new Wallet(), { uuid: "u-0" })
      Reflect.deleteProperty(globalThis, "window")
      expect(yield* service.chainId()).toBe(1n)
      expect(announced.methods).toEqual(["eth_requestAccounts", "eth_chainId"])
      expect(old.methods).toEqual(["eth_requestAccounts"])
      for (const fields of [{}, { ethereum: {} }, { ethereum: null }]) {
        openPage(fields)
        const error = yield* Effect.flip((yield* live).getWallet())
        expect(error._tag).toBe("WalletNotInstalled")
      }
      Object.defineProperty(openPage(), "ethereum", {
        get: () => {
          throw new Error("two extensions quarrel")
        }
      })
      expect((yield* Effect.flip((yield* live).getWallet()))._tag).toBe("WalletNotInstalled")
    })
  )

  it.effect("may be put there while the page loads", () =>
    Effect.gen(function* () {
      const page = openPage()
      const late = agreeing()
      const asking = yield* Effect.fork((yield* live).getWallet())
      yield* sleeping
      yield* TestClock.adjust(99)
      page.dispatchEvent(announcement(late))
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(asking)).toBe(account)
      const old = openPage()
      const waiting = yield* Effect.fork((yield* live).getWallet())
      yield* sleeping
      yield* TestClock.adjust(99)
      Object.assign(old, { ethereum: late })
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(waiting)).toBe(account)
    })
  )

  it.effect("do not exist where there is no page, which is told at once", () =>
    Effect.gen(function* () {
      const service = yield* live
      expect((yield* Effect.flip(service.getWallet()))._tag).toBe("WalletNotInstalled")
      expect((yield* Effect.flip(service.transferNative(other, "1")))._tag).toBe("WalletNotInstalled")
      // the nodes are not asked either
      expect((yield* Effect.flip(service.transferErc20(other, "1", token)))._tag).toBe("WalletNotInstalled")
    })
  )

  it.live("are chosen by rdns, by uuid, or as objects, and stay chosen", () =>
    Effect.gen(function* () {
      const page = openPage()
      const wallets = [agreeing(), agreeing()]
      announce(page, wallets[0])
      announce(page, wallets[1], { uuid: "u-2", rdns: "example.two" })
      const service = yield* live
      const used = (): ReadonlyArray<number> => wallets.map(({ asked }) => asked.length)
      yield* service.use("example.one")
      yield* service.getWallet()
      expect(used()).toEqual([1, 0])
      yield* service.use("example.two")
      yield* service.getWallet()
      expect(used()).toEqual([1, 1])
      yield* service.use("u-1")
      yield* service.getWallet()
      expect(used()).toEqual([2, 1])
      const [, second] = yield* service.discover()
      if (second !== undefined) yield* service.use(second)
      yield* service.getWallet()
      expect(used()).toEqual([2, 2])
      const own = agreeing()
      yield* service.use(own)
      yield* service.getWallet()
      expect(own.asked).toHaveLength(1)
      expect((yield* Effect.flip(service.use("example.three")))._tag).toBe("WalletNotInstalled")
      const wrong: object = {}
      const error = yield* Effect.flip(service.use(wrong as WalletProvider.BrowserWallet))
      expect(error.message).toMatch(
        /^wallet\.use: must be the rdns or uuid of a wallet, or an EIP-1193 provider/
      )
      yield* service.getWallet()
      expect(own.asked).toHaveLength(2)
    })
  )

  it.effect("give way to one of the configuration, which its init may make", () =>
    Effect.gen(function* () {
      const own = agreeing()
      openPage({ ethereum: new Wallet() })
      const bridge = new (class {
        readonly name = "bridge"
        provider?: WalletProvider.BrowserWallet
        init(): void {
          this.provider = own
        }
      })()
      const config = { configureWalletProviders: [{ name: "none" }, bridge] }
      const { service } = yield* setUp(undefined, { config })
      bridge.init()
      expect(yield* service.getWallet()).toBe(account)
      expect(own.asked).toHaveLength(1)
    })
  )
})

/** What a browser keeps of an origin (localStorage): it outlives pages. */
const storage = (): Map<string, string> & { readonly fields: object } => {
  const kept = new Map<string, string>()
  const localStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key)
  }
  return Object.assign(kept, { fields: { localStorage } })
}

describe("the wallet that was chosen", () => {
  const permitted = () => agreeing({ eth_accounts: [account] })

  /** A page with two wallets, both of which let it see an account; the next one is what a reload makes of it. */
  const reloaded = (fields: object, which: ReadonlyArray<"one" | "two"> = ["one", "two"]) => {
    const page = openPage(fields)
    const wallets = { one: permitted(), two: permitted() }
    for (const name of which)
      announce(page, wallets[name], { uuid: crypto.randomUUID(), rdns: `example.${name}` })
    return { page, ...wallets }
  }

  it.live("is the one after a reload, whoever announces itself first", () =>
    Effect.gen(function* () {
      const { fields } = storage()
      const before = reloaded(fields)
      yield* (yield* live).use("example.two")
      expect(before.two.asked).toEqual([])
      const { one, two } = reloaded(fields)
      const service = yield* live
      expect(yield* service.getAccounts()).toEqual([account])
      expect(yield* service.transferNative(other, "1")).toBe(hash)
      expect(one.asked).toEqual([])
      expect(two.methods).toContain("eth_sendTransaction")
      // the last choice counts, made with what discovery gives
      const [first] = yield* service.discover()
      if (first !== undefined) yield* service.use(first)
      const again = reloaded(fields)
      yield* (yield* live).getAccounts()
      expect([again.one.methods, again.two.methods]).toEqual([["eth_accounts"], []])
    })
  )

  it.live("is waited for, then not found, and never replaced", () =>
    Effect.gen(function* () {
      const { fields } = storage()
      reloaded(fields)
      yield* (yield* live).use("example.two")
      const { one, page, two } = reloaded({ ...fields, ethereum: permitted() }, ["one"])
      const service = yield* live
      const calls: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }>> = [
        service.getAccounts(),
        service.getWallet(),
        service.chainId(),
        service.transferNative(other, "1"),
        Stream.runDrain(service.accountsChanged())
      ]
      const failures = yield* Effect.forEach(calls, (call) => Effect.flip(call), { concurrency: "unbounded" })
      for (const failure of failures) {
        expect(failure).toMatchObject({
          _tag: "WalletNotFound",
          wallet: "example.two",
          message: expect.stringMatching(/example\.two.*wallet\.use.*wallet\.disconnect/s)
        })
      }
      expect(one.asked).toEqual([])
      // it answers later than others, and before it is given up: one timer comes before twenty in a row
      page.addEventListener("eip6963:requestProvider", () => {
        setTimeout(() => page.dispatchEvent(announcement(two, { uuid: "late", rdns: "example.two" })), 150)
      })
      const asking = yield* Effect.fork(service.getAccounts())
      expect(yield* Fiber.join(asking)).toEqual([account])
      expect(one.asked).toEqual([])
    })
  )

  it.live("may be the only one there is, which is remembered when it is connected", () =>
    Effect.gen(function* () {
      const { fields } = storage()
      reloaded(fields, ["two"])
      yield* (yield* live).getWallet()
      const { one, two } = reloaded(fields)
      yield* (yield* live).getAccounts()
      expect([one.methods, two.methods]).toEqual([[], ["eth_accounts"]])
    })
  )

  it.live("has to be chosen where there are several", () =>
    Effect.gen(function* () {
      const { one, two } = reloaded(storage().fields)
      const service = yield* live
      const calls: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }>> = [
        service.getWallet(),
        service.getAccounts(),
        service.transferNative(other, "1")
      ]
      for (const call of calls) {
        expect(yield* Effect.flip(call)).toMatchObject({
          _tag: "WalletNotChosen",
          wallets: ["example.one", "example.two"],
          message: expect.stringMatching(/wallet\.use.*example\.one, example\.two/s)
        })
      }
      expect([...one.asked, ...two.asked]).toEqual([])
      yield* service.use("example.two")
      expect(yield* service.getWallet()).toBe(account)
      expect(one.asked).toEqual([])
    })
  )

  it.live("while it is looked for is the one at once", () =>
    Effect.gen(function* () {
      const { one, page, two } = reloaded(storage().fields, ["one"])
      const service = yield* live
      const looking = lookedFor(page)
      const asking = yield* Effect.fork(service.getAccounts())
      yield* looking
      yield* service.use(two)
      yield* Fiber.join(asking)
      expect([one.methods, two.methods]).toEqual([[], ["eth_accounts"]])
    })
  )

  it.live("changes, which its client tells whatever has changed it", () =>
    Effect.gen(function* () {
      const { page, two } = reloaded(storage().fields, ["one"])
      const service = yield* live
      const looking = lookedFor(page)
      const told = yield* Effect.fork(Stream.runCollect(Stream.take(service.changed(), 5)))
      yield* looking
      page.dispatchEvent(announcement(two, { uuid: "u-2", rdns: "example.two" }))
      // one that is known says so again, as it does whenever somebody asks
      page.dispatchEvent(announcement(two, { uuid: "u-3", rdns: "example.two" }))
      announce(page, two, { uuid: "u-2", rdns: "example.two" })
      yield* service.use("example.two")
      yield* service.getWallet()
      yield* service.getAccounts()
      yield* service.disconnect()
      page.dispatchEvent(announcement(agreeing(), { uuid: "u-4", rdns: "example.four" }))
      expect(Chunk.toReadonlyArray(yield* Fiber.join(told)).map(({ reason }) => reason)).toEqual([
        "announced",
        "chosen",
        "chosen",
        "chosen",
        "announced"
      ])
    })
  )

  it.live("counts for its network, and for others of the kind until they have one", () =>
    Effect.gen(function* () {
      const { fields } = storage()
      reloaded(fields)
      const on = (network: Network) => Effect.map(setUp(undefined, { network }), ({ service }) => service)
      yield* (yield* on("ethereum-mainnet")).use("example.two")
      yield* (yield* on("polygon-mainnet")).use("example.one")
      const { one, two } = reloaded(fields)
      yield* (yield* on("ethereum-mainnet")).getAccounts()
      expect([one.asked.length, two.asked.length]).toEqual([0, 1])
      yield* (yield* on("polygon-mainnet")).getAccounts()
      yield* (yield* on("base-mainnet")).getAccounts()
      expect([one.asked.length, two.asked.length]).toEqual([2, 1])
    })
  )

  it.live("is forgotten by disconnecting, after which nothing is shown before its user agrees", () =>
    Effect.gen(function* () {
      const kept = storage()
      reloaded(kept.fields, ["two"])
      const service = yield* live
      yield* service.use("example.two")
      expect(yield* service.getAccounts()).toEqual([account])
      yield* service.disconnect()
      expect([...kept.values()].join()).not.toContain("example")
      expect((yield* Effect.flip(service.getAccounts()))._tag).toBe("WalletNotChosen")
      const { two } = reloaded(kept.fields, ["two"])
      const next = yield* live
      expect((yield* Effect.flip(next.getAccounts()))._tag).toBe("WalletNotChosen")
      expect((yield* Effect.flip(Stream.runDrain(next.accountsChanged())))._tag).toBe("WalletNotChosen")
      expect(two.asked).toEqual([])
      expect(yield* next.getWallet()).toBe(account)
      expect(yield* next.getAccounts()).toEqual([account])
      reloaded(kept.fields, ["one", "two"])
      expect(yield* (yield* live).getAccounts()).toEqual([account])
    })
  )

  it.live("and passed in is not another one after a reload", () =>
    Effect.gen(function* () {
      const { fields } = storage()
      const own = permitted()
      const before = reloaded(fields, ["one"])
      yield* (yield* live).use(own)
      const { one } = reloaded(fields, ["one"])
      const service = yield* live
      expect((yield* Effect.flip(service.transferNative(other, "1")))._tag).toBe("WalletNotFound")
      expect(one.asked).toEqual([])
      // until it is passed in again
      yield* service.use(own)
      expect(yield* service.getAccounts()).toEqual([account])
      // one of the page has its name there, however it was chosen
      yield* service.use(before.one)
      yield* service.use(one)
      const after = reloaded(fields)
      yield* (yield* live).getAccounts()
      expect([after.one.asked.length, after.two.asked.length]).toEqual([1, 0])
      const old = permitted()
      reloaded({ ...fields, ethereum: old })
      yield* (yield* live).use(old)
      const legacy = permitted()
      reloaded({ ...fields, ethereum: legacy })
      yield* (yield* live).getAccounts()
      expect(legacy.asked).toHaveLength(1)
    })
  )

  it.live("of the configuration is found by its name", () =>
    Effect.gen(function* () {
      const { fields } = storage()
      const [first, second] = [permitted(), permitted()]
      const config = {
        configureWalletProviders: [
          { name: "first", provider: first },
          { name: "second", provider: second }
        ]
      }
      reloaded(fields)
      yield* (yield* setUp(undefined, { config })).service.use(second)
      reloaded(fields)
      yield* (yield* setUp(undefined, { config })).service.getAccounts()
      expect([first.asked.length, second.asked.length]).toEqual([0, 1])
    })
  )

  it.live("is that of this client alone where the origin keeps nothing, or fails to", () =>
    Effect.gen(function* () {
      const fail = (): never => {
        throw new Error("SecurityError")
      }
      const broken: ReadonlyArray<object> = [
        {},
        { localStorage: null },
        { localStorage: { getItem: fail, setItem: fail, removeItem: fail } },
        { localStorage: { getItem: () => 5, setItem: () => {}, removeItem: () => {} } },
        Object.defineProperty({}, "localStorage", { get: fail, enumerable: true })
      ]
      for (const fields of broken) {
        const page = openPage()
        Object.defineProperties(page, Object.getOwnPropertyDescriptors(fields))
        const [one, two] = [permitted(), permitted()]
        announce(page, one)
        announce(page, two, { uuid: "u-2", rdns: "example.two" })
        const service = yield* live
        yield* service.use("example.two")
        yield* service.getWallet()
        expect([one.asked.length, two.asked.length]).toEqual([0, 1])
        yield* service.disconnect()
        expect((yield* Effect.flip(service.getAccounts()))._tag).toBe("WalletNotChosen")
        expect((yield* Effect.flip((yield* live).getWallet()))._tag).toBe("WalletNotChosen")
      }
    })
  )

  it.live("of a layer of one's own is not remembered, and is back after disconnecting", () =>
    Effect.gen(function* () {
      const kept = storage()
      reloaded(kept.fields)
      const own = permitted()
      const { service } = yield* setUp(own)
      yield* service.getWallet()
      yield* service.disconnect()
      expect((yield* Effect.flip(service.getAccounts()))._tag).toBe("WalletNotChosen")
      expect(yield* service.getWallet()).toBe(account)
      expect(kept.size).toBe(0)
    })
  )
})

describe("what a wallet says", () => {
  const denial = refusal(4001, "User rejected the request.")
  const nested = refusal(-32603, "Internal JSON-RPC error.", { originalError: { code: 4001, message: "no" } })

  it.effect("is a denial by its code 4001 alone, be it wrapped", () =>
    Effect.gen(function* () {
      for (const error of [denial, nested, refusal("4001")]) {
        const closed = yield* setUp(new Wallet({ eth_requestAccounts: error }))
        expect((yield* Effect.flip(closed.service.getWallet()))._tag).toBe("AccountAccessDenied")
        const wallet = agreeing({ eth_sendTransaction: error })
        const { service } = yield* setUp(wallet)
        expect((yield* Effect.flip(service.transferNative(other, "1")))._tag).toBe("TransactionDenied")
      }
      const { service } = yield* setUp(new Wallet({ eth_requestAccounts: denial }))
      const error = yield* Effect.flip(service.getWallet())
      expect(error.message).toBe("User denied account access. Error is Error: User rejected the request.")
      const plain = yield* setUp(
        new Wallet({
          get eth_requestAccounts(): unknown {
            throw { code: 4001, message: "closed" }
          }
        })
      )
      expect((yield* Effect.flip(plain.service.getWallet())).message).toBe(
        "User denied account access. Error is Error: closed."
      )
    })
  )

  it.effect("with other codes is what they mean, and no denial", () =>
    Effect.gen(function* () {
      const rows: ReadonlyArray<readonly [thrown: unknown, tag: string, kind: string | undefined]> = [
        [refusal(-32002, "Request already pending"), "WalletBusy", undefined],
        [refusal(4100), "WalletError", "unauthorized"],
        [refusal(4200), "WalletError", "unsupported"],
        [refusal(-32601), "WalletError", "unsupported"],
        [refusal(4900), "WalletError", "disconnected"],
        [refusal(4901), "WalletError", "disconnected"],
        [refusal(-32000, "insufficient funds"), "WalletError", "failed"],
        [refusal(undefined, "User rejected the request."), "WalletError", "failed"],
        [refusal(undefined, ""), "WalletError", "failed"]
      ]
      for (const [thrown, tag, kind] of rows) {
        const connecting = yield* setUp(new Wallet({ eth_requestAccounts: thrown }))
        const asking = yield* setUp(agreeing({ eth_chainId: thrown }))
        const errors = [
          yield* Effect.flip(connecting.service.getWallet()),
          yield* Effect.flip(asking.service.transferNative(other, "1"))
        ]
        for (const error of errors) {
          expect(error._tag).toBe(tag)
          expect(error._tag === "WalletError" ? error.kind : undefined).toBe(kind)
        }
      }
      const { service } = yield* setUp(agreeing({ eth_chainId: refusal(-32000, "insufficient funds") }))
      const error = yield* Effect.flip(service.transferNative(other, "1"))
      expect(error).toMatchObject({ code: -32000, detail: "Error: insufficient funds" })
    })
  )

  it.effect("that EIP-1193 does not allow is an error, never a value", () =>
    Effect.gen(function* () {
      for (const answer of [undefined, null, [], ["0x1"], "0x1", [5], {}]) {
        const { service } = yield* setUp(new Wallet({ eth_requestAccounts: answer }))
        expect(yield* Effect.flip(service.getWallet())).toMatchObject({
          _tag: "WalletError",
          kind: "malformed"
        })
      }
      for (const answer of [undefined, null, "", "one", [account], {}, -1, 1.5]) {
        const wallet = agreeing({ eth_chainId: answer })
        const { service } = yield* setUp(wallet)
        const error = yield* Effect.flip(service.transferNative(other, "1"))
        expect(error).toMatchObject({ _tag: "WalletError", kind: "malformed", method: "eth_chainId" })
        expect(wallet.methods).not.toContain("eth_sendTransaction")
      }
    })
  )

  it.effect("after it was asked to send proves nothing but its user's own no", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(
          FastCheck.oneof(
            FastCheck.tuple(
              FastCheck.oneof(
                FastCheck.constantFrom(4100, 4200, 4900, 4901, 4902, -32_000, -32_002, -32_601, -32_603),
                FastCheck.integer({ min: -40_000, max: 40_000 }),
                FastCheck.constantFrom(undefined, "", "ACTION_REJECTED")
              ),
              FastCheck.oneof(
                FastCheck.constantFrom("User rejected the request.", "timeout"),
                FastCheck.string()
              )
            ).map(([code, message]) => refusal(code, message)),
            FastCheck.constantFrom(undefined, null, "0x", "sent", 5, { hash })
          ),
          FastCheck.constantFrom("native", "erc20", "nft", "payload" as const),
          async (answer, kind) => {
            const code = answer instanceof Error ? Reflect.get(answer, "code") : undefined
            FastCheck.pre(code !== 4001)
            const wallet = agreeing({ eth_sendTransaction: answer })
            const error = await Effect.runPromise(
              Effect.gen(function* () {
                const { service } = yield* setUp(wallet, { node: { result: "0x6" } })
                return yield* Effect.flip(
                  kind === "native"
                    ? service.transferNative(other, "1")
                    : kind === "erc20"
                      ? service.transferErc20(other, "1", token)
                      : kind === "nft"
                        ? service.transferNft(other, "1", token)
                        : service.signAndBroadcast({ to: other, value: 10n ** 18n, nonce: 3n })
                )
              })
            )
            const paysCoins = kind === "native" || kind === "payload"
            expect(error).toMatchObject({
              _tag: "WalletUnclear",
              from: account,
              to: paysCoins ? other : token,
              value: paysCoins ? String(10n ** 18n) : "0"
            })
            expect(Reflect.get(error, "nonce")).toBe(kind === "payload" ? 3 : undefined)
            expect(Reflect.get(error, "code")).toBe(typeof code === "number" ? code : undefined)
            expect(error.message).toContain("may have been sent")
          }
        )
      )
    )
  )

  it.effect("of its accounts and chain is told without asking its user", () =>
    Effect.gen(function* () {
      const wallet = new Wallet({ eth_accounts: new Each([], [account, other]), eth_chainId: "0x89" })
      const { service } = yield* setUp(wallet)
      expect(yield* service.getAccounts()).toEqual([])
      expect(yield* service.getAccounts()).toEqual([account, other])
      expect(yield* service.chainId()).toBe(137n)
      const broken = yield* setUp(new Wallet({ eth_accounts: "none" }))
      expect((yield* Effect.flip(broken.service.getAccounts()))._tag).toBe("WalletError")
    })
  )
})

describe("the chain of the wallet", () => {
  const transfer = { to: other, value: "0x14d1120d7b160000", from: account }
  const sent = { method: "eth_sendTransaction", params: [transfer] }

  it.effect("is asked for before a send, and left as it is when it is right", () =>
    Effect.gen(function* () {
      for (const id of ["0x1", "0x01", "1", 1]) {
        const wallet = agreeing({ eth_chainId: id })
        const { service } = yield* setUp(wallet)
        expect(yield* service.transferNative(other, "1.5")).toBe(hash)
        expect(wallet.asked).toEqual([{ method: "eth_requestAccounts" }, { method: "eth_chainId" }, sent])
      }
    })
  )

  it.effect("is switched when it is another, and looked at again before anything is signed", () =>
    Effect.gen(function* () {
      const wallet = agreeing({ eth_chainId: new Each("0x89", "0x1"), wallet_switchEthereumChain: null })
      const { service } = yield* setUp(wallet)
      expect(yield* service.transferNative(other, "1.5")).toBe(hash)
      expect(wallet.asked).toEqual([
        { method: "eth_requestAccounts" },
        { method: "eth_chainId" },
        { method: "wallet_switchEthereumChain", params: [{ chainId: "0x1" }] },
        { method: "eth_chainId" },
        sent
      ])
    })
  )

  /** Tenths of a second, one by one: between two of them the wallet answers, in turns of the event loop. */
  const passing = (tenths: number) =>
    Effect.forEach(Array.from({ length: tenths }), () => TestClock.adjust("100 millis"), { discard: true })

  it.effect("may take a while to be another; when it never is, nothing is signed", () =>
    Effect.gen(function* () {
      const slow = agreeing({
        eth_chainId: new Each("0x89", "0x89", "0x89", "0x1"),
        wallet_switchEthereumChain: null
      })
      const sending = yield* Effect.fork((yield* setUp(slow)).service.transferNative(other, "1.5"))
      yield* passing(10)
      expect(yield* Fiber.join(sending)).toBe(hash)

      const stuck = agreeing({ eth_chainId: "0x89", wallet_switchEthereumChain: null })
      const failing = yield* Effect.fork(
        Effect.flip((yield* setUp(stuck)).service.transferNative(other, "1.5"))
      )
      yield* passing(20)
      expect(yield* Fiber.join(failing)).toMatchObject({
        _tag: "WrongChain",
        kind: "unchanged",
        network: "ethereum-mainnet",
        expected: 1,
        actual: "137"
      })
      expect(stuck.methods).not.toContain("eth_sendTransaction")
    })
  )

  it.effect("that the wallet does not know is an error that says what to add", () =>
    Effect.gen(function* () {
      const unknown = [
        refusal(4902, "Unrecognized chain ID"),
        refusal(-32603, "Internal", { originalError: { code: 4902 } })
      ]
      for (const error of unknown) {
        const wallet = agreeing({ wallet_switchEthereumChain: error })
        const { service } = yield* setUp(wallet, { network: "polygon-amoy" })
        const failed = yield* Effect.flip(service.transferNative(other, "1"))
        expect(failed).toMatchObject({ _tag: "WrongChain", kind: "unknown", expected: 80002, actual: "1" })
        expect(failed.message).toMatch(
          /wallet_addEthereumChain with chainId 0x13882, native currency MATIC of 18/
        )
        expect(wallet.methods).not.toContain("eth_sendTransaction")
      }
    })
  )

  it.effect("that the user does not want to leave is a denial, and other failures are what they are", () =>
    Effect.gen(function* () {
      const rows: ReadonlyArray<readonly [code: number, fields: object]> = [
        [4001, { _tag: "TransactionDenied" }],
        [4200, { _tag: "WrongChain", kind: "unsupported" }],
        [-32601, { _tag: "WrongChain", kind: "unsupported" }],
        [-32002, { _tag: "WalletBusy", method: "wallet_switchEthereumChain" }],
        [4100, { _tag: "WalletError", kind: "unauthorized" }]
      ]
      for (const [code, fields] of rows) {
        const wallet = agreeing({ eth_chainId: "0x89", wallet_switchEthereumChain: refusal(code) })
        const { service } = yield* setUp(wallet)
        expect(yield* Effect.flip(service.transferNative(other, "1"))).toMatchObject(fields)
        expect(yield* Effect.flip(service.switchChain())).toMatchObject(fields)
        expect(wallet.methods).not.toContain("eth_sendTransaction")
      }
    })
  )

  it.effect("is the network's before the wallet is given as a provider", () =>
    Effect.gen(function* () {
      const wallet = agreeing({ eth_chainId: new Each("0x89", "0x1"), wallet_switchEthereumChain: null })
      const { service } = yield* setUp(wallet)
      expect(yield* service.getProvider()).toBe(wallet)
      expect(wallet.asked).toEqual([
        { method: "eth_requestAccounts" },
        { method: "eth_chainId" },
        { method: "wallet_switchEthereumChain", params: [{ chainId: "0x1" }] },
        { method: "eth_chainId" }
      ])
      const stays = agreeing({ eth_chainId: "0x89", wallet_switchEthereumChain: refusal(4001) })
      const { service: other } = yield* setUp(stays)
      expect(yield* Effect.flip(other.getProvider())).toMatchObject({ _tag: "TransactionDenied" })
    })
  )

  it.effect("is switched on request, to any network that has one", () =>
    Effect.gen(function* () {
      const wallet = new Wallet({ eth_chainId: new Each("0x1", "0x89"), wallet_switchEthereumChain: null })
      const { service } = yield* setUp(wallet)
      yield* service.switchChain("polygon-mainnet")
      expect(wallet.asked[1]).toEqual({
        method: "wallet_switchEthereumChain",
        params: [{ chainId: "0x89" }]
      })
      expect(yield* Effect.flip(service.switchChain("bitcoin-mainnet"))).toMatchObject({
        _tag: "NoChainId",
        message: "No chain id exists for network bitcoin-mainnet."
      })
      expect((yield* Effect.flip(service.switchChain("tron-mainnet")))._tag).toBe("NotSupportedForNetwork")
      const name: string = "moon"
      const error = yield* Effect.flip(service.switchChain(name as Network))
      expect(error.message).toBe("wallet.switchChain: network: moon is not the id of a network")
      expect(wallet.asked).toHaveLength(3)
    })
  )
})

describe("bad input", () => {
  const mistyped = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96046"
  type Service = WalletProvider.WalletProviderService
  const rows: ReadonlyArray<
    readonly [what: string, call: (s: Service) => Effect.Effect<unknown, Error>, message: RegExp]
  > = [
    [
      "an empty address",
      (s) => s.transferNative("", "1"),
      /^wallet\.transferNative: recipient: must be an address/
    ],
    ["a short address", (s) => s.transferNative("0x12", "1"), /recipient: must be an address/],
    ["a name", (s) => s.transferNative("vitalik.eth", "1"), /recipient: must be an address/],
    [
      "a mistyped address",
      (s) => s.transferNative(mistyped, "1"),
      /recipient: has a letter that does not fit/
    ],
    ["a negative amount", (s) => s.transferNative(other, "-1"), /amount: must be an amount from 0/],
    ["no amount", (s) => s.transferNative(other, ""), /amount: must be an amount from 0/],
    ["an exponent", (s) => s.transferNative(other, "1e18"), /amount: must be an amount from 0/],
    ["a hexadecimal amount", (s) => s.transferNative(other, "0x1"), /amount: must be an amount from 0/],
    [
      "an endless amount",
      (s) => s.transferNative(other, "1".repeat(100_000)),
      /amount: must be an amount from 0/
    ],
    [
      "more digits than the coin",
      (s) => s.transferNative(other, "0.0000000000000000015"),
      /amount: has more digits after the point than the asset, which has 18/
    ],
    [
      "more than a word",
      (s) => s.transferNative(other, "9".repeat(78)),
      /amount: is more than a contract can count/
    ],
    [
      "a wrong token",
      (s) => s.transferErc20(other, "1", "0x"),
      /transferErc20: tokenAddress: must be an address/
    ],
    ["a wrong spender", (s) => s.approveErc20("0x", "1", token), /approveErc20: spender: must be an address/],
    [
      "a token id that is none",
      (s) => s.transferNft(other, "one", token),
      /transferNft: tokenId: must be digits/
    ],
    ["a negative token id", (s) => s.transferNft(other, -1n, token), /tokenId: must be a number from 0/],
    [
      "a token id too large",
      (s) => s.transferNft(other, 2n ** 256n, token),
      /tokenId: must be a number from 0/
    ],
    [
      "a collection without a name",
      (s) => s.createNftCollection({ name: "", symbol: "S", author: "0x" }),
      /createNftCollection: name: .*; author: must be an address/
    ],
    [
      "decimals beyond a byte",
      (s) => s.createFungibleToken({ name: "n", symbol: "s", decimals: 256, initialSupply: "1" }),
      /createFungibleToken: decimals: /
    ],
    [
      "a supply finer than its decimals",
      (s) => s.createFungibleToken({ name: "n", symbol: "s", decimals: 1, initialSupply: "1.25" }),
      /initialSupply: has more digits after the point than the asset, which has 1$/
    ],
    ["a mistyped minter", (s) => s.createErc1155NftCollection({ minter: mistyped }), /minter: has a letter/],
    ["a value in coins", (s) => s.signAndBroadcast({ to: other, value: "1.5" }), /value: must be a quantity/],
    ["half a byte", (s) => s.signAndBroadcast({ to: other, data: "0xabc" }), /data: must be bytes/],
    [
      "a field that transactions do not have",
      (s) => s.signAndBroadcast({ to: other, ...({ input: "0xab" } as object) }),
      /signAndBroadcast: input: no such field; there are to, from, gas/
    ]
  ]
  it.effect.each(rows)("%s is refused before anybody is asked", ([, call, message]) =>
    Effect.gen(function* () {
      const wallet = new Wallet()
      const { service } = yield* setUp(wallet)
      const error = yield* Effect.flip(call(service))
      expect(error).toMatchObject({ _tag: "InvalidArgument", message: expect.stringMatching(message) })
      expect(wallet.asked).toEqual([])
    })
  )

  it.effect("of types that the compiler would refuse is refused all the same", () =>
    Effect.gen(function* () {
      const { service } = yield* setUp(new Wallet())
      const wrong: never = undefined as never
      const calls: ReadonlyArray<Effect.Effect<string, Error & { readonly _tag: string }>> = [
        service.transferNative(wrong, wrong),
        service.transferErc20(wrong, wrong, wrong),
        service.transferNft(wrong, wrong, wrong),
        service.createNftCollection(wrong),
        service.createFungibleToken(wrong),
        service.signAndBroadcast(wrong)
      ]
      for (const call of calls) {
        expect((yield* Effect.flip(call))._tag).toBe("InvalidArgument")
      }
    })
  )
})

describe("tokens", () => {
  const six = { result: `0x${"6".padStart(64, "0")}` }

  it.effect("have their decimals read from the contract before the user is asked for anything", () =>
    Effect.gen(function* () {
      const wallet = agreeing()
      const { called, service } = yield* setUp(wallet, { node: six })
      expect(yield* service.transferErc20(other, "2.5", token)).toBe(hash)
      expect(called).toEqual([
        {
          jsonrpc: "2.0",
          id: expect.any(Number),
          method: "eth_call",
          params: [{ to: token, data: "0x313ce567" }, "latest"]
        }
      ])
      expect(wallet.asked[2]).toEqual({
        method: "eth_sendTransaction",
        params: [
          {
            to: token,
            from: account,
            data: `0xa9059cbb${"0".repeat(24)}${other.slice(2)}${(2_500_000).toString(16).padStart(64, "0")}`
          }
        ]
      })
      const fine = yield* setUp(new Wallet(), { node: six })
      const error = yield* Effect.flip(fine.service.approveErc20(other, "0.0000001", token))
      expect(error.message).toBe(
        "wallet.approveErc20: amount: has more digits after the point than the asset, which has 6"
      )
    })
  )

  it.effect("without decimals are refused, and nodes that fail are told apart from that", () =>
    Effect.gen(function* () {
      const rows: ReadonlyArray<readonly [node: NonNullable<Outside["node"]>, tag: string, message: RegExp]> =
        [
          [
            { error: { code: 3, message: "execution reverted" } },
            "InvalidArgument",
            /tokenAddress: .*no ERC-20 token/
          ],
          [
            { error: { code: -32000, message: "VM execution reverted" } },
            "InvalidArgument",
            /no ERC-20 token/
          ],
          [{ result: "0x" }, "InvalidArgument", /tokenAddress: there is no token contract/],
          [{ result: `0x${"f".repeat(64)}` }, "InvalidArgument", /no number from 0 to 255/],
          [
            { result: null },
            "DecimalsUnreadable",
            /could not be read: eth_call failed: a result that cannot/
          ],
          [{ error: { code: -32000, message: "boom" } }, "DecimalsUnreadable", /could not be read: boom/],
          [new CallTimeout({ call: "eth_call", timeout: 5 }), "DecimalsUnreadable", /took longer than 5 ms/],
          [
            new NoActiveNode({ network: "x", type: "NORMAL", manual: false, reason: "none" }),
            "DecimalsUnreadable",
            /No active NORMAL node found/
          ]
        ]
      for (const [node, tag, message] of rows) {
        const wallet = new Wallet()
        const { service } = yield* setUp(wallet, { node })
        const error = yield* Effect.flip(service.transferErc20(other, "1", token))
        expect(error._tag).toBe(tag)
        expect(error.message).toMatch(message)
        expect(wallet.asked).toEqual([])
      }
    })
  )

  it.effect("may have none behind the point", () =>
    Effect.gen(function* () {
      const wallet = agreeing()
      const { service } = yield* setUp(wallet, { node: { result: "0x0" } })
      yield* service.approveErc20(other, "7", token)
      expect(JSON.stringify(wallet.asked[2])).toContain(
        `095ea7b3${"0".repeat(24)}${other.slice(2)}${"7".padStart(64, "0")}`
      )
    })
  )
})

const abi = parseAbi([
  "function transfer(address,uint256)",
  "function approve(address,uint256)",
  "function safeTransferFrom(address,address,uint256)"
])
const uint256 = FastCheck.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const address = FastCheck.string({
  minLength: 40,
  maxLength: 40,
  unit: FastCheck.constantFrom(..."0123456789abcdef")
}).map((digits): Hex => `0x${digits}`)

/** What the wallet was given to sign. */
const signed = ({ asked }: Wallet): Readonly<Record<string, string>> => {
  const last = asked.at(-1) as { readonly params: ReadonlyArray<Readonly<Record<string, string>>> }
  return last.params[0] ?? {}
}

describe("what is signed", () => {
  it.effect.prop(
    "is what viem encodes for the same call",
    { to: address, contract: address, units: uint256, decimals: FastCheck.integer({ min: 0, max: 80 }) },
    ({ to, contract, units, decimals }) =>
      Effect.gen(function* () {
        const wallet = agreeing()
        const { service } = yield* setUp(wallet, { node: { result: `0x${decimals.toString(16)}` } })
        const amount = Units.format(units, decimals)
        const from = account.toLowerCase() as Hex
        const calls: ReadonlyArray<readonly [Effect.Effect<unknown, Error>, Hex]> = [
          [
            service.transferErc20(to, amount, contract),
            encodeFunctionData({ abi, functionName: "transfer", args: [to, units] })
          ],
          [
            service.approveErc20(to, amount, contract),
            encodeFunctionData({ abi, functionName: "approve", args: [to, units] })
          ],
          [
            service.transferNft(to, units, contract),
            encodeFunctionData({ abi, functionName: "safeTransferFrom", args: [from, to, units] })
          ],
          [
            service.transferNft(to, String(units), contract),
            encodeFunctionData({ abi, functionName: "safeTransferFrom", args: [from, to, units] })
          ],
          [
            service.transferNft(to, `0x${units.toString(16)}`, contract),
            encodeFunctionData({ abi, functionName: "safeTransferFrom", args: [from, to, units] })
          ]
        ]
        for (const [call, data] of calls) {
          yield* call
          expect(signed(wallet).data?.toLowerCase()).toBe(data)
          expect(signed(wallet)).toMatchObject({ to: contract, from: account })
        }
      }),
    { fastCheck: { numRuns: runs(50) } }
  )

  it.effect.prop(
    "has the amount in wei, to the last digit",
    { units: uint256 },
    ({ units }) =>
      Effect.gen(function* () {
        const wallet = agreeing()
        const { service } = yield* setUp(wallet)
        yield* service.transferNative(other, Units.format(units, 18))
        expect(BigInt(signed(wallet).value ?? "")).toBe(units)
      }),
    { fastCheck: { numRuns: runs(100) } }
  )

  it.effect("is a transaction of one's own, from the wallet's account, which is left as it was", () =>
    Effect.gen(function* () {
      const wallet = agreeing()
      const { service } = yield* setUp(wallet)
      const payload = Object.freeze({
        to: other,
        from: token,
        value: 5n,
        gas: "0x5208",
        nonce: 0n,
        data: "0x"
      })
      yield* service.signAndBroadcast(payload)
      expect(signed(wallet)).toEqual({
        to: other,
        from: account,
        value: "0x5",
        gas: "0x5208",
        nonce: "0x0",
        data: "0x"
      })
    })
  )
})

describe("contracts", () => {
  const data = "0x6080"
  const holder = "0x0000000000000000000000000000000000000001"
  const minter = "0x0000000000000000000000000000000000000002"

  it.effect("are prepared by the provider and deployed by the wallet", () =>
    Effect.gen(function* () {
      const wallet = agreeing()
      const { posted, service } = yield* setUp(wallet, { gateway: { data } })
      const sends: ReadonlyArray<Effect.Effect<string, Error>> = [
        service.createNftCollection({ name: "N", symbol: "S", baseURI: "ipfs://x/", author: holder, minter }),
        service.createErc1155NftCollection({ baseURI: "ipfs://x/", author: holder, minter }),
        service.createErc1155NftCollection(),
        service.createFungibleToken({
          name: "N",
          symbol: "S",
          decimals: 2,
          initialSupply: "1.25",
          initialHolder: holder,
          minter
        })
      ]
      for (const send of sends) {
        expect(yield* send).toBe(hash)
        expect(signed(wallet)).toEqual({ from: account, data })
      }
      expect(posted.map(({ body }) => body)).toEqual([
        { contractType: "nft", params: ["N", "S", "ipfs://x/", holder, minter] },
        { contractType: "multitoken", params: [holder, minter, "ipfs://x/"] },
        { contractType: "multitoken", params: [account, account, ""] },
        { contractType: "fungible", params: ["N", "S", 2, "0x7d", holder, account, minter, account] }
      ])
      expect(posted[0]).toMatchObject({ method: "POST", path: "contract/deploy/prepare" })
    })
  )

  it.effect("whose code is malformed are not deployed", () =>
    Effect.gen(function* () {
      const wrong = [
        [{}, "data: is missing"],
        [{ data: 5 }, "data: must be"],
        [{ data: "6080" }, "data: must be"],
        [{ data: "0x608" }, "data: must be"],
        [[], "must be an object, not a list"]
      ] as const
      for (const [gateway, message] of wrong) {
        const wallet = agreeing()
        const { service } = yield* setUp(wallet, { gateway })
        const error = yield* Effect.flip(service.createErc1155NftCollection())
        expect(error).toMatchObject({ _tag: "GatewayError", kind: "malformed" })
        expect(error.message).toContain(message)
        expect(wallet.methods).not.toContain("eth_sendTransaction")
      }
    })
  )
})

describe("events", () => {
  it.effect("are streams that end with their listener", () =>
    Effect.gen(function* () {
      const wallet = new Wallet()
      const { service } = yield* setUp(wallet)
      const accounts = yield* Effect.fork(Stream.runCollect(Stream.take(service.accountsChanged(), 2)))
      const chains = yield* Effect.fork(Stream.runCollect(service.chainChanged()))
      yield* Effect.yieldNow()
      yield* Effect.yieldNow()
      while (wallet.listeners.size < 2) yield* Effect.yieldNow()
      wallet.emit("accountsChanged", [account])
      wallet.emit("accountsChanged", [])
      expect(Chunk.toReadonlyArray(yield* Fiber.join(accounts))).toEqual([[account], []])
      expect(wallet.listeners.get("accountsChanged")?.size).toBe(0)
      wallet.emit("chainChanged", "0x89")
      wallet.emit("chainChanged", "polygon")
      const exit = yield* Fiber.await(chains)
      expect(Exit.isFailure(exit)).toBe(true)
      expect(Exit.isFailure(exit) && String(Cause.squash(exit.cause))).toContain(
        "the event is not what EIP-1193 says"
      )
      expect(wallet.listeners.get("chainChanged")?.size).toBe(0)
    })
  )

  it.live("of a session that has ended are the accounts that are left, which the wallet says", () =>
    Effect.gen(function* () {
      const wallet = new Wallet({
        eth_accounts: new Each([account], new Error("no session"))
      })
      const { service } = yield* setUp(wallet)
      const told = yield* Effect.fork(Stream.runCollect(Stream.take(service.accountsChanged(), 3)))
      while (wallet.listeners.size < 2) yield* Effect.sleep(1)
      // a wallet without its nodes keeps its accounts
      wallet.emit("disconnect", { code: 1013 })
      yield* Effect.sleep(1)
      wallet.emit("accountsChanged", [account])
      wallet.emit("disconnect", { code: 6000 })
      yield* Effect.sleep(1)
      expect(Chunk.toReadonlyArray(yield* Fiber.join(told))).toEqual([[account], [account], []])
      expect(wallet.listeners.get("disconnect")?.size).toBe(0)
    })
  )

  it.effect("of a wallet without any are an error", () =>
    Effect.gen(function* () {
      const { service } = yield* setUp(undefined)
      yield* service.use({ request: () => Promise.reject(new Error("unexpected")) })
      const error = yield* Effect.flip(Stream.runDrain(service.chainChanged()))
      expect(error).toMatchObject({ _tag: "WalletError", kind: "unsupported" })
    })
  )
})

describe("addresses", () => {
  it.prop(
    "are accepted as viem writes them and in one case, and refused with any letter in the wrong case",
    { lower: address, at: FastCheck.nat() },
    ({ lower, at }) => {
      const right = getAddress(lower)
      expect([right, lower, `0x${lower.slice(2).toUpperCase()}`].map((text) => addressProblem(text))).toEqual(
        [undefined, undefined, undefined]
      )
      const letters = Array.from(right.matchAll(/[a-f]/gi), ({ index }) => index).filter((index) => index > 1)
      const index = letters[at % letters.length]
      if (index === undefined) return
      const letter = right.charAt(index)
      const flipped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
      const wrong = `${right.slice(0, index)}${flipped}${right.slice(index + 1)}`
      const digits = wrong.slice(2)
      const inOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
      expect(addressProblem(wrong) === undefined).toBe(inOneCase)
    },
    { fastCheck: { numRuns: runs(500) } }
  )

  it("of RSK may have the checksum of EIP-1191", () => {
    // from the EIP's own test cases
    const mainnet = "0x27b1FdB04752BBc536007A920D24ACB045561c26"
    const testnet = "0x27B1FdB04752BbC536007a920D24acB045561C26"
    expect([addressProblem(mainnet, 30), addressProblem(testnet, 31)]).toEqual([undefined, undefined])
    for (const [address, chainId] of [
      [mainnet, 31],
      [testnet, 30],
      [mainnet, 1]
    ] as const) {
      expect(addressProblem(address, chainId)).toMatch(/checksum/)
    }
    expect(addressProblem(getAddress(mainnet.toLowerCase()), 30)).toBeUndefined()
  })
})

describe("on the surfaces", () => {
  const fetch: typeof globalThis.fetch = () => Promise.reject(new Error("unexpected: fetch"))
  const base = { quiet: true, verifyChain: false, fetch, rpc: { nodes: [{ url: "http://127.0.0.1:1" }] } }

  it("the wallet that was chosen stays chosen for copies of the client, and is that client's alone", async () => {
    const [own, page] = [agreeing(), agreeing()]
    openPage({ ethereum: page })
    const sdk = await init({ network: "ethereum-mainnet", ...base })
    const another = await init({ network: "ethereum-mainnet", ...base })
    try {
      expect(await sdk.wallet.use(own)).toEqual({ status: "SUCCESS", data: undefined })
      expect(await sdk.with({ timeout: 5_000 }).wallet.getWallet()).toEqual({
        status: "SUCCESS",
        data: account
      })
      expect(own.asked).toHaveLength(1)
      await another.wallet.getWallet()
      expect([own.asked.length, page.asked.length]).toEqual([1, 1])
    } finally {
      await sdk.destroy()
      await another.destroy()
    }
  })

  it("a denial is a Result with the sentence, and an abort ends the wait for the user", async () => {
    const sdk = await init({
      network: "ethereum-mainnet",
      ...base,
      configureWalletProviders: [
        { name: "closed", provider: agreeing({ eth_sendTransaction: refusal(4001, "User denied it") }) }
      ]
    })
    try {
      const result = await sdk.wallet.transferNative(other, "1")
      expect(result.error?.message).toEqual([
        "User denied transaction signature. Error is Error: User denied it."
      ])
      await sdk.wallet.use({ request: () => new Promise(() => {}) })
      const waiting = sdk.with({ signal: AbortSignal.timeout(20) }).wallet.getWallet()
      expect((await waiting).error?.cause._tag).toBe("Aborted")
    } finally {
      await sdk.destroy()
    }
  })

  it("a network without a wallet says so to callers without types", async () => {
    const rows = [
      ["bitcoin-mainnet", "No chain id exists for network bitcoin-mainnet."],
      ["tron-mainnet", "Not supported for tron-mainnet network."]
    ] as const
    for (const [network, message] of rows) {
      const sdk: object = await init({ network, ...base })
      const { wallet, destroy } = sdk as Pick<Awaited<ReturnType<typeof ethereum>>, "wallet" | "destroy">
      expect((await wallet.getWallet()).error?.message).toEqual([message])
      expect((await wallet.transferNative(other, "1")).error?.message).toEqual([message])
      for await (const result of wallet.chainChanged()) expect(result.error?.message).toEqual([message])
      await destroy()
    }
  })
  const ethereum = () => init({ network: "ethereum-mainnet", ...base })

  it.effect("the layer takes a wallet of one's own, and is refused for a network without one", () =>
    Effect.gen(function* () {
      const outside = (network: Network) =>
        Layer.mergeAll(
          Layer.orDie(Config.layer({ network })),
          Layer.succeed(Transport, {
            send: () => Effect.die("unexpected"),
            nodeUrl: () => Effect.die("unexpected")
          }),
          Layer.succeed(Gateway, {
            request: () => Effect.die("unexpected"),
            download: () => Effect.die("unexpected")
          })
        )
      const address = Effect.flatMap(WalletProvider.WalletProvider, (wallet) => wallet.getWallet())
      const provided = Layer.provide(WalletProvider.layerFrom(agreeing()), outside("polygon-mainnet"))
      expect(yield* Effect.provide(address, provided)).toBe(account)
      const refused = Layer.provide(WalletProvider.layer, outside("solana-mainnet"))
      expect((yield* Effect.flip(Effect.provide(address, refused)))._tag).toBe("NoChainId")
    })
  )
})
