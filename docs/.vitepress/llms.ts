/** The site as text for programs that read: `llms.txt` is its table of contents, `llms-full.txt` all of it, and each page has its Markdown. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { errorPages, menu } from "./pages.js"

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
  for (const path of paths) {
    const to = join(site.outDir, `${path}.md`)
    mkdirSync(dirname(to), { recursive: true })
    copyFileSync(join(site.srcDir, `${path}.md`), to)
  }
  const texts = paths
    .filter((path) => !path.startsWith("api/"))
    .map((path) => `<!-- /${path} -->\n\n${readFileSync(join(site.srcDir, `${path}.md`), "utf8").trim()}`)
  writeFileSync(join(site.outDir, "llms-full.txt"), `${texts.join("\n\n")}\n`)
}
