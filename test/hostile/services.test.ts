// @runtime promise
/** Hostile answers to every method of every service, to webhooks, lists of nodes and wallets. */
import { describe, expect, it } from "vitest"
import type { Network } from "../../src/data/Network.js"
import { init } from "../../src/promise.js"
import * as Webhook from "../../src/webhook.js"
import { answerOf, Chance, namesIn } from "./answers.js"
import { askingServices, type Ended, make, type ServiceCall, serviceCalls, serviceMethods } from "./calls.js"
import { arePrototypesPolluted, errorProblem } from "./judge.js"
import { limit, someOf } from "./times.js"

const seed = Number(process.env.FUZZ_SEED ?? 13)

const isLean = process.env.EFFECT_CHAINS_RUNTIME === "lean"

/** The calls of each service; each of them makes several requests. Wallets are waited for, 100 ms and more. */
const CALLS = someOf(isLean ? 60 : 150)
const WALLET_CALLS = someOf(isLean ? 15 : 40)
const BODIES = someOf(2_500)

const url = "https://node.example"

/** Statuses that have no body: a `Response` refuses to have one. */
const bodiless = new Set([204, 304])

const idOf = (body: unknown): unknown =>
  typeof body === "string" && body.startsWith("{") ? JSON.parse(body).id : undefined

/** The right answer to a request of a call, as far as it was recorded. */
const rightOf = ({ requests, responses }: ServiceCall, target: string): unknown => {
  const at = requests.findIndex(
    ({ base, path }) => /^v\d$/.test(base) && path !== "" && new URL(target).pathname.endsWith(path)
  )
  return (responses[at] ?? responses[0])?.body
}

/** Answers like a provider and nodes that are hostile two times out of three. */
const hostileFetch = (chance: Chance, call: ServiceCall): typeof fetch => {
  const recorded = call.responses.map(({ body }) => body)
  const vocabulary = ["result", "data", "address", "nextPage", ...namesIn(recorded)]
  return async (input, options) => {
    const target = String(input)
    const id = idOf(options?.body)
    const right = rightOf(call, target)
    if (chance.is(0.34)) {
      const json = id === undefined ? right : { jsonrpc: "2.0", id, result: "0x12" }
      return new Response(JSON.stringify(json ?? {}))
    }
    const { status, text } = answerOf(
      chance,
      right === undefined ? recorded : [right],
      vocabulary,
      typeof id === "number" ? id : undefined
    )
    return new Response(bodiless.has(status) ? null : text, { status })
  }
}

/** A wallet on a page that answers, refuses and tells whatever it likes. */
const hostileWallet = (chance: Chance, accounts: ReadonlyArray<string>) => {
  const value = (): unknown => {
    for (;;) {
      try {
        return JSON.parse(answerOf(chance, [accounts, "0x1"], ["code", "message"]).text)
      } catch {
        // wallets answer with values, not with text
      }
    }
  }
  const request = async ({ method }: { readonly method: string }): Promise<unknown> => {
    if (chance.is(0.4))
      return method === "eth_chainId" ? "0x1" : method === "eth_sendTransaction" ? "0xab" : accounts
    if (chance.is(0.3)) throw value()
    return value()
  }
  const on = (_: string, listener: (event: unknown) => void): void => {
    setTimeout(() => listener(value()), 1)
  }
  const page = new EventTarget()
  Object.assign(page, { ethereum: { request, on, removeListener: chance.is(0.5) ? () => {} : 1 } })
  return page
}

const options = {
  apiKey: "KEY",
  quiet: true,
  verifyChain: false,
  timeout: 2_000,
  retryCount: 1,
  retryDelay: 0,
  hedge: false
} as const
const rpc = { nodes: [{ url }, { url: `${url}/second` }], statusCheckInterval: Number.POSITIVE_INFINITY }

interface Counts {
  values: number
  errors: number
}

const problemsIn = (ended: ReadonlyArray<Ended>, counts: Counts): ReadonlyArray<string> =>
  ended.flatMap((each) => {
    if (each.status === "SUCCESS") {
      counts.values++
      return []
    }
    counts.errors++
    return errorProblem(each.error.cause) ?? []
  })

/** No call here waits for anything: it would take as long only in a loop, or for a pattern that is slow. In milliseconds of work. */
const SLOW = 2_500

