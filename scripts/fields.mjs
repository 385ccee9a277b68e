/**
 * Reads the fields of an Either where a source calls a function for them, which only Effect 4 needs (`src/data/eitherValues.ts`): what is
 * published for Effect 3 and for promises has no byte of it.
 */
import { readFileSync } from "node:fs"

const CALLS = /\b(?:leftOf|rightOf|toEffect)\(/

export const readFields = (code) =>
  code
    .replace(/^import \{ [\w, ]+ \} from "[./\w]+\/eitherValues\.js";?\n/gm, "")
    .replace(/\b(left|right)Of\((\w+)\)/g, "$2.$1")
    .replace(/\btoEffect\(/g, "(")

/** The plugin for bundlers like Rollup. */
export const rollup = {
  name: "fields",
  transform: (code) => (CALLS.test(code) ? { code: readFields(code), map: null } : undefined)
}

/** The plugin for esbuild. */
export const esbuild = {
  name: "fields",
  setup(build) {
    build.onLoad({ filter: /[\\/](?:src|react)[\\/].*\.tsx?$/ }, ({ path }) => {
      const code = readFileSync(path, "utf8")
      if (path.includes("eitherValues") || !CALLS.test(code)) return undefined
      return { contents: readFields(code), loader: path.endsWith("x") ? "tsx" : "ts" }
    })
  }
}
