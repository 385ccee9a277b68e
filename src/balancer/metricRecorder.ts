import type * as Metric from "effect/Metric"
import * as MetricLabel from "effect/MetricLabel"

/** Makes the update of a metric with fixed tags. `Metric.tagged` would make a new key at every update. */
export const makeRecorder = <Type, In, Out>(
  metric: Metric.Metric<Type, In, Out>,
  tags: Readonly<Record<string, string>>
): ((value: In) => void) => {
  const labels = Object.entries(tags).map(([key, value]) => MetricLabel.make(key, value))
  return (value) => metric.unsafeUpdate(value, labels)
}
