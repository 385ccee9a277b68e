/** The pages of the docs: the tests compile and run their code blocks, and follow their links. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

const root = dirname(import.meta.dirname)

/** A block of code, and where it stands: `docs/react.md:12`. */
interface Block {
  readonly at: string
  readonly kind: "ts" | "tsx"
  readonly code: string
}

/** A page: its path from the root of the project, and its text. */
export interface Page {
  readonly path: string
  readonly text: string
}

export const page = (path: string): Page => ({ path, text: readFileSync(join(root, path), "utf8") })

/** README and all of `docs`. */
export const pages: ReadonlyArray<Page> = [
  "README.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`)
].map(page)

export const blocksOf = ({ path, text }: Page): ReadonlyArray<Block> =>
  Array.from(text.matchAll(/^```(tsx?)\n([\s\S]*?)^```$/gm), ({ 1: kind, 2: code = "", index }) => ({
    at: `${path}:${text.slice(0, index).split("\n").length}`,
    kind: kind === "tsx" ? "tsx" : "ts",
    code
  }))

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```$/gm, "")

/** The anchors of a page's headings, as hosts of Markdown make them: small letters, hyphens for spaces, no other signs. */
export const anchorsOf = ({ text }: Page): ReadonlyArray<string> =>
  Array.from(withoutCode(text).matchAll(/^#{1,6} (.+)$/gm), ([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-")
  )

/** Where a page's links and pictures lead. */
export const linksOf = ({ text }: Page): ReadonlyArray<string> => {
  const prose = withoutCode(text)
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g), ...prose.matchAll(/\bsrc="([^"]+)"/g)].map(
    ([, target = ""]) => target
  )
}
