/**
 * Budgets for what nobody asked for: second attempts and retries may be a share of the calls, and no more.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"

/**
 * A bucket of tokens. `earn` is a call, which brings a share of a token; `spend` takes one token, or says that there is none.
 * `wait` ends when there may be one again: when a call that has spent one was answered (`answered`), so that the nodes which
 * retries go to are known to bear them, or when something else has changed (`changed`).
 *
 * @since 0.1.0
 * @category models
 */
export interface Budget {
  readonly earn: () => void
  readonly spend: () => boolean
  readonly wait: Effect.Effect<void>
  readonly answered: () => void
  readonly changed: () => void
}

/**
 * A bucket that is full at first and holds `burst` tokens: `share` of a token per call (0.1 is one in ten).
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ burst, share }: { readonly burst: number; readonly share: number }): Budget => {
  let tokens = burst
  const waiting = new Set<() => void>()
  const wake = (count: number): void => {
    for (const resume of waiting) {
      if (count-- <= 0) return
      waiting.delete(resume)
      resume()
    }
  }
  return {
    earn: () => {
      if (tokens < burst) tokens = Math.min(burst, tokens + share)
      if (waiting.size > 0 && tokens >= 1) wake(1)
    },
    spend: () => {
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
    wait: Effect.async((resume) => {
      const woken = (): void => resume(Effect.void)
      waiting.add(woken)
      return Effect.sync(() => void waiting.delete(woken))
    }),
    answered: () => {
      // its own token and one more: what waits goes out at twice the pace with every answer
      tokens = waiting.size === 0 ? Math.min(burst, tokens + 1) : tokens + 2
      wake(2)
    },
    changed: () => wake(Number.POSITIVE_INFINITY)
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
  wait: Effect.void,
  answered: () => {},
  changed: () => {}
}
