/** Effect 4 keeps its generator to itself. This is mulberry32: the same numbers for the same seed. */
export class PCGRandom {
  private state: number
  constructor(seed: number) {
    this.state = seed | 0
  }
  number(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
