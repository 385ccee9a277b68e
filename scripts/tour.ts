/**
 * `npm start` shows the main tasks through the public API, on real nodes of the embedded sandbox. `-- --keep` keeps it
 * running. If packages are missing, it runs with those of `tourPackages.mjs`.
 */
import { createServer } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { styleText } from "node:util"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Block, Hex } from "../src/chains/Evm.js"
import { format } from "../src/data/Units.js"
import { signer } from "../src/entries/signers/Evm.js"
import { init, type PromiseSdk, type Result } from "../src/promise.js"
import * as Sandbox from "../src/sandbox/index.js"
import { decode } from "../src/webhook.js"

const colours =
  process.env.NO_COLOR === undefined && (process.stdout.isTTY || process.env.FORCE_COLOR !== undefined)
const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
  colours ? styleText(style, text) : text
const print = (line = ""): boolean => process.stdout.write(`${line}\n`)
const printTitle = (text: string): boolean => print(`\n${paint("bold", text)}`)
const printFact = (name: string, value: string): boolean =>
  print(`  ${paint("dim", name.padEnd(26))} ${value}`)
const formatEther = (wei: bigint): string => `${format(wei, 18)} ETH`

/** The tour stops at the first call that fails, with the user's view of the error. */
const unwrap = <A, E>(result: Result<A, E>): A => {
  if (result.status === "SUCCESS") return result.data
  throw result.error.cause instanceof Error ? result.error.cause : new Error(result.error.message.join("; "))
}

type Eth = PromiseSdk<"ethereum-mainnet">

const readChain = async (sdk: Eth, accounts: ReadonlyArray<Hex>): Promise<void> => {
  printTitle("Reading the chain")
  for (const address of accounts) printFact(address, formatEther(unwrap(await sdk.rpc.getBalance(address))))
  const at: Block = unwrap(await sdk.rpc.blockNumber())
  const block = unwrap(await sdk.rpc.getBlockByNumber(at))
  printFact("newest block", `${at} ${paint("dim", block?.hash ?? "")}`)
  printFact("gas price", `${format(unwrap(await sdk.rpc.gasPrice()), 9)} Gwei`)
}

const sendPayment = async (sdk: Eth, privateKey: Hex, to: Hex): Promise<string> => {
  printTitle("Sending a payment, after its preview")
  const account = unwrap(await signer(sdk, { privateKey }))
  const before = unwrap(await sdk.rpc.getBalance(to))
  const prepared = unwrap(await account.prepare({ to, amount: "1.5", maxFee: "0.01" }))
  for (const { amount, asset } of prepared.outgoing)
    printFact("leaves the account at most", `${amount} ${asset}`)
  printFact("highest fee", formatEther(prepared.fee))
  const { hash } = unwrap(await account.submit(prepared, { confirmations: 1 }))
  printFact("hash", hash)
  const receipt = unwrap(await sdk.rpc.getTransactionReceipt(hash))
  printFact("mined in block", String(Number(receipt?.blockNumber)))
  printFact("received", formatEther(unwrap(await sdk.rpc.getBalance(to)) - before))
  return hash
}

