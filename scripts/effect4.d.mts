import type { Plugin as EsbuildPlugin } from "esbuild"
import type { Plugin } from "vitest/config"

export const placeOf: (id: string) => { readonly file?: string; readonly path?: string } | undefined
export const vite: (isWhole: boolean) => Plugin
export const rollup: (toModule: (path: string) => string) => { readonly name: string }
export const viteHooks: () => Plugin
export const plugin: EsbuildPlugin
export const runner: EsbuildPlugin
