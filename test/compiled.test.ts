/** Code that pages show and tools write compiles against the sources: one run of the compiler for all of it. */
import { beforeAll, describe, expect, it } from "vitest"
import { exported, findEquivalent, PRELUDE } from "../scripts/migration.js"
import { migrate } from "../src/cli/migrate/index.js"
import { libraryPrograms } from "./migrated.js"
import { type Block, compile, listBlocks, type Problem, pages, readPage } from "./pages.js"

/** Lines of code, each of which has to compile after the same declarations. */
interface Lines {
  readonly at: string
  readonly declared: string
  readonly lines: ReadonlyArray<string>
}

const blockOf = ({ at, declared, lines }: Lines): Block => ({
  at,
  kind: "ts",
  code: [declared.trim(), ...lines].join("\n")
})

/** Exports of the incumbent, as what stands for them here; a last line names what is not there. */
const equivalents: Lines = {
  at: "exports of @tatumio/tatum",
  declared: PRELUDE,
  lines: [
    ...exported
      .flatMap(([, names]) => names)
      .flatMap((name) => {
        const found = findEquivalent(name)
        if (found === undefined || found.kind === "none") return []
        return found.kind === "type"
          ? [`export type T${found.name} = ${found.code}`]
          : [`export const V${found.name} = ${found.code}`]
      }),
    "export const no = Sdk.Network.isNothing"
  ]
}

/** The rows of the table under a heading, as their code. */
const pairs = (heading: string): ReadonlyArray<readonly [string, string]> => {
  const [, section = ""] = readPage("docs/migration.md").text.split(`\n## ${heading}\n`)
  return [...(section.split("\n## ")[0] ?? "").matchAll(/^\| `(.+?)`\s*\| `(.+?)`\s*\|$/gm)].map(
    ([, one = "", other = ""]) => [one, other]
  )
}

const ours = `
import { contract, lookupAddress, multicall, resolveName, verifyMessage VERIFY } from "effect-chains/contracts"
import { init, type PromiseSdk } from "effect-chains/promise"
import { signer as makeSigner } from "effect-chains/signers/Evm"
import { formatUnits, parseUnits } from "effect-chains/promise"
declare const sdk: PromiseSdk<"ethereum-mainnet">
declare const signer: Extract<Awaited<ReturnType<typeof makeSigner>>, { status: "SUCCESS" }>["data"]
const network = "ethereum-mainnet"
declare const [address, hash, signature]: readonly [\`0x\${string}\`, \`0x\${string}\`, \`0x\${string}\`]
declare const [message, mnemonic, name]: readonly [string, string, string]
const abi = [
  { type: "function", name: "balanceOf", stateMutability: "view", inputs: [{ name: "owner", type: "address" }], outputs: [{ type: "uint256" }] },
  { type: "function", name: "symbol", stateMutability: "view", inputs: [], outputs: [{ type: "string" }] },
  { type: "function", name: "transfer", stateMutability: "nonpayable", inputs: [{ name: "to", type: "address" }, { name: "value", type: "uint256" }], outputs: [{ type: "bool" }] },
  { type: "event", name: "Transfer", inputs: [{ name: "from", type: "address", indexed: true }, { name: "to", type: "address", indexed: true }, { name: "value", type: "uint256" }] }
] as const
const [onBlock, onLogs, onTransactions, onLog] = [() => {}, () => {}, () => {}, () => {}]
`

const theirs = {
  viem: `
import { fallback, formatEther, http, type PublicClient, parseEther, type WalletClient, type Transport, type Chain, type Account } from "viem"
import { mnemonicToAccount, privateKeyToAccount } from "viem/accounts"
declare const client: PublicClient
declare const wallet: WalletClient<Transport, Chain, Account>
`,
  ethers: `
import { Contract, FallbackProvider, formatEther, JsonRpcProvider, parseEther, verifyMessage, Wallet } from "ethers"
declare const provider: JsonRpcProvider
declare const wallet: Wallet
`
}

const tableOf = (library: keyof typeof theirs): Lines => ({
  at: `table of ${library}`,
  declared: `${ours.replace("VERIFY", library === "ethers" ? "as verifyOnChain" : "").trim()}\n${theirs[library].trim()}`,
  lines: [...pairs(`From ${library}`).flat(), "sdk.rpc.getBalances(address)"].map((code) => `void ${code}`)
})

const tables = { viem: tableOf("viem"), ethers: tableOf("ethers") }

const migrated = libraryPrograms.flatMap(({ from, name, text }) =>
  migrate([{ path: "app.ts", text }], from).map((file): Block => ({ at: name, kind: "ts", code: file.text }))
)

describe("code that is shown or written", () => {
  const ofPages = pages.flatMap(listBlocks)
  let problems: ReadonlyArray<Problem> = []

  beforeAll(() => {
    problems = compile([...ofPages, ...migrated, ...[equivalents, tables.viem, tables.ethers].map(blockOf)])
  })

  const of = (blocks: ReadonlyArray<Block>): ReadonlyArray<Problem> =>
    problems.filter((problem) => blocks.some(({ at }) => problem.at === at))

  /** What the compiler refuses of lines, which need not use all that is declared over them. */
  const refused = ({ at, declared, lines }: Lines): ReadonlyArray<string> => {
    const before = declared.trim().split("\n").length
    return problems.flatMap((problem) =>
      problem.at !== at || /^error TS(6133|6192)/.test(problem.message)
        ? []
        : [`${lines[problem.line - before - 1] ?? "over the lines"}: ${problem.message}`]
    )
  }

  it("has no complaint of the compiler outside of it", () => {
    const known = new Set([...ofPages, ...migrated].map(({ at }) => at))
    for (const { at } of [equivalents, tables.viem, tables.ethers]) known.add(at)
    expect(problems.filter(({ at }) => !known.has(at))).toEqual([])
  })

  it("compiles as it stands on the pages", () => {
    expect(ofPages.length).toBeGreaterThan(20)
    expect(of(ofPages)).toEqual([])
  })

  it("compiles as the codemods write it", () => {
    expect(migrated).toHaveLength(libraryPrograms.length)
    expect(of(migrated)).toEqual([])
  })

  it("compiles in place of the exports of @tatumio/tatum", () => {
    expect(equivalents.lines.length).toBeGreaterThan(360)
    // a name that is not there is refused, and nothing else
    expect(refused(equivalents)).toEqual([expect.stringContaining("'isNothing' does not exist")])
  })

  it.each(["viem", "ethers"] as const)("compiles beside what it stands for in %s", (library) => {
    expect(tables[library].lines.length).toBeGreaterThan(50)
    expect(refused(tables[library])).toEqual([expect.stringContaining("'getBalances' does not exist")])
  })
})
