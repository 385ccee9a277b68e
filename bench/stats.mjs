/** Figures of lists of numbers. */

/** The value at the quantile `q` (0 to 1) by nearest rank; NaN of nothing. */
export const quantile = (values, q) => {
  if (values.length === 0) return Number.NaN
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)]
}

export const median = (values) => {
  if (values.length === 0) return Number.NaN
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Rounded for people, without the noise behind the last digit that means something. */
export const round = (value, digits = 1) =>
  value === null || value === undefined || !Number.isFinite(value) ? null : Number(value.toFixed(digits)) + 0
