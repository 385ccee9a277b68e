// Writes the results of the newest benchmark into `docs/sizes.md`, `docs/compare.md` and the first page, and the table of entries into the
// README and `docs/install.md`, between their markers: `node scripts/sizesPage.mjs`.
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const file = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const pageAt = file("docs/sizes.md")
const marks = /(<!-- sizes -->\n)[\s\S]*?(\n<!-- \/sizes -->)/
const indexAt = file("docs/index.md")
const readmeAt = file("README.md")
const installAt = file("docs/install.md")
const entryMarks = /(<!-- entries -->\n)[\s\S]*?(\n<!-- \/entries -->)/

/**
 * The entries of the package, row by row: what they are for, and the packages that have to be installed beside it. A test compares them
 * with what the entries import. `also` are packages that are loaded when they are needed.
 */
export const entryRows = [
  { entries: ["promise"], purpose: "all networks and services, with promises", needs: [] },
  { entries: ["chains/*"], purpose: "the networks of one family", needs: [] },
  { entries: ["evm", "solana", "bitcoin"], purpose: "the calls that you pick", needs: [] },
  {
    entries: [
      "signers/*",
      "signers/permit",
      "signers/staking",
      "signers/policy",
      "signers/proposal",
      "signers/simulate",
      "signers/sweep",
      "accounts/aws-kms",
      "accounts/azure-key-vault",
      "accounts/google-kms",
      "accounts/ledger",
      "accounts/remote",
      "accounts/server"
    ],
    shown: ["signers/*", "accounts/*"],
    purpose: "payments, with keys in a KMS too",
    needs: [],
    also: "[those of the chain](signers.md)"
  },
  { entries: ["contracts"], purpose: "contracts by their ABI", needs: [], also: "`ox`" },
  { entries: ["webhook"], purpose: "what the provider calls", needs: [] },
  { entries: ["cache", "health", "quota"], purpose: "what clients share", needs: [] },
  { entries: ["query"], purpose: "TanStack Query", needs: [], also: "`@tanstack/react-query`" },
  {
    entries: ["networks", "chains", "networks/define", "caip", "address", "identify", "units"],
    purpose: "networks, their ids and amounts",
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
      "effect/signers/permit",
      "effect/signers/staking",
      "effect/signers/policy",
      "effect/signers/proposal",
      "effect/signers/simulate",
      "effect/signers/sweep",
      "effect/contracts",
      "effect/health",
      "effect/http",
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
      "effect4",
      "effect4/chains/*",
      "effect4/evm",
      "effect4/solana",
      "effect4/bitcoin",
      "effect4/http",
      "effect4/signers/*",
      "effect4/signers/permit",
      "effect4/signers/staking",
      "effect4/signers/policy",
      "effect4/signers/proposal",
      "effect4/signers/simulate",
      "effect4/signers/sweep",
      "effect4/contracts",
      "effect4/health",
      "effect4/quota",
      "effect4/caip",
      "effect4/networks/define",
      "effect4/webhook",
      "effect4/react",
      "effect4/react/clients",
      "effect4/react/contracts",
      "effect4/react/data",
      "effect4/react/devtools",
      "effect4/react/persistence",
      "effect4/react/reads",
      "effect4/react/signers"
    ],
    shown: ["effect4", "effect4/*"],
    purpose: "all of that, with Effect 4; `react` for its hooks",
    // what the sources import is Effect 3, which the build replaces
    needs: [],
    also: "[`effect@4`](effect-4.md)"
  },
  {
    entries: [
      "react",
      "react/clients",
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

/** The table of entries as Markdown: README has the short one, the page about installing also says what each is for. */
const entryTable = ({ rows }, isShort) =>
  alignTable([
    ["entries", ...(isShort ? [] : ["for"]), "beside `effect-chains`", "a page loads"],
    ...entryRows.map((row) => [
      (row.shown ?? row.entries)
        .map((entry) => `\`${entry === "." ? "effect-chains" : `/${entry}`}\``)
        .join(", "),
      ...(isShort ? [] : [row.purpose]),
      (isShort ? row.also?.replace("](", "](docs/") : row.also) ??
        (row.needs.map((name) => `\`${name}\``).join(", ") || "nothing"),
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

const readResults = () => JSON.parse(readFileSync(file("bench/results/latest.json"), "utf8"))
const readSizes = () => readResults().sizes

/** The clients of the comparison, by their names in the results: those with default options. */
const compared = [
  ["effect-chains", "`effect-chains`"],
  ["viem fallback, rank", "viem, `fallback` with `rank`"],
  ["viem fallback", "viem, `fallback`"],
  ["ethers FallbackProvider", "ethers, `FallbackProvider`"],
  ["@tatumio/tatum", "`@tatumio/tatum`"]
]

const median = (values) => values.toSorted((one, other) => one - other)[values.length >> 1]

/** What the benchmark says of each client while nodes misbehave, and of its costs, as Markdown. */
const comparison = ({ churn, faults, overhead, startup }) => {
  const first = ({ first, worstFirst }) => (worstFirst === "never" ? "not always" : `${first} ms`)
  const lines = compared.map(([name, shown]) => {
    const rows = faults.rows.filter(({ client, fault }) => client === name && fault !== "healthy")
    const mean = (field) => (rows.reduce((sum, row) => sum + row[field], 0) / rows.length).toFixed(1)
    const of = (part) => part.rows.find(({ client }) => client === name)
    const alone = overhead.rows.find(
      ({ atOnce, client, kind }) => client === name && kind === "distinct" && atOnce === 1
    )
    return [
      shown,
      `${mean("success")} %`,
      `${rows.filter(({ success }) => success >= 99).length} of ${rows.length}`,
      `${Math.round(median(rows.map(({ p99 }) => p99)))} ms`,
      `${mean("extra")} %`,
      // viem's ranking is one of several nodes, which is not what costs a call
      alone === undefined ? "" : `${Math.round(alone.time)} µs`,
      first(of(startup)),
      `${of(churn).heap} MB`
    ]
  })
  const head = [
    "client",
    "correct answers",
    "faults with 99 % correct",
    "p99",
    "extra requests",
    "one call",
    "first answer",
    "1,000 clients leave"
  ]
  const versions = Object.entries(faults.versions)
    .filter(([name]) => /^(viem|ethers|@tatumio\/tatum)$/.test(name))
    .map((pair) => pair.join(" "))
  return [
    `Measured on ${faults.date.slice(0, 10)} (${faults.machine}; ${versions.join(", ")}):`,
    "",
    ...alignTable([head, ...lines])
  ].join("\n")
}

const compareAt = file("docs/compare.md")
const compareMarks = /(<!-- compared -->\n)[\s\S]*?(\n<!-- \/compared -->)/

export const makeComparison = () =>
  readFileSync(compareAt, "utf8").replace(
    compareMarks,
    (_, open, close) => open + comparison(readResults()) + close
  )

/** The pages that the first page of the site shows, from the smallest to the largest of each library. */
const SHOWN = [
  "effect-chains/evm",
  "effect-chains/chains/Solana",
  "effect-chains/promise",
  "effect-chains/react",
  "effect-chains",
  "viem, public client",
  "ethers",
  "@tatumio/tatum"
]

/** The first loads of these pages as Markdown. */
const shortTable = ({ rows }) =>
  alignTable([
    ["page with", "built by esbuild", "built by Vite"],
    ...SHOWN.map((shown) => {
      const row = rows.find(({ form, name }) => form === "first load" && name === shown)
      if (row === undefined) throw new Error(`no size of ${shown} was measured`)
      const name = shown.startsWith("effect-chains") ? `\`${shown}\`` : shown
      return [name, `${row.gzip} kB`, `${row.vite} kB`]
    })
  ]).join("\n")

export const makePage = () =>
  readFileSync(pageAt, "utf8").replace(marks, (_, open, close) => open + table(readSizes()) + close)

export const makeIndex = () =>
  readFileSync(indexAt, "utf8").replace(marks, (_, open, close) => open + shortTable(readSizes()) + close)

export const makeReadme = () =>
  readFileSync(readmeAt, "utf8").replace(
    entryMarks,
    (_, open, close) => open + entryTable(readSizes(), true) + close
  )

export const makeInstall = () =>
  readFileSync(installAt, "utf8").replace(
    entryMarks,
    (_, open, close) => open + entryTable(readSizes(), false) + close
  )

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(pageAt, makePage())
  writeFileSync(indexAt, makeIndex())
  writeFileSync(readmeAt, makeReadme())
  writeFileSync(installAt, makeInstall())
  writeFileSync(compareAt, makeComparison())
}
