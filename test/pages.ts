/** The pages of the docs: the tests compile and run their code blocks, and follow their links. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

const root = dirname(import.meta.dirname)

/** A block of code, and where it stands: `docs/react.md:12`. */
export interface Block {
  readonly at: string
  readonly kind: "ts" | "tsx"
  readonly code: string
}

/** A page: its path from the root of the project, and its text. */
export interface Page {
  readonly path: string
  readonly text: string
}

export const page = (path: string): Page => ({ path, text: readFileSync(join(root, path), "utf8") })

/** README and all of `docs`. */
export const pages: ReadonlyArray<Page> = [
  "README.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`)
].map(page)

export const blocksOf = ({ path, text }: Page): ReadonlyArray<Block> =>
  Array.from(text.matchAll(/^```(tsx?)\n([\s\S]*?)^```$/gm), ({ 1: kind, 2: code = "", index }) => ({
    at: `${path}:${text.slice(0, index).split("\n").length}`,
    kind: kind === "tsx" ? "tsx" : "ts",
    code
  }))

/** Where the package's entry points have their sources. */
export const sources = {
  "effect-chains": "./src/index.ts",
  "effect-chains/promise": "./src/promise.ts",
  "effect-chains/networks": "./src/data/networks.ts",
  "effect-chains/chains": "./src/data/rows.ts",
  "effect-chains/evm": "./src/pick/evm.ts",
  "effect-chains/effect/evm": "./src/pick/effect/evm.ts",
  "effect-chains/solana": "./src/pick/solana.ts",
  "effect-chains/effect/solana": "./src/pick/effect/solana.ts",
  "effect-chains/react": "./react/index.ts",
  "effect-chains/react/contracts": "./react/contracts.ts",
  "effect-chains/react/devtools": "./react/devtools.tsx",
  "effect-chains/react/persistence": "./react/persistence.ts",
  "effect-chains/react/reads": "./react/reads.ts",
  "effect-chains/react/signers": "./react/signers.ts",
  "effect-chains/query": "./react/query.ts",
  "effect-chains/sandbox": "./src/sandbox/index.ts",
  "effect-chains/sandbox/client": "./src/sandbox/Client.ts",
  "effect-chains/webhook": "./src/webhook.ts",
  "effect-chains/cache": "./src/cache.ts",
  "effect-chains/effect/health": "./src/balancer/Hints.ts",
  "effect-chains/health": "./src/health.ts",
  "effect-chains/quota": "./src/quota.ts",
  "effect-chains/effect/quota": "./src/transport/Quota.ts",
  "effect-chains/contracts": "./src/contracts.ts",
  "effect-chains/effect/contracts": "./src/contracts/index.ts",
  "effect-chains/chains/*": "./src/entries/*.ts",
  "effect-chains/effect/chains/*": "./src/entries/effect/*.ts",
  "effect-chains/signers/*": "./src/entries/signers/*.ts",
  "effect-chains/effect/signers/*": "./src/entries/effect/signers/*.ts",
  "@effect-chains/fleet": "./packages/fleet/src/index.ts",
  "@effect-chains/fleet/cache": "./packages/fleet/src/Cache.ts",
  "@effect-chains/fleet/evm": "./packages/fleet/src/EvmTransactions.ts",
  "@effect-chains/fleet/libsql": "./packages/fleet/src/Libsql.ts",
  "@effect-chains/fleet/postgres": "./packages/fleet/src/Postgres.ts",
  "@effect-chains/fleet/health": "./packages/fleet/src/Health.ts",
  "@effect-chains/fleet/quota": "./packages/fleet/src/Quota.ts",
  "@effect-chains/fleet/retention": "./packages/fleet/src/Retention.ts",
  "@effect-chains/fleet/solana": "./packages/fleet/src/SolanaTransactions.ts",
  "@effect-chains/fleet/watcher/bitcoin": "./packages/fleet/src/BitcoinWatcher.ts",
  "@effect-chains/fleet/watcher/evm": "./packages/fleet/src/EvmWatcher.ts",
  "@effect-chains/fleet/watcher/solana": "./packages/fleet/src/SolanaWatcher.ts"
}

const paths = {
  ...Object.fromEntries(Object.entries(sources).map(([name, path]) => [name, [join(root, path)]])),
  // its double, whose types are those of the declarations: the package itself is under a licence of its maker
  "@walletconnect/ethereum-provider": [join(root, "test/react/walletconnect.ts")]
}

const compiler = join(root, "node_modules", "ts7", "bin", "tsc")

/** What the compiler says of code blocks, each as a file of its own, by where the block stands. */
export const compile = (blocks: ReadonlyArray<Block>): ReadonlyArray<string> => {
  const folder = mkdtempSync(join(root, "node_modules", ".docs-"))
  try {
    const names = blocks.map(({ at, kind }) => `${at.replace(/\W/g, "-")}.${kind}`)
    for (const [i, { code }] of blocks.entries())
      writeFileSync(join(folder, names[i] ?? ""), `${code}\nexport {}\n`)
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        extends: join(root, "tsconfig.json"),
        compilerOptions: { paths },
        files: names,
        include: []
      })
    )
    const { stdout } = spawnSync(process.execPath, [compiler, "-p", folder, "--pretty", "false"], {
      encoding: "utf8",
      cwd: folder
    })
    return stdout.split("\n").filter((line) => line !== "")
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```$/gm, "")

/** The anchors of a page's headings, as hosts of Markdown make them: small letters, hyphens for spaces, no other signs. */
export const anchorsOf = ({ text }: Page): ReadonlyArray<string> =>
  Array.from(withoutCode(text).matchAll(/^#{1,6} (.+)$/gm), ([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-")
  )

/** Where a page's links and pictures lead. */
export const linksOf = ({ text }: Page): ReadonlyArray<string> => {
  const prose = withoutCode(text)
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g), ...prose.matchAll(/\bsrc="([^"]+)"/g)].map(
    ([, target = ""]) => target
  )
}
