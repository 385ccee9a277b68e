/** What the codemod for `@tatumio/tatum` does with single lines, each of which once broke silently. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type MigratedFile, migrate } from "../../src/cli/migrate/index.js"
import { UserProject } from "./programs.js"

const head = `import { Bitcoin, Ethereum, MetaMask, Network, Status, TatumConfig, TatumSDK, Tron } from '@tatumio/tatum'
declare const address: string
declare const tatum: Ethereum
declare const tron: Tron
declare const bitcoin: Bitcoin
`

interface Case {
  readonly name: string
  readonly code: string
  readonly becomes: string
}

const cases: ReadonlyArray<Case> = [
  {
    name: "a number of an amount",
    code: "export const n = async () => (await tatum.rpc.blockNumber()).result!.toNumber()",
    becomes: "export const n = async () => Number(getOrThrow(await tatum.rpc.blockNumber()))"
  },
  {
    name: "arithmetic of an amount",
    code: "export const e = async () => (await tatum.rpc.getBalance(address)).result!.times(2)",
    becomes: "new BigNumber(String(getOrThrow(await tatum.rpc.getBalance(address)))).times(2)"
  },
  {
    name: "an amount that becomes JSON",
    code: "export const j = async () => JSON.stringify({ wei: (await tatum.rpc.getBalance(address)).result })",
    becomes: "JSON.stringify({ wei: new BigNumber(String(getOrThrow(await tatum.rpc.getBalance(address)))) })"
  },
  {
    name: "results out of Promise.all",
    code: "export const all = async () => {\n  const [{ result: a }, b] = await Promise.all([tatum.rpc.getCode(address), tatum.rpc.getCode(address)])\n  return [a, b.result]\n}",
    becomes:
      "  const [a, b] = await Promise.all([tatum.rpc.getCode(address).then(getOrThrow), tatum.rpc.getCode(address)])\n  return [a, getOrThrow(b)]"
  },
  {
    name: "a call in try and catch",
    code: "export const t = async () => {\n  try {\n    const { result } = await tatum.rpc.getCode(address)\n    return result\n  } catch {\n    return undefined\n  }\n}",
    becomes: "    const result = getOrThrow(await tatum.rpc.getCode(address))\n    return result"
  },
  {
    name: "a value that was thrown or returned",
    code: "export const v = () => tron.rpc.getNowBlock().then((block) => block.block_header).catch(() => undefined)",
    becomes:
      "tron.rpc.getNowBlock().then(getOrThrow).then((block) => block.block_header).catch(() => undefined)"
  },
  {
    name: "a try around an answer that is looked at",
    code: "export const l = async () => {\n  try {\n    const answer = await bitcoin.rpc.getBlockCount()\n    return answer.error ? undefined : answer.result\n  } catch {\n    return 0\n  }\n}",
    becomes:
      "  // effect-chains migrate: a call that fails does not throw: look at the `status` of its result, since this `catch` does not see it\n  try {\n    const answer = await bitcoin.rpc.getBlockCount()\n    return answer.error ? undefined : answer.data"
  },
  {
    name: "a configuration with its network",
    code: "const config: TatumConfig = { network: Network.ETHEREUM }\nexport const c = () => TatumSDK.init<Ethereum>(config)",
    becomes:
      "const config: InitConfig<'ethereum-mainnet', 'eventual'> = { network: 'ethereum-mainnet' }\nexport const c = () => init(config)"
  },
  {
    name: "a configuration without one",
    code: "export const w = (config: TatumConfig) => TatumSDK.init<Tron>(config)",
    becomes: "this type does not know the network"
  },
  {
    name: "the browser's wallet",
    code: "export const m = async () => (await tatum.walletProvider.use(MetaMask).getWallet()).toLowerCase()",
    becomes: "(getOrThrow(await tatum.wallet.getWallet())).toLowerCase()"
  },
  {
    name: "heights",
    code: "export const h = async (at: number) => [(await tatum.rpc.getCode(address, 16)).result, (await tatum.rpc.getCode(address, at)).result]",
    becomes:
      "[getOrThrow(await tatum.rpc.getCode(address, 16n)), getOrThrow(await tatum.rpc.getCode(address, BigInt(at)))]"
  },
  {
    name: "content that is used without a look at the status",
    code: "export const d = async () => (await tatum.address.getBalance({ addresses: [address] })).data.length",
    becomes: "getOrThrow(await tatum.address.getBalance({ addresses: [address] })).length"
  },
  {
    name: "content after a look at the status",
    code: "export const s = async () => {\n  const { data, status } = await tatum.rates.getCurrentRate('ETH', 'EUR')\n  return status === Status.SUCCESS ? data.value : undefined\n}",
    becomes:
      "  const { data, status } = await tatum.rates.getCurrentRate('ETH', 'EUR')\n  return status === 'SUCCESS' ? data.value : undefined"
  }
]

/** A program with semicolons, double quotes, Windows's ends of lines, and a name that the rewrite wants for itself. */
const style = {
  path: "style.ts",
  text: 'import { TatumSDK, Network, Ethereum } from "@tatumio/tatum";\r\nconst init = 1;\r\nconst  tatum = await TatumSDK.init<Ethereum>( { network: Network.ETHEREUM } );\r\nconsole.log( init );\r\nawait tatum.rpc.destroy();\r\n'
}

