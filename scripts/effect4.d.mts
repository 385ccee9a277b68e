import type { Plugin } from "vitest/config"

export const vite: () => Array<Plugin>
export const setup: () => void
