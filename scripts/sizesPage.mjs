// Writes the results of the newest benchmark into `docs/sizes.md`, between its markers: `node scripts/sizesPage.mjs`.
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const file = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const pageAt = file("docs/sizes.md")
const marks = /(<!-- sizes -->\n)[\s\S]*?(\n<!-- \/sizes -->)/

/** The table of sizes as Markdown, with its columns aligned, from the results of `npm run bench -- sizes`. */
const table = ({ date, machine, rows, versions }) => {
  const names = [...new Set(rows.map(({ name }) => name))]
  const cell = (name, form, field) =>
    String(rows.find((row) => row.name === name && row.form === form)?.[field] ?? "")
  const formatName = (name) => {
    const version = versions[/^[^,]+/.exec(name)?.[0] ?? ""]
    return name.includes("effect-chains")
      ? `\`${name}\``
      : `${name}${version === undefined ? "" : ` ${version}`}`
  }
  const lines = [
    ["page with", "first load, esbuild", "first load, Vite", "one file, esbuild", "one file, Vite"],
    ...names.map((name) => [
      formatName(name),
      ...["first load", "one file"].flatMap((form) => [cell(name, form, "gzip"), cell(name, form, "vite")])
    ])
  ]
  const widths = lines[0].map((_, i) => Math.max(...lines.map((line) => line[i].length)))
  const row = (line) => `| ${line.map((text, i) => text.padEnd(widths[i])).join(" | ")} |`
  return [
    `In kB after gzip, measured on ${date.slice(0, 10)} (${machine}; Effect ${versions.effect}):`,
    "",
    row(lines[0]),
    `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`,
    ...lines.slice(1).map(row)
  ].join("\n")
}

export const makePage = () => {
  const { sizes } = JSON.parse(readFileSync(file("bench/results/latest.json"), "utf8"))
  return readFileSync(pageAt, "utf8").replace(marks, (_, open, close) => open + table(sizes) + close)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(pageAt, makePage())
