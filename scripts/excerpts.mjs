/**
 * Writes the parts of example files that pages show: `node scripts/excerpts.mjs` after a change of either. A page names a file and a region
 * of it in a comment, and the fence behind that comment has what stands between `// #region name` and `// #endregion name`.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, extname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** A comment that names an example, and the fence behind it. */
const excerpt = /^<!-- (examples\/[^\s#]+)(?:#([\w-]+))? -->\n```\w*\n[\s\S]*?^```$/gm

/** The lines of a file, or of one of its regions. */
const readRegion = (path, name) => {
  const lines = readFileSync(join(root, path), "utf8").trimEnd().split("\n")
  if (name === undefined) return lines
  const start = lines.indexOf(`// #region ${name}`)
  const end = lines.indexOf(`// #endregion ${name}`)
  if (start < 0 || end < start) throw new Error(`${path} has no region ${name}`)
  return lines.slice(start + 1, end)
}

const languageOf = (path) => extname(path).slice(1) || "dockerfile"

/** The examples that a page shows, as paths of files. */
export const listExcerpts = (text) => Array.from(text.matchAll(excerpt), ([, path]) => path)

/** The page with its examples as the files have them now. */
export const fillExcerpts = (text) =>
  text.replace(excerpt, (_, path, name) => {
    const mark = name === undefined ? path : `${path}#${name}`
    return [`<!-- ${mark} -->`, `\`\`\`${languageOf(path)}`, ...readRegion(path, name), "```"].join("\n")
  })

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const docs = join(root, "docs")
  for (const name of readdirSync(docs).filter((each) => each.endsWith(".md"))) {
    const text = readFileSync(join(docs, name), "utf8")
    const filled = fillExcerpts(text)
    if (filled !== text) writeFileSync(join(docs, name), filled)
  }
}
