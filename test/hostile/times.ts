/** How many times as many random cases as in every run: `HOSTILE_TIMES`, which the nightly runs set. */
export const times = Number(process.env.HOSTILE_TIMES ?? 1)
