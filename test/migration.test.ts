import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { cachedMethods } from "../scripts/methods.js"
import { equivalentOf, exported, movedBy, pageOf, prelude } from "../scripts/migration.js"
import tatum from "../src/cli/migrate/tatum.json" with { type: "json" }
import { info, isNetwork } from "../src/data/Network.js"
import { type Block, compile, page } from "./pages.js"

const root = join(import.meta.dirname, "..")
const methods = cachedMethods(root)
const moved = movedBy(methods)
const names = exported.flatMap(([, each]) => each)

/** What the compiler says of lines of code, by the lines that it says it of. */
const refused = (prelude: string, lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const block: Block = { at: "lines", kind: "ts", code: [prelude.trim(), ...lines].join("\n") }
  const before = prelude.trim().split("\n").length
  return compile([block]).flatMap((problem) => {
    // a row need not use all of what stands over it
    if (/error TS(6133|6192)/.test(problem)) return []
    const at = Number(/\((\d+),/.exec(problem)?.[1])
    return [`${lines[at - before - 1] ?? "over the lines"}: ${problem}`]
  })
}

describe("the table of @tatumio/tatum", () => {
  it("is what the vectors, the exceptions and the sources say", () => {
    expect(readFileSync(join(root, "docs/migration/tatum.md"), "utf8")).toBe(pageOf(methods))
  })

  it("has every method that the vectors call, and each of them is in the tables of endpoints", () => {
    const vectors = ["rpc", "services", "wallet"].flatMap((name) =>
      JSON.parse(readFileSync(join(root, `test/conformance/vectors/${name}.json`), "utf8"))
    )
    const called = new Set(
      vectors
        .filter(({ network }) => isNetwork(network))
        .map(({ network, target }) =>
          target.startsWith("rpc.") ? `${info(network).family} ${target}` : `services ${target}`
        )
    )
    const told = [...moved].flatMap(([group, each]) => [...each.keys()].map((target) => `${group} ${target}`))
    expect(told.length).toBeGreaterThan(1_200)
    expect([...called].filter((each) => !told.includes(each) && !each.includes("TatumSDK."))).toEqual([])
    const missing = [...moved].flatMap(([group, each]) =>
      [...each.values()].filter(({ here }) => here === undefined).map(({ target }) => `${group} ${target}`)
    )
    expect(missing).toEqual([])
  })

  it("has every method that the declarations of its clients have", () => {
    const suites: Readonly<Record<string, Readonly<Record<string, string>>>> = tatum.suites
    // `FullSdk` is the class of networks that have none, with members that these lack
    const declared = Object.entries(tatum.clients)
      .filter(([name]) => name !== "FullSdk")
      .flatMap(([, { members, networks }]) =>
        networks
          .split(" ")
          .filter(isNetwork)
          // it gives Avalanche's P- and X-Chain the class of the C-Chain, whose calls they do not have
          .filter((network) => !/^avax-[px]-/.test(network))
          .flatMap((network) => {
            const { family } = info(network)
            return Object.entries(members).flatMap(([member, suite]) =>
              Object.values(suites[suite] ?? {})
                .flatMap((paths) => paths.split(" "))
                .map((path) =>
                  member === "rpc" ? [family, `rpc.${path}`] : ["services", `${member}.${path}`]
                )
            )
          })
      )
    expect(declared.length).toBeGreaterThan(3_000)
    const untold = new Set(
      declared
        .filter(([group = "", target = ""]) => moved.get(group)?.has(target) !== true)
        .map((each) => each.join(" "))
    )
    // ends of clients are in the guide
    expect(
      [...untold].filter((each) => !/ rpc\.(destroy|getRpcNodeUrl|init|genericRpc\..*)$/.test(each))
    ).toEqual([])
  })

  it("has an equivalent of every export, and what is one compiles", { timeout: 120_000 }, () => {
    expect(names).toHaveLength(414)
    expect(new Set(names).size).toBe(414)
    const found = names.map((name) => equivalentOf(name))
    expect(names.filter((_, at) => found[at] === undefined)).toEqual([])
    const lines = found.flatMap((each) =>
      each === undefined || each.kind === "none"
        ? []
        : [
            each.kind === "type"
              ? `export type T${each.name} = ${each.code}`
              : `export const V${each.name} = ${each.code}`
          ]
    )
    expect(lines.length).toBeGreaterThan(360)
    // a name that is not there is refused, and nothing else
    const problems = refused(prelude, [...lines, "export const no = Sdk.Network.isNothing"])
    expect(problems).toEqual([expect.stringContaining("'isNothing' does not exist")])
  })
})

/** The rows of the table under a heading, as their code. */
const pairs = (heading: string): ReadonlyArray<readonly [string, string]> => {
  const [, section = ""] = page("docs/migration.md").text.split(`\n## ${heading}\n`)
  return [...(section.split("\n## ")[0] ?? "").matchAll(/^\| `(.+?)`\s*\| `(.+?)`\s*\|$/gm)].map(
    ([, one = "", other = ""]) => [one, other]
  )
}

const ours = `
import { contract, lookupAddress, multicall, resolveName, verifyMessage VERIFY } from "effect-chains/contracts"
import { init, type PromiseSdk } from "effect-chains/promise"
import { signer as makeSigner } from "effect-chains/signers/Evm"
import { Units } from "effect-chains"
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

describe("the tables of viem and ethers", () => {
  it.each(["viem", "ethers"] as const)(
    "have equivalents of %s that exist, as what they stand for does",
    { timeout: 120_000 },
    (library) => {
      const rows = pairs(`From ${library}`)
      expect(rows.length).toBeGreaterThan(25)
      const verify = library === "ethers" ? "as verifyOnChain" : ""
      const declared = `${ours.replace("VERIFY", verify).trim()}\n${theirs[library].trim()}`
      const lines = [...rows.flat(), "sdk.rpc.getBalances(address)"].map((code) => `void ${code}`)
      // a name that is not there is refused, and nothing else
      expect(refused(declared, lines)).toEqual([expect.stringContaining("'getBalances' does not exist")])
    }
  )
})
