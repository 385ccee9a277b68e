/** See {@link ./Metric.ts}. */
export const exponential = (_options: object): undefined => undefined