/** A receiver of webhooks on loopback, with the received bodies. */
const startReceiver = Effect.acquireRelease(
  Effect.promise(async () => {
    const bodies: Array<string> = []
    const server = createServer((request, response) => {
      let body = ""
      request.on("data", (chunk) => {
        body += String(chunk)
      })
      request.on("end", () => {
        bodies.push(body)
        response.end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    return { bodies, server, url: `http://127.0.0.1:${port}` }
  }),
  ({ server }) => Effect.sync(() => void server.close())
)

const askProvider = async (
  sdk: Eth,
  address: Hex,
  hash: string,
  bodies: ReadonlyArray<string>
): Promise<void> => {
  printTitle("What the provider's API says of it, a moment later")
  const [balance] = unwrap(await sdk.address.getBalance({ addresses: [address], tokenTypes: ["native"] }))
  printFact("balance", `${balance?.balance} ${balance?.asset}`)
  const row = unwrap(await sdk.address.getTransactions({ address })).find((each) => each.hash === hash)
  printFact("in the history", `${row?.amount} ETH from ${row?.counterAddress ?? "?"}`)
  const waited = await waitUntil("the webhook", () => bodies.length > 0)
  const call = unwrap(decode(bodies[0]))
  printFact(
    "webhook",
    `${call.subscriptionType} ${paint("dim", `${waited.toFixed(0)} ms after asking for it`)}`
  )
  const fee = unwrap(await sdk.fee.getCurrentFee())
  printFact("fee", `${fee.gasPrice.medium} ${fee.gasPrice.unit}`)
  const rate = unwrap(await sdk.rates.getCurrentRate("ETH", "EUR"))
  printFact("rate of the seeded table", `${rate.value} EUR`)
  if (row === undefined) throw new Error("the history does not have the transaction")
}

interface Sample {
  readonly at: number
  readonly ms: number
  readonly ok: boolean
}

/** Eight workers that call without a pause, until they are stopped. */
const startLoad = (sdk: Eth): { readonly stop: () => Promise<ReadonlyArray<Sample>> } => {
  const samples: Array<Sample> = []
  let running = true
  const worker = async (): Promise<void> => {
    while (running) {
      const started = performance.now()
      const result = await sdk.rpc.blockNumber()
      samples.push({ at: started, ms: performance.now() - started, ok: result.status === "SUCCESS" })
      await sleep(2)
    }
  }
  const workers = Array.from({ length: 8 }, worker)
  return {
    stop: async () => {
      running = false
      await Promise.all(workers)
      return samples
    }
  }
}

const percentileOf = (samples: ReadonlyArray<Sample>, share: number): string => {
  const sorted = samples.map(({ ms }) => ms).sort((a, b) => a - b)
  return `${(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)} ms`
}

const waitUntil = async (what: string, condition: () => boolean): Promise<number> => {
  const started = performance.now()
  while (!condition()) {
    if (performance.now() - started > 15_000) throw new Error(`waited 15 s for ${what}`)
    await sleep(10)
  }
  return performance.now() - started
}

const showFailover = Effect.fnUntraced(function* (sandbox: Sandbox.SandboxService, sdk: Eth) {
  printTitle("Taking the active node down under load")
  const active = () => sdk.nodes().find((node) => node.active && node.type === "NORMAL")
  const victim = active()
  const node = sandbox.network("ethereum-mainnet").nodes.find(({ url }) => url === victim?.url)
  if (victim === undefined || node === undefined)
    return yield* Effect.dieMessage("the sandbox does not know the active node")
  const running = startLoad(sdk)
  yield* Effect.sleep(1_000)
  yield* node.stop
  const downAt = performance.now()
  printFact("stopped", `${node.name} ${paint("dim", node.url)}`)
  const switched = yield* Effect.promise(() =>
    waitUntil("another active node", () => active()?.url !== victim.url)
  )
  printFact("another node active after", paint("green", `${switched.toFixed(0)} ms`))
  yield* Effect.sleep(1_000)
  yield* node.restart
  const back = yield* Effect.promise(() =>
    waitUntil("the node to come back", () =>
      sdk.nodes().some(({ url, failed }) => url === victim.url && !failed)
    )
  )
  printFact(
    "re-admitted after",
    paint("green", `${back.toFixed(0)} ms`) + paint("dim", " from its restart, checks every 500 ms")
  )
  const samples = yield* Effect.promise(running.stop)
  const failed = samples.filter(({ ok }) => !ok).length
  const during = samples.filter(({ at }) => at >= downAt)
  printFact("calls", `${samples.length}, of which ${during.length} since the stop`)
  printFact("failed calls", failed === 0 ? paint("green", "0") : paint("red", String(failed)))
  printFact(
    "p50 / p99 before",
    `${percentileOf(
      samples.filter(({ at }) => at < downAt),
      0.5
    )} / ${percentileOf(
      samples.filter(({ at }) => at < downAt),
      0.99
    )}`
  )
  printFact("p50 / p99 since", `${percentileOf(during, 0.5)} / ${percentileOf(during, 0.99)}`)
  for (const each of sandbox.network("ethereum-mainnet").nodes) {
    printFact(`requests to ${each.name}`, String(yield* each.requests))
  }
  if (failed > 0) return yield* Effect.dieMessage(`${failed} calls failed`)
})

const runTour = Effect.gen(function* () {
  print(
    paint("bold", "effect-chains") + paint("dim", " - a tour on real nodes, without a key or the internet")
  )
  const started = performance.now()
  const sandbox = yield* Sandbox.make({ onProgress: (line) => print(`  ${paint("dim", line)}`) })
  printFact("sandbox ready after", `${(performance.now() - started).toFixed(0)} ms`)
  const config = sandbox.config("ethereum-mainnet")
  const sdk = yield* Effect.acquireRelease(
    Effect.promise(() => init({ ...config, quiet: true, rpc: { statusCheckInterval: 500 } })),
    (sdk) => Effect.promise(sdk.destroy)
  )
  const [sender, recipient] = sandbox.accounts
  if (sender === undefined || recipient === undefined)
    return yield* Effect.dieMessage("the sandbox has no accounts")
  yield* Effect.promise(() => readChain(sdk, [sender.address, recipient.address]))
  const hooks = yield* startReceiver
  yield* Effect.promise(async () => {
    unwrap(await sdk.notification.subscribe.incomingNativeTx({ address: recipient.address, url: hooks.url }))
    const hash = await sendPayment(sdk, sender.privateKey, recipient.address)
    await askProvider(sdk, recipient.address, hash, hooks.bodies)
  })
  yield* showFailover(sandbox, sdk)
  printTitle(paint("green", "Everything worked."))
  if (process.argv.includes("--keep")) {
    printTitle("The sandbox stays up until you press Ctrl-C")
    printFact("provider", `${sandbox.baseUrl} ${paint("dim", "(its documentation is at /docs)")}`)
    for (const node of sandbox.network("ethereum-mainnet").nodes) printFact(node.name, node.url)
    yield* Effect.never
  }
  print(`\nThe same in a browser, to break and to watch: ${paint("bold", "npm start -- --playground")}`)
}).pipe(Effect.scoped)

// Ctrl-C interrupts the tour, which then ends everything that it has started
const interruption = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interruption.abort())
const exit = await Effect.runPromiseExit(runTour, { signal: interruption.signal })
if (Exit.isFailure(exit)) {
  const isInterrupted = Cause.isInterruptedOnly(exit.cause)
  if (!isInterrupted) process.stderr.write(`${Cause.pretty(exit.cause, { renderErrorCause: true })}\n`)
  process.exit(isInterrupted ? 130 : 1)
}
