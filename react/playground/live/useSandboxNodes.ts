import { useCallback, useEffect, useRef, useState } from "react"
import type { NodeState } from "../../../src/sandbox/api/Admin.js"
import type { FaultState } from "../../../src/sandbox/api/FaultRule.js"
import { run, usePlayground } from "../session.js"

/** The sandbox's own view of the network's nodes, and the rules that are in force. */
export interface SandboxNodes {
  readonly nodes: ReadonlyArray<NodeState>
  readonly faults: ReadonlyArray<FaultState>
  /** Whether the sandbox has answered, or there is none to ask. */
  readonly settled: boolean
  readonly refresh: () => void
}

const PAUSE = 2_000

/** Asks the sandbox every two seconds while the page is shown. Without a sandbox there are no such nodes. */
export const useSandboxNodes = (): SandboxNodes => {
  const { admin, network, onSandbox } = usePlayground()
  const [nodes, setNodes] = useState<ReadonlyArray<NodeState>>([])
  const [faults, setFaults] = useState<ReadonlyArray<FaultState>>([])
  const [settled, setSettled] = useState(!onSandbox)
  const ask = useRef<() => void>(() => {})
  useEffect(() => {
    if (admin === undefined) {
      setNodes([])
      setFaults([])
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
        setSettled(true)
      }
      clearTimeout(timer)
      timer = setTimeout(() => void turn(), PAUSE)
    }
    ask.current = () => void turn()
    void turn()
    return () => {
      current = false
      ask.current = () => {}
      clearTimeout(timer)
    }
  }, [admin, network])
  const refresh = useCallback(() => ask.current(), [])
  return { nodes, faults, settled, refresh }
}
