/**
 * `Math.random`, without a seed: Effect's generator is a kilobyte, and nothing here needs a repeatable sequence.
 */
export class PCGRandom {
  number(): number {
    return Math.random()
  }
}
