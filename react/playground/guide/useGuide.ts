import type * as Effect from "effect/Effect"
import { useCallback, useState } from "react"
import type { Sdk } from "../../../src/client/Sdk.js"
import { useSdk } from "../../index.js"
import { useMonitor } from "../live/useMonitor.js"
import { run, usePlayground } from "../session.js"
import { Round, type RoundStats } from "./Round.js"

/** Calls a second, of each of the two clients. */
export const CALLS_PER_SECOND = 20

/** The parts of a round, in milliseconds: with all nodes, and without the active one. */
const HEALTHY_MS = 4_000
export const BROKEN_MS = 8_000

/** Calls of a client that wait for their answers: with more of them, a slow page makes no others. */
const MAX_IN_FLIGHT = 2 * CALLS_PER_SECOND

/** The plain client waits as long for an answer as an attempt of the pool does, in milliseconds. */
const PLAIN_TIMEOUT_MS = 4_000

export type Step = "ready" | "before" | "broken" | "healing" | "done"

/** A round: how far it is, which node is its victim, who has its calls since, and what both clients have seen. */
export interface Guide {
  readonly step: Step
  readonly brokenNode: string | undefined
  readonly successor: string | undefined
  readonly stats: RoundStats
  readonly error: unknown
  readonly begin: () => void
}

/** A call as anybody would write it: one node, and no second try. */
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

/** Has both clients ask, breaks the active node meanwhile, and heals it. */
export const useGuide = (nameOf: (url: string) => string): Guide => {
  const { admin, log, network, sandbox } = usePlayground()
  const sdk = useSdk({ network })
  const monitor = useMonitor()
  const [step, setStep] = useState<Step>("ready")
  const [brokenNode, setVictim] = useState<string>()
  const [successor, setHeir] = useState<string>()
  const [stats, setTold] = useState(() => new Round().stats())
  const [error, setError] = useState<unknown>()

  const round = useCallback(async () => {
    const active = () =>
      monitor.getSnapshot().nodes.find((node) => node.active && node.type === "NORMAL" && !node.failed)?.url
    const url = active()
    const address = sandbox?.accounts[0]?.address
    if (admin === undefined || sdk === undefined || url === undefined || address === undefined) return
    const node = nameOf(url)
    const change = (action: "stop" | "restart") =>
      run(admin.node({ path: { network, node, action } })).then((outcome) => {
        if (outcome.status === "failed") throw outcome.error
      })
    const rounds = new Round()
    const load = setInterval(() => {
      if (rounds.inFlight() >= MAX_IN_FLIGHT) return
      void rounds.trackCall("pool", () => callPool(sdk, address))
      void rounds.trackCall("single", () => callPlainClient(url, address))
    }, 1_000 / CALLS_PER_SECOND)
    const show = setInterval(() => {
      setTold(rounds.stats())
      const now = active()
      if (now !== undefined && now !== url) setHeir((first) => first ?? nameOf(now))
    }, 250)
    setVictim(node)
    setHeir(undefined)
    setError(undefined)
    try {
      setStep("before")
      await sleep(HEALTHY_MS)
      rounds.markBroken()
      setStep("broken")
      log(`${node}: broken`)
      await change("stop")
      await sleep(BROKEN_MS)
    } catch (problem) {
      setError(problem)
    } finally {
      clearInterval(load)
      setStep("healing")
      await change("restart").catch(setError)
      // the last calls end
      await sleep(PLAIN_TIMEOUT_MS)
      clearInterval(show)
      setTold(rounds.stats())
      setStep("done")
      log(`${node}: healed`)
    }
  }, [admin, log, monitor, nameOf, network, sandbox, sdk])

  const begin = useCallback(() => void round(), [round])
  return { step, brokenNode, successor, stats, error, begin }
}
