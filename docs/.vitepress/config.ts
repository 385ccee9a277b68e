import { readFileSync } from "node:fs"
import { defineConfig } from "vitepress"
import { vite as lean } from "../../scripts/lean.mjs"
import { entries } from "../../scripts/sources.js"
import { layoutOf } from "./layouts.js"
import { writeLlms } from "./llms.js"
import { isApi, landing, links, live, memberLinks, namesIn, networkTable, slugify, tabs } from "./markdown.js"
import { bringElsewhere, hasApi, members, menu } from "./pages.js"
import { miniSearch } from "./search.js"

bringElsewhere()

/** The mark of the playground, as an address that needs no file. */
const logo = `data:image/svg+xml,${encodeURIComponent(readFileSync(new URL("../../react/playground/logo.svg", import.meta.url), "utf8"))}`

const about = "One typed SDK for more than 120 blockchain networks, with a node load balancer inside."

const menuItems = menu().map(({ pages, text }) => ({
  text,
  items: pages.map(({ path, title }) => ({
    text: title,
    link: path === "index" ? "/" : `/${path.replace(/index$/, "")}`
  }))
}))

/** The entries of a package, as they are imported. */
const entryItems = Object.keys(entries).map((name) => ({ text: name, link: `/api/${name}/` }))

/** What a client can do, by surface. */
const referenceItems = [
  ["promises", "promise"],
  ["Effect", "effect"],
  ["React", "react"]
].map(([name, folder]) => ({ text: `Reference with ${name}`, link: `/api/${folder}/` }))

export default defineConfig({
  title: "effect-chains",
  description: about,
  lang: "en-GB",
  cleanUrls: true,
  head: [["link", { rel: "icon", type: "image/svg+xml", href: logo }]],
  srcExclude: hasApi ? [] : ["api/**"],
  cacheDir: "node_modules/.cache/vitepress",
  transformPageData: ({ frontmatter, relativePath }) => ({
    frontmatter: { ...frontmatter, ...layoutOf(relativePath) }
  }),
  buildEnd: ({ outDir, srcDir }) => writeLlms({ srcDir, outDir, about }),
  markdown: {
    anchor: { slugify },
    config: (md) => {
      memberLinks(md, members())
      links(md)
      landing(md)
      live(md)
      tabs(md)
      networkTable(md)
    },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" }
  },
  vite: {
    // live examples run the sources as the package has them, each in a worker of its own
    plugins: [lean(false)],
    worker: { format: "es", plugins: () => [lean(false)] },
    // found at the first run of one, they would load its page anew
    optimizeDeps: { include: ["@noble/hashes/sha3.js", "object-inspect", "sucrase"] }
  },
  themeConfig: {
    logo: { src: logo, alt: "" },
    nav: [
      { text: "Start", link: "/start" },
      { text: "Recipes", link: "/recipes" },
      { text: "Networks", link: "/networks" },
      { text: "Errors", link: "/errors" },
      ...(hasApi ? [{ text: "API", link: "/api/" }] : [])
    ],
    sidebar: {
      "/": menuItems,
      "/api/": [...referenceItems, { text: "Exports", link: "/api/" }, ...entryItems]
    },
    outline: [2, 3],
    search: {
      provider: "local",
      options: {
        miniSearch,
        _render: (text, env, md) => md.render(isApi(env.relativePath) ? namesIn(text) : text, env)
      }
    }
  }
})
