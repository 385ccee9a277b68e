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

/** Follows the pool of the client at hand, for all panels at once. */
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
    // the first round of checks, so that the pool is known before the first call
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

/** Whether there is a client yet, and a check of its nodes at once. */
export const usePool = (): Pick<MonitorContextValue, "ready" | "check"> => useContext(Context)

/** The pool as it is now, a few times a second at most. */
export const useMonitorSnapshot = (): MonitorSnapshot => {
  const monitor = useMonitor()
  return useSyncExternalStore(monitor.subscribe, monitor.getSnapshot)
}
