import { existsSync } from "node:fs"
import { defineConfig } from "vitepress"
import { vite as lean } from "../../scripts/lean.mjs"
import { home } from "./home.js"
import { writeLlms } from "./llms.js"
import { links, live, slugify } from "./markdown.js"
import { bringElsewhere, menu } from "./pages.js"
import { miniSearch } from "./search.js"

bringElsewhere()

const about = "One typed SDK for more than 120 blockchain networks, with a node load balancer inside."

/** The pages of exports are made by `scripts/docs.ts`, unless it is told not to. */
const hasApi = existsSync("docs/api/index.md")

export default defineConfig({
  title: "effect-chains",
  description: about,
  lang: "en-GB",
  cleanUrls: true,
  cacheDir: "node_modules/.cache/vitepress",
  transformPageData: (page) =>
    page.relativePath === "index.md" ? { frontmatter: { ...page.frontmatter, ...home } } : undefined,
  buildEnd: ({ outDir, srcDir }) => writeLlms({ srcDir, outDir, about }),
  markdown: {
    anchor: { slugify },
    config: (md) => {
      links(md)
      live(md)
    },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" }
  },
  vite: {
    // live examples run the sources as the package has them, each in a worker of its own
    plugins: [lean(false)],
    worker: { format: "es", plugins: () => [lean(false)] },
    // found at the first run of one, they would load its page anew
    optimizeDeps: { include: ["@noble/hashes/sha3", "lossless-json", "object-inspect", "sucrase"] }
  },
  themeConfig: {
    nav: [
      { text: "Start", link: "/start-promise" },
      { text: "Recipes", link: "/recipes" },
      { text: "Errors", link: "/errors" },
      ...(hasApi ? [{ text: "API", link: "/api/" }] : [])
    ],
    sidebar: menu().map(({ pages, text }) => ({
      text,
      items: pages.map(({ path, title }) => ({
        text: title,
        link: path === "index" ? "/" : `/${path.replace(/index$/, "")}`
      }))
    })),
    outline: [2, 3],
    search: {
      provider: "local",
      options: {
        miniSearch,
        // exports are found by their pages and by an editor: thousands of their headings would hide what the pages say
        _render: (text, env, md) => (env.relativePath.startsWith("api/") ? "" : md.render(text, env))
      }
    }
  }
})
