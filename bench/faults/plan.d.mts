export interface Fault {
  readonly name: string
  readonly what: string
  readonly kinds: ReadonlyArray<string>
  readonly nodes: number
  readonly silent?: boolean
  readonly slow?: boolean
  readonly fromStart?: boolean
  readonly load?: "heights" | "contract" | "multicall"
  readonly everywhere?: boolean
}
export interface Timing {
  readonly primed: number
  readonly warm: number
  readonly fault: number
  readonly several: number
  readonly heal: number
  readonly rate: number
  readonly deadline: number
}
export const faults: ReadonlyArray<Fault>
export const assign: (
  fault: Fault,
  order: ReadonlyArray<number>
) => ReadonlyArray<{ readonly node: number; readonly kind: string }>
export const phasesOf: (fault: Pick<Fault, "nodes">, timing: Timing) => Omit<Timing, "several">
export const timing: Readonly<Record<"full" | "quick", Timing>>
