/** The number of recent heights from which the block time is estimated. */
const MAX_SAMPLES = 9

/** How far a chain is and how fast, by when its heights were first heard of. Times are milliseconds. */
export class BlockTimeEstimator {
  private readonly heights: Array<{ readonly height: number; readonly at: number }> = []

  /** Whether it is the highest so far. */
  recordHeight(height: number, at: number): boolean {
    const last = this.heights.at(-1)
    if (last !== undefined && height <= last.height) return false
    this.heights.push({ height, at })
    if (this.heights.length > MAX_SAMPLES) this.heights.shift()
    return true
  }

  /** The block time in milliseconds; 0 until it is known. */
  estimateMs(): number {
    const [first, last] = [this.heights[0], this.heights.at(-1)]
    return first === undefined || last === undefined || first === last
      ? 0
      : (last.at - first.at) / (last.height - first.height)
  }
}
