/** The table of all networks, with a search that the page's url keeps (`?q=`). Without scripts it is the whole table. */
import { computed, defineComponent, Fragment, h, onMounted, ref, type VNode, type VNodeChild } from "vue"
import { findRows, type Row } from "./model.js"
import { data } from "./rows.data.js"

const COLUMNS = ["Network", "Use", "Family", "Chain id", "Currency", "Services", "Test network", "Explorer"]

const cell = (content: VNodeChild): VNode => h("td", [content])

const hostOf = (url: string): string => new URL(url).host.replace(/^www\./, "")

export default defineComponent({
  setup: () => {
    const query = ref("")
    /** The network whose lines are shown. */
    const opened = ref("")
    const found = computed(() => findRows(data, query.value))

    const search = (text: string): void => {
      query.value = text
      const url = new URL(location.href)
      if (text === "") url.searchParams.delete("q")
      else url.searchParams.set("q", text)
      history.replaceState(history.state, "", url)
    }
    onMounted(() => {
      query.value = new URL(location.href).searchParams.get("q") ?? ""
    })

    const testnetCell = ({ isTestnet, testnets }: Row) => {
      const links = testnets.flatMap((id) => [
        ", ",
        h(
          "a",
          {
            href: `?q=${id}`,
            onClick: (event: MouseEvent) => {
              event.preventDefault()
              search(id)
            }
          },
          id
        )
      ])
      return isTestnet ? "is one" : h("span", links.slice(1))
    }
    const linesOf = ({ id, lines }: Row) =>
      h("tr", { class: "network-lines", id: `use-${id}` }, [
        h("td", { colspan: COLUMNS.length }, [
          h(
            "dl",
            Object.entries(lines).map(([surface, line]) =>
              h("div", [h("dt", surface), h("dd", [h("code", line)])])
            )
          )
        ])
      ])
    const rowOf = (row: Row) => {
      const { chainId, currency, explorer, family, id, marks, services } = row
      const isOpen = opened.value === id
      return h(Fragment, { key: id }, [
        h("tr", [
          h("th", { scope: "row" }, [
            h("code", id),
            ...marks.map((mark) => h("span", { class: "network-mark" }, mark))
          ]),
          cell(
            h(
              "button",
              {
                type: "button",
                "aria-expanded": isOpen,
                "aria-label": `${isOpen ? "Hide" : "Show"} the code for ${id}`,
                onClick: () => {
                  opened.value = isOpen ? "" : id
                }
              },
              isOpen ? "Hide" : "Code"
            )
          ),
          cell(family),
          cell(chainId ?? "–"),
          cell(currency),
          cell(services.join(", ") || "–"),
          cell(testnetCell(row)),
          cell(explorer === undefined ? "–" : h("a", { href: explorer }, hostOf(explorer)))
        ]),
        ...(isOpen ? [linesOf(row)] : [])
      ])
    }

    return () =>
      h("div", { class: "networks" }, [
        h("div", { role: "search" }, [
          h("label", { for: "network-query" }, "Find a network"),
          h("input", {
            id: "network-query",
            type: "search",
            placeholder: "polygon, 137, MATIC, solana testnet, nft …",
            autocomplete: "off",
            spellcheck: false,
            value: query.value,
            onInput: ({ target }: Event) => {
              if (target instanceof HTMLInputElement) search(target.value)
            }
          })
        ]),
        h("p", { role: "status" }, `${found.value.length} of ${data.length} networks`),
        h(
          "div",
          { class: "networks-scroll", role: "region", "aria-label": "Table of networks", tabindex: 0 },
          [
            h("table", [
              h("thead", [
                h(
                  "tr",
                  COLUMNS.map((title) => h("th", { scope: "col" }, title))
                )
              ]),
              h("tbody", found.value.map(rowOf))
            ])
          ]
        )
      ])
  }
})
