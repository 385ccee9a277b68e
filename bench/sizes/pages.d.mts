export interface Page {
  readonly name: string
  readonly code: string
  readonly needs?: ReadonlyArray<string>
  readonly external?: ReadonlyArray<string>
  readonly alias?: Record<string, string>
  readonly quick?: string
}
export const forms: ReadonlyArray<string>
export const pages: ReadonlyArray<Page>
