export type Call = readonly [due: number, took: number, outcome: string]
export interface Figures {
  readonly calls: number
  readonly success: number
  readonly p50: number
  readonly p99: number
  readonly extra: number
  readonly errors: Readonly<Record<string, number>>
}
export const failover: (calls: ReadonlyArray<Call>, from: number) => number
export const figures: (window: {
  readonly calls: ReadonlyArray<Call>
  readonly timed: ReadonlyArray<Call>
  readonly requests: number
  readonly duration: number
  readonly rate: number
}) => Figures
