import type * as Effect from "effect/Effect"
import { useCallback, useState } from "react"
import type { Sdk } from "../../../src/client/Sdk.js"
import { useSdk } from "../../index.js"
import { useMonitor } from "../live/useMonitor.js"
import { run, usePlayground } from "../session.js"
import { Rounds, type Told } from "./rounds.js"

/** Calls a second, of each of the two clients. */
export const RATE = 20

/** The parts of a round, in milliseconds: with all nodes, and without the active one. */
const WELL = 4_000
export const BROKEN = 8_000

/** Calls of a client that wait for their answers: with more of them, a slow page makes no others. */
const IN_FLIGHT = 2 * RATE

/** The plain client waits as long for an answer as an attempt of the pool does, in milliseconds. */
const PATIENCE = 4_000

export type Step = "ready" | "before" | "broken" | "healing" | "done"

/** A round: how far it is, which node is its victim, who has its calls since, and what both clients have seen. */
export interface Guide {
  readonly step: Step
  readonly victim: string | undefined
  readonly heir: string | undefined
  readonly told: Told
  readonly error: unknown
  readonly begin: () => void
}

/** A call as anybody would write it: one node, and no second try. */
const plain = async (url: string, address: string): Promise<boolean> => {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_getBalance", params: [address, "latest"] }),
    signal: AbortSignal.timeout(PATIENCE)
  })
  const { result }: { readonly result?: unknown } = await response.json()
  return typeof result === "string"
}

const pooled = async ({ rpc }: Sdk, address: string): Promise<boolean> => {
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
  const [victim, setVictim] = useState<string>()
  const [heir, setHeir] = useState<string>()
  const [told, setTold] = useState(() => new Rounds().told())
  const [error, setError] = useState<unknown>()

  const round = useCallback(async () => {
    const active = () =>
      monitor.current().nodes.find((node) => node.active && node.type === "NORMAL" && !node.failed)?.url
    const url = active()
    const address = sandbox?.accounts[0]?.address
    if (admin === undefined || sdk === undefined || url === undefined || address === undefined) return
    const node = nameOf(url)
    const change = (action: "stop" | "restart") =>
      run(admin.node({ path: { network, node, action } })).then((outcome) => {
        if (outcome.status === "failed") throw outcome.error
      })
    const rounds = new Rounds()
    const load = setInterval(() => {
      if (rounds.inFlight() >= IN_FLIGHT) return
      void rounds.count("pool", () => pooled(sdk, address))
      void rounds.count("single", () => plain(url, address))
    }, 1_000 / RATE)
    const show = setInterval(() => {
      setTold(rounds.told())
      const now = active()
      if (now !== undefined && now !== url) setHeir((first) => first ?? nameOf(now))
    }, 250)
    setVictim(node)
    setHeir(undefined)
    setError(undefined)
    try {
      setStep("before")
      await sleep(WELL)
      rounds.breaks()
      setStep("broken")
      log(`${node}: broken`)
      await change("stop")
      await sleep(BROKEN)
    } catch (problem) {
      setError(problem)
    } finally {
      clearInterval(load)
      setStep("healing")
      await change("restart").catch(setError)
      // the last calls end
      await sleep(PATIENCE)
      clearInterval(show)
      setTold(rounds.told())
      setStep("done")
      log(`${node}: healed`)
    }
  }, [admin, log, monitor, nameOf, network, sandbox, sdk])

  const begin = useCallback(() => void round(), [round])
  return { step, victim, heir, told, error, begin }
}
