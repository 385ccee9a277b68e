import type * as Effect from "effect/Effect"
import { useCallback, useState } from "react"
import type { Sdk } from "../../../src/client/Sdk.js"
import { useSdk } from "../../index.js"
import { useMonitor } from "../live/useMonitor.js"
import { run, usePlayground } from "../session.js"
import { Round, type RoundStats } from "./Round.js"

/** Calls per second of each client. */
export const CALLS_PER_SECOND = 20

/** The phases of a round, in milliseconds: with all nodes, and without the active one. */
const HEALTHY_MS = 4_000
export const BROKEN_MS = 8_000

/** The most calls in flight of a client: a slow page must not pile them up. */
const MAX_IN_FLIGHT = 2 * CALLS_PER_SECOND

/** The plain client's timeout, in milliseconds: that of an attempt in the pool. */
const PLAIN_TIMEOUT_MS = 4_000

export type Step = "ready" | "before" | "broken" | "healing" | "done"

/** The state of a round: its step, the node that is stopped, the node that gets its calls, and the figures of both clients. */
export interface GuideState {
  readonly step: Step
  readonly brokenNode: string | undefined
  readonly successor: string | undefined
  readonly stats: RoundStats
  readonly error: unknown
  readonly begin: () => void
}

/** A call without a client library: one node, no retry. */
const callPlainClient = async (url: string, address: string): Promise<boolean> => {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_getBalance", params: [address, "latest"] }),
    signal: AbortSignal.timeout(PLAIN_TIMEOUT_MS)
  })
  const { result }: { readonly result?: unknown } = await response.json()
  return typeof result === "string"
}

const callPool = async ({ rpc }: Sdk, address: string): Promise<boolean> => {
  if (!("getTransactionCount" in rpc)) return false
  const read: Effect.Effect<unknown, unknown> = rpc.getBalance(address)
  return (await run(read)).status === "done"
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Sends calls with both clients until it is stopped. */
const startLoad = (round: Round, sdk: Sdk, url: string, address: string): (() => void) => {
  const timer = setInterval(() => {
    if (round.inFlight() >= MAX_IN_FLIGHT) return
    void round.trackCall("pool", () => callPool(sdk, address))
    void round.trackCall("single", () => callPlainClient(url, address))
  }, 1_000 / CALLS_PER_SECOND)
  return () => clearInterval(timer)
}

/** Sends calls with both clients, stops the active node meanwhile, and starts it again. */
export const useGuide = (nameOf: (url: string) => string): GuideState => {
  const { admin, log, network, sandbox } = usePlayground()
  const sdk = useSdk({ network })
  const monitor = useMonitor()
  const [step, setStep] = useState<Step>("ready")
  const [brokenNode, setBrokenNode] = useState<string>()
  const [successor, setSuccessor] = useState<string>()
  const [stats, setStats] = useState(() => new Round().stats())
  const [error, setError] = useState<unknown>()

  const runRound = useCallback(async () => {
    const findActive = () =>
      monitor.getSnapshot().nodes.find((node) => node.active && node.type === "NORMAL" && !node.failed)?.url
    const url = findActive()
    const address = sandbox?.accounts[0]?.address
    if (admin === undefined || sdk === undefined || url === undefined || address === undefined) return
    const node = nameOf(url)
    const changeNode = async (action: "stop" | "restart"): Promise<void> => {
      const outcome = await run(admin.node({ path: { network, node, action } }))
      if (outcome.status === "failed") throw outcome.error
    }
    const round = new Round()
    const stopLoad = startLoad(round, sdk, url, address)
    const show = setInterval(() => {
      setStats(round.stats())
      const active = findActive()
      if (active !== undefined && active !== url) setSuccessor((first) => first ?? nameOf(active))
    }, 250)
    setBrokenNode(node)
    setSuccessor(undefined)
    setError(undefined)
    try {
      setStep("before")
      await sleep(HEALTHY_MS)
      round.markBroken()
      setStep("broken")
      log(`${node}: broken`)
      await changeNode("stop")
      await sleep(BROKEN_MS)
    } catch (problem) {
      setError(problem)
    } finally {
      stopLoad()
      setStep("healing")
      await changeNode("restart").catch(setError)
      // let the last calls end
      await sleep(PLAIN_TIMEOUT_MS)
      clearInterval(show)
      setStats(round.stats())
      setStep("done")
      log(`${node}: healed`)
    }
  }, [admin, log, monitor, nameOf, network, sandbox, sdk])

  const begin = useCallback(() => void runRound(), [runRound])
  return { step, brokenNode, successor, stats, error, begin }
}
