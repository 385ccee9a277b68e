/** Durable sweeps of a process over a file, which is killed again and again while anvil makes a block each second. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { Anvil } from "effect-chains/sandbox"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { requireBinary } from "../../../test/nodes/process.js"
import { ask, listMined, from as payer } from "./evm.js"
import { deployToken, readAddresses, shop } from "./evmSweeping.js"
import { makeProcessGroup } from "./processGroup.js"

const anvil = requireBinary("anvil", "sweeps of a process that is killed")

const COUNT = 4
/** How much further the work is at each kill: transactions of the payer and of the addresses that blocks have. */
const KILLS_AT = [0, 1, 3, 5]

describe.runIf(anvil !== undefined)("sweeps of a process that is killed", () => {
  const scope = Effect.runSync(Scope.make())
  const runner = makeProcessGroup("sweepRunner")
  let url = ""

  beforeAll(async () => {
    const node = await Effect.runPromise(
      Scope.extend(Anvil.start({ accounts: 2, chainId: 1, blockTime: 1 }), scope)
    )
    url = node.url
  })
  afterAll(async () => {
    await runner.end()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("pay the gas of each address once, and send its tokens once", async () => {
    const addresses = await readAddresses(url, COUNT)
    const tokens = await deployToken(url, () => ask(url, "evm_mine"))
    for (const each of addresses) await tokens.give(each, 1_000_000n)
    const listAll = async () =>
      (await Promise.all([payer, ...addresses].map((each) => listMined(url, each)))).flat()
    const env = {
      FILE: join(runner.folder, "fleet.db"),
      NODE_URL: url,
      TOKEN: tokens.token,
      ORDERS: addresses.join(" ")
    }
    for (const count of KILLS_AT) {
      const process = runner.begin(env)
      await process.up
      while ((await listAll()).length < count) await ask(url, "eth_blockNumber")
      await process.kill()
    }
    const { child, makeEndError, up } = runner.begin(env)
    await up
    const hashes = await new Promise<ReadonlyArray<ReadonlyArray<string>>>((resolve, reject) => {
      child.once("message", (message) => resolve(message as ReadonlyArray<ReadonlyArray<string>>))
      child.once("exit", () => reject(makeEndError()))
    })
    expect(hashes.map(({ length }) => length)).toEqual(Array(COUNT).fill(2))
    const mined = await listAll()
    expect(new Set(mined.map(({ hash }) => hash))).toEqual(new Set(hashes.flat()))
    expect(mined).toHaveLength(2 * COUNT)
    expect(await tokens.balanceOf(shop)).toBe(BigInt(COUNT) * 1_000_000n)
  })
})
