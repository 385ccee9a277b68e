import type { Plugin } from "vitest/config"

export const vite: (isWhole: boolean) => Plugin
export const rollup: (toModule: (path: string) => string) => { readonly name: string }
