/**
 * Repeatable randomness.
 *
 * @since 0.1.0
 */

/**
 * A source of numbers from 0 to 1, without 1.
 *
 * @since 0.1.0
 * @category models
 */
export type Random = () => number

/** The finalizer of MurmurHash3: every bit of the input changes about half of the output's. */
const mixBits = (n: number): number => {
  let hash = n >>> 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/**
 * A generator of a seed (a whole number) and a position, both of which decide all of its numbers. It is splitmix32:
 * good enough for choosing faults, and not for secrets.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeRandom = (seed: number, place = 0): Random => {
  const high = Math.floor(seed / 2 ** 32)
  let state = mixBits(mixBits(mixBits(seed) + high) + place)
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    return mixBits(state) / 2 ** 32
  }
}

/**
 * A whole number from 0 to `size`, without `size`.
 *
 * @since 0.1.0
 * @category getters
 */
export const randomBelow = (next: Random, size: number): number => Math.floor(next() * size)

/**
 * A random value of a list; undefined for an empty one.
 *
 * @since 0.1.0
 * @category getters
 */
export const pickRandom = <A>(next: Random, values: ReadonlyArray<A>): A | undefined =>
  values[randomBelow(next, values.length)]
