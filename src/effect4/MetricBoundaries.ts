export { exponentialBoundaries as exponential } from "effect4/Metric"
