/** Commands that pay, watch and look around, by the program as it is published, over the embedded sandbox. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { EXIT_CODES } from "../../../src/cli/Failure.js"
import { isInRange } from "../../../src/cli/PackageChecks.js"
import * as Sandbox from "../../../src/sandbox/index.js"
import { type ProgramResult, parseLines, program, type RunOptions, run as runs } from "./program.js"

const folder = mkdtempSync(join(tmpdir(), "effect-chains-cli-"))
afterAll(() => rmSync(folder, { recursive: true }))

describe("versions", () => {
  it.each([
    ["2.4.0", "^2.0.0", true],
    ["3.0.0", "^2.0.0", false],
    ["0.8.61", "^0.8.60", true],
    ["0.9.0", "^0.8.60", false],
    ["8.4.0", ">=6 <9", true],
    ["9.0.0", ">=6 <9", false],
    ["5.9.9", ">=6 <9", false],
    ["4.1.0", "^3.20.0 || ^4.0.0", true],
    ["3.19.0", "^3.20.0 || ^4.0.0", false],
    ["1.7.1", "1.7.1", true],
    ["1.7.2", "1.7.1", false],
    ["20.20.2", ">=20.19", true],
    ["20.9.0", ">=20.19", false]
  ])("%s in %s: %s", (version, range, expected) => {
    expect(isInRange(version, range)).toBe(expected)
  })
})

const available = Either.isRight(Effect.runSync(Effect.either(Sandbox.Anvil.binary)))

describe.runIf(available)("over the sandbox", () => {
  const scope = Effect.runSync(Scope.make())
  let sandbox: Sandbox.SandboxService
  let key = ""
  let payer = ""
  const to = "0x00000000000000000000000000000000000000aa"
  beforeAll(async () => {
    sandbox = await Effect.runPromise(
      Scope.extend(Sandbox.make({ networks: [{ network: "ethereum-mainnet", nodes: 2, archive: 0 }] }), scope)
    )
    const [account] = sandbox.accounts
    key = account?.privateKey ?? ""
    payer = account?.address ?? ""
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  const runOnSandbox = (
    args: ReadonlyArray<string>,
    { env = {}, ...around }: RunOptions = {}
  ): Promise<ProgramResult> =>
    runs(program, args, { ...around, env: { EFFECT_CHAINS_PROVIDER: sandbox.baseUrl, ...env } })
  const pay = (...more: ReadonlyArray<string>) => ["send", "ethereum-mainnet", to, ...more]
  const received = async (): Promise<bigint> => {
    const [wei] = parseLines(await runOnSandbox(["rpc", "ethereum-mainnet", "getBalance", to, "--json"]))
    return BigInt(String(wei))
  }

  describe("send", () => {
    it("shows a preview and pays with --yes, by a key of the environment, of a file, or by a mnemonic", async () => {
      const before = await received()
      const first = await runOnSandbox(pay("0.5", "--yes", "--confirmations", "1"), {
        env: { EFFECT_CHAINS_PRIVATE_KEY: key }
      })
      expect(first.code, first.err).toBe(0)
      expect(first.err).toMatch(new RegExp(`^from +${payer}$`, "mi"))
      expect(first.err).toMatch(/^fee, at most +[\d.]+ ETH$/m)
      expect(first.out).toMatch(/^0x[0-9a-f]{64}\n$/)
      const file = join(folder, "key")
      writeFileSync(file, `${key}\n`)
      chmodSync(file, 0o600)
      const second = await runOnSandbox(
        pay("0.25", "--yes", "--json", "--key-file", file, "--confirmations", "1")
      )
      expect(parseLines(second)).toMatchObject([
        { hash: expect.stringMatching(/^0x/), amount: "250000000000000000" }
      ])
      const mnemonic = "test test test test test test test test test test test junk"
      const third = await runOnSandbox(pay("0.25", "--yes", "--account", "0", "--confirmations", "1"), {
        env: { EFFECT_CHAINS_MNEMONIC: mnemonic }
      })
      expect(third.code, third.err).toBe(0)
      expect(third.err).toMatch(/^from +0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266$/m)
      expect((await received()) - before).toBe(10n ** 18n)
      for (const { err, out } of [first, second, third]) {
        expect(out + err).not.toContain(key.slice(2))
        expect(out + err).not.toContain("junk")
      }
    })

    it("sends nothing without a yes, without a key, and for a preview", async () => {
      const before = await received()
      const env = { EFFECT_CHAINS_PRIVATE_KEY: key }
      const unasked = await runOnSandbox(pay("1"), { env, input: "y\n" })
      expect(unasked).toMatchObject({ code: EXIT_CODES.declined, out: "" })
      expect(unasked.err).toContain("--yes was not given")
      const shown = await runOnSandbox(pay("1", "--preview", "--json"), { env })
      expect(parseLines(shown)).toMatchObject([
        { amount: String(10n ** 18n), outgoing: [{ asset: "ETH" }], warnings: expect.any(Array) }
      ])
      const without = await runOnSandbox(pay("1", "--yes"))
      expect(without).toMatchObject({ code: EXIT_CODES.wrong, out: "" })
      expect(without.err).toContain("There is no key to sign with")
      const poor = await runOnSandbox(pay("1000000", "--yes", "--json"), { env })
      expect(poor.code).toBe(EXIT_CODES.refused)
      expect(poor.err).toContain('"InsufficientFunds"')
      expect(await received()).toBe(before)
    })

    it("refuses keys among the arguments, files that others can read, and two keys at once", async () => {
      const shown = await runOnSandbox(["send", "ethereum-mainnet", key, "1", "--yes"])
      expect(shown.code).toBe(EXIT_CODES.wrong)
      expect(shown.err).toContain("looks like a private key")
      expect(shown.err).not.toContain(key)
      const file = join(folder, "open")
      writeFileSync(file, key)
      chmodSync(file, 0o644)
      const open = await runOnSandbox(pay("1", "--yes", "--key-file", file))
      expect(open.code).toBe(EXIT_CODES.wrong)
      expect(open.err).toContain(`chmod 600 ${file}`)
      const two = await runOnSandbox(pay("1", "--yes"), {
        env: { EFFECT_CHAINS_PRIVATE_KEY: key, EFFECT_CHAINS_MNEMONIC: "a b" }
      })
      expect(two.err).toContain("are both set")
    })
  })

  describe("nodes", () => {
    it("are shown once, and again and again until they are no longer wanted", async () => {
      const once = await runOnSandbox(["nodes", "ethereum-mainnet", "--once"])
      expect(once.code).toBe(0)
      expect(once.out.match(/http:\/\/127\.0\.0\.1:\d+ +normal +\d+ +\d+ ms/g)).toHaveLength(2)
      expect(once.out).toContain("active")
      const live = await runOnSandbox(["nodes", "ethereum-mainnet", "--json", "--interval", "0.1"], {
        until: (out) => out.split("\n").length > 3
      })
      expect(live.code).toBe(0)
      const lines = parseLines(live)
      expect(lines.length).toBeGreaterThan(2)
      for (const each of lines)
        expect(each).toMatchObject({
          network: "ethereum-mainnet",
          nodes: [{ failed: false }, { failed: false }]
        })
    })

    it("of which none is well are an exit of their own", async () => {
      const { code, err, out } = await runOnSandbox([
        "nodes",
        "polygon-mainnet",
        "--once",
        "--node",
        "http://127.0.0.1:9"
      ])
      expect(code).toBe(EXIT_CODES.unreachable)
      expect(out).toContain("failed")
      expect(err).toContain("No node of polygon-mainnet is healthy")
    })
  })

  it("subscribe tells heads as they come, and which subscriptions there are", async () => {
    const [url = ""] = sandbox.network("ethereum-mainnet").urls
    const mine = setInterval(() => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "evm_mine", params: [] })
      fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body }).catch(() => {})
    }, 300)
    try {
      const heads = await runOnSandbox([
        "subscribe",
        "ethereum-mainnet",
        "newHeads",
        "--count",
        "2",
        "--json"
      ])
      expect(heads.code, heads.err).toBe(0)
      const [first, second] = parseLines(heads).map((head) => Number(Reflect.get(Object(head), "number")))
      expect(second).toBe((first ?? 0) + 1)
      const ended = await runOnSandbox(["subscribe", "ethereum-mainnet", "newHeads", "--json"], {
        until: (out) => out.includes("\n")
      })
      expect(ended.code).toBe(0)
    } finally {
      clearInterval(mine)
    }
    const wrong = await runOnSandbox(["subscribe", "ethereum-mainnet", "newHead"])
    expect(wrong.code).toBe(EXIT_CODES.wrong)
    expect(wrong.err).toContain("did you mean newHeads?")
  })

  it("subscribe has the provider call a url, for what meets the conditions", async () => {
    const url = "http://127.0.0.1:9/paid"
    const subscribe = (...more: ReadonlyArray<string>) =>
      runOnSandbox(["subscribe", "ethereum-mainnet", ...more, "--url", url])
    const made = await subscribe(
      "incomingNativeTx",
      to,
      "--template",
      "enriched",
      "--finality",
      "final",
      "--condition",
      "value >= 1000000",
      "--condition",
      "tokenMetadata.type==native",
      "--json"
    )
    expect(made.code, made.err).toBe(0)
    const [created] = parseLines(made)
    expect(created).toMatchObject({ address: to, url, chain: "ETH" })
    const listed: unknown = await (await fetch(`${sandbox.baseUrl}/v4/subscription`)).json()
    expect(listed).toMatchObject([
      {
        id: Reflect.get(Object(created), "id"),
        type: "INCOMING_NATIVE_TX",
        attr: {
          address: to,
          url,
          conditions: [
            { field: "value", operator: ">=", value: "1000000" },
            { field: "tokenMetadata.type", operator: "==", value: "native" }
          ]
        }
      }
    ])
    const blocks = await subscribe("failedTxsPerBlock")
    expect(blocks.out).toContain(`${url} is called from now on`)
    for (const [args, words] of [
      [["incomingNativeTxs", to], "did you mean incomingNativeTx?"],
      [["incomingNativeTx"], "incomingNativeTx takes <address>"],
      [["contractAddressLogEvent", to], "takes <contractAddress> <event>"],
      [["incomingNativeTx", to, "--condition", "value"], "--condition is a field, an operator and a value"],
      [["incomingNativeTx", to, "--count", "1"], "--count is for printed events"]
    ] as const) {
      const refused = await subscribe(...args)
      expect([args, refused.code]).toEqual([args, EXIT_CODES.wrong])
      expect(refused.err).toContain(words)
    }
    const senseless = await subscribe("incomingNativeTx", to, "--condition", "from>0x1")
    expect(senseless.code).not.toBe(0)
    expect(senseless.err).toContain("conditions.0: from is compared by == or != alone")
    const without = await runOnSandbox(["subscribe", "ethereum-mainnet", "newHeads", "--finality", "final"])
    expect(without.err).toContain("are for subscriptions with a --url")
  })

  it("watch tells a balance, and what has come", async () => {
    const address = "0x00000000000000000000000000000000000000bb"
    let paid: Promise<ProgramResult> | undefined
    const watched = await runOnSandbox(
      ["watch", "ethereum-mainnet", address, "--interval", "0.3", "--count", "2", "--json"],
      {
        until: () => {
          paid ??= runOnSandbox(["send", "ethereum-mainnet", address, "1.5", "--yes"], {
            env: { EFFECT_CHAINS_PRIVATE_KEY: key }
          })
          return false
        }
      }
    )
    expect((await paid)?.code).toBe(0)
    expect(parseLines(watched)).toMatchObject([{ balance: "0" }, { balance: "1.5", change: "1.5" }])
  })

  describe("doctor", () => {
    const findings = (ended: ProgramResult) => {
      const [all] = parseLines(ended)
      return (Array.isArray(all) ? all : []).map((each: unknown) => Object(each))
    }

    it("finds nothing bad where nothing is", async () => {
      const ended = await runOnSandbox(["doctor", "ethereum-mainnet", "--json"], {
        env: { TATUM_API_KEY: "a-key" }
      })
      expect(ended.code, ended.out).toBe(0)
      const all = findings(ended)
      expect(all.filter(({ part, state }) => part === "nodes" && state === "good")).toHaveLength(2)
      expect(all).toContainEqual({ part: "key", state: "good", message: "the provider accepts the key" })
      expect(all.filter(({ part }) => part === "clock")).toMatchObject([{ state: "good" }])
      expect(all.filter(({ part }) => part === "runtime").length).toBeGreaterThan(2)
      expect(ended.out).not.toContain("a-key")
    })

    it("finds a refused key, a misspelt variable, a node of another chain, and one that is away", async () => {
      const bad = await runOnSandbox(["doctor", "ethereum-mainnet"], {
        env: { TATUM_API_KEY: "invalid", TATUM_NODE: "x" }
      })
      expect(bad.code).toBe(EXIT_CODES.unwell)
      expect(bad.out).toContain("refuses the key")
      expect(bad.out).toMatch(/TATUM_NODE is set, but nothing reads it\n +→ did you mean TATUM_NODES\?/)
      const [url = ""] = sandbox.network("ethereum-mainnet").urls
      const args = ["doctor", "polygon-mainnet", "--json", "--node", url, "--node", "http://127.0.0.1:9"]
      const nodes = findings(await runOnSandbox(args)).filter(({ part }) => part === "nodes")
      expect(nodes).toMatchObject([
        { state: "bad", remedy: expect.stringContaining("another network") },
        { state: "bad", remedy: expect.stringContaining("check that the node runs") }
      ])
    })

    it("finds a clock that is wrong", async () => {
      const late = createServer((_, response) => {
        response.setHeader("date", new Date(Date.now() - 600_000).toUTCString())
        response.writeHead(200).end("{}")
      })
      await new Promise<void>((resolve) => late.listen(0, "127.0.0.1", resolve))
      const address = late.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      try {
        const ended = await runs(program, ["doctor", "--json", "--provider", `http://127.0.0.1:${port}`])
        expect(ended.code).toBe(EXIT_CODES.unwell)
        expect(findings(ended).filter(({ part }) => part === "clock")).toMatchObject([
          { state: "bad", message: expect.stringMatching(/^the clock is (599|60\d) s ahead of/) }
        ])
      } finally {
        late.closeAllConnections()
        late.close()
      }
    })
  })
})
