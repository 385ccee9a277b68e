/** The site as text for programs that read: `llms.txt` is its table of contents, `llms-full.txt` all of it, and each page has its Markdown. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { NETWORKS_MARK } from "./markdown.js"
import { rows } from "./networks/rows.js"
import { errorPages, menu } from "./pages.js"

/** The table of networks as Markdown. */
const networkTable = (): string =>
  [
    "| id | family | chain id | currency | services | test network | explorer |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...rows.map(({ chainId, currency, explorer, family, id, isTestnet, marks, services, testnets }) => {
      const cells = [
        [`\`${id}\``, ...marks.map((mark) => `(${mark})`)].join(" "),
        family,
        chainId ?? "",
        currency,
        services.join(", "),
        isTestnet ? "is one" : testnets.join(", "),
        explorer ?? ""
      ]
      return `| ${cells.join(" | ")} |`
    })
  ].join("\n")

/** Writes them beside the pages. */
export const writeLlms = (site: {
  readonly srcDir: string
  readonly outDir: string
  readonly about: string
}): void => {
  const groups = [...menu(), { text: "Errors by name", pages: errorPages() }]
  const list = groups.map(({ pages, text }) => {
    const lines = pages.map(({ path, summary, title }) => `- [${title}](/${path}.md): ${summary}`)
    return [`## ${text}`, "", ...lines].join("\n")
  })
  const contents = ["# effect-chains", `> ${site.about}`, ...list].join("\n\n")
  writeFileSync(join(site.outDir, "llms.txt"), `${contents}\n`)
  const paths = groups.flatMap(({ pages }) => pages.map(({ path }) => path))
  const textOf = (path: string): string =>
    readFileSync(join(site.srcDir, `${path}.md`), "utf8").replace(NETWORKS_MARK, networkTable)
  for (const path of paths) {
    const to = join(site.outDir, `${path}.md`)
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, textOf(path))
  }
  const texts = paths
    .filter((path) => !path.startsWith("api/"))
    .map((path) => `<!-- /${path} -->\n\n${textOf(path).trim()}`)
  writeFileSync(join(site.outDir, "llms-full.txt"), `${texts.join("\n\n")}\n`)
}
