import type { Figures } from "./figures.mjs"
import type { Fault, Timing } from "./plan.mjs"

export interface Row extends Partial<Figures> {
  readonly fault: string
  readonly client: string
  readonly noise: number
  /** Milliseconds; Infinity for never. */
  readonly failover?: number
  readonly readmission?: number
  readonly left?: Readonly<Record<string, number>>
  readonly rejections?: number
  /** Why there are no figures. */
  readonly out?: string
}
export const available: (
  clients: ReadonlyArray<string>,
  dist: string
) => Promise<{
  readonly names: ReadonlyArray<string>
  readonly out: ReadonlyArray<{ readonly name: string; readonly reason: string }>
}>
export const measureFaults: (options: {
  readonly clients: ReadonlyArray<string>
  readonly faults: ReadonlyArray<Fault>
  readonly timing: Timing
  readonly dist: string
  readonly atOnce?: number
  readonly tries?: number
  readonly onRows?: (rows: ReadonlyArray<Row>) => void
}) => Promise<ReadonlyArray<Row>>
