import * as Metrics from "effect4/Metric"

export * from "effect4/Metric"

export type Metric<Input, State> = Metrics.Metric<Input, State>

/** The kinds of metrics stand beside the type. */
export declare namespace Metric {
  type Counter<Input extends number | bigint> = Metrics.Counter<Input>
  type Histogram<Input> = Metrics.Histogram<Input>
}

/** Boundaries and description are options. */
export const histogram = (
  name: string,
  boundaries: ReadonlyArray<number>,
  description: string
): Metrics.Histogram<number> => Metrics.histogram(name, { boundaries, description })
