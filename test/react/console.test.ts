// @vitest-environment node
import { afterEach, describe, expect, it, vi } from "vitest"
import { makeCall } from "../../react/playground/console/call.js"
import type { Argument, Method, Shape } from "../../react/playground/console/model.js"
import { parseArguments, parseText } from "../../react/playground/console/values.js"
import { type Question, type Reply, SandboxWallet } from "../../react/playground/wallet/SandboxWallet.js"
import type { PoolEvent } from "../../src/balancer/Observation.js"

const text: Shape = { kind: "scalar", of: ["string"] }
const block: Shape = {
  kind: "scalar",
  of: ["string", "number", "bigint"],
  options: ["latest", "finalized"],
  json: true
}
const read = (input: string, shape: Shape, optional?: true) =>
  parseText(input, { shape, ...(optional === undefined ? {} : { optional }) })

describe("what is typed into the console", () => {
  it.each<[string, Shape, unknown]>([
    ["0xabc", text, "0xabc"],
    ["123", text, "123"],
    ["latest", block, "latest"],
    ["17", block, 17],
    ["17n", block, 17n],
    ["99999999999999999999", block, 99999999999999999999n],
    ["0x11", block, "0x11"],
    ["007", block, "007"],
    ['{ "blockHash": "0x1" }', block, { blockHash: "0x1" }],
    ["-5", { kind: "scalar", of: ["number"] }, -5],
    ["0.5", { kind: "scalar", of: ["number"] }, 0.5],
    ["12", { kind: "scalar", of: ["bigint"] }, 12n],
    ["true", { kind: "scalar", of: ["boolean"], closed: true }, true],
    ["2", { kind: "scalar", of: ["number"], options: ["1", "2"], closed: true }, 2],
    ["[1, 2n, 12345678901234567890]", { kind: "json" }, [1, 2n, 12345678901234567890n]],
    ['{ "a": "12n", "b": "quote \\" 3n" }', { kind: "json" }, { a: "12n", b: 'quote " 3n' }],
    ["[1.5, 1e3, -7n]", { kind: "json" }, [1.5, 1_000, -7n]]
  ])("%s is a value", (input, shape, value) => {
    expect(read(` ${input} `, shape)).toEqual({ _tag: "value", value })
  })

  it.each<[string, Shape, RegExp]>([
    ["", text, /Required/],
    ["maybe", { kind: "scalar", of: ["boolean"], closed: true }, /true or false/],
    ["big", { kind: "scalar", of: ["string"], options: ["small"], closed: true }, /One of small/],
    ["1.5", { kind: "scalar", of: ["bigint"] }, /whole number/],
    ["twelve", { kind: "scalar", of: ["number"] }, /a number/],
    ["99999999999999999999", { kind: "scalar", of: ["number"] }, /Too large/],
    ["{", { kind: "json" }, /Not JSON/]
  ])("%s is a problem", (input, shape, message) => {
    const found = read(input, shape)
    expect(found._tag).toBe("problem")
    expect(found._tag === "problem" ? found.message : "").toMatch(message)
  })

  it("is left out where nothing is given", () => {
    expect(read("", text, true)).toEqual({ _tag: "value", value: undefined })
    const field = (name: string, optional?: true): Argument => ({
      name,
      type: "string",
      shape: text,
      ...(optional === undefined ? {} : { optional })
    })
    const args: ReadonlyArray<Argument> = [
      field("address"),
      {
        name: "options",
        type: "Options",
        optional: true,
        shape: { kind: "object", fields: [field("must"), field("may", true)] }
      }
    ]
    expect(parseArguments(args, { address: "0x1" })).toEqual({ values: ["0x1"], problems: {} })
    expect(parseArguments(args, { address: "0x1", "options/may": "x" })).toEqual({
      values: ["0x1", { may: "x" }],
      problems: { "options/must": "Required" }
    })
    expect(parseArguments(args, { "options/must": "y" })).toEqual({
      values: [undefined, { must: "y" }],
      problems: { address: "Required" }
    })
  })
})

describe("a call of the console", () => {
  const method: Method = {
    path: "rpc.getBalance",
    kind: "read",
    doc: "Balance.",
    args: [],
    returns: "bigint",
    wire: "eth_getBalance"
  }

  it("notes the nodes that had to do with it, and nothing after it", async () => {
    const listeners = new Set<(event: PoolEvent) => void>()
    const emit = (event: PoolEvent): void => {
      for (const listener of listeners) listener(event)
    }
    const unexpected = (): never => {
      throw new Error("unexpected")
    }
    const sdk = {
      nodes: {
        get snapshot() {
          return unexpected()
        },
        get check() {
          return unexpected()
        },
        get blocks() {
          return unexpected()
        },
        listen: (listener: (event: PoolEvent) => void) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        }
      }
    }
    const made = await makeCall(sdk, { method, texts: {}, args: ["0x1"] }, async () => {
      emit({
        _tag: "Attempted",
        at: 1,
        url: "http://a",
        type: "NORMAL",
        wanted: "NORMAL",
        call: "eth_getBalance",
        id: 1
      })
      emit({
        _tag: "Attempted",
        at: 1,
        url: "http://b",
        type: "NORMAL",
        wanted: "NORMAL",
        call: "eth_blockNumber",
        id: 2
      })
      emit({ _tag: "Hedged", at: 2, url: "http://c", call: "eth_getBalance", id: 1 })
      emit({ _tag: "Answered", at: 3, url: "http://c", call: "eth_getBalance", id: 1, ms: 2 })
      return { _tag: "answer", value: 1n }
    })
    expect(made).toMatchObject({
      outcome: { _tag: "answer", value: 1n },
      requestedUrls: ["http://a", "http://c"],
      answered: [{ url: "http://c", ms: 2 }]
    })
    expect(listeners.size).toBe(0)
  })
})

