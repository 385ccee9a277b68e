/** Commands that read, by the program as it is published, over the embedded sandbox. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { EXIT_CODES } from "../../../src/cli/Failure.js"
import { transactionFinders } from "../../../src/cli/transactionFinders.js"
import { supports } from "../../../src/data/Coverage.js"
import * as Network from "../../../src/data/Network.js"
import * as Sandbox from "../../../src/sandbox/index.js"
import { sandboxAt } from "../../sandboxPort.js"
import { type ProgramResult, parseLines, program, type RunOptions, root, run as runs } from "./program.js"
import { startServer } from "./server.js"

const folder = mkdtempSync(join(tmpdir(), "effect-chains-cli-"))
afterAll(() => rmSync(folder, { recursive: true }))

const run = (args: ReadonlyArray<string>, around?: RunOptions): Promise<ProgramResult> =>
  runs(program, args, around)

/** A node of Ethereum whose height is what it says. */
const node = (result: unknown) =>
  startServer((body) => {
    const { id, method }: { readonly id: unknown; readonly method: string } = JSON.parse(body)
    return [200, JSON.stringify({ jsonrpc: "2.0", id, result: method === "eth_chainId" ? "0x1" : result })]
  })

describe("the program", () => {
  it("tells its commands, the options of each, and its version", async () => {
    const help = await run(["--help"])
    expect(help).toMatchObject({ code: 0, err: "" })
    for (const command of [
      "networks",
      "rpc",
      "balance",
      "transactions",
      "tx",
      "fee",
      "rate",
      "data",
      "sandbox"
    ])
      expect(help.out).toMatch(new RegExp(`^ {2}${command} `, "m"))
    expect((await run(["rpc", "--help"])).out).toContain("effect-chains rpc <network> [<method>]")
    const { version }: { readonly version: string } = JSON.parse(readFileSync(`${root}package.json`, "utf8"))
    expect((await run(["--version"])).out).toBe(`${version}\n`)
  })

  it.each([
    [["netwrks"], 'There is no command "netwrks": did you mean networks?'],
    [["networks", "--familly", "evm"], "networks has no option --familly: did you mean --family?"],
    [["networks", "--family"], "--family takes a value: --family name"],
    [["networks", "--family", "nope"], "There is no family"],
    [["rpc"], "Missing argument <network>"],
    [["rpc", "ethereum-mainet", "blockNumber"], 'Did you mean "ethereum-mainnet"?'],
    [["rpc", "bitcoin-mainnet", "getBlokHash"], "Did you mean getBlockHash?"],
    [["rpc", "ethereum-mainnet", "getBalance", "{"], "has to be JSON"],
    [["tx", "dot-mainnet", "x"], "cannot find a transaction by its hash"],
    [["tx", "near-mainnet", "x"], "add --sender"],
    [["tx", "stellar-mainnet", "x", "--sender", "y"], "remove --sender"],
    [["fee", "solana-mainnet"], "The provider has no fees for solana-mainnet"],
    [["balance", "stellar-mainnet", "G"], "The provider has no balances for stellar-mainnet"],
    [["transactions", "stellar-mainnet", "G"], "The provider has no histories for stellar-mainnet"],
    [
      ["transactions", "solana-mainnet", "So11111111111111111111111111111111111111112"],
      "NotSupportedForNetwork"
    ],
    [["fee", "ethereum-mainnet", "--timeout", "soon"], "soon"],
    [
      ["fee", "ethereum-mainnet", "--provider", "here"],
      'provider is not "sandbox", and must be an absolute url'
    ]
  ])("refuses %s", async (args, message) => {
    const { code, err, out } = await run(args)
    expect(err).toContain(message)
    expect({ code, out }).toEqual({ code: EXIT_CODES.wrong, out: "" })
  })

  it("tells failures as JSON where that is wanted, with the name of the exit", async () => {
    const { code, err, out } = await run(["--json", "rpc", "nowhere-mainnet", "blockNumber"])
    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(JSON.parse(err)).toMatchObject({
      error: {
        _tag: "UnsupportedNetwork",
        exit: "wrong",
        docs: expect.stringContaining("unsupportednetwork")
      }
    })
  })

  it("has colours for people alone", async () => {
    const { out } = await run(["networks", "ripple"])
    expect(out).not.toContain("\u001b")
    expect((await run(["networks", "ripple"], { env: { FORCE_COLOR: "1" } })).out).not.toContain("\u001b")
  })

  it("documents its exit codes", () => {
    const page = readFileSync(`${root}docs/cli.md`, "utf8")
    for (const code of Object.values(EXIT_CODES)) expect(page).toMatch(new RegExp(`^\\| ${code} +\\|`, "m"))
  })
})

