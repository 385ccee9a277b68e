/** See {@link ./Metric.ts}. */
export const make = (_key: string, _value: string): undefined => undefined
