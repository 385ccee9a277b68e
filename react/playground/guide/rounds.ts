/** What two clients went through under the same load, before a node was broken and after. */

/** The two: the SDK with its pool, and a client that knows one node. */
export type Who = "pool" | "single"

export type Part = "before" | "after"

/** What one of them has seen in one part. Times are milliseconds. */
export interface Figures {
  readonly sent: number
  readonly failed: number
  /** 99 of 100 calls that were answered took no longer. */
  readonly p99: number | undefined
}

/** The figures of both in both parts. */
export type Told = Readonly<Record<Who, Readonly<Record<Part, Figures>>>>

interface Tally {
  sent: number
  failed: number
  readonly took: Array<number>
}

const tally = (): Tally => ({ sent: 0, failed: 0, took: [] })

const figuresOf = ({ failed, sent, took }: Tally): Figures => {
  const sorted = [...took].sort((a, b) => a - b)
  return { sent, failed, p99: sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] }
}

/** The calls of one round. A call belongs to the part in which it was made. */
export class Rounds {
  readonly #all = {
    pool: { before: tally(), after: tally() },
    single: { before: tally(), after: tally() }
  }
  #part: Part = "before"
  readonly #inFlight = { pool: 0, single: 0 }

  /** The calls without an answer: those of the client that has more of them. */
  inFlight(): number {
    return Math.max(this.#inFlight.pool, this.#inFlight.single)
  }

  /** The node is broken now. */
  breaks(): void {
    this.#part = "after"
  }

  /** Counts a call, and its end when it has one. It never rejects. */
  async count(
    who: Who,
    call: () => Promise<boolean>,
    now: () => number = () => performance.now()
  ): Promise<void> {
    const own = this.#all[who][this.#part]
    own.sent++
    this.#inFlight[who]++
    const begun = now()
    const isAnswered = await call().catch(() => false)
    this.#inFlight[who]--
    if (isAnswered) own.took.push(now() - begun)
    else own.failed++
  }

  told(): Told {
    const of = (who: Who) => ({
      before: figuresOf(this.#all[who].before),
      after: figuresOf(this.#all[who].after)
    })
    return { pool: of("pool"), single: of("single") }
  }
}
