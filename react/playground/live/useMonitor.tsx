import * as Effect from "effect/Effect"
import {
  createContext,
  type ReactElement,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore
} from "react"
import { useSdk } from "../../index.js"
import { run, usePlayground } from "../session.js"
import { Monitor, type MonitorSnapshot } from "./monitor.js"

interface MonitorContextValue {
  readonly monitor: Monitor
  readonly ready: boolean
  readonly check: () => Promise<void>
}

const Context = createContext<MonitorContextValue>({
  monitor: new Monitor(),
  ready: false,
  check: async () => {}
})

/** Follows the pool of the current client, once for all panels. */
export const MonitorProvider = ({ children }: { readonly children: ReactNode }): ReactElement => {
  const { network } = usePlayground()
  const sdk = useSdk({ network })
  const pool = sdk?.nodes
  const [{ monitor, ready }, setFollowed] = useState(() => ({ monitor: new Monitor(), ready: false }))
  useEffect(() => {
    if (pool === undefined) return
    const fresh = new Monitor()
    const stop = fresh.follow(pool)
    setFollowed({ monitor: fresh, ready: true })
    // check the nodes now: the panels show them before the first call
    void run(pool.check)
    return stop
  }, [pool])
  const check = useCallback(async () => {
    await run(pool?.check ?? Effect.void)
  }, [pool])
  return <Context value={{ monitor, check, ready: ready && pool !== undefined }}>{children}</Context>
}

/** The monitor of the pool. */
export const useMonitor = (): Monitor => useContext(Context).monitor

/** Whether there is a client, and the function that checks its nodes. */
export const usePool = (): Pick<MonitorContextValue, "ready" | "check"> => useContext(Context)

/** The state of the pool, updated at most twice a second. */
export const useMonitorSnapshot = (): MonitorSnapshot => {
  const monitor = useMonitor()
  return useSyncExternalStore(monitor.subscribe, monitor.getSnapshot)
}
