/** `effect-chains data`, by the program as it is published: over the embedded sandbox, and over a provider that says what it was asked. */
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { EXIT_CODES } from "../../../src/cli/Failure.js"
import { formatUsage, parseInput, routes } from "../../../src/cli/Routes.js"
import * as Sandbox from "../../../src/sandbox/index.js"
import { samples } from "../../services/dataSamples.js"
import { type ProgramResult, parseLines, program, run } from "./program.js"
import { startServer } from "./server.js"

const ETHEREUM = "ethereum-mainnet"

describe("the routes of the command line", () => {
  it("are all that are declared, and take as text what they take in programs", () => {
    const methods = routes.filter(({ form }) => form !== "stream")
    expect(methods.map(({ name }) => `data.${name}`)).toEqual(samples.map(({ path }) => path))
    for (const { endpoint, path, query } of samples) {
      const route = routes.find(({ name }) => `data.${name}` === path)
      if (route === undefined) throw new Error(`${path} is no route`)
      const typed = Object.entries(query).map(([name, value]) => `${name}=${String(value)}`)
      const read = Effect.runSync(parseInput(route, endpoint.form === "batch" ? [typed.join(",")] : typed))
      expect([path, read]).toEqual([path, endpoint.form === "batch" ? [query] : query])
    }
  })

  it("say what they take, first what must be there", () => {
    const usages = new Map(routes.map((route) => [route.name, formatUsage(route)]))
    expect(usages.get("rates.getByContract")).toBe("chain= contractAddress= [basePair=]")
    expect(usages.get("tokens.getTrending")).toBe("chain= [pageSize=] [offset=]")
    expect(usages.get("tokens.streamTrending")).toBe("chain= [pageSize=] [limit=]")
  })
})

/** The command over a provider that answers with this; what it was asked for comes with its end. */
const runWithProvider = async (
  answer: (url: URL, body: string) => unknown,
  ...args: ReadonlyArray<string>
): Promise<ProgramResult & { readonly asked: ReadonlyArray<string> }> => {
  const asked: Array<string> = []
  const provider = await startServer((body, path) => {
    const url = new URL(path, "http://127.0.0.1")
    if (!url.pathname.startsWith("/v4/")) return [404, "{}"]
    asked.push(`${url.pathname}${url.search}${body}`)
    return [200, JSON.stringify(answer(url, body))]
  })
  try {
    return { ...(await run(program, ["data", ...args, "--provider", provider.url])), asked }
  } finally {
    provider.close()
  }
}

