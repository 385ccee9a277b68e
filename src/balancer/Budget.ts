/**
 * Budgets for requests that no caller has asked for: second attempts and retries may be a share of the calls, and no more.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/**
 * Who takes tokens, with how many requests of its own that have cost one are on their way.
 *
 * @since 0.1.0
 * @category models
 */
export interface Spender {
  retriesInFlight: number
}

/**
 * A bucket of tokens. `earn` is a call, which brings a share of a token; `spend` takes one token, or says that there is none.
 *
 * A request that costs a token goes through `use`. While such requests of others are on their way it is worth waiting for a token
 * (`isPromising`): where one is answered, the nodes that it went to are known to bear more, and everything that waits goes out at twice
 * the pace with every answer. `wait` ends when there may be a token, or when there will be none.
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
 * A bucket that is full at first and holds `burst` tokens: `share` of a token per call (0.1 is one in ten).
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
  const settle = (isAnswered: boolean): void => {
    inFlight--
    if (isAnswered) {
      tokens = waiting.size === 0 ? Math.min(burst, tokens + 1) : tokens + 2
      wake(2)
    } else if (inFlight === 0) wake(Number.POSITIVE_INFINITY)
  }
  return {
    earn: () => {
      // what answers have brought beyond the burst stays
      tokens = Math.max(tokens, Math.min(burst, tokens + share))
    },
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
