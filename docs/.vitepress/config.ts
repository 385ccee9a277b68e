import { defineConfig } from "vitepress"
import { links, slugify } from "./markdown.js"
import { bringElsewhere, menu } from "./pages.js"
import { miniSearch } from "./search.js"

bringElsewhere()
const groups = menu()

export default defineConfig({
  title: "effect-chains",
  description: "One typed SDK for more than 120 blockchain networks, with a node load balancer inside.",
  lang: "en-GB",
  cleanUrls: true,
  cacheDir: "node_modules/.cache/vitepress",
  markdown: {
    anchor: { slugify },
    config: links
  },
  themeConfig: {
    nav: [
      { text: "Start", link: "/start-promise" },
      { text: "Recipes", link: "/recipes" },
      { text: "Errors", link: "/errors" },
      { text: "Sandbox", link: "/sandbox" }
    ],
    sidebar: groups.map(({ pages, text }) => ({
      text,
      collapsed: false,
      items: pages.map(({ path, title }) => ({
        text: title,
        link: path === "index" ? "/" : `/${path.replace(/\/index$/, "/")}`
      }))
    })),
    outline: [2, 3],
    search: { provider: "local", options: { miniSearch } }
  }
})
