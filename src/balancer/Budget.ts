/**
 * Budgets for retries and backup requests: they may be a share of the calls.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/**
 * A call that spends tokens. `retriesInFlight` counts its pending requests that cost a token.
 *
 * @since 0.1.0
 * @category models
 */
export interface Spender {
  retriesInFlight: number
}

/**
 * A bucket of tokens. `earn` adds a call's share of a token. `spend` takes one token, or yields false if there is none.
 *
 * A request that has cost a token runs in `track`. While requests of other spenders are in flight (`isRefillLikely`), it is worth waiting
 * for a token: each answer then brings two, since it shows that the nodes can bear more (otherwise one, up to the burst). `waitForRefill`
 * ends when there may be a token, or when no answer is pending that could bring one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Budget {
  readonly earn: () => void
  readonly spend: () => boolean
  readonly track: <A, E>(sent: Effect.Effect<A, E>, by?: Spender) => Effect.Effect<A, E>
  readonly isRefillLikely: (by?: Spender) => boolean
  readonly waitForRefill: Effect.Effect<void>
}

const nobody = (): Spender => ({ retriesInFlight: 0 })

/**
 * Makes a bucket that starts full with `burst` tokens and earns `share` of a token per call (0.1 is one in ten).
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ burst, share }: { readonly burst: number; readonly share: number }): Budget => {
  let tokens = burst
  let inFlight = 0
  const waiting = new Set<() => void>()
  const wake = (count: number): void => {
    for (const resume of waiting) {
      if (count-- <= 0) return
      waiting.delete(resume)
      resume()
    }
  }
  /** Adds tokens up to the burst. Those above it, which answers have brought, are kept. */
  const fill = (count: number): void => {
    tokens = Math.max(tokens, Math.min(burst, tokens + count))
  }
  const settle = (isAnswered: boolean): void => {
    inFlight--
    if (isAnswered) {
      if (waiting.size === 0) fill(1)
      else tokens += 2
      wake(2)
    } else if (inFlight === 0) wake(Number.POSITIVE_INFINITY)
  }
  return {
    earn: () => fill(share),
    spend: () => {
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
    track: (sent, by = nobody()) =>
      Effect.suspend(() => {
        inFlight++
        by.retriesInFlight++
        return Effect.onExit(sent, (exit) =>
          Effect.sync(() => {
            by.retriesInFlight--
            settle(Exit.isSuccess(exit))
          })
        )
      }),
    isRefillLikely: (by = nobody()) => inFlight > by.retriesInFlight,
    waitForRefill: Effect.async((resume) => {
      const woken = (): void => resume(Effect.void)
      waiting.add(woken)
      return Effect.sync(() => void waiting.delete(woken))
    })
  }
}

/**
 * A budget without limit.
 *
 * @since 0.1.0
 * @category constructors
 */
export const unlimited: Budget = {
  earn: () => {},
  spend: () => true,
  track: (sent) => sent,
  isRefillLikely: () => false,
  waitForRefill: Effect.void
}
