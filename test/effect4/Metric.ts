export interface Metric<_Type, in In, _Out> {
  unsafeUpdate(value: In, labels: ReadonlyArray<unknown>): void
}

export declare namespace Metric {
  type Counter<_A> = typeof none
  type Histogram<_A> = typeof none
}

/** Metrics are read on the Effect surface, and what nobody can read is not counted: as on the lean runtime. */
const none = { unsafeUpdate(_value: number, _labels: ReadonlyArray<unknown>): void {} }

export const counter = (_name: string, _options?: object) => none
export const histogram = (_name: string, _boundaries: unknown, _description?: string) => none
