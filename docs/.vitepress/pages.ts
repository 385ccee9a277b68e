/** The pages of the site, in the groups of its menu. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { elsewhere, type Members } from "./markdown.js"

const folder = join(import.meta.dirname, "..")

/** Whether the site has the pages of exports, which `scripts/docs.ts` makes unless it is told not to. */
export const hasApi = existsSync(join(folder, "api/index.md")) && !process.argv.includes("--no-api")

/** The members of services in the reference, which `scripts/exports.ts` lists. */
export const members = (): Members =>
  hasApi ? JSON.parse(readFileSync(join(folder, "api/members.json"), "utf8")) : {}

/** Copies the pages that stand elsewhere in the repository to their places in the site, which git does not have. */
export const bringElsewhere = (): void => {
  for (const [source, at] of Object.entries(elsewhere)) {
    mkdirSync(dirname(join(folder, at)), { recursive: true })
    copyFileSync(join(folder, "..", source), join(folder, at))
  }
}

/** Groups in the order of the menu, with their pages. Pages that do not exist are left out. */
const groups = {
  Start: [
    "index",
    "start",
    "tutorial",
    "tutorial-effect",
    "install",
    "choose-a-network",
    "networks",
    "network-ids",
    "compare",
    "glossary"
  ],
  Read: ["recipes", "recipes-chains", "sui", "services", "subscriptions", "contracts"],
  "Accept payments": [
    "accept-payments",
    "confirmations",
    "webhooks",
    "webhook-subscriptions",
    "watchers",
    "fleet/watched"
  ],
  Pay: [
    "signers",
    "signers/capabilities",
    "signers/keys",
    "signers/kms",
    "signers/ledger",
    "signers/permits",
    "signers/policy",
    "signers/private",
    "signers/proposals",
    "signers/simulate",
    "signers/staking",
    "signers/fees",
    "signers/tokens",
    "signers/sweep",
    "signers/nonces",
    "signers/failures",
    "adapters"
  ],
  "Pay by chain": [
    "signers/evm",
    "signers/bitcoin",
    "signers/hd",
    "signers/psbt",
    "signers/solana",
    "signers/tron",
    "signers/ton",
    "signers/xrp",
    "signers/stellar",
    "signers/cosmos",
    "signers/algorand",
    "signers/tezos"
  ],
  "Pay with a fleet": ["fleet", "fleet/chains", "fleet/deploy", "fleet/operate", "fleet/health"],
  React: [
    "react",
    "react/wallet",
    "react/contracts",
    "react/lists",
    "react/cache",
    "react/server",
    "react/testing",
    "react/hooks",
    "react/tanstack-query",
    "react/from-wagmi"
  ],
  Run: [
    "production",
    "troubleshooting",
    "own-nodes",
    "balancer",
    "configuration",
    "errors",
    "cache",
    "quota",
    "observability",
    "runtimes",
    "sizes",
    "define-network",
    "extensions",
    "cli"
  ],
  Effect: ["effect", "effect-4"],
  Test: ["testing", "sandbox"],
  Reference: ["api/index", "security", "promises", "versions"],
  Move: [] as ReadonlyArray<string>,
  Project: ["architecture", "project/contributing", "project/tests", "project/scripts", "project/benchmarks"]
} satisfies Readonly<Record<string, ReadonlyArray<string>>>

/** A page: its path without `.md`, its title, and its first paragraph as one line of text. */
export interface SitePage {
  readonly path: string
  readonly title: string
  readonly summary: string
}

const plain = (markdown: string): string =>
  markdown
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replace(/[`*_]/g, "")
    .replace(/\s+/g, " ")
    .trim()

const read = (path: string): SitePage => {
  const text = readFileSync(join(folder, `${path}.md`), "utf8").replace(/^---\n[\s\S]*?\n---\n/, "")
  const [, title = path] = /^# (.+)$/m.exec(text) ?? []
  const summary = text
    .replace(/^```[\s\S]*?^```$/gm, "")
    .split(/\n{2,}/)
    .find((paragraph) => /^[A-Z`[*]/.test(paragraph.trim()))
  return { path, title: plain(title), summary: plain(summary ?? "") }
}

/** The page of each error, to which the table of all errors leads: the menu has none of them. */
export const errorPages = (): ReadonlyArray<SitePage> =>
  readdirSync(join(folder, "errors")).map((file) => read(`errors/${file.slice(0, -".md".length)}`))

/** The groups with the pages that exist. A page that no group names stands under `Move` if it tells of a move, else under `Reference`. */
export const menu = (): ReadonlyArray<{ readonly text: string; readonly pages: ReadonlyArray<SitePage> }> => {
  const named = new Set<string>(Object.values(groups).flat())
  const others = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".md") && !/^(\.vitepress|api|errors|project)\//.test(name))
    .map((name) => name.slice(0, -".md".length))
    .filter((name) => !named.has(name))
  const more = (isMove: boolean) => others.filter((name) => name.startsWith("migrat") === isMove)
  return Object.entries({
    ...groups,
    Reference: [...groups.Reference, ...more(false)],
    Move: more(true)
  })
    .map(([text, paths]) => ({
      text,
      pages: paths
        .filter((path) => (path === "api/index" ? hasApi : existsSync(join(folder, `${path}.md`))))
        .map(read)
    }))
    .filter(({ pages }) => pages.length > 0)
}
