/** How pages of the repository become pages of the site: their anchors, and where links that leave `docs` lead. */
import { posix } from "node:path"
import type { MarkdownRenderer } from "vitepress"

/** Programs of a page that its readers can change and run: its blocks that are marked so. */
export const livePrograms = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/^```ts live\n([\s\S]*?)^```$/gm), ([, program = ""]) => program)

/** The pages that stand elsewhere in the repository, and where the site has them. `scripts/docs.ts` puts them there. */
export const elsewhere = {
  "CONTRIBUTING.md": "project/contributing.md",
  "bench/README.md": "project/benchmarks.md",
  "scripts/README.md": "project/scripts.md",
  "test/README.md": "project/tests.md"
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
  if (target.startsWith("docs/")) return `/${target.slice("docs/".length)}${hash}`
  if (target === "README.md") return `/${hash}`
  return `${/^(examples|packages)\//.test(target) ? repository : published}${target}${hash}`
}

type State = Parameters<Parameters<MarkdownRenderer["core"]["ruler"]["push"]>[1]>[0]

/** Imports a component of `.vitepress` into a page. A page without it loads nothing of it. */
const importComponent = (state: State, path: string): void => {
  const page: unknown = state.env.relativePath
  if (typeof page !== "string") return
  const file = posix.relative(posix.dirname(page), `.vitepress/${path}.ts`)
  const script = new state.Token("html_block", "", 0)
  script.content = `<script setup>\nimport ${posix.basename(path)} from "./${file}"\n</script>\n`
  state.tokens.push(script)
}

/**
 * A plugin of markdown-it that makes live examples of the blocks that are marked so.
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
    if (livePrograms(state.src).length > 0) importComponent(state, "live/LiveExample")
  })
}

/** The place of the table of networks on its page. */
export const NETWORKS_MARK = "<!-- networks -->"

/** A plugin of markdown-it that puts the table of networks in its place. */
export const networkTable = (md: MarkdownRenderer): void => {
  md.core.ruler.push("network-table", (state) => {
    const mark = state.tokens.find(
      ({ content, type }) => type === "html_block" && content.trim() === NETWORKS_MARK
    )
    if (mark === undefined) return
    mark.content = "<NetworkTable />\n"
    importComponent(state, "networks/NetworkTable")
  })
}

/**
 * A plugin of markdown-it that makes sections of the first page: what stands above the first heading of second level is the head, with its
 * code beside its text.
 */
export const landing = (md: MarkdownRenderer): void => {
  md.core.ruler.push("landing", (state) => {
    if (state.env.relativePath !== "index.md") return
    const html = (content: string) => Object.assign(new state.Token("html_block", "", 0), { content })
    let isHead = true
    const sections = state.tokens.flatMap((token) => {
      if (token.type === "fence" && isHead) return [html('</div><div class="landing-program">'), token]
      if (token.type !== "heading_open" || token.tag !== "h2") return [token]
      const end = isHead ? "</div></section>" : "</section>"
      isHead = false
      return [html(`${end}<section class="landing-part">`), token]
    })
    state.tokens = [
      html('<section class="landing-head"><div class="landing-why">'),
      ...sections,
      html("</section>")
    ]
  })
}

/** The marks around sections that are tabs on the site: comments, so that elsewhere the sections stand under one another. */
const tabsOpen = "<!-- tabs -->"
const tabsClose = "<!-- /tabs -->"

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

/**
 * A plugin of markdown-it that makes tabs of sections of the second level between `<!-- tabs -->` and `<!-- /tabs -->`. They are radio buttons,
 * which need no script and are used with keys; `theme/tabs.ts` opens the tab of a link into it.
 */
export const tabs = (md: MarkdownRenderer): void => {
  md.core.ruler.push("tabs", (state) => {
    const isMark = (at: number, mark: string): boolean => {
      const token = state.tokens[at]
      return token?.type === "html_block" && token.content.trim() === mark
    }
    const open = state.tokens.findIndex((_, at) => isMark(at, tabsOpen))
    if (open < 0) return
    const close = state.tokens.findIndex((_, at) => isMark(at, tabsClose))
    const inside = state.tokens.slice(open + 1, close)
    const titles = inside.flatMap(({ tag, type }, at) =>
      type === "heading_open" && tag === "h2" ? [inside[at + 1]?.content ?? ""] : []
    )
    if (close < open || titles.length === 0)
      throw new Error(`${tabsOpen} needs sections of the second level, and then ${tabsClose}`)
    const html = (content: string) => Object.assign(new state.Token("html_block", "", 0), { content })
    const chosen = titles.map((title, at) => {
      const id = `tab-${slugify(title)}`
      const checked = at === 0 ? " checked" : ""
      return `<input type="radio" name="tabs" id="${id}"${checked}><label for="${id}">${escape(title)}</label>`
    })
    let section = 0
    const panels = inside.flatMap((token) => {
      if (token.type !== "heading_open" || token.tag !== "h2") return [token]
      section++
      return [...(section === 1 ? [] : [html("</section>\n")]), html("<section>\n"), token]
    })
    const head = `<div class="tabs"><div class="tabs-bar" role="radiogroup" aria-label="Choose">${chosen.join("")}</div>\n`
    state.tokens.splice(open, close - open + 1, html(head), ...panels, html("</section></div>\n"))
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

/** Where the reference has the members of services, by the surface. A page that makes none is not there. */
export type Members = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The surface of which a page is: the others are about promises. */
const surfaceOf = (page: string): string =>
  /^(start-)?effect/.test(page) ? "effect" : /^(start-)?(react|query)/.test(page) ? "react" : "promise"

/** The member that code names: `address.getBalance`, `sdk.address.getBalance(…)`. */
const memberIn = (code: string): string | undefined =>
  /^(?:sdk\.)?([a-z]\w*(?:\.\w+)+)(?:\(.*\))?$/s.exec(code)?.[1]

/**
 * A plugin of markdown-it: where a guide names a member of a service it links to the reference, and the page of services has a list of all
 * of them.
 */
export const memberLinks = (md: MarkdownRenderer, members: Members): void => {
  const list = Object.entries(members.promise ?? {}).map(([path, page]) => ({ path, page }))
  if (list.length === 0) return
  md.core.ruler.before("normalize", "member-list", (state) => {
    if (state.env.relativePath !== "services.md") return
    const services = new Set(list.map(({ path }) => path.split(".")[0] ?? ""))
    const rows = [...services].map((service) => {
      const own = list.filter(({ path }) => path.startsWith(`${service}.`))
      const methods = own.map(({ page, path }) => `[\`${path.slice(service.length + 1)}\`](${page})`)
      return `- [\`sdk.${service}\`](api/promise/${service}.md): ${methods.join(", ")}`
    })
    state.src = `${state.src}\n\n## All methods\n\n${rows.join("\n")}\n`
  })
  md.core.ruler.push("member-links", (state) => {
    const page: unknown = state.env.relativePath
    if (typeof page !== "string" || isApi(page)) return
    const known = members[surfaceOf(page)] ?? {}
    for (const block of state.tokens) {
      let depth = 0
      block.children =
        block.children?.flatMap((token) => {
          depth += token.type === "link_open" ? 1 : token.type === "link_close" ? -1 : 0
          const target =
            token.type === "code_inline" && depth === 0 ? known[memberIn(token.content) ?? ""] : undefined
          if (target === undefined) return [token]
          const open = new state.Token("link_open", "a", 1)
          open.attrSet("href", `/${target}`)
          return [open, token, new state.Token("link_close", "a", -1)]
        }) ?? null
    }
  })
}
