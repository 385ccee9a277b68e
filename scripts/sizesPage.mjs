// Writes the results of the newest benchmark into `docs/sizes.md`, and the table of entries into the README, between
// their markers: `node scripts/sizesPage.mjs`.
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const file = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const pageAt = file("docs/sizes.md")
const marks = /(<!-- sizes -->\n)[\s\S]*?(\n<!-- \/sizes -->)/
const readmeAt = file("README.md")
const readmeMarks = /(<!-- entries -->\n)[\s\S]*?(\n<!-- \/entries -->)/

/**
 * The entries of the package, row by row: what they are for, and the packages that have to be installed beside it. A test compares them
 * with what the entries import. `also` are packages that are loaded when they are needed.
 */
export const entryRows = [
  { entries: ["promise"], purpose: "all networks and services, with promises", needs: [] },
  { entries: ["chains/*"], purpose: "the networks of one family", needs: [] },
  { entries: ["evm", "solana", "bitcoin"], purpose: "the calls that you pick", needs: [] },
  { entries: ["signers/*"], purpose: "payments", needs: [], also: "[those of the chain](docs/signers.md)" },
  { entries: ["contracts"], purpose: "contracts by their ABI", needs: [], also: "`ox`" },
  { entries: ["webhook"], purpose: "what the provider calls", needs: [] },
  { entries: ["cache", "health", "quota"], purpose: "what clients share", needs: [] },
  { entries: ["query"], purpose: "TanStack Query", needs: [], also: "`@tanstack/react-query`" },
  {
    entries: ["networks", "chains", "networks/define", "caip", "address", "identify"],
    purpose: "networks and their ids",
    needs: []
  },
  {
    entries: ["."],
    purpose: "all networks and services, with Effect",
    needs: ["effect", "@effect/platform"]
  },
  {
    entries: [
      "effect/chains/*",
      "effect/evm",
      "effect/solana",
      "effect/bitcoin",
      "effect/signers/*",
      "effect/contracts",
      "effect/health",
      "effect/quota",
      "effect/caip",
      "effect/networks/define"
    ],
    shown: ["effect/*"],
    purpose: "the same parts, with Effect",
    needs: ["effect"]
  },
  {
    entries: [
      "react",
      "react/contracts",
      "react/data",
      "react/devtools",
      "react/persistence",
      "react/reads",
      "react/signers"
    ],
    shown: ["react", "react/*"],
    purpose: "hooks",
    needs: ["effect", "@effect/platform", "@effect-rx/rx-react", "react"]
  },
  {
    entries: ["sandbox", "sandbox/client"],
    purpose: "the sandbox in programs",
    needs: ["effect", "@effect/platform"]
  }
]

/** Columns of the same width, as the formatter has them. */
const alignTable = (lines) => {
  const widths = lines[0].map((_, i) => Math.max(...lines.map((line) => line[i].length)))
  const row = (line) => `| ${line.map((text, i) => text.padEnd(widths[i])).join(" | ")} |`
  return [
    row(lines[0]),
    `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`,
    ...lines.slice(1).map(row)
  ]
}

/** The sizes of a row's entries that were measured, from the least to the most. */
const sizeOf = ({ entries }, rows) => {
  const names = entries.map((entry) => (entry === "." ? "effect-chains" : `effect-chains/${entry}`))
  const isOf = (name) =>
    names.some((each) => each === name || (each.endsWith("*") && name.startsWith(each.slice(0, -1))))
  const sizes = rows
    .filter(({ form, name }) => form === "first load" && isOf(name))
    .map(({ gzip }) => Math.ceil(gzip))
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)]
  return sizes.length === 0 ? "" : least === most ? `${most} kB` : `${least} to ${most} kB`
}

/** The table of entries as Markdown. */
const entryTable = ({ rows }) =>
  alignTable([
    ["entries", "for", "beside `effect-chains`", "a page loads"],
    ...entryRows.map((row) => [
      (row.shown ?? row.entries)
        .map((entry) => `\`${entry === "." ? "effect-chains" : `/${entry}`}\``)
        .join(", "),
      row.purpose,
      row.also ?? (row.needs.map((name) => `\`${name}\``).join(", ") || "nothing"),
      sizeOf(row, rows)
    ])
  ]).join("\n")

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
  return [
    `In kB after gzip, measured on ${date.slice(0, 10)} (${machine}; Effect ${versions.effect}):`,
    "",
    ...alignTable(lines)
  ].join("\n")
}

const readSizes = () => JSON.parse(readFileSync(file("bench/results/latest.json"), "utf8")).sizes

export const makePage = () =>
  readFileSync(pageAt, "utf8").replace(marks, (_, open, close) => open + table(readSizes()) + close)

export const makeReadme = () =>
  readFileSync(readmeAt, "utf8").replace(
    readmeMarks,
    (_, open, close) => open + entryTable(readSizes()) + close
  )

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(pageAt, makePage())
  writeFileSync(readmeAt, makeReadme())
}