describe("secrets", () => {
  const key = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
  const words = "test test test test test test test test test test test junk"

  it.each([
    ["an option", ["fee", "ethereum-mainnet", "--private-key", key]],
    ["an option with its value", ["fee", "ethereum-mainnet", `--api-key=${key}`]],
    ["a mnemonic", ["fee", "ethereum-mainnet", words]],
    ["the words of a mnemonic", ["fee", "ethereum-mainnet", ...words.split(" ")]]
  ])("are no arguments: %s", async (_, args) => {
    const { code, err } = await run(args)
    expect(code).toBe(EXIT_CODES.wrong)
    expect(err).toContain("Secrets cannot be arguments")
    expect(err).not.toContain(key)
    expect(err).not.toContain("junk")
  })

  it("come from files that nobody else can read", async () => {
    const file = join(folder, "key")
    writeFileSync(file, "a-key\n")
    const asked = ["rate", "BTC", "--api-key-file", file]
    const provider = await startServer(() => [200, "{}"])
    try {
      for (const mode of [0o644, 0o640, 0o604, 0o620]) {
        chmodSync(file, mode)
        const refused = await run([...asked, "--provider", provider.url])
        expect(refused.code).toBe(EXIT_CODES.wrong)
        expect(refused.err).toContain(`chmod 600 ${file}`)
        expect(provider.headers).toEqual([])
      }
      chmodSync(file, 0o600)
      await run([...asked, "--provider", provider.url])
      expect(provider.headers.at(-1)?.["x-api-key"]).toBe("a-key")
      expect((await run([...asked.slice(0, 3), folder])).err).toContain("is not a regular file")
      writeFileSync(file, " \n")
      expect((await run(asked)).err).toContain("is empty")
      expect((await run([...asked.slice(0, 3), join(folder, "none")])).err).toContain("cannot be read")
    } finally {
      provider.close()
    }
  })
})

describe("networks", () => {
  it("are all in the list, as a table and as JSON", async () => {
    const { out } = await run(["networks"])
    const [all] = parseLines(await run(["networks", "--json"]))
    const ids = Object.keys(Network.networks)
    expect(all).toHaveLength(ids.length)
    for (const id of ids) expect(out).toMatch(new RegExp(`^${id} `, "m"))
  })

  it("are found by family, by symbol, and by kind", async () => {
    const [found] = parseLines(await run(["networks", "--json", "--family", "tron", "--testnets"]))
    expect(found).toMatchObject([
      { id: "tron-testnet", symbol: "TRX", testnet: true },
      { id: "tron-nile", symbol: "TRX", testnet: true }
    ])
    expect(parseLines(await run(["networks", "xlm", "--json", "--mainnets"]))).toMatchObject([
      [{ id: "stellar-mainnet" }]
    ])
  })
})

describe("a transaction", () => {
  it("is found in all families but those whose nodes have no index", () => {
    const families = new Set(Object.values(Network.networks).map(({ family }) => family))
    expect([...families].filter((family) => transactionFinders[family] === undefined)).toEqual([
      "polkadot",
      "tezos"
    ])
  })

  it("of Kadena is looked for on all chains, and may be on none", async () => {
    const key = "ss1VDoQHGhkPa3lCLrA6BQ3YB5XmvxNQPpMm1jhzZQw"
    const asked = new Set<string>()
    let known = true
    const chainweb = await startServer((_, path) => {
      const [, chain] = /\/chain\/(\d+)\/pact\/api\/v1\/poll/.exec(path) ?? []
      if (chain !== undefined) {
        asked.add(chain)
        return [200, JSON.stringify(known && chain === "1" ? { [key]: { reqKey: key, gas: 600 } } : {})]
      }
      const info = { nodeVersion: "mainnet01", nodeApiVersion: "0.0", nodeChains: ["0", "1", "2"] }
      return [200, JSON.stringify({ ...info, hashes: { 0: { hash: key, height: 7 } } })]
    })
    try {
      const look = ["tx", "kadena-mainnet", key, "--json", "--node", chainweb.url]
      expect(parseLines(await run(look))).toEqual([{ transaction: { reqKey: key, gas: "600" } }])
      expect([...asked].sort()).toEqual(["0", "1", "2"])
      known = false
      const none = await run(look)
      expect(none).toMatchObject({ code: EXIT_CODES.refused, out: "" })
      expect(none.err).toContain("No node of kadena-mainnet knows")
    } finally {
      chainweb.close()
    }
  })
})

