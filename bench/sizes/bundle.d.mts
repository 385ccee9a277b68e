export interface Output {
  readonly path: string
  readonly text: string
  readonly gzip: number
  readonly bytes: number
  readonly entryPoint: string | undefined
  /** Files of which something is left in the output. */
  readonly inputs: ReadonlyArray<string>
  readonly imports: ReadonlyArray<{ readonly path: string; readonly dynamic: boolean }>
}

export interface Options {
  readonly splitting?: boolean
  readonly alias?: Record<string, string>
  readonly external?: ReadonlyArray<string>
}

export const bundle: (
  code: string,
  options?: Options & { readonly lean?: boolean; readonly effect4?: boolean }
) => Promise<ReadonlyArray<Output>>
export const viteBundle: (code: string, options?: Options) => Promise<ReadonlyArray<Output>>
export const loaded: (
  outputs: ReadonlyArray<Output>,
  ...entries: ReadonlyArray<string>
) => ReadonlyArray<Output>
export const sizeOf: (outputs: ReadonlyArray<Output>) => number