describe(`hostile answers (seed ${seed})`, () => {
  it("meet every method of every service", () => {
    const called = new Set(serviceCalls.map(({ target }) => target))
    expect(serviceMethods.filter((target) => !called.has(target))).toEqual([])
  })

  for (const name of askingServices) {
    it(`to sdk.${name} are values or typed errors`, { timeout: limit }, async () => {
      const calls = serviceCalls.filter(({ target }) => target.startsWith(`${name}.`))
      const chance = new Chance(seed)
      const counts = { values: 0, errors: 0 }
      const problems: Array<string> = []
      const defects: Array<unknown> = []
      const note = (defect: unknown): void => void defects.push(defect)
      process.on("unhandledRejection", note).on("uncaughtException", note)
      let requests = 0
      const count = Math.max(calls.length, name === "wallet" ? WALLET_CALLS : CALLS)
      for (let i = 0; i < count; i++) {
        const call = calls[i % calls.length] ?? chance.one(calls)
        const fetch = hostileFetch(chance, call)
        if (call.accounts !== undefined)
          Object.assign(globalThis, { window: hostileWallet(chance, call.accounts) })
        const sdk = await init<Network, "eventual">({
          ...options,
          network: call.network,
          rpc,
          fetch: (input, options) => {
            requests++
            return fetch(input, options)
          }
        })
        // by the processor's clock, which stands still while the machine does something else
        const started = process.cpuUsage()
        const ended = await make(sdk, call)
        const took = process.cpuUsage(started).user / 1_000
        const where = `${call.target}, call ${i} of seed ${seed}`
        if (ended === undefined) problems.push(`no such method: ${where}`)
        else problems.push(...problemsIn(ended, counts).map((problem) => `${problem}\n${where}`))
        if (took > SLOW) problems.push(`it works for ${took} ms: ${where}`)
        if (arePrototypesPolluted()) expect.fail(`a prototype has changed: ${where}`)
        await sdk.destroy()
        Reflect.deleteProperty(globalThis, "window")
      }
      process.off("unhandledRejection", note).off("uncaughtException", note)
      expect(problems.slice(0, 5)).toEqual([])
      expect(defects).toEqual([])
      console.log(
        `hostile: sdk.${name}: ${count} calls, ${requests} answers, ${counts.values} values, ${counts.errors} typed errors`
      )
    })
  }

  // webhooks come to servers, and stay on Effect
  it.skipIf(isLean)("in place of webhooks are payloads or typed errors", () => {
    const chance = new Chance(seed)
    const payload = {
      address: "TJG7iciLGjsib9qhe6U6F7M2vxYJuDjWNM",
      amount: "20",
      asset: "TRON",
      blockNumber: 44_087_791,
      txId: "93442189d7bccbe009f8ab594831ff9d7d258cab712d74a404cd3dccdc4c6d69",
      chain: "tron-testnet",
      subscriptionType: "ADDRESS_EVENT"
    }
    const seeds = [
      payload,
      { ...payload, subscriptionType: "CONTRACT_ADDRESS_LOG_EVENT", events: [{ data: "0x" }] }
    ]
    const counts = { values: 0, errors: 0 }
    const problems: Array<string> = []
    for (let i = 0; i < BODIES; i++) {
      const { text } = answerOf(chance, seeds, namesIn(seeds))
      const body = chance.is(0.5) ? text : new TextEncoder().encode(text)
      const result = Webhook.decode(body)
      problems.push(...problemsIn([result], counts).map((problem) => `${problem}\n${text.slice(0, 600)}`))
      const named = Webhook.networkOf(text.slice(0, 50))
      problems.push(...problemsIn([named], { values: 0, errors: 0 }))
      if (arePrototypesPolluted()) expect.fail(`a prototype has changed: ${text.slice(0, 600)}`)
    }
    expect(problems.slice(0, 5)).toEqual([])
    console.log(
      `hostile: webhooks: ${BODIES} bodies, ${counts.values} payloads, ${counts.errors} typed errors`
    )
  })

  it("in place of lists of nodes are lists or typed errors, and lead nowhere else", async () => {
    const chance = new Chance(seed)
    const list = [
      { url: "https://one.rpc.tatum.io/", type: 0 },
      { url: "https://two.rpc.tatum.io/", type: 1 }
    ]
    const counts = { values: 0, errors: 0 }
    const problems: Array<string> = []
    const odd = new Set<string>()
    for (let i = 0; i < CALLS; i++) {
      const sdk = await init({
        ...options,
        network: "ethereum-mainnet",
        rpc: { statusCheckInterval: Number.POSITIVE_INFINITY },
        fetch: async (input, options) => {
          const target = new URL(String(input))
          if (!/^https?:$/.test(target.protocol) || target.username !== "") odd.add(target.href)
          if (!target.pathname.endsWith("list.json"))
            return new Response(JSON.stringify({ jsonrpc: "2.0", id: idOf(options?.body), result: "0x1" }))
          const { status, text } = answerOf(chance, [list], ["url", "type"])
          return new Response(bodiless.has(status) ? null : text, { status })
        }
      })
      problems.push(...problemsIn([await sdk.rpc.gasPrice()], counts))
      for (const { url } of sdk.nodes()) if (/[\p{Cc}@]/u.test(url)) problems.push(`a node ${url}`)
      if (arePrototypesPolluted()) expect.fail(`a prototype has changed: list ${i} of seed ${seed}`)
      await sdk.destroy()
    }
    expect(problems.slice(0, 5)).toEqual([])
    expect([...odd]).toEqual([])
    console.log(
      `hostile: lists of nodes: ${CALLS} clients, ${counts.values} values, ${counts.errors} typed errors`
    )
  })
})
