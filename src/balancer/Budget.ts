/**
 * Budgets for what nobody asked for: second attempts and retries may be a share of the calls, and no more.
 *
 * @since 0.1.0
 */

/**
 * A bucket of tokens. `earn` is a call, which brings a share of a token; `spend` takes one token, or says that there is none.
 *
 * @since 0.1.0
 * @category models
 */
export interface Budget {
  readonly earn: () => void
  readonly spend: () => boolean
}

/**
 * A bucket that is full at first and holds `burst` tokens: `share` of a token per call (0.1 is one in ten).
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ burst, share }: { readonly burst: number; readonly share: number }): Budget => {
  let tokens = burst
  return {
    earn: () => {
      tokens = Math.min(burst, tokens + share)
    },
    spend: () => {
      if (tokens < 1) return false
      tokens -= 1
      return true
    }
  }
}

/**
 * A budget without limit.
 *
 * @since 0.1.0
 * @category constructors
 */
export const unlimited: Budget = { earn: () => {}, spend: () => true }
