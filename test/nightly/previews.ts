/** What suites of random payments have in common: what leaves the account is at most what the preview said. */
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { expect } from "vitest"
import type { Prepared, Sent } from "../../src/signers/Signer.js"

export const SENDS = Number(process.env.SENDS ?? 10_000)
export const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
export const mnemonic = `${"abandon ".repeat(11)}about`
/** Where there is a signer for each payment: words take long to become a key. */
export const privateKey = "9f".repeat(32)

/** What a capped payment may cost at most: next to nothing, which only Tron has for it. */
const CAP = 1n

/** A decimal number in the smallest unit. */
export const units = (text: string, decimals: number): bigint =>
  BigDecimal.scale(BigDecimal.unsafeFromString(text), decimals).value

export const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

/** What payments of every family have. */
export const terms = {
  amount: fc.bigInt({ min: 1_000n, max: 10n ** 8n }),
  memo: fc.option(fc.string({ minLength: 1, maxLength: 60 }), { nil: undefined }),
  isToken: fc.boolean(),
  isNew: fc.boolean(),
  maxFee: fc.nat(9).map((n) => (n === 0 ? CAP : undefined))
}

/** The most that a payment may cost, where it is capped. */
export const capOf = ({ maxFee }: { readonly maxFee: bigint | undefined }) =>
  maxFee === undefined ? {} : { maxFee }

/** What has left an account, in the smallest units: of what was sent, of the chain's coin, and of the token. */
export interface Left {
  readonly amount: bigint
  readonly coins: bigint
  readonly tokens?: bigint
}

/** A payment, what has left the account by it, and the error that it has to come to where it cannot be made. */
export interface Trial {
  readonly send: Effect.Effect<Sent<unknown>, unknown>
  readonly left: (hash: string) => Left | Promise<Left>
  readonly refused?: string | undefined
}

interface Family<Given> {
  readonly name: string
  readonly payment: fc.Arbitrary<Given>
  readonly decimals: { readonly coins: number; readonly tokens?: number }
  /** Accounts that pay at once, each one payment after another. */
  readonly lanes?: number
  /** Nodes that slow down with what they hold are started anew for so many payments. */
  readonly nodes?: {
    readonly size: number
    readonly started: (run: () => Promise<void>) => Promise<void>
  }
}

/** So much of the coin, or of tokens, leaves the account by a preview. */
const saidOf = ({ outgoing }: Prepared<unknown>, isToken: boolean, decimals: number): bigint =>
  outgoing
    .filter(({ token }) => (token !== undefined) === isToken)
    .reduce((sum, { amount }) => sum + units(amount, decimals), 0n)

/** Whether a payment was sent, as it was to be. */
const sentOnce = async (
  { left, refused, send }: Trial,
  { coins: coinDecimals, tokens: tokenDecimals = 0 }: Family<unknown>["decimals"],
  maxFee: bigint | undefined,
  what: string
): Promise<boolean> => {
  const result = await Effect.runPromise(Effect.either(send))
  if (result._tag === "Left") {
    const expected = [...(maxFee === undefined ? [] : ["FeeOverCap"]), refused]
    if (expected.includes(Reflect.get(Object(result.left), "_tag"))) return false
    throw new Error(`${what}: ${JSON.stringify(result.left)}`, { cause: result.left })
  }
  expect(refused, what).toBeUndefined()
  const { hash, prepared } = result.right
  if (maxFee !== undefined) expect(prepared.fee, what).toBeLessThanOrEqual(maxFee)
  const { amount, coins, tokens = 0n } = await left(hash)
  expect(amount, what).toBe(prepared.amount)
  expect(coins, what).toBeLessThanOrEqual(saidOf(prepared, false, coinDecimals))
  expect(tokens, what).toBeLessThanOrEqual(saidOf(prepared, true, tokenDecimals))
  return true
}

/** Sends them all. */
export const all = async <Given extends { readonly maxFee: bigint | undefined }>(
  { decimals, lanes = 1, name, nodes = { size: SENDS, started: (run) => run() }, payment }: Family<Given>,
  trialOf: (given: Given, index: number, lane: number) => Promise<Trial>
): Promise<void> => {
  let sent = 0
  const payments = fc.sample(payment, { numRuns: SENDS, seed })
  const inLane = async (lane: number, from: number): Promise<void> => {
    for (let index = from + lane; index < from + nodes.size; index += lanes) {
      const given = payments[index]
      if (given === undefined) return
      const what = `payment ${index}, seed ${seed}`
      if (await sentOnce(await trialOf(given, index, lane), decimals, given.maxFee, what)) sent++
    }
  }
  for (let from = 0; from < SENDS; from += nodes.size)
    await nodes.started(async () => {
      await Promise.all(Array.from({ length: lanes }, (_, lane) => inLane(lane, from)))
    })
  expect(sent).toBeGreaterThan(SENDS / 2)
  console.log(`signers of ${name}: ${sent} payments of ${SENDS} sent, seed ${seed}`)
}
