/** Payments on chains that are not of EVM's kind, by the program as it is published, over real nodes of the sandbox. */
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { EXIT_CODES } from "../../../src/cli/Failure.js"
import * as Sandbox from "../../../src/sandbox/index.js"
import type { NodeName } from "../../../src/sandbox/nodes/binaries.js"
import { requireBinary } from "../../nodes/process.js"
import { type ProgramResult, parseLines, program, type RunOptions, run as runs } from "./program.js"

const chains: ReadonlyArray<{
  readonly network: string
  readonly node: NodeName
  readonly symbol: string
  readonly amount: string
  readonly hash: RegExp
}> = [
  { network: "litecoin-testnet", node: "litecoind", symbol: "LTC", amount: "0.75", hash: /^[0-9a-f]{64}\n$/ },
  {
    network: "solana-mainnet",
    node: "surfpool",
    symbol: "SOL",
    amount: "1.25",
    hash: /^[1-9A-Za-z]{80,90}\n$/
  }
]

for (const { amount, hash, network, node, symbol } of chains)
  describe.runIf(requireBinary(node, `payments of ${symbol} by the command line`) !== undefined)(
    network,
    () => {
      const scope = Effect.runSync(Scope.make())
      let sandbox: Sandbox.SandboxService
      let key = ""
      let receiver = ""
      beforeAll(async () => {
        sandbox = await Effect.runPromise(
          Scope.extend(Sandbox.make({ networks: [{ network, nodes: 1, archive: 0 }] }), scope)
        )
        const [first, second] = sandbox.network(network).accounts
        key = first?.privateKey ?? ""
        receiver = second?.address ?? ""
      })
      afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

      const runOnSandbox = (
        args: ReadonlyArray<string>,
        { env = {}, ...around }: RunOptions = {}
      ): Promise<ProgramResult> =>
        runs(program, args, { ...around, env: { EFFECT_CHAINS_PROVIDER: sandbox.baseUrl, ...env } })
      const balanceOf = async (address: string): Promise<string> => {
        const [all] = parseLines(await runOnSandbox(["balance", network, address, "--json"]))
        return Array.isArray(all) ? String(Object(all[0]).balance) : "none"
      }

      it("are refused without coins, shown, made, and found again", async () => {
        const { fund, mine } = sandbox.network(network)
        const env = { EFFECT_CHAINS_PRIVATE_KEY: key }
        const poor = await runOnSandbox(["send", network, receiver, "1000000", "--yes", "--json"], { env })
        expect(poor.code, poor.err).toBe(EXIT_CODES.refused)
        const { _tag, address: payer } = Object(Object(JSON.parse(poor.err)).error)
        expect(_tag).toBe("InsufficientFunds")
        await Effect.runPromise(Effect.flatMap(fund(payer, "5"), () => mine(1)))
        const before = Number(await balanceOf(receiver))
        const pay = ["send", network, receiver, amount]
        const shown = await runOnSandbox([...pay, "--preview", "--json"], { env })
        expect(parseLines(shown), shown.err).toMatchObject([{ network, from: payer, to: receiver }])
        const dear = await runOnSandbox([...pay, "--yes", "--json", "--max-fee", "0.00000001"], { env })
        expect(dear.code).toBe(EXIT_CODES.refused)
        expect(dear.err).toContain('"FeeOverCap"')
        const paid = await runOnSandbox([...pay, "--yes"], { env })
        expect(paid.code, paid.err).toBe(0)
        expect(paid.err).toMatch(new RegExp(`^fee, at most +[\\d.]+ ${symbol}$`, "m"))
        expect(paid.out).toMatch(hash)
        expect(paid.out + paid.err).not.toContain(key)
        await Effect.runPromise(mine(1))
        const found = await runOnSandbox(["tx", network, paid.out.trim(), "--json"])
        expect(found.code, found.err).toBe(0)
        expect(JSON.stringify(parseLines(found))).toContain(paid.out.trim())
        await expect
          .poll(async () => Number(await balanceOf(receiver)) - before, { interval: 250 })
          .toBeCloseTo(Number(amount), 8)
      })
    }
  )
