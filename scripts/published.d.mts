export const buildInto: (outdir: string) => Promise<unknown>
export const copyTypes: (from: string, to: string, entries: ReadonlyArray<string>) => void
