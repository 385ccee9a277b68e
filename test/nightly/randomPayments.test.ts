/**
 * Ten thousand random payments of every family, with policies, accounts that misbehave and nodes that lie in one field at a time: none takes
 * more than its preview, and none is made twice. `SENDS` and `SEED` make another number of them, or the same ones again.
 */
import { expect, it } from "vitest"
import { payRandomly } from "../signers/randomPayments.js"
import { worlds } from "../signers/worlds.js"

const SENDS = Number(process.env.SENDS ?? 10_000)
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)

it.each(worlds)(
  "random payments of $name take no more than their previews, and are made once",
  { timeout: 3_600_000 },
  async (world) => {
    const outcomes = await payRandomly(world, SENDS, seed)
    for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(0)
    console.log(`random payments of ${world.name}: ${JSON.stringify(outcomes)} of ${SENDS}, seed ${seed}`)
  }
)
