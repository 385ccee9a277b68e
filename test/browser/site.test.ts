/** The files of the documentation site as it is built: its search answers what newcomers ask, its links lead somewhere. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import MiniSearch from "minisearch"
import { beforeAll, describe, expect, it } from "vitest"
import { miniSearch } from "../../docs/.vitepress/search.js"
import { entries } from "../../scripts/sources.js"
import { isNight } from "../night.js"
import { questions } from "./questions.js"
import { fileOf, pathsOf, root, siteFolder } from "./site.js"
import { plain, publicSurface, sentencesOf } from "./surface.js"

let folder = ""

beforeAll(async () => {
  folder = await siteFolder()
})

const paths = (): ReadonlyArray<string> => pathsOf(folder)
const htmlOf = (path: string): string => readFileSync(fileOf(folder, path), "utf8")

/** The site's search, as VitePress makes it: its fields for MiniSearch, and the site's own options over them. */
const searchIndex = async (): Promise<MiniSearch> => {
  const chunks = join(folder, "assets/chunks")
  const name = readdirSync(chunks).find((file) => file.startsWith("@localSearchIndex")) ?? ""
  const { default: text }: { default: string } = await import(pathToFileURL(join(chunks, name)).href)
  return MiniSearch.loadJSON(text, {
    fields: ["title", "titles", "text"],
    storeFields: ["title", "titles"],
    searchOptions: miniSearch.searchOptions,
    ...miniSearch.options
  })
}

