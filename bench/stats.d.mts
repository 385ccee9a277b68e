export const quantile: (values: ReadonlyArray<number>, q: number) => number
export const median: (values: ReadonlyArray<number>) => number
export const mean: (values: ReadonlyArray<number>) => number
export const round: (value: number | null | undefined, digits?: number) => number | null