describe("data", () => {
  it("lists the methods, those of a group, and all as JSON", async () => {
    const all = await run(program, ["data"])
    expect(all).toMatchObject({ code: 0, err: "" })
    for (const { name } of routes) expect(all.out).toMatch(new RegExp(`^${name} `, "m"))
    expect(all.out).toMatch(/^names\.resolve +5 +chain= name=$/m)
    const group = await run(program, ["data", "staking.native"])
    expect(group.out.trimEnd().split("\n")).toHaveLength(7)
    const [listed] = parseLines(await run(program, ["data", "mining", "--json"]))
    expect(listed).toMatchObject([
      { name: "mining.getRewards", form: "pages", networks: expect.arrayContaining(["bitcoin-mainnet"]) },
      { name: "mining.streamRewards", form: "stream" },
      { name: "mining.getTotalRewards", form: "one" }
    ])
  })

  it.each([
    [["rates.getBySymbl"], "did you mean rates.getBySymbol?"],
    [["rates.getBySymbol"], "symbol is missing: rates.getBySymbol takes symbol= [basePair=]"],
    [["rates.getHistory", "symbol=ETH"], "from and to are missing"],
    [["rates.getBySymbol", "simbol=ETH"], "has no parameter simbol: did you mean symbol?"],
    [["rates.getBySymbol", "ETH"], 'Parameters are name=value, not "ETH"'],
    [["rates.getBySymbol", "{"], "has to be JSON"],
    [["rates.getBySymbolBatch"], "takes at least one query: symbol=,basePair=,[batchId=]"],
    [["blockchains.getBlock", `chain=${ETHEREUM}`, "blockNumber=x"], 'blockNumber is a number, not "x"'],
    [["blockchains.getBlock", `chain=${ETHEREUM}`, "blockNumber=-1"], "must be a whole number from 0"],
    [["rates.getPriceChange", "symbol=ETH", "interval=1x"], "interval is one of 1m, 5m, 15m"],
    [["rates.getOhlcv", "symbol=ETH"], "must have either unix or time"],
    [["names.resolve", "chain=stellar-mainnet", "name=a.b"], "Networks that have it: ethereum-mainnet"]
  ])("refuses %s before anything is sent", async (args, message) => {
    const ended = await runWithProvider(() => ({}), ...args)
    expect(ended.err).toContain(message)
    expect(ended).toMatchObject({ code: EXIT_CODES.wrong, out: "", asked: [] })
  })

  it("asks for a route by its parameters: text stays text, and numbers are numbers", async () => {
    const name = await runWithProvider(
      () => [{ address: "0xa1" }],
      "names.resolve",
      `chain=${ETHEREUM}`,
      "name=123.eth"
    )
    expect(name.asked).toEqual(["/v4/data/ns/name?chain=ethereum-mainnet&name=123.eth"])
    expect(name).toMatchObject({ code: 0, err: "" })
    const gas = await runWithProvider(
      () => ({ gasLimit: "21000" }),
      "blockchains.estimateGas",
      ...[`chain=${ETHEREUM}`, "from=0xf", "to=0xt", "amount=1.5", "--json"]
    )
    expect(gas.asked).toEqual([
      `/v4/blockchainOperations/gas${JSON.stringify({ chain: "ETH", from: "0xf", to: "0xt", amount: "1.5" })}`
    ])
    expect(parseLines(gas)).toEqual([{ gasLimit: "21000" }])
  })

  it("takes a question in JSON, lists with commas, and several questions of a batch", async () => {
    const json = await runWithProvider(
      () => ({ value: "1" }),
      "rates.getBySymbol",
      '{"symbol":"ETH"}',
      "basePair=EUR"
    )
    expect(json.asked).toEqual(["/v4/data/rate/symbol?basePair=EUR&symbol=ETH"])
    const outputs = await runWithProvider(
      () => [{ txHash: "ab", index: 0, value: 0.5 }],
      ...["blockchains.getUtxosBatch", "chain=bitcoin-mainnet", "addresses=a1,a2", "totalValue=0.5", "--json"]
    )
    expect(outputs.asked).toEqual([
      `/v4/data/utxos/batch${JSON.stringify({ chain: "bitcoin-mainnet", addresses: ["a1", "a2"], totalValue: 0.5 })}`
    ])
    expect(parseLines(outputs)).toMatchObject([[{ txHash: "ab", index: 0 }]])
    const batch = await runWithProvider(
      (_, body) => JSON.parse(body),
      ...["rates.getBySymbolBatch", "symbol=BTC,basePair=EUR", '{"symbol":"ETH","basePair":"USD"}', "--json"]
    )
    expect(parseLines(batch)).toEqual([
      [
        { batchId: "BTC/EUR", symbol: "BTC", basePair: "EUR" },
        { batchId: "ETH/USD", symbol: "ETH", basePair: "USD" }
      ]
    ])
  })

  const token = (rank: number) => ({ rank, symbol: `T${rank}` })
  const tokens = (url: URL) => {
    const [size, page] = [Number(url.searchParams.get("pageSize")), Number(url.searchParams.get("offset"))]
    return { data: Array.from({ length: 5 }, (_, i) => token(i)).slice(size * page, size * (page + 1)) }
  }

  it("has a page, and the whole list an item a line as its pages come", async () => {
    const base = "chain=base-mainnet"
    const page = await runWithProvider(tokens, "tokens.getTrending", base, "pageSize=2", "offset=1", "--json")
    expect(parseLines(page)).toEqual([[token(2), token(3)]])
    const all = await runWithProvider(tokens, "tokens.streamTrending", base, "pageSize=2", "--json")
    expect(parseLines(all)).toEqual([0, 1, 2, 3, 4].map(token))
    expect(all.asked).toHaveLength(3)
    const some = await runWithProvider(
      tokens,
      "tokens.streamTrending",
      base,
      "pageSize=2",
      "limit=3",
      "--json"
    )
    expect(parseLines(some)).toEqual([0, 1, 2].map(token))
    expect(some.asked).toHaveLength(2)
  })

  it("is a table for people where rows are plain, and moves no cursor", async () => {
    const plain = await runWithProvider(
      () => [token(1), { ...token(20), "na\u001b[2Jme": "\u001b[31mred" }],
      ...["tokens.getNewest", "chain=base-mainnet"]
    )
    expect(plain.out.split("\n").slice(0, 3)).toEqual([
      "rank  symbol  na\\u001b[2Jme",
      "1     T1      ",
      "20    T20     \\u001b[31mred"
    ])
    const nested = await runWithProvider(
      () => [{ ...token(1), more: { a: 1 } }],
      "tokens.getNewest",
      "chain=base-mainnet"
    )
    expect(nested.out).toContain("more: { a: 1 }")
  })

  it("fails as the provider does, with the exits of all commands", async () => {
    const refusing = await startServer(() => [403, JSON.stringify({ message: "no" })])
    const ask = ["data", "rates.getBySymbol", "symbol=ETH", "--json", "--provider", refusing.url]
    try {
      const refused = await run(program, ask)
      expect(refused).toMatchObject({ code: EXIT_CODES.refused, out: "" })
      expect(JSON.parse(refused.err)).toMatchObject({ error: { _tag: "GatewayError", exit: "refused" } })
    } finally {
      refusing.close()
    }
    const gone = await run(program, [...ask, "--timeout", "5"])
    expect(gone).toMatchObject({ code: EXIT_CODES.unreachable, out: "" })
  })
})

const available = Either.isRight(Effect.runSync(Effect.either(Sandbox.Anvil.binary)))

describe.runIf(available)("data over the sandbox", () => {
  const scope = Effect.runSync(Scope.make())
  let base = ""
  let account = ""
  beforeAll(async () => {
    const sandbox = await Effect.runPromise(
      Scope.extend(Sandbox.make({ networks: [{ network: ETHEREUM, nodes: 1, archive: 0 }] }), scope)
    )
    base = sandbox.baseUrl
    account = sandbox.accounts[0]?.address ?? ""
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  it("tells of a chain, and of rates", async () => {
    const ask = (...args: ReadonlyArray<string>) =>
      run(program, ["data", ...args, "--json"], { env: { EFFECT_CHAINS_PROVIDER: base } })
    const chain = `chain=${ETHEREUM}`
    expect(parseLines(await ask("blockchains.getBalance", chain, `address=${account}`))).toEqual([
      { balance: "10000" }
    ])
    expect(parseLines(await ask("blockchains.getBlock", chain, "blockNumber=0"))).toMatchObject([
      { number: 0 }
    ])
    expect(parseLines(await ask("rates.getBySymbol", "symbol=ETH", "basePair=EUR"))).toMatchObject([
      { id: "ETH", basePair: "EUR", value: expect.stringMatching(/^[\d.]+$/) }
    ])
  })
})
