// @vitest-environment node
/** Suspense twins on a server that streams its pages: the page has the answers, and nothing of the clients stays. */
import { PassThrough } from "node:stream"
import { type ReactNode, Suspense } from "react"
import { renderToPipeableStream, renderToString } from "react-dom/server"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import {
  initialValue,
  SdkProvider,
  type SdkProviderProps,
  useRpc,
  useSuspenseAccount,
  useSuspenseBlockNumber,
  useSuspenseNodePool,
  useSuspenseRpc,
  useSuspenseWallet,
  useWallet
} from "../../react/index.js"
import { useSuspenseWatchBlocks } from "../../react/reads.js"
import { advanceIdleTime, installVirtualTime } from "./clock.js"
import { countHttp, deferReply, startServer, type TestServer } from "./testServer.js"

const ETHEREUM = "ethereum-mainnet"
const ADDRESS = `0x${"a1".repeat(20)}`

installVirtualTime()

let chain: TestServer

beforeEach(async () => {
  chain = await startServer()
})

afterEach(async () => {
  await chain.close()
  expect(chain.unexpected).toEqual([])
})

const App = ({ children, ...props }: Partial<SdkProviderProps> & { readonly children?: ReactNode }) => (
  <SdkProvider config={chain.config(ETHEREUM)} {...props}>
    {children}
  </SdkProvider>
)

const Waiting = ({ useText }: { readonly useText: () => string }) => <p>{useText()}</p>

const Page = ({ useText, ...props }: { readonly useText: () => string } & Partial<SdkProviderProps>) => (
  <App {...props}>
    <main>
      <h1>title</h1>
      <Suspense fallback={<p>waiting</p>}>
        <Waiting useText={useText} />
      </Suspense>
    </main>
  </App>
)

/** A page as it is sent: the pieces, and the errors that it has met. */
const send = (page: ReactNode) => {
  const pieces: Array<string> = []
  const errors: Array<unknown> = []
  const through = new PassThrough()
  through.on("data", (piece: Buffer) => pieces.push(String(piece)))
  const { pipe } = renderToPipeableStream(page, {
    onShellReady: () => pipe(through),
    onError: (error) => {
      errors.push(error)
    }
  })
  const done = new Promise<void>((resolve) => through.on("end", resolve))
  return { pieces, errors, done }
}

const balance = () => `${useSuspenseRpc("getBalance", [ADDRESS], { network: ETHEREUM }).data} wei`

const useHeight = () => {
  const { data } = useSuspenseBlockNumber({ network: ETHEREUM })
  return `height ${data} of ${useSuspenseNodePool({ network: ETHEREUM }).nodes.length}`
}

describe("a server that streams", () => {
  it("sends the page at once, and the answer when it is there", async () => {
    const held = deferReply()
    chain.rules.set("eth_getBalance", held.reply)
    const { counts, layer } = countHttp()
    const { done, errors, pieces } = send(<Page useText={balance} layer={layer} />)
    await expect.poll(() => chain.count("eth_getBalance")).toBe(1)
    await expect.poll(() => pieces.join("")).toContain("title")
    expect(pieces.join("")).toContain("waiting")
    expect(pieces.join("")).not.toContain("wei")
    held.answer("0x10")
    await done
    expect(pieces.join("")).toContain("16 wei")
    expect(errors).toEqual([])
    expect(chain.count("eth_getBalance")).toBe(1)
    // nobody tells a server that the page is gone
    await advanceIdleTime(10_000)
    expect(counts).toEqual({ made: 1, ended: 1 })
  })

  it("asks for nothing that came with the page, and for nothing that no component waits for", async () => {
    const values = [initialValue(ETHEREUM, "rpc.getBalance", [ADDRESS], 32n)]
    const brought = send(<Page useText={balance} initialValues={values} />)
    await brought.done
    expect(brought.pieces.join("")).toContain("32 wei")
    const plain = send(<Page useText={() => useRpc("getBalance", [ADDRESS], { network: ETHEREUM }).status} />)
    await plain.done
    expect(plain.pieces.join("")).toContain("loading")
    expect(chain.requests).toEqual([])
  })

  it("shares nothing between pages", async () => {
    let wei = 16
    chain.rules.set("eth_getBalance", () => ({ result: `0x${(wei++).toString(16)}` }))
    const pages = [send(<Page useText={balance} />), send(<Page useText={balance} />)]
    await Promise.all(pages.map(({ done }) => done))
    const texts = pages.map(({ pieces }) => /\d+ wei/.exec(pieces.join(""))?.[0])
    expect(texts.sort()).toEqual(["16 wei", "17 wei"])
  })

  it("waits for heights and pools of nodes as well", async () => {
    chain.rules.set("eth_blockNumber", () => ({ result: "0x7" }))
    const { done, errors, pieces } = send(<Page useText={useHeight} />)
    await done
    expect(errors).toEqual([])
    expect(pieces.join("")).toContain("height 7 of 1")
  })

  it("tells of the typed error of a read, and leaves the fallback to the browser", async () => {
    chain.rules.set("eth_getBalance", () => ({ error: { code: -32_000, message: "no state" } }))
    const { done, errors, pieces } = send(<Page useText={balance} />)
    await done
    expect(errors).toMatchObject([{ _tag: "RpcError" }])
    expect(pieces.join("")).toContain("waiting")
  })

  it("says of a wallet that there is none, by the name of the hook, and what to do", async () => {
    const { done, errors, pieces } = send(
      <Page useText={() => `${useSuspenseWallet({ network: ETHEREUM }).data.account}`} />
    )
    await done
    expect(errors).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/useSuspenseWallet.*boundary.*useWallet/) })
    ])
    expect(pieces.join("")).toContain("waiting")
    const account = send(<Page useText={() => `${useSuspenseAccount({ network: ETHEREUM }).data.address}`} />)
    await account.done
    expect(`${account.errors}`).toMatch(/useSuspenseAccount.*boundary.*useAccount/)
    const plain = send(<Page useText={() => useWallet({ network: ETHEREUM }).status} />)
    await plain.done
    expect(plain.pieces.join("")).toContain("loading")
  })

  it("says of a stream that no server waits for it", async () => {
    const { done, errors, pieces } = send(
      <Page useText={() => useSuspenseWatchBlocks({ network: ETHEREUM }).data.number} />
    )
    await done
    expect(`${errors}`).toMatch(/useSuspenseWatch.*boundary.*useWatch/)
    expect(pieces.join("")).toContain("waiting")
  })
})

describe("a server that does not wait", () => {
  it("has the fallback in its page", () => {
    chain.rules.set("eth_getBalance", () => ({ result: "0x10" }))
    expect(renderToString(<Page useText={balance} />)).toContain("waiting")
  })
})
