/** What there is on the Promise surface, for test/entries.test.ts to look through what it takes. Nothing runs it. */
import type { init as ethereum } from "../../src/entries/Ethereum.js"
import type { init, initWith, PromiseSdk, retry } from "../../src/promise.js"
import type { decode, networkOf, verify } from "../../src/webhook.js"

/** A client of each kind, and what makes and helps them. */
export interface Surface {
  readonly makers: readonly [typeof init, typeof ethereum, ReturnType<typeof initWith>]
  readonly helpers: readonly [typeof retry, typeof verify, typeof decode, typeof networkOf]
  readonly ethereum: PromiseSdk<"ethereum-mainnet">
  readonly bitcoin: PromiseSdk<"bitcoin-mainnet">
  readonly solana: PromiseSdk<"solana-mainnet">
  readonly xrp: PromiseSdk<"ripple-mainnet">
}
