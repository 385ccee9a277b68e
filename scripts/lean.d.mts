import type { Plugin as EsbuildPlugin } from "esbuild"
import type { Plugin } from "vitest/config"

export const plugin: EsbuildPlugin
export const inert: EsbuildPlugin
export const vite: (isWhole: boolean, folder?: string) => Plugin
export const lackingIn: (text: string) => ReadonlyArray<string>
export const modules: () => ReadonlyMap<string, ReadonlySet<string>>