/** A file that does not name the package, and uses what another one returns: a list, which has a type of the language. */
const holder = {
  path: "holder.ts",
  text: `${head}\nexport const balancesOf = () => tatum.address.getBalance({ addresses: [address] })\n`
}
const reader = {
  path: "reader.ts",
  text: 'import { balancesOf } from "./holder.js"\nexport const first = async () => {\n  const { data, error } = await balancesOf()\n  if (error) console.error(error.message)\n  return data[0].balance\n}\n'
}

const broken = {
  path: "broken.ts",
  text: "import { TatumSDK } from '@tatumio/tatum'\nconst = TatumSDK\n"
}

describe("the codemod for @tatumio/tatum", () => {
  let project: UserProject
  const files = [
    ...cases.map(({ code }, at) => ({ path: `case${at}.ts`, text: `${head}\n${code}\n` })),
    style,
    holder,
    reader,
    broken
  ]
  let migrated: ReadonlyArray<MigratedFile> = []
  const textOf = (at: number): string => migrated[at]?.text ?? ""

  // one program for all: most of its time goes into the types of both packages
  beforeAll(() => {
    project = new UserProject(files)
    migrated = migrate(project.at(files), "@tatumio/tatum")
  })
  afterAll(() => project[Symbol.dispose]())

  it.each(cases.map((each, at) => ({ ...each, at })))("rewrites $name", ({ at, becomes }) => {
    expect(textOf(at)).toContain(becomes)
    expect(textOf(at)).not.toContain(";\n")
  })

  it("keeps the style of a program: semicolons, quotes, ends of lines, and what nobody wrote for it", () => {
    expect(textOf(files.indexOf(style))).toBe(
      'import { init as initClient } from "effect-chains/promise";\r\nconst init = 1;\r\nconst  tatum = await initClient( { network: "ethereum-mainnet" } );\r\nconsole.log( init );\r\nawait tatum.destroy();\r\n'
    )
  })

  it("marks what no longer compiles in files that do not name the package", () => {
    expect(textOf(files.indexOf(reader))).toMatch(
      /effect-chains migrate: .*null.*\n {2}return data\[0\]\.balance/
    )
  })

  it("says what it cannot read, and names no page", () => {
    expect(migrated[files.indexOf(broken)]).toMatchObject({
      text: broken.text,
      notes: [{ line: 1, message: expect.stringContaining("it cannot be read") }]
    })
    expect(migrated.map(({ text }) => text).join("\n")).not.toContain(".md")
  })
})
