export interface Target {
  readonly name: string
  readonly measure: string
  readonly least?: number
  readonly most?: number
  readonly unit: string
  readonly cpu?: boolean
  readonly quick?: number
  readonly except?: ReadonlyArray<string>
}
export interface Checked {
  readonly name: string
  readonly measure: string
  readonly limit: number
  readonly unit: string
  readonly value: number | undefined
  readonly met: boolean
}
export const targets: ReadonlyArray<Target>
export const check: (
  wanted: ReadonlyArray<Target>,
  measures: Readonly<Record<string, number | undefined>>,
  parts: ReadonlyArray<string>,
  options?: { readonly filtered?: boolean }
) => ReadonlyArray<Checked>
