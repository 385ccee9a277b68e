import * as Context from "effect4/Context"
import * as Metrics from "effect4/Metric"

export * from "../../src/effect4/Metric.js"

export const unsafeSnapshot = () => Metrics.snapshotUnsafe(Context.empty())