describe("the sandbox's wallet", () => {
  const accounts = [
    "0x00000000000000000000000000000000000000aa",
    "0x00000000000000000000000000000000000000bb"
  ]
  const [first = "", second = ""] = accounts
  const setup = (replies: ReadonlyArray<Reply>) => {
    const asked: Array<Question> = []
    const left = [...replies]
    const wallet = new SandboxWallet({
      accounts,
      chain: 1n,
      chains: async () => [
        { id: 1n, name: "ethereum-mainnet", symbol: "ETH", url: "http://one.test" },
        { id: 137n, name: "polygon-mainnet", symbol: "ETH", url: "http://two.test" }
      ],
      ask: async (question) => {
        asked.push(question)
        const reply = left.shift()
        if (reply === undefined) throw new Error(`unexpected: ${question._tag}`)
        return reply
      }
    })
    const events: Array<readonly [string, unknown]> = []
    for (const name of ["accountsChanged", "chainChanged"]) {
      wallet.on(name, (value) => events.push([name, value]))
    }
    return { asked, events, wallet }
  }

  vi.stubGlobal("location", { origin: "http://127.0.0.1" })
  const sent: Array<readonly [unknown, unknown]> = []
  vi.stubGlobal("fetch", async (url: unknown, { body }: { readonly body: string }) => {
    sent.push([url, JSON.parse(body)])
    return Response.json({ jsonrpc: "2.0", id: 1, result: "0xhash" })
  })
  afterEach(() => {
    sent.length = 0
  })

  it("shows no account before its user agrees", async () => {
    const { asked, events, wallet } = setup([{ agreed: false }, { agreed: true, account: second }])
    expect(await wallet.request({ method: "eth_accounts" })).toEqual([])
    await expect(wallet.request({ method: "eth_requestAccounts" })).rejects.toMatchObject({ code: 4001 })
    expect(await wallet.request({ method: "eth_requestAccounts" })).toEqual([second])
    expect(await wallet.request({ method: "eth_requestAccounts" })).toEqual([second])
    expect(asked.map(({ _tag }) => _tag)).toEqual(["connect", "connect"])
    wallet.setAccount(undefined)
    expect(await wallet.request({ method: "eth_accounts" })).toEqual([])
    expect(events).toEqual([
      ["accountsChanged", [second]],
      ["accountsChanged", []]
    ])
  })

  it("sends what its user approves, from its own account alone", async () => {
    const { asked, wallet } = setup([{ agreed: true, account: first }, { agreed: false }, { agreed: true }])
    const transaction = { from: first, to: second, value: "0xde0b6b3a7640000" }
    const send = (fields: object) => wallet.request({ method: "eth_sendTransaction", params: [fields] })
    await expect(send(transaction)).rejects.toMatchObject({ code: 4100 })
    await wallet.request({ method: "eth_requestAccounts" })
    await expect(send({ ...transaction, from: second })).rejects.toMatchObject({ code: 4100 })
    await expect(send(transaction)).rejects.toMatchObject({ code: 4001 })
    expect(sent).toEqual([])
    expect(await send(transaction)).toBe("0xhash")
    expect(asked.at(-1)).toMatchObject({ _tag: "send", to: second, value: 10n ** 18n, data: undefined })
    expect(sent).toEqual([
      ["http://one.test", { jsonrpc: "2.0", id: 1, method: "eth_sendTransaction", params: [transaction] }]
    ])
  })

  it("goes to chains that the sandbox runs", async () => {
    const { events, wallet } = setup([{ agreed: true }])
    const go = (chainId: string) =>
      wallet.request({ method: "wallet_switchEthereumChain", params: [{ chainId }] })
    await expect(go("0x5")).rejects.toMatchObject({ code: 4902 })
    expect(await go("0x1")).toBeNull()
    expect(await go("0x89")).toBeNull()
    expect(await wallet.request({ method: "eth_chainId" })).toBe("0x89")
    expect(events).toEqual([["chainChanged", "0x89"]])
  })

  it("refuses what wallets do not do, and a second question at a time", async () => {
    const { wallet } = setup([])
    await expect(wallet.request({ method: "eth_sign" })).rejects.toMatchObject({ code: 4200 })
    const waiting = new SandboxWallet({
      accounts,
      chain: 1n,
      chains: async () => [],
      ask: () => new Promise(() => {})
    })
    void waiting.request({ method: "eth_requestAccounts" })
    await expect(waiting.request({ method: "eth_requestAccounts" })).rejects.toMatchObject({ code: -32002 })
  })
})
