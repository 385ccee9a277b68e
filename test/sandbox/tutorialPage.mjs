/** The page of the tutorial in jsdom: `ORDER` is the order that it shows, `SHOP_URL` the server that knows it. */
import { JSDOM } from "jsdom"

const { document, window } = new JSDOM(`<div id="root"></div>`, { url: "http://localhost:5173/" }).window
const { fetch } = globalThis
Object.assign(globalThis, {
  window,
  navigator: window.navigator,
  document,
  // a browser takes a path at the page's host, whose server hands it to the shop
  fetch: (input, init) =>
    fetch(
      typeof input === "string" && input.startsWith("/") ? `${process.env.SHOP_URL}${input}` : input,
      init
    )
})

const { createElement } = await import("react")
const { createRoot } = await import("react-dom/client")
const { App } = await import("../../examples/shop/page/src/App.js")

const root = document.getElementById("root")
if (root === null) throw new Error("the page has no root")
const page = createRoot(root)
const shown = new Set()
const ended = new Promise((resolve) => {
  new window.MutationObserver(() => {
    const text = root.textContent ?? ""
    for (const [part] of text.matchAll(/: (open|paid|confirmed|closing|closed)|\d+ of \d+ confirmations/g)) {
      if (!shown.has(part)) console.log(part)
      shown.add(part)
    }
    if (/: closed/.test(text) && /(\d+) of \1 confirmations/.test(text)) resolve()
  }).observe(root, { childList: true, subtree: true, characterData: true })
})
page.render(createElement(App, { id: process.env.ORDER ?? "" }))
await ended
page.unmount()