describe("nodes", () => {
  it("that nobody reaches are an exit of their own", async () => {
    const gone = await node("0x1")
    gone.close()
    const { code, err } = await run(["rpc", "ethereum-mainnet", "blockNumber", "--node", gone.url])
    expect(code).toBe(EXIT_CODES.unreachable)
    expect(err).toContain("Docs: ")
  })

  it("move no cursor: what a terminal takes for orders is shown", async () => {
    const hostile = await node("\u001b[2J\u009b2J\u0007")
    try {
      const args = ["rpc", "ethereum-mainnet", "web3_clientVersion", "--node", hostile.url]
      for (const more of [[], ["--json"]]) {
        const { code, out } = await run([...args, ...more])
        expect(code).toBe(0)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
        expect(out.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
        expect(out).toContain("\\u001b[2J")
      }
    } finally {
      hostile.close()
    }
  })
})

const available = Either.isRight(Effect.runSync(Effect.either(Sandbox.Anvil.binary)))

/** Transactions on chains that have ways of their own to them, by forms of their hashes that their explorers show. */
const found: ReadonlyArray<{
  readonly network: string
  readonly hash: string
  readonly more?: ReadonlyArray<string>
  readonly about: object
}> = [
  {
    network: "algorand-mainnet-algod",
    hash: "Y76M3MSY6DKBRHBL7C3NNDXGS5IIMQVQVUAB6MP4XEMMGVF2QWNA",
    about: {
      transaction: { "confirmed-round": expect.stringMatching(/^\d+$/), txn: { txn: { type: "pay" } } }
    }
  },
  ...["", "0x"].map((prefix) => ({
    network: "bnb-beacon-chain-mainnet",
    hash: `${prefix}${"AB".repeat(32)}`,
    about: { transaction: { hash: "AB".repeat(32), tx_result: { code: 0 } } }
  })),
  {
    network: "cardano-mainnet",
    hash: "cd".repeat(32),
    about: {
      transaction: {
        block_identifier: expect.anything(),
        transaction: { transaction_identifier: { hash: "cd".repeat(32) } }
      }
    }
  },
  {
    network: "iota-mainnet",
    hash: `0x${"ef".repeat(32)}`,
    about: { transaction: { protocolVersion: 2 }, outcome: { ledgerInclusionState: "included" } }
  },
  {
    network: "kadena-mainnet",
    hash: "ss1VDoQHGhkPa3lCLrA6BQ3YB5XmvxNQPpMm1jhzZQw",
    about: { transaction: { reqKey: "ss1VDoQHGhkPa3lCLrA6BQ3YB5XmvxNQPpMm1jhzZQw", gas: "600" } }
  },
  {
    network: "near-mainnet",
    hash: "9FvZ3iUu6bYc1aJ6hNn1j9Q3yC2rVtXw5K7mL8pRsEdG",
    more: ["--sender", "alice.near"],
    about: {
      transaction: {
        transaction: { hash: "9FvZ3iUu6bYc1aJ6hNn1j9Q3yC2rVtXw5K7mL8pRsEdG", signer_id: "alice.near" }
      }
    }
  }
]

describe("the provider", () => {
  it("is that of EFFECT_CHAINS_PROVIDER, which a note says, or that of --provider", async () => {
    const provider = await startServer(() => [200, "{}"])
    const asked = ["rate", "BTC"]
    const note = `The provider is ${provider.url} (EFFECT_CHAINS_PROVIDER).`
    const env = { EFFECT_CHAINS_PROVIDER: provider.url }
    const dead = { EFFECT_CHAINS_PROVIDER: "http://127.0.0.1:1" }
    const redirected = { ...program, flags: [...program.flags, ...sandboxAt(provider.url)] }
    /** What a command says on standard error, if it has asked this provider. */
    const errorsOf = async (...command: Parameters<typeof runs>): Promise<string> => {
      const before = provider.headers.length
      const { err } = await runs(...command)
      expect(provider.headers.length).toBeGreaterThan(before)
      return err
    }
    try {
      expect(await errorsOf(program, asked, { env })).toContain(`${note}\n`)
      // scripts read standard error as JSON
      expect(await errorsOf(program, [...asked, "--json"], { env })).not.toContain(note)
      for (const ran of [
        await errorsOf(program, [...asked, "--provider", provider.url], { env: dead }),
        await errorsOf(redirected, [...asked, "--provider", "sandbox"], { env: dead }),
        await errorsOf(redirected, asked, { env: { EFFECT_CHAINS_PROVIDER: "sandbox" } })
      ])
        expect(ran).not.toContain("127.0.0.1:1 ")
    } finally {
      provider.close()
    }
  })

  it("of the environment is refused by the variable's name", async () => {
    const { code, err } = await run(["rate", "BTC"], { env: { EFFECT_CHAINS_PROVIDER: "sandbx" } })
    expect(code).toBe(EXIT_CODES.wrong)
    expect(err).toContain('EFFECT_CHAINS_PROVIDER is not "sandbox", and must be an absolute url')
  })
})

describe.runIf(available)("over the sandbox", () => {
  const scope = Effect.runSync(Scope.make())
  let base = ""
  let account = ""
  beforeAll(async () => {
    const sandbox = await Effect.runPromise(
      Scope.extend(
        Sandbox.make({ networks: [{ network: "ethereum-mainnet", nodes: 2, archive: 0 }], seed: "cli" }),
        scope
      )
    )
    base = sandbox.baseUrl
    account = sandbox.accounts[0]?.address ?? ""
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  const runOnSandbox = (...args: ReadonlyArray<string>): Promise<ProgramResult> =>
    run(args, { env: { EFFECT_CHAINS_PROVIDER: base } })

  it("a call by its name in the SDK, by its name on the wire, and one that no table knows", async () => {
    expect(await runOnSandbox("rpc", "ethereum-mainnet", "chainId")).toMatchObject({
      code: 0,
      out: "1\n",
      err: `The provider is ${base} (EFFECT_CHAINS_PROVIDER).\n`
    })
    expect(parseLines(await runOnSandbox("rpc", "ethereum-mainnet", "eth_chainId", "--json"))).toEqual([
      "0x1"
    ])
    expect(
      parseLines(await runOnSandbox("rpc", "ethereum-mainnet", "getBalance", account, "latest", "--json"))
    ).toEqual([expect.stringMatching(/^\d{20,}$/)])
    const block = await runOnSandbox("rpc", "ethereum-mainnet", "getBlockByNumber", "0", "false", "--json")
    expect(parseLines(block)).toMatchObject([{ number: "0x0" }])
    expect((await runOnSandbox("rpc", "ethereum-mainnet", "anvil_nodeInfo", "--raw")).out).toContain(
      "currentBlockNumber"
    )
    const refused = await runOnSandbox("rpc", "ethereum-mainnet", "eth_nothing", "--raw", "--json")
    expect(refused.code).toBe(EXIT_CODES.refused)
    expect(JSON.parse(refused.err)).toMatchObject({ error: { exit: "refused" } })
  })

  it("a route with its fields by name, and the list of all methods", async () => {
    const block = await runOnSandbox(
      "rpc",
      "stellar-mainnet",
      "getTransactions",
      "limit=1",
      "order=desc",
      "--json"
    )
    expect(block).toMatchObject({ code: 0, err: "" })
    expect(parseLines(block)).toMatchObject([{ _embedded: expect.anything() }])
    const list = await runOnSandbox("rpc", "stellar-mainnet")
    expect(list.out).toMatch(/^getTransaction +GET \/transactions\/\{transactionHash\}/m)
    expect((await runOnSandbox("rpc", "stellar-mainnet", "x", "--raw")).err).toContain("have no JSON-RPC")
  })

  it("balances", async () => {
    const found = parseLines(await runOnSandbox("balance", "ethereum-mainnet", account, "--json"))
    const explorer = `https://etherscan.io/address/${account}`
    expect(found).toMatchObject([[{ asset: "ETH", balance: "10000", type: "native", explorer }]])
    expect((await runOnSandbox("balance", "ethereum-mainnet", account)).out).toMatch(
      new RegExp(`^${account} +10000 +ETH *\n\n${account} +${explorer}\n$`, "mi")
    )
  })

  it("fees of the provider, and those of nodes", async () => {
    expect(supports("ethereum-mainnet", "fee")).toBe(true)
    expect(parseLines(await runOnSandbox("fee", "ethereum-mainnet", "--json"))).toMatchObject([
      { chain: "ethereum-mainnet", gasPrice: { unit: "Gwei", fast: expect.stringMatching(/^[\d.]+$/) } }
    ])
    expect((await runOnSandbox("fee", "ethereum-mainnet")).out).toMatch(/^medium +[\d.]+ Gwei$/m)
    expect(parseLines(await runOnSandbox("fee", "ethereum-mainnet", "--nodes", "--json"))).toMatchObject([
      { gasPrice: { medium: expect.stringMatching(/^[\d.]+$/) } }
    ])
  })

  it("rates, one and several", async () => {
    expect(parseLines(await runOnSandbox("rate", "USD", "--json"))).toMatchObject([
      [{ value: "1", basePair: "USD" }]
    ])
    const [several] = parseLines(await runOnSandbox("rate", "BTC", "ETH", "--in", "EUR", "--json"))
    expect(several).toMatchObject([{ basePair: "EUR" }, { basePair: "EUR" }])
  })

  it("a transaction and its end, and none that is not there", async () => {
    const to = "0x00000000000000000000000000000000000000aa"
    const params = JSON.stringify({ from: account, to, value: "0x1" })
    const [hash] = parseLines(
      await runOnSandbox("rpc", "ethereum-mainnet", "eth_sendTransaction", params, "--raw", "--json")
    )
    const found = await runOnSandbox("tx", "ethereum-mainnet", String(hash), "--wait", "1", "--json")
    const explorer = `https://etherscan.io/tx/${hash}`
    expect(parseLines(found)).toMatchObject([
      { transaction: { hash, to }, outcome: { status: "0x1" }, explorer }
    ])
    const none = await runOnSandbox("tx", "ethereum-mainnet", `0x${"00".repeat(32)}`)
    expect(none).toMatchObject({ code: EXIT_CODES.refused, out: "" })
    expect(none.err).toContain("No node of ethereum-mainnet knows")
  })

  it("the last transfers of an address, with the pages of their transactions", async () => {
    const [from, to] = [`0x${"b0".repeat(20)}`, "0x00000000000000000000000000000000000000bb"]
    const hashes: Array<unknown> = []
    for (const value of ["0xde0b6b3a7640000", "0x6f05b59d3b20000"]) {
      const params = JSON.stringify({ from: account, to, value })
      const sent = await runOnSandbox(
        "rpc",
        "ethereum-mainnet",
        "eth_sendTransaction",
        params,
        "--raw",
        "--json"
      )
      hashes.push(...parseLines(sent))
      await runOnSandbox("tx", "ethereum-mainnet", String(hashes.at(-1)), "--wait", "1")
    }
    const pages = hashes.map((hash) => `https://etherscan.io/tx/${hash}`)
    const [all] = parseLines(await runOnSandbox("transactions", "ethereum-mainnet", to, "--json"))
    expect(all).toMatchObject([
      { hash: hashes[1], amount: "0.5", transactionType: "native", explorer: pages[1] },
      { hash: hashes[0], amount: "1", transactionType: "native", explorer: pages[0] }
    ])
    const last = await runOnSandbox("transactions", "ethereum-mainnet", to, "--count", "1")
    expect(last.out).toMatch(new RegExp(`^\\d{4}-[\\dT:.-]+Z +\\d+ +0\\.5 +ETH +${pages[1]}\n$`, "m"))
    expect(last.out).not.toContain(String(hashes[0]))
    expect(parseLines(await runOnSandbox("transactions", "ethereum-mainnet", from, "--json"))).toEqual([[]])
  })

  it.each(found)("a transaction of $network", async ({ about, hash, more = [], network }) => {
    const ended = await runOnSandbox("tx", network, hash, ...more, "--json")
    expect(ended).toMatchObject({ code: 0, err: "" })
    expect(parseLines(ended)).toMatchObject([about])
  })
})
