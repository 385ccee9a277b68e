/** The page's server, and a sandbox for it. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { Plugin } from "vite"
import type { NetworkDefinition } from "../src/data/Network.js"
import { init, type PromiseSdk, type Result } from "../src/promise.js"
import { Access, type AccessService, checkAccess } from "../src/sandbox/Access.js"
import * as Sandbox from "../src/sandbox/index.js"
import { callJsonRpc } from "../src/sandbox/Loopback.js"
import { mineWhile } from "../src/sandbox/Population.js"
import { makeViteConfig } from "./playgroundConfig.js"

const NETWORK = "ethereum-mainnet"

/** The seconds between two blocks: short enough to watch, and long enough to read. */
const BLOCK_TIME_SECONDS = 4

/** The number of webhooks that are kept for pages that open later. */
const MAX_WEBHOOKS = 50

/** The options of the server. Without `build`, it serves the sources. */
export interface PlaygroundOptions {
  readonly root: string
  readonly build: boolean
  readonly port?: number
  /** The number of the sandbox's normal nodes (default: 3). There is also an archive node. */
  readonly nodes?: number
  /** Networks outside of the table, which the page lists first. The sandbox runs those of EVM chains. */
  readonly networks?: ReadonlyArray<NetworkDefinition>
  /** The folder of the build, by default one in the cache. Two servers need two folders. */
  readonly folder?: string
  readonly onProgress?: (line: string) => void
}

/** The limit of a webhook's size in bytes, which is far above the longest one. */
const MAX_BODY_BYTES = 1024 * 1024

interface Delivery {
  readonly id: number
  readonly at: number
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** Receives webhooks on the page's own origin, and forwards them as server-sent events. */
const makeInbox = () => {
  const deliveries: Array<Delivery> = []
  const listeners = new Set<(delivery: Delivery) => void>()
  let ids = 0
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Array<Buffer> = []
    let size = 0
    request.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size <= MAX_BODY_BYTES) chunks.push(chunk)
      else chunks.length = 0
    })
    request.on("end", () => {
      if (size > MAX_BODY_BYTES) {
        response.writeHead(413, { "content-type": "text/plain" }).end(`more than ${MAX_BODY_BYTES} bytes`)
        return
      }
      const delivery: Delivery = {
        id: ++ids,
        at: Date.now(),
        path: (request.url ?? "").slice("/inbox".length) || "/",
        headers: request.headers,
        body: Buffer.concat(chunks).toString()
      }
      deliveries.push(delivery)
      if (deliveries.length > MAX_WEBHOOKS) deliveries.shift()
      for (const listener of listeners) listener(delivery)
      response.writeHead(200, { "content-type": "text/plain" }).end("taken")
    })
  }
  const events = (request: IncomingMessage, response: ServerResponse): void => {
    const send = (delivery: Delivery): void =>
      void response.write(`id: ${delivery.id}\ndata: ${JSON.stringify(delivery)}\n\n`)
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" })
    response.write(": open\n\n")
    for (const delivery of deliveries) send(delivery)
    listeners.add(send)
    request.on("close", () => listeners.delete(send))
  }
  return { take, events }
}

type Info = Readonly<Record<string, unknown>>

/** The routes of the page's server other than files. */
const routesPlugin = (info: () => Info, access: AccessService): Plugin => {
  const inbox = makeInbox()
  const handle = (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const path = (request.url ?? "").replace(/\?.*$/, "")
    const isOwn = path === "/sandbox.json" || /^\/inbox(\/|$)/.test(path)
    const admitted = isOwn ? checkAccess(access, request.url ?? "/", request.headers) : undefined
    if (admitted !== undefined && "errorCode" in admitted) {
      response
        .writeHead(admitted.statusCode, { "content-type": "application/json" })
        .end(JSON.stringify(admitted))
    } else if (path === "/sandbox.json") {
      response
        .writeHead(200, { "content-type": "application/json", "cache-control": "no-store" })
        .end(JSON.stringify(info()))
    } else if (path === "/inbox/events" && request.method === "GET") inbox.events(request, response)
    else if (/^\/inbox(\/|$)/.test(path) && request.method === "POST") inbox.take(request, response)
    else next()
  }
  return {
    name: "effect-chains-sandbox",
    configureServer: ({ middlewares }) => void middlewares.use(handle),
    configurePreviewServer: ({ middlewares }) => void middlewares.use(handle)
  }
}