describe("the site", () => {
  it("finds the right page among the first three for each question of a newcomer", async () => {
    const index = await searchIndex()
    // a page that another change brings is asked for from then on
    const known = new Set(paths())
    const asked = questions.filter(({ pages }) => pages.some((page) => known.has(page)))
    expect(questions).toHaveLength(40)
    expect(asked.length).toBeGreaterThanOrEqual(39)
    const wrong = asked.flatMap(({ asked, pages, typed }) =>
      [asked, typed].flatMap((query) => {
        const first = index
          .search(query)
          .slice(0, 3)
          .map(({ id }) => String(id))
        return first.some((id) => pages.includes(id.replace(/#.*$/, ""))) ? [] : [{ query, first }]
      })
    )
    expect(wrong).toEqual([])
  })

  it("has no link to a page or a heading that is not there", () => {
    const htmls = new Map(paths().map((path) => [path, htmlOf(path)]))
    const links = [...htmls].flatMap(([from, html]) =>
      Array.from(html.matchAll(/<a [^>]*href="(\/[^"]*|#[^"]*)"/g), ([, href = ""]) => ({ from, href }))
    )
    expect(links.length).toBeGreaterThan(500)
    const ids = new Map(
      [...htmls].map(([path, html]) => [
        path,
        new Set(Array.from(html.matchAll(/id="([^"]*)"/g), ([, id]) => id))
      ])
    )
    const dead = links.filter(({ from, href }) => {
      const [path = "", anchor] = href.split("#")
      const known = ids.get(path === "" ? from : path)
      if (known === undefined) return !existsSync(join(folder, path))
      return anchor !== undefined && anchor !== "" && !known.has(decodeURIComponent(anchor))
    })
    expect(dead).toEqual([])
  })

  it("has a page for every error, to which links of other pages lead", () => {
    const names = readdirSync(join(root, "docs/errors")).map((file) => file.slice(0, -".md".length))
    expect(names.length).toBeGreaterThan(50)
    for (const name of names) {
      expect(htmlOf(`/errors/${name}`)).toContain("What to do:")
      expect(htmlOf("/errors")).toContain(`href="/errors/${name}"`)
    }
    expect(htmlOf("/errors")).not.toContain("What to do:")
    expect(htmlOf("/balancer")).toContain('href="/errors/blocknotreached"')
  })

  it("tells programs what it has, in llms.txt", () => {
    const text = readFileSync(join(folder, "llms.txt"), "utf8")
    const lines = Array.from(text.matchAll(/^- \[.+\]\(\/(.+\.md)\): (.*)$/gm))
    expect(
      lines.filter(([, file = "", summary]) => summary === "" || !existsSync(join(folder, file)))
    ).toEqual([])
    const others = paths().filter((path) => path === "/api/" || !path.startsWith("/api/"))
    expect(lines.map(([, file = ""]) => `/${file.replace(/(^|\/)index\.md$|\.md$/, "$1")}`).sort()).toEqual(
      others.sort()
    )
    expect(readFileSync(join(folder, "llms-full.txt"), "utf8")).toContain("# NoActiveNode")
  })
})

/** The text of HTML. */
const textOf = (html: string): string =>
  html
    .replace(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ")

describe.runIf(isNight)("the pages of exports", () => {
  const surface = publicSurface()

  /** The parts of a page under the names of exports: the heading of the category, and what stands under the name. */
  const exportsOn = (
    path: string
  ): ReadonlyMap<string, { readonly category: string; readonly html: string }> => {
    const html = htmlOf(`/api/${path}`)
    const found = new Map<string, { readonly category: string; readonly html: string }>()
    let category = ""
    for (const part of html.split(/(?=<h[23] id=)/)) {
      const [, level, title = ""] = /^<h([23]) id="[^"]*"[^>]*>(.*?)<a class="header-anchor"/.exec(part) ?? []
      const name = textOf(title)
        .replace(/[^\x20-\x7e]/g, "")
        .trim()
        .replace(/\(\)$|<.*$/g, "")
      if (level === "2") category = name
      // a type and a constant may share a name
      if (level === "3") found.set(name, { category, html: `${found.get(name)?.html ?? ""}${part}` })
    }
    return found
  }

  it("have every export of every entry: its first sentence, its signature and version, or the page with these", () => {
    expect(new Set(surface.map(({ of }) => of.replace(/namespaces\/.*/, ""))).size).toBe(
      Object.keys(entries).length
    )
    expect(surface.length).toBeGreaterThan(5_000)
    const sentences = new Map<string, ReadonlyMap<string, string>>()
    const pagesOfExports = new Map(
      Array.from(new Set(surface.map(({ of }) => of)), (of) => [of, exportsOn(of)])
    )
    const lacking = surface.flatMap(({ declared, file, name, of }) => {
      const found = pagesOfExports.get(of)?.get(name)
      if (found === undefined) return [`${of}: no ${name}`]
      const known = sentences.get(file) ?? sentencesOf(file)
      sentences.set(file, known)
      const sentence = known.get(declared) ?? ""
      const text = plain(textOf(found.html))
      if (sentence === "" || !text.includes(sentence))
        return [`${of}: ${name} without "${sentence}" (${file})`]
      if (/[Rr]e-exports <a href="[^"]+"/.test(found.html)) return []
      return [
        ...(/<(blockquote|table|pre)/.test(found.html) ? [] : [`${of}: ${name} without a signature`]),
        ...(/Since \d+\.\d+\.\d+/.test(text) ? [] : [`${of}: ${name} without a version`]),
        ...(/^[a-z]+$/.test(found.category) ? [] : [`${of}: ${name} in ${found.category}`])
      ]
    })
    expect(lacking).toEqual([])
  })

  it("are found by the names of exports, on the list that the search shows", async () => {
    const index = await searchIndex()
    // words of the language are found on the other pages first
    const named = new Set(surface.map(({ name }) => name).filter((name) => /[a-z][A-Z]/.test(name)))
    const names = [...named].filter((_, at) => at % 10 === 0)
    expect(names.length).toBeGreaterThan(100)
    const hidden = names.filter(
      (name) =>
        !index
          .search(name)
          .slice(0, 16)
          .some(({ id, title }) => String(id).startsWith("/api/") && plain(String(title)).startsWith(name))
    )
    expect(hidden).toEqual([])
  })
})
