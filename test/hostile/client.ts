/** A client in a process of its own, whose clock, timers and life are the test's. Commands come over IPC. */
export type Command =
  | { readonly _tag: "Call"; readonly count: number; readonly apart: number }
  | { readonly _tag: "Jump"; readonly by: number }
  | { readonly _tag: "Nodes" }

/** How calls have ended: by the tag of the error, or `ok`. */
export interface Ends {
  readonly ends: Readonly<Record<string, number>>
}

// a tab in the background has its timers once a second, at most
const least = Number(process.env.THROTTLED ?? 0)
const { setTimeout: set } = globalThis
if (least > 0)
  // the types of Node's function have properties besides, which nobody here uses
  globalThis.setTimeout = ((run: (...args: Array<unknown>) => void, ms = 0, ...args: Array<unknown>) =>
    set(run, Math.ceil(Math.max(ms, 1) / least) * least, ...args)) as typeof setTimeout

let offset = 0
const { now } = Date
Date.now = () => now() + offset

const { init } = await import("../../src/promise.js")

const urls: ReadonlyArray<string> = JSON.parse(process.env.URLS ?? "[]")
const sdk = await init({
  network: "ethereum-mainnet",
  quiet: true,
  verifyChain: false,
  timeout: 60_000,
  attemptTimeout: Number(process.env.ATTEMPT ?? 10_000),
  retryCount: 10,
  retryDelay: 50,
  rpc: { nodes: urls.map((url) => ({ url })), statusCheckInterval: 2_000 }
})

const say = (_tag: string, value?: unknown): void => void process.send?.({ _tag, value })

const calls = async (count: number, apart: number): Promise<Ends> => {
  const ends: Record<string, number> = {}
  await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      await new Promise((resolve) => set(resolve, i * apart))
      const result = await sdk.rpc.gasPrice()
      const end = result.status === "SUCCESS" ? "ok" : result.error.cause._tag
      ends[end] = (ends[end] ?? 0) + 1
    })
  )
  return { ends }
}

process.on("message", async (command: Command) => {
  if (command._tag === "Call") say("Ends", await calls(command.count, command.apart))
  else if (command._tag === "Nodes") say("Nodes", sdk.nodes())
  else {
    offset += command.by
    say("Jumped", offset)
  }
})
process.on("disconnect", () => process.exit(0))
say("Ready")
