import {
  createContext,
  type ReactElement,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState
} from "react"
import type { NodeState } from "../../../src/sandbox/api/Admin.js"
import type { FaultState } from "../../../src/sandbox/api/FaultRule.js"
import { run, usePlayground } from "../session.js"

/** The network's nodes as the sandbox reports them, and the active fault rules. */
export interface SandboxNodes {
  readonly nodes: ReadonlyArray<NodeState>
  readonly faults: ReadonlyArray<FaultState>
  /** Whether the sandbox has answered, or there is none. */
  readonly settled: boolean
  /** When the sandbox stopped answering, in milliseconds since 1970; undefined while it answers. */
  readonly goneSince: number | undefined
  readonly refresh: () => void
}

const POLL_INTERVAL_MS = 2_000

/** Reloads the page if its server was restarted with another sandbox. */
const reloadIfRestarted = async (baseUrl: string): Promise<void> => {
  try {
    const found: unknown = await (await fetch("/sandbox.json", { cache: "no-store" })).json()
    const now: unknown = typeof found === "object" && found !== null && Reflect.get(found, "baseUrl")
    if (typeof now === "string" && now !== baseUrl) location.reload()
  } catch {
    // the server is stopped too
  }
}

/** Polls the sandbox every two seconds while the page is visible. */
const usePolledNodes = (): SandboxNodes => {
  const { admin, network, isOnSandbox, sandbox } = usePlayground()
  const baseUrl = sandbox?.baseUrl
  const [goneSince, setGoneSince] = useState<number>()
  const [nodes, setNodes] = useState<ReadonlyArray<NodeState>>([])
  const [faults, setFaults] = useState<ReadonlyArray<FaultState>>([])
  const [settled, setSettled] = useState(!isOnSandbox)
  const ask = useRef<() => void>(() => {})
  useEffect(() => {
    if (admin === undefined) {
      setNodes([])
      setFaults([])
      setGoneSince(undefined)
      return
    }
    let current = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const turn = async (): Promise<void> => {
      clearTimeout(timer)
      if (!document.hidden) {
        const [networks, rules] = await Promise.all([run(admin.networks()), run(admin.faults())])
        if (!current) return
        if (networks.status === "done")
          setNodes(networks.value.find((each) => each.network === network)?.nodes ?? [])
        if (rules.status === "done") setFaults(rules.value)
        const isGone = networks.status === "failed" && rules.status === "failed"
        setGoneSince((since) => (isGone ? (since ?? Date.now()) : undefined))
        if (isGone && baseUrl !== undefined) void reloadIfRestarted(baseUrl)
        setSettled(true)
      }
      clearTimeout(timer)
      timer = setTimeout(() => void turn(), POLL_INTERVAL_MS)
    }
    ask.current = () => void turn()
    void turn()
    return () => {
      current = false
      ask.current = () => {}
      clearTimeout(timer)
    }
  }, [admin, baseUrl, network])
  const refresh = useCallback(() => ask.current(), [])
  return useMemo(
    () => ({ nodes, faults, settled, goneSince, refresh }),
    [nodes, faults, settled, goneSince, refresh]
  )
}

const Context = createContext<SandboxNodes>({
  nodes: [],
  faults: [],
  settled: false,
  goneSince: undefined,
  refresh: () => {}
})

/** Polls the sandbox's nodes once for all panels. */
export const SandboxNodesProvider = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <Context value={usePolledNodes()}>{children}</Context>
)

/** The sandbox's nodes. */
export const useSandboxNodes = (): SandboxNodes => useContext(Context)
