/** How pages of the repository become pages of the site: their anchors, and where links that leave `docs` lead. */
import { existsSync } from "node:fs"
import { join, posix } from "node:path"
import type { MarkdownRenderer } from "vitepress"

/** Programs of a page that its readers can change and run: its blocks that are marked so. */
export const livePrograms = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/^```ts live\n([\s\S]*?)^```$/gm), ([, program = ""]) => program)

/** The pages that stand elsewhere in the repository, and where the site has them. `scripts/docs.ts` puts them there. */
export const elsewhere = {
  "CONTRIBUTING.md": "project/contributing.md",
  "bench/README.md": "project/benchmarks.md"
} as const

/** Where files are read that are no pages: the published package has most of them. */
const published = "https://unpkg.com/effect-chains/"

/** What no package has is read in the repository. */
const repository = "https://github.com/effect-chains/effect-chains/blob/HEAD/"

/** The anchor of a heading, as hosts of Markdown make it, so that one link works there and here. */
export const slugify = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-")

/** Whether an anchor of `errors.md` is that of an error, whose page `scripts/entries.mjs` makes. */
const hasPage = (anchor: string): boolean =>
  existsSync(join(import.meta.dirname, "../errors", `${anchor}.md`))

/** The file of the repository that a page of the site was made from. */
const sourceOf = (page: string): string =>
  Object.entries(elsewhere).find(([, at]) => at === page)?.[0] ?? posix.join("docs", page)

/** What a link of a page is on the site: pages by their places there, files by where they are published. */
export const siteLink = (page: string, link: string): string => {
  if (/^([a-z]+:|\/|#)/.test(link)) return link
  const [path = "", anchor] = link.split("#")
  const target = posix.normalize(posix.join(posix.dirname(sourceOf(page)), path))
  const hash = anchor === undefined ? "" : `#${anchor}`
  const moved = Object.entries(elsewhere).find(([source]) => source === target)?.[1]
  if (moved !== undefined) return `/${moved}${hash}`
  // on the site an error has a page of its own, and no section
  if (target === "docs/errors.md" && anchor !== undefined && hasPage(anchor)) return `/errors/${anchor}.md`
  if (target.startsWith("docs/")) return `/${target.slice("docs/".length)}${hash}`
  if (target === "README.md") return `/${hash}`
  return `${/^(examples|packages)\//.test(target) ? repository : published}${target}${hash}`
}

/**
 * A plugin of markdown-it that makes live examples of the blocks that are marked so. A page imports their component by itself: others
 * load nothing of it.
 */
export const live = (md: MarkdownRenderer): void => {
  const { fence } = md.renderer.rules
  md.renderer.rules.fence = (tokens, at, options, env, self) => {
    const token = tokens[at]
    const [language = "", mark] = token?.info.split(" ") ?? []
    const isLive = mark === "live"
    if (token !== undefined && isLive) token.info = language
    const html = fence?.(tokens, at, options, env, self) ?? ""
    return isLive ? `<LiveExample>${html}</LiveExample>` : html
  }
  md.core.ruler.push("live-examples", (state) => {
    const page: unknown = state.env.relativePath
    if (typeof page !== "string" || livePrograms(state.src).length === 0) return
    const component = posix.relative(posix.dirname(page), ".vitepress/live/LiveExample.ts")
    const script = new state.Token("html_block", "", 0)
    script.content = `<script setup>\nimport LiveExample from "./${component}"\n</script>\n`
    state.tokens.push(script)
  })
}

/** A plugin of markdown-it: in place of their sections the page of all errors has the page of each of them, with its first sentence. */
export const errorList = (
  md: MarkdownRenderer,
  pages: ReadonlyArray<{ readonly path: string; readonly title: string; readonly summary: string }>
): void => {
  const list = pages.map(({ path, summary, title }) => {
    const [first = summary] = /^.+?[.:](?= )/.exec(summary) ?? []
    return `- [${title}](${path}.md): ${first}`
  })
  md.core.ruler.before("normalize", "error-list", (state) => {
    if (state.env.relativePath !== "errors.md") return
    const [others] = state.src.split(/^## (?=[A-Z]\w+$)/m, 1)
    state.src = `${others}## All errors\n\n${list.join("\n")}\n`
  })
}

/** Whether a page is one of exports, which `scripts/exports.ts` makes. */
export const isApi = (page: string): boolean => page.startsWith("api/")

/**
 * What the search knows of a page of exports: the names of those that stand there, each with its paragraph. Signatures, members and names
 * that are exported again would make the index ten times as large, and hide what other pages say.
 */
export const namesIn = (text: string): string =>
  text
    .split(/^(?=#{1,3} )/m)
    .map((part) => part.split(/^#{4} /m)[0] ?? "")
    .filter((part) => !part.includes("\nRe-exports ") && !part.includes("\nRenames and re-exports "))
    .map((part) => part.replace(/^(?:[>|*-]|Since ).*$/gm, ""))
    .filter((part) => !part.startsWith("## "))
    .join("\n")

/** A plugin of markdown-it that rewrites links before VitePress looks whether they are dead. */
export const links = (md: MarkdownRenderer): void => {
  md.core.ruler.push("site-links", ({ env, tokens }) => {
    const page: unknown = env.relativePath
    if (typeof page !== "string") return
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === "link_open" ? token.attrGet("href") : null
      if (href !== null) token.attrSet("href", siteLink(page, href))
    }
  })
}
