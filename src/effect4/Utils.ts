/** The chance of the machine, which takes no seed, as on the lean runtime: Effect 4 has no generator of its own to take. */
export class PCGRandom {
  constructor(readonly seed: number) {}
  number(): number {
    return Math.random()
  }
}
