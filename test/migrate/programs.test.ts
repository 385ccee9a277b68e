/** Twenty programs of users of `@tatumio/tatum`: what comes out compiles or has a mark, and twice is once. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type MigratedFile, migrate } from "../../src/cli/migrate/index.js"
import { isMarked, listFiles, type Problem, type ProgramFile, programs, UserProject } from "./programs.js"

const files = programs.flatMap(listFiles)

/** The number of marks of each program. One that changes is to be looked at: fewer are better. */
const MARKS: Readonly<Record<string, number>> = {
  api: 1,
  batch: 3,
  commonjs: 1,
  component: 0,
  cron: 1,
  dynamic: 1,
  explorer: 1,
  gallery: 0,
  ipfs: 2,
  loose: 2,
  monitor: 2,
  nest: 2,
  notifier: 2,
  payments: 0,
  portfolio: 1,
  service: 0,
  sweeper: 4,
  tron: 2,
  utils: 3,
  wallets: 7
}

/** What each program has after the rewrite, and what it has no more. */
const EXPECTED: Readonly<
  Record<string, { readonly has: ReadonlyArray<string>; readonly lacks?: ReadonlyArray<string> }>
> = {
  api: {
    has: [
      "const result = getOrThrow(await sdk.rpc.getBalance(address))\n      return result.toString()",
      "return Number(getOrThrow(await sdk.rpc.getTransactionCount(address, 'pending')))",
      "Number(getOrThrow(answer))"
    ]
  },
  batch: {
    has: ["import { BigNumber } from 'bignumber.js'", "Promise<JsonRpcResponse<bigint> | null>"],
    lacks: ["import type { BigNumber }"]
  },
  commonjs: {
    has: [
      "const { getOrThrow, init } = require('effect-chains/promise')",
      "const BigNumber = require('bignumber.js')",
      "return Number(answer)",
      "if (rate.status !== 'SUCCESS')"
    ],
    lacks: ["@tatumio/tatum"]
  },
  component: {
    has: ["['ethereum-mainnet']: 'https://etherscan.io'", "setBlock(Number(getOrThrow(block)))"],
    lacks: ["@tatumio/tatum", ".result"]
  },
  cron: {
    has: [".then((answer) => log(", "(answer) => Number(getOrThrow(answer))"],
    lacks: ["@tatumio/tatum"]
  },
  dynamic: { has: ["const { init } = await import('effect-chains/promise')"], lacks: ["@tatumio/tatum"] },
  explorer: {
    has: [
      "height === undefined ? undefined : BigInt(height)",
      "new BigNumber(String(getOrThrow(await client.rpc.gasPrice())))",
      "const account = getOrThrow(await client.rpc.getAccount(address, { visible: true }))"
    ]
  },
  gallery: {
    has: ["type Ethereum = PromiseSdk<", "import { BigNumber } from 'bignumber.js'"],
    lacks: ["@tatumio/tatum"]
  },
  ipfs: { has: ["return getOrThrow(await sdk.nft.checkNftOwner({ owner, ...token }))"] },
  loose: {
    has: ["return answer.toString()", "getOrThrow(await this.tatum.rpc.getTransactionReceipt(hash))"]
  },
  monitor: { has: ["const result = getOrThrow(await client.rpc.blockNumber())"], lacks: ["@tatumio/tatum"] },
  nest: {
    has: [
      "return price.multipliedBy(gas).toFixed()",
      "return { gas: estimate.toString(), price: price.toString(10) }"
    ]
  },
  notifier: {
    has: [
      "type NotificationSubscription = ",
      "network: this.testnet ? 'ethereum-sepolia' : 'ethereum-mainnet'"
    ]
  },
  payments: {
    has: ["order.block = Number(getOrThrow(height))", "receipt.data ? Number(receipt.data.blockNumber)"],
    lacks: ["@tatumio/tatum"]
  },
  portfolio: {
    has: [
      'const ethereumConfig: InitConfig<"ethereum-mainnet", "eventual"> = {',
      '} from "effect-chains/promise";'
    ],
    lacks: ["@tatumio/tatum"]
  },
  service: {
    has: ["type Network = PromiseSdk['network']", "sdk.rpc.getBalance(address).then(getOrThrow)"],
    lacks: ["@tatumio/tatum"]
  },
  sweeper: {
    has: ["const { data: result, error } = await bitcoin.rpc.estimateSmartFee(blocks)"],
    lacks: ["@tatumio/tatum"]
  },
  tron: { has: ["let tron: PromiseSdk<'tron-mainnet'"], lacks: ["@tatumio/tatum", "Tatum."] },
  utils: { has: ["export type Ethereum = ", "type: archive ? 'archive' as const : 'normal' as const"] },
  wallets: { has: ["const wallet = client.wallet\n", "payload).then(getOrThrow)"] }
}

describe("programs of users of @tatumio/tatum", () => {
  let project: UserProject
  let before: ReadonlyArray<Problem> = []
  let after: ReadonlyArray<Problem> = []
  let results: ReadonlyArray<ProgramFile> = []
  let migrated: ReadonlyArray<MigratedFile> = []

  beforeAll(() => {
    project = new UserProject(files)
    before = project.compile()
    migrated = migrate(project.at(files), "@tatumio/tatum")
    results = migrated.map(({ text }, at) => ({ path: files[at]?.path ?? "", text }))
    project.write(results)
    after = project.compile()
  })

  afterAll(() => project[Symbol.dispose]())

  const textOf = (program: string): string =>
    results.flatMap(({ path, text }) => (path.startsWith(`${program}/`) ? [text] : [])).join("\n")

  it("are twenty, and compile before", () => {
    expect(programs).toHaveLength(20)
    expect(Object.keys(MARKS)).toEqual(programs)
    for (const program of programs) {
      const lines = listFiles(program).reduce((sum, { text }) => sum + text.split("\n").length, 0)
      expect([program, lines >= 100, lines <= 400]).toEqual([program, true, true])
    }
    expect(before).toEqual([])
  })

  it("compile after it, or have a mark at the place", () => {
    const unmarked = after.filter(({ line, path }) => {
      const file = results.find((each) => each.path === path)
      return file === undefined || !isMarked(file, line)
    })
    expect(unmarked).toEqual([])
    // without a mark where it stands, an error is found
    const [first] = after
    const file = results.find(({ path }) => path === first?.path)
    expect(
      first !== undefined &&
        file !== undefined &&
        isMarked({ ...file, text: file.text.replaceAll("effect-chains migrate:", "") }, first.line)
    ).toBe(false)
  })

  it.each(programs)("has few marks: %s", (program) => {
    const notes = migrated.flatMap((file, at) =>
      files[at]?.path.startsWith(`${program}/`) ? file.notes : []
    )
    expect(notes.map(({ line, message }) => `${line} ${message}`)).toHaveLength(MARKS[program] ?? 0)
  })

  it.each(programs)("is rewritten: %s", (program) => {
    const text = textOf(program)
    const { has = [], lacks = [] } = EXPECTED[program] ?? {}
    for (const each of has) expect(text).toContain(each)
    for (const each of lacks) expect(text).not.toContain(each)
  })

  it("are not changed by a second run, which has the same notes", () => {
    const again = migrate(project.at(results), "@tatumio/tatum")
    expect(again.map(({ text }) => text)).toEqual(results.map(({ text }) => text))
    expect(again.map(({ notes }) => notes)).toEqual(migrated.map(({ notes }) => notes))
  })
})
