/** Charts as SVG: a grid of coloured numbers, and horizontal bars. Panels are stacked on a page. Colours are those of the site. */
import { readFileSync } from "node:fs"

const tokens = readFileSync(new URL("../react/playground/tokens.css", import.meta.url), "utf8")

/** A colour of the light theme, which is the first in the file. */
const colour = (name) => {
  const [, value] = new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(tokens) ?? []
  if (value === undefined) throw new Error(`tokens.css has no colour --${name}`)
  return value
}

const FONT = "'Avenir Next', 'Segoe UI', Roboto, system-ui, sans-serif"
const WIDTH = 900
const LEFT = 240
const ROW = 19

export const escape = (text) =>
  String(text).replace(
    /[&<>"']/g,
    (char) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[char]
  )

/** What the page says of text, an element need not say again. */
const usual = { anchor: "start", size: 12, weight: 400, fill: colour("text") }

const attributes = { anchor: "text-anchor", size: "font-size", weight: "font-weight", fill: "fill" }

const write = (x, y, text, style = {}) => {
  const more = Object.entries(style)
    .filter(([key, value]) => value !== usual[key])
    .map(([key, value]) => ` ${attributes[key]}="${value}"`)
  return `<text x="${Number(x.toFixed(1))}" y="${y}"${more.join("")}>${escape(text)}</text>`
}

/** The most letters of a line above a column. */
const MAX_LETTERS = 12

/** A name in lines that fit above a column: a new one after a comma. A word that is too long is broken before a capital. */
const inLines = (name) =>
  name.split(", ").flatMap((part) => {
    const lines = []
    for (const word of part
      .split(" ")
      .flatMap((word) => (word.length > MAX_LETTERS ? word.split(/(?<=[a-z])(?=[A-Z])/) : [word]))) {
      const joined = lines.length === 0 ? word : `${lines.at(-1)} ${word}`
      if (joined.length <= MAX_LETTERS) lines.splice(-1, 1, joined)
      else lines.push(word)
    }
    return lines
  })

const box = (x, y, width, height, fill) =>
  `<rect x="${x}" y="${y}" width="${Number(width.toFixed(1))}" height="${height}" rx="2" fill="${fill}"/>`

/** From red over yellow to green: 0 to 1. */
export const shade = (share) =>
  `hsl(${Math.round(130 * Math.min(1, Math.max(0, share)))} 60% ${share >= 0.999 ? 82 : 86}%)`

const heading = (title, subtitle) => [
  write(0, 16, title, { size: 15, weight: 600 }),
  ...(subtitle === undefined ? [] : [write(0, 33, subtitle, { size: 11, fill: colour("text-3") })])
]

/**
 * A grid: `rows` and `columns` are names, `cell` gives the text of a cell and its share of the best (0 to 1), or undefined
 * for an empty one.
 */
export const grid = ({ title, subtitle, rows, columns, cell }) => {
  const width = (WIDTH - LEFT) / columns.length
  const top = 84
  return {
    height: top + rows.length * ROW + 8,
    body: [
      ...heading(title, subtitle),
      ...columns.flatMap((name, i) =>
        inLines(name).map((line, l, { length }) =>
          write(LEFT + (i + 0.5) * width, top - 7 - 12 * (length - 1 - l), line, {
            anchor: "middle",
            size: 10,
            weight: 600
          })
        )
      ),
      ...rows.flatMap((row, r) => [
        write(LEFT - 10, top + r * ROW + 13, row, { anchor: "end" }),
        ...columns.flatMap((column, c) => {
          const found = cell(row, column)
          if (found === undefined) return []
          return [
            box(LEFT + c * width + 1, top + r * ROW, width - 2, ROW - 2, shade(found.share)),
            write(LEFT + (c + 0.5) * width, top + r * ROW + 13, found.text, { anchor: "middle", size: 11 })
          ]
        })
      ])
    ]
  }
}

/** Bars of `[name, value]` and perhaps a note, the longest as wide as the page; `own` says which names stand out. */
export const bars = ({ title, subtitle, items, unit, own = () => false }) => {
  const top = 46
  const most = Math.max(...items.map(([, value]) => value), Number.MIN_VALUE)
  const space = 90 + 6 * Math.max(0, ...items.map(([, , note = ""]) => note.length))
  const widthOf = (value) => Math.max(1, ((WIDTH - LEFT - space) * value) / most)
  return {
    height: top + items.length * ROW + 8,
    body: [
      ...heading(title, subtitle),
      ...items.flatMap(([name, value, note], i) => [
        write(LEFT - 10, top + i * ROW + 13, name, { anchor: "end", weight: own(name) ? 600 : 400 }),
        box(
          LEFT,
          top + i * ROW + 1,
          widthOf(value),
          ROW - 4,
          own(name) ? colour("accent") : colour("line-2")
        ),
        write(
          LEFT + widthOf(value) + 6,
          top + i * ROW + 13,
          `${value.toLocaleString("en-US", { maximumFractionDigits: 1 })} ${unit}${note === undefined ? "" : ` (${note})`}`,
          { size: 11 }
        )
      ])
    ]
  }
}

/** The panels below each other, and a line about them at the end. */
export const page = (panels, footer) => {
  const margin = 24
  let y = margin
  const parts = panels.map(({ height, body }) => {
    const part = `<g transform="translate(${margin} ${y})">${body.join("")}</g>`
    y += height + 18
    return part
  })
  const height = y + 20
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH + 2 * margin} ${height}" font-family="${FONT}" font-size="${usual.size}" fill="${usual.fill}" role="img">`,
    `<title>${escape(footer)}</title>`,
    `<rect width="100%" height="100%" fill="${colour("surface")}"/>`,
    ...parts,
    `<g transform="translate(${margin} ${y})">${write(0, 4, footer, { size: 10, fill: colour("text-3") })}</g>`,
    "</svg>",
    ""
  ].join("\n")
}
