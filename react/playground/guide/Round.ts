/** The figures of two clients under the same load, before and after a node is stopped. */

/** The clients: the SDK with its pool, and a client of a single node. */
export type ClientKind = "pool" | "single"

export type Phase = "before" | "after"

/** The figures of one client in one phase. Times are milliseconds. */
export interface PhaseStats {
  readonly sent: number
  readonly failed: number
  /** The 99th percentile of the latencies of answered calls. */
  readonly p99: number | undefined
}

/** The figures of both clients in both phases. */
export type RoundStats = Readonly<Record<ClientKind, Readonly<Record<Phase, PhaseStats>>>>

interface Tally {
  sent: number
  failed: number
  readonly latenciesMs: Array<number>
}

const makeTally = (): Tally => ({ sent: 0, failed: 0, latenciesMs: [] })

const toStats = ({ failed, sent, latenciesMs }: Tally): PhaseStats => {
  const sorted = [...latenciesMs].sort((a, b) => a - b)
  return { sent, failed, p99: sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] }
}

/** The calls of one round. A call belongs to the phase in which it was sent. */
export class Round {
  readonly #all = {
    pool: { before: makeTally(), after: makeTally() },
    single: { before: makeTally(), after: makeTally() }
  }
  #part: Phase = "before"
  readonly #inFlight = { pool: 0, single: 0 }

  /** The calls in flight of the client that has more of them. */
  inFlight(): number {
    return Math.max(this.#inFlight.pool, this.#inFlight.single)
  }

  /** Begins the phase after the node was stopped. */
  markBroken(): void {
    this.#part = "after"
  }

  /** Counts a call and its result. It never rejects. */
  async trackCall(
    who: ClientKind,
    call: () => Promise<boolean>,
    now: () => number = () => performance.now()
  ): Promise<void> {
    const own = this.#all[who][this.#part]
    own.sent++
    this.#inFlight[who]++
    const begun = now()
    const isAnswered = await call().catch(() => false)
    this.#inFlight[who]--
    if (isAnswered) own.latenciesMs.push(now() - begun)
    else own.failed++
  }

  stats(): RoundStats {
    const of = (who: ClientKind) => ({
      before: toStats(this.#all[who].before),
      after: toStats(this.#all[who].after)
    })
    return { pool: of("pool"), single: of("single") }
  }
}
