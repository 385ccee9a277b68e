/** Networks of one's own in the sandbox and by the command line, as it is published. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { EXIT_CODES } from "../../../src/cli/Failure.js"
import { defineNetwork } from "../../../src/define.js"
import { init } from "../../../src/promise.js"
import * as Sandbox from "../../../src/sandbox/index.js"
import { type ProgramResult, parseLines, program, type RunOptions, run as runs } from "./program.js"

const definition = {
  id: "sandbox-own",
  family: "evm",
  chainId: 990_401,
  currency: { symbol: "OWN", decimals: 18 }
} as const
const network = defineNetwork(definition)
const explorers = [{ name: "Own", url: "https://explorer.example/" }]
const receiver = "0x000000000000000000000000000000000000bEEF"

describe("a network of one's own", () => {
  const scope = Effect.runSync(Scope.make())
  const folder = mkdtempSync(join(tmpdir(), "effect-chains-define-"))
  let sandbox: Sandbox.SandboxService
  let file = ""
  const write = (name: string, value: unknown): string => {
    const path = join(folder, name)
    writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value))
    return path
  }
  const run = (args: ReadonlyArray<string>, around?: RunOptions): Promise<ProgramResult> =>
    runs(program, args, around)

  beforeAll(async () => {
    sandbox = await Effect.runPromise(
      Scope.extend(Sandbox.make({ networks: [{ network, nodes: 1, archive: 0 }] }), scope)
    )
    const nodes = sandbox.network(network.id).urls.map((url) => ({ url }))
    file = write("networks.json", [{ ...definition, nodes, explorers }])
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true })
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("runs in a sandbox, whose configuration has its nodes", async () => {
    await using sdk = await init({ ...sandbox.config(network), quiet: true })
    expect(await sdk.rpc.chainId()).toEqual({ status: "SUCCESS", data: 990_401n })
    expect(sandbox.network(network.id)).toMatchObject({ chainId: 990_401, recorded: false })
  })

  it("of another family than EVM chains runs in no sandbox", async () => {
    const cosmos = defineNetwork({
      id: "sandbox-hub",
      family: "cosmos",
      currency: { symbol: "HUB", decimals: 6 },
      cosmos: { chainId: "hub-1", bech32Prefix: "hub", denom: "uhub" }
    })
    const error = await Effect.runPromise(
      Effect.scoped(Effect.flip(Sandbox.make({ networks: [{ network: cosmos }] })))
    )
    expect(error).toMatchObject({ _tag: "SandboxError", reason: "options" })
    expect(error.message).toContain("of the family cosmos")
  })

  it("is called by the command line with its file", async () => {
    const called = await run(["rpc", network.id, "chainId", "--network-file", file, "--json"])
    expect(called, called.err).toMatchObject({ code: 0 })
    expect(called.out).toContain("990401")
    const env = { EFFECT_CHAINS_NETWORKS: file }
    const held = await run(["rpc", network.id, "getBalance", sandbox.accounts[0]?.address ?? ""], { env })
    expect(held, held.err).toMatchObject({ code: 0 })
    expect(held.out).toContain("10000000000000000000000")
  })

  it("has balances by its nodes, and links to the explorer of its definition", async () => {
    const env = { EFFECT_CHAINS_NETWORKS: file }
    const [account = "", other = ""] = sandbox.accounts.slice(5, 7).map(({ address }) => address)
    const link = (address: string) => `https://explorer.example/address/${address}`
    const balances = parseLines(await run(["balance", network.id, account, other, "--json"], { env }))
    const row = { asset: "OWN", decimals: 18, balance: "10000", type: "native" }
    expect(balances).toEqual([
      [account, other].map((address) => ({ ...row, address, explorer: link(address) }))
    ])
    const people = await run(["balance", network.id, account], { env })
    expect(people.out).toMatch(
      new RegExp(`^${account} +10000 +OWN *\n\n${account} +${link(account)}\n$`, "mi")
    )
    const tokens = await run(["balance", network.id, account, "--tokens"], { env })
    expect(tokens).toMatchObject({ code: EXIT_CODES.wrong, out: "" })
    expect(tokens.err).toContain("without --tokens")
    const history = await run(["transactions", network.id, account], { env })
    expect(history).toMatchObject({ code: EXIT_CODES.wrong, out: "" })
    expect(history.err).toContain(`The provider has no histories for ${network.id}`)
    // without a definition of its explorer there is no link
    const [url = ""] = sandbox.network(network.id).urls
    const bare = await run(["balance", "any-name", account, "--chain-id", "990401", "--node", url, "--json"])
    expect(parseLines(bare)).toEqual([[{ ...row, asset: "ETH", address: account }]])
  })

  it("is paid on by the command line, in its coin", async () => {
    const env = {
      EFFECT_CHAINS_NETWORKS: file,
      EFFECT_CHAINS_PRIVATE_KEY: sandbox.accounts[0]?.privateKey ?? ""
    }
    const sent = await run(["send", network.id, receiver, "1.5", "--yes"], { env })
    expect(sent, sent.err).toMatchObject({ code: 0 })
    expect(sent.err).toMatch(/leaves the account +1\.5\d+ OWN/)
    const explorer = `https://explorer.example/tx/${sent.out.trim()}`
    expect(sent.err).toContain(explorer)
    const found = await run(["tx", network.id, sent.out.trim(), "--wait", "1", "--json"], { env })
    expect(parseLines(found)).toMatchObject([{ transaction: { hash: sent.out.trim() }, explorer }])
    const held = await run(["rpc", network.id, "getBalance", receiver], { env })
    expect(held.out).toContain("1500000000000000000")
  })

  it("is named by its chain id alone, with a node", async () => {
    const [url = ""] = sandbox.network(network.id).urls
    const right = await run(["rpc", "any-name", "blockNumber", "--chain-id", "990401", "--node", url])
    expect(right, right.err).toMatchObject({ code: 0 })
    const wrong = await run(["rpc", "any-name", "blockNumber", "--chain-id", "990402", "--node", url])
    expect(wrong.code).not.toBe(0)
    expect(wrong.err).toContain("and not 990402")
    const known = await run(["rpc", "any-name", "blockNumber", "--chain-id", "8453", "--node", url])
    expect(known.code).toBe(EXIT_CODES.wrong)
    expect(known.err).toContain("base-mainnet")
  })

  it("is of a file in the form of ethereum-lists, too", async () => {
    const listed = {
      name: "Own Chain",
      chainId: 990_401,
      nativeCurrency: { name: "Own", symbol: "OWN", decimals: 18 },
      rpc: sandbox.network(network.id).urls
    }
    const path = write("eip155-990401.json", listed)
    const called = await run(["rpc", "listed-own", "blockNumber", "--network-file", path])
    expect(called, called.err).toMatchObject({ code: 0 })
    const [account = ""] = sandbox.accounts.map(({ address }) => address)
    const linked = write("linked.json", {
      ...listed,
      explorers: [{ name: "L", url: "https://listed.example" }]
    })
    const balances = await run(["balance", "listed-own", account, "--network-file", linked, "--json"])
    expect(parseLines(balances)).toMatchObject([[{ explorer: `https://listed.example/address/${account}` }]])
  })

  it.each([
    ["no JSON", "{", /is not JSON/],
    ["a wrong definition", { ...definition, chainId: "x" }, /chainId must be a safe integer/],
    ["other networks", [{ ...definition, id: "sandbox-owm" }], /sandbox-owm/]
  ])("in a file with %s is refused, and says why", async (_, content, message) => {
    const path = write("wrong.json", content)
    const refused = await run(["rpc", network.id, "blockNumber", "--network-file", path])
    expect(refused.code).not.toBe(0)
    expect(refused.err).toMatch(message)
  })
})
