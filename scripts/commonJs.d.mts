type Target = string | { readonly types: string; readonly default: string }
type Exports = Readonly<Record<string, Target>>
export const withRequire: (exports: Exports) => Readonly<Record<string, unknown>>
export const typesVersions: (exports: Exports) => {
  readonly "*": Readonly<Record<string, readonly [string]>>
}
export const writeInto: (home: string) => Promise<void>
