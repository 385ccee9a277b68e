export const chart: (results: {
  readonly [part: string]: {
    readonly commit: string
    readonly machine: string
    readonly date: string
    readonly rows: ReadonlyArray<object>
  }
}) => string
