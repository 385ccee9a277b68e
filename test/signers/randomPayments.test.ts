/** A few random payments of every family on each commit: ten thousand of each are made at night (`test/nightly/randomPayments.test.ts`). */
import { expect, it } from "vitest"
import { payRandomly } from "./randomPayments.js"
import { worlds } from "./worlds.js"

it.each(worlds)(
  "random payments of $name take no more than their previews, and are made once",
  async (world) => {
    const { denied, paid, refused, unsigned } = await payRandomly(world, 40, Date.now() % 2 ** 31)
    for (const count of [paid, denied, refused, unsigned]) expect(count).toBeGreaterThan(0)
  }
)
