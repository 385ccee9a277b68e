import type { Plugin as EsbuildPlugin } from "esbuild"

export const plugin: EsbuildPlugin
export const inert: EsbuildPlugin

/** Not a type of one Vite version: the site's is older than the tests'. */
export const vite: (
  isWhole: boolean,
  folder?: string
) => {
  readonly name: string
  readonly enforce: "pre"
  readonly resolveId: (
    id: string,
    importer?: string
  ) => string | { readonly id: string; readonly moduleSideEffects: boolean } | undefined
  readonly load: (id: string) => string | undefined
}
export const lackingIn: (text: string) => ReadonlyArray<string>
export const modules: () => ReadonlyMap<string, ReadonlySet<string>>
export const filesIn: (folder: string) => ReadonlyArray<string>
export const usesIn: (
  file: string,
  of?: RegExp
) => ReadonlyArray<{ readonly module: string; readonly member: string; readonly line: number }>
