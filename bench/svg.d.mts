export interface Panel {
  readonly height: number
  readonly body: ReadonlyArray<string>
}
export interface Cell {
  readonly text: string
  readonly share: number
}
export const escape: (text: unknown) => string
export const shade: (share: number) => string
export const grid: (options: {
  readonly title: string
  readonly subtitle?: string
  readonly rows: ReadonlyArray<string>
  readonly columns: ReadonlyArray<string>
  readonly cell: (row: string, column: string) => Cell | undefined
}) => Panel
export const bars: (options: {
  readonly title: string
  readonly subtitle?: string
  readonly items: ReadonlyArray<readonly [name: string, value: number, note?: string]>
  readonly unit: string
  readonly own?: (name: string) => boolean
}) => Panel
export const page: (panels: ReadonlyArray<Panel>, footer: string) => string
