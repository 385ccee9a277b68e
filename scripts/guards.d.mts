export const withGuards: (exports: Readonly<Record<string, unknown>>) => Record<string, unknown>
export const guardOf: (message: string, target: string, names: ReadonlyArray<string>) => string
