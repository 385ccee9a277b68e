/** Builds the command line once for all tests, which find it as `inject("commandLine")`. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { TestProject } from "vitest/node"
import { buildInto } from "../../../scripts/commandLine.mjs"

declare module "vitest" {
  interface ProvidedContext {
    /** The path of the command line's program, among packages that it finds as in a project. */
    readonly commandLine: string
  }
}

export const setup = async ({ provide }: TestProject) => {
  const cache = fileURLToPath(new URL("../../../node_modules/.cache/effect-chains/", import.meta.url))
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(`${cache}cli-`)
  await buildInto(folder)
  provide("commandLine", `${folder}/main.js`)
  return () => rmSync(folder, { recursive: true })
}
