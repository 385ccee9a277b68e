import * as Context from "effect/Context"
import * as Metric from "effect/Metric"

/** Makes the update of a metric with fixed attributes, in the registry that all programs share. */
export const makeRecorder = <In, Out>(
  metric: Metric.Metric<In, Out>,
  tags: Readonly<Record<string, string>>
): ((value: In) => void) => {
  const tagged = Metric.withAttributes(metric, tags)
  const context = Context.empty()
  return (value) => tagged.updateUnsafe(value, context)
}
