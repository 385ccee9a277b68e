type Exports = Readonly<Record<string, unknown>>

export const messageOf: (entry: string, exports: Exports) => string | undefined
export const withGuards: (exports: Exports) => Record<string, unknown>
export const guardOf: (
  message: string,
  marker: string,
  target: string,
  names: ReadonlyArray<string>,
  directive?: string
) => string