/** Filling the sandbox stops at the first call that fails. */
const unwrap = <A, E>(result: Result<A, E>): A => {
  if (result.status === "SUCCESS") return result.data
  throw new Error(result.error.message.join("; "))
}

/** An image for a token: rings in colours that its number decides. */
const drawImage = (n: number): string => {
  const hue = (n * 67 + 230) % 360
  const rings = [0, 1, 2, 3].map((i) => {
    const turn = (n * 41 + i * 73) % 360
    const length = 60 + ((n * 29 + i * 47) % 140)
    return `<circle r="${34 + i * 26}" stroke="hsl(${(hue + i * 24) % 360} 70% ${68 - i * 6}%)" stroke-dasharray="${length} ${40 + i * 14}" transform="rotate(${turn})"/>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-160 -160 320 320"><rect x="-160" y="-160" width="320" height="320" fill="hsl(${hue} 38% 20%)"/><g fill="none" stroke-width="14" stroke-linecap="round">${rings.join("")}</g></svg>`
}

const NAMES = ["Anvil", "Beacon", "Cipher", "Ledger", "Merkle", "Nonce", "Quorum", "Vertex"] as const

/** The timeouts in milliseconds on a busy machine: for a block, and for the whole chain with retries. */
const TIMEOUT_MS = { block: 30_000, chain: 180_000 }

/** The address of the contract that a transaction deployed. */
const readContractAddress = async (sdk: PromiseSdk<typeof NETWORK>, hash: string): Promise<string> => {
  const end = performance.now() + TIMEOUT_MS.block
  while (performance.now() < end) {
    const receipt = unwrap(await sdk.rpc.getTransactionReceipt(hash))
    if (receipt?.contractAddress) return receipt.contractAddress
    await sleep(50)
  }
  throw new Error(`the sandbox has not mined a contract within ${TIMEOUT_MS.block / 1_000} seconds`)
}

/** Fills the chain with a collection, a token and their first transfers, through the SDK. */
const seedChain = async (sandbox: Sandbox.SandboxService): Promise<Info> => {
  const sdk = await init({ ...sandbox.config(NETWORK), quiet: true })
  try {
    const [first, second] = sandbox.accounts.map(({ address }) => address)
    if (first === undefined || second === undefined) throw new Error("the sandbox has no accounts")
    const collection = await readContractAddress(
      sdk,
      unwrap(await sdk.nft.createNftCollection({ name: "Sandbox Rings", symbol: "RING", owner: first })).txId
    )
    const tokens = NAMES.map((_, i) => String(i + 1))
    for (const [i, name] of NAMES.entries()) {
      const n = i + 1
      unwrap(
        await sdk.nft.mintNftWithMetadata({
          to: i < 5 ? first : second,
          contractAddress: collection,
          tokenId: String(n),
          file: new File([drawImage(n)], `ring-${n}.svg`, { type: "image/svg+xml" }),
          metadata: {
            name: `${name} #${n}`,
            description: "A ring of the sandbox: minted when it was started, and gone when it ends.",
            attributes: [
              { trait_type: "Arc", value: ["short", "long", "wide"][n % 3] },
              { trait_type: "Edition", value: n }
            ]
          }
        })
      )
    }
    const symbol = "DEMO"
    const token = await readContractAddress(
      sdk,
      unwrap(
        await sdk.token.createNewFungibleToken({
          name: "Demo Token",
          symbol,
          decimals: 18,
          initialSupply: "1000000",
          owner: first,
          initialHolder: first
        })
      ).txId
    )
    return { nft: { address: collection, tokens }, token: { address: token, symbol } }
  } finally {
    await sdk.destroy()
  }
}

/**
 * Fills the chain, and mines at once meanwhile, whatever the block time is. It is ready when all nodes answer. If a
 * call fails on a busy machine, it starts again, and its earlier contracts stay unused.
 */
const fillChain = (sandbox: Sandbox.SandboxService): Effect.Effect<Info, Sandbox.SandboxError> => {
  const chain = sandbox.network(NETWORK)
  const again = Schedule.spaced("1 second").pipe(Schedule.upTo(TIMEOUT_MS.chain))
  const answering = Effect.forEach(chain.urls, (url) => callJsonRpc(url, { method: "eth_blockNumber" }), {
    discard: true
  })
  const seeded = Effect.tryPromise({
    try: () => seedChain(sandbox),
    catch: (error) =>
      new Sandbox.SandboxError({
        reason: "chain",
        message: `The playground's chain was not filled: ${error instanceof Error ? error.message : String(error)}`
      })
  })
  return mineWhile(chain, Effect.retry(Effect.zipRight(answering, seeded), again))
}

/**
 * Starts a sandbox and the page's server on loopback, until the scope closes. Yields the page's address and the content
 * of its `/sandbox.json`.
 */
export const servePlayground = (
  options: PlaygroundOptions
): Effect.Effect<
  { readonly url: string; readonly sandbox: Sandbox.SandboxService },
  Effect.Effect.Error<ReturnType<typeof Sandbox.make>>,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const progress = options.onProgress ?? (() => {})
    const own = options.networks ?? []
    const access = yield* Access
    const vite = yield* Effect.promise(() => import("vite"))
    const sandbox = yield* Sandbox.make({
      blockTime: BLOCK_TIME_SECONDS,
      networks: [
        { network: NETWORK, nodes: options.nodes ?? 3, archive: 1 },
        ...own.map((network) => ({ network, nodes: 2, archive: 0 }))
      ],
      populated: true,
      onProgress: progress
    })
    let url = ""
    let chain: Info = {}
    const info = (): Info => ({
      baseUrl: sandbox.baseUrl,
      nodeListUrl: sandbox.nodeListUrl,
      domain: "127.0.0.1",
      network: NETWORK,
      blockTime: BLOCK_TIME_SECONDS,
      accounts: sandbox.accounts,
      own: own.map((definition) => ({
        definition,
        nodes: sandbox.network(definition.id).urls.map((node) => ({ url: node }))
      })),
      inbox: { url: `${url}/inbox`, events: "/inbox/events" },
      ...(Object.keys(chain).length === 0 ? {} : { seed: chain })
    })
    const config = makeViteConfig(options.root)
    const port = options.port ?? 0
    const merged = {
      ...config,
      configFile: false as const,
      logLevel: "warn" as const,
      plugins: [...(config.plugins ?? []), routesPlugin(info, access)],
      build: { ...config.build, ...(options.folder === undefined ? {} : { outDir: options.folder }) },
      server: { ...config.server, ...(port === 0 ? {} : { port, strictPort: true }) },
      preview: { ...config.preview, ...(port === 0 ? {} : { port, strictPort: true }) }
    }
    const start = Effect.acquireRelease(
      Effect.promise(async () => {
        if (options.build) {
          await vite.build(merged)
          return vite.preview(merged)
        }
        const server = await vite.createServer(merged)
        return server.listen()
      }),
      (server) => Effect.promise(() => server.close())
    )
    progress(
      options.build
        ? "Building the page and filling the chain …"
        : "Serving the page's sources and filling the chain …"
    )
    const [server, seeded] = yield* Effect.all([start, fillChain(sandbox)], { concurrency: "unbounded" })
    chain = seeded
    url = (server.resolvedUrls?.local[0] ?? "").replace(/\/$/, "")
    return { url, sandbox }
  })
