import * as chainsOfViem from "viem/chains"
import { describe, expect, it } from "vitest"
import { migrate } from "../src/cli/migrate/index.js"
import { networkByChain } from "../src/cli/migrate/libraries.js"
import { info } from "../src/data/Network.js"
import { dapp, ethers, programs, viem } from "./migrated.js"

const one = (text: string, from: Parameters<typeof migrate>[1], path = "app.ts") => {
  const [file] = migrate([{ path, text }], from)
  if (file === undefined) throw new Error("no file came back")
  return file
}

describe("the codemod for @tatumio/tatum", () => {
  it("rewrites imports, inits, networks, wallets and answers, and keeps the rest as it stands", () => {
    const { notes, text } = one(dapp, "@tatumio/tatum")
    expect(text).toContain("const tatum = await init({\n  network: 'ethereum-mainnet',")
    expect(text).toContain("nodes: [{ url: process.env.NODE ?? '', type: 'normal' }]")
    expect(text).toContain("const { data: result } = await tatum.rpc.getBalance(")
    expect(text).toContain("console.log(answer.data, (await tatum.rpc.chainId()).data)")
    expect(text).toContain("client.wallet.getWallet()")
    expect(text).toContain("(filter: LogFilter)")
    // formatting that is nobody's
    expect(text).toContain("{result}` )   // as it stood")
    expect(text).toContain("import { LogFilter } from '@tatumio/tatum'")
    expect(notes.map(({ line, message }) => `${line} ${message.slice(0, 40)}`)).toEqual([
      "1 `LogFilter` is still that of @tatumio/ta",
      "6 your own nodes get the key only if their",
      "6 `allowedBlocksBehind` is 10 by default, ",
      "12 it returned the value or threw: here it ",
      "16 its `result` is `data` here"
    ])
  })

  it("makes bigints of heights in the place of a block that may be left out", () => {
    const { text } = one(
      `import { TatumSDK, Network, Ethereum } from "@tatumio/tatum"
const tatum = await TatumSDK.init<Ethereum>({ network: Network.ETHEREUM })
const balances = [await tatum.rpc.getBalance("0x0", 16), await tatum.rpc.getBalance("0x0", "latest")]
const stored = await tatum.rpc.getStorageAt("0x0", 1, 16)
const block = await tatum.rpc.getBlockByNumber(16)
`,
      "@tatumio/tatum"
    )
    expect(text).toContain('tatum.rpc.getBalance("0x0", 16n)')
    expect(text).toContain('tatum.rpc.getBalance("0x0", "latest")')
    expect(text).toContain('tatum.rpc.getStorageAt("0x0", 1, 16n)')
    expect(text).toContain("tatum.rpc.getBlockByNumber(16)")
  })

  it("reads values of REST nodes, clients in classes, and clients by their type", () => {
    const { notes, text } = one(
      `import { TatumSDK, Network, Tron, Bitcoin, ResponseDto, Status } from "@tatumio/tatum"

class Reader {
  private tron!: Tron
  async start() {
    this.tron = await TatumSDK.init<Tron>({ network: Network.TRON })
  }
  async height() {
    const block = await this.tron.rpc.getNowBlock()
    return block
  }
}
export const best = async (bitcoin: Bitcoin) => (await bitcoin.rpc.getBestBlockHash()).result
export const isFine = (answer: ResponseDto<unknown>) => answer.status === Status.SUCCESS
export { Reader }
`,
      "@tatumio/tatum"
    )
    expect(text).toContain('private tron!: PromiseSdk<"tron-mainnet" | "tron-testnet">')
    expect(text).toContain('this.tron = await init({ network: "tron-mainnet" })')
    expect(text).toMatch(/const \{\s+data: block\s+\} = await this\.tron\.rpc\.getNowBlock\(\)/)
    expect(text).toContain("(await bitcoin.rpc.getBestBlockHash()).data")
    expect(text).toContain('(answer: Result<unknown, SdkError>) => answer.status === "SUCCESS"')
    expect(notes.map(({ line }) => line)).toEqual([9])
  })

  it("notes extensions, whole imports, `require`, and what it cannot read", () => {
    const text = `import { TatumSDK, TatumSdkExtension, Network } from "@tatumio/tatum"
class Mine extends TatumSdkExtension { supportedNetworks = [Network.ETHEREUM] }
const sdk = await TatumSDK.init({ network: Network.ETHEREUM, configureExtensions: [Mine] })
sdk.extension(Mine)
`
    const { notes } = one(text, "@tatumio/tatum")
    expect(notes.map(({ line }) => line)).toEqual([1, 3, 4])
    expect(
      one('const { TatumSDK } = require("@tatumio/tatum")\n', "@tatumio/tatum", "a.cjs").notes
    ).toHaveLength(1)
    expect(one('import * as T from "@tatumio/tatum"\n', "@tatumio/tatum").notes).toHaveLength(1)
    const broken = 'import "@tatumio/tatum"\nconst = 1\n'
    expect(one(broken, "@tatumio/tatum")).toMatchObject({ text: broken, notes: [{ line: 1 }] })
  })

  it("avoids names that are taken, and leaves other files alone", () => {
    const taken = one(
      'import { TatumSDK, Network, Ethereum } from "@tatumio/tatum"\nconst init = 1\nawait TatumSDK.init<Ethereum>({ network: Network.ETHEREUM })\nconsole.log(init)\n',
      "@tatumio/tatum"
    )
    expect(taken.text).toContain("init as initClient")
    expect(taken.text).toContain("await initClient({")
    const other = { path: "other.ts", text: "const  a = `result`" }
    expect(migrate([other], "@tatumio/tatum")).toEqual([{ ...other, notes: [] }])
  })
})

describe("the codemods for viem and ethers", () => {
  it("put clients over a pool where an await may stand, and note the others", () => {
    const { notes, text } = one(viem, "viem")
    expect(text.match(/await init\(/g)).toHaveLength(2)
    expect(text).toContain("transport: sdk.rpc.viemTransport()")
    expect(text).toContain("transport: sdk2.rpc.viemTransport()")
    expect(text).toContain("transport: custom(")
    expect(notes.map(({ line }) => line)).toEqual([4, 9, 12])
    const rewritten = one(ethers, "ethers")
    expect(rewritten.text).toMatch(/network: "polygon-mainnet"/)
    expect(rewritten.text).toMatch(/sdk\.rpc\.ethersProvider\(\{\s+BrowserProvider\s+\}\)/)
    expect(rewritten.notes.map(({ line }) => line)).toEqual([3, 5])
  })

  it("know chains of viem by the ids that viem gives them", () => {
    for (const [name, network] of Object.entries(networkByChain)) {
      expect([name, Reflect.get(chainsOfViem, name)?.id]).toEqual([name, info(network).chainId])
    }
  })
})

describe("what comes out", () => {
  it.each(programs)("is rewritten to itself: $name", ({ from, text }) => {
    const rewritten = one(text, from).text
    expect(one(rewritten, from).text).toBe(rewritten)
  })
})
