import type { Plugin as EsbuildPlugin } from "esbuild"
import type { Plugin } from "vitest/config"

export const vite: (isWhole: boolean) => Plugin
export const viteHooks: () => Plugin
export const rollup: (toModule: (path: string) => string) => { readonly name: string }
export const plugin: EsbuildPlugin
