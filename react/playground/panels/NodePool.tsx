import * as Effect from "effect/Effect"
import { lazy, type ReactElement, Suspense, useState } from "react"
import type { NodeSnapshot } from "../../../src/balancer/NodePool.js"
import type { FaultInput, FaultState } from "../../../src/sandbox/api/FaultRule.js"
import { useBlockNumber } from "../../index.js"
import type { NodeNumbers } from "../live/monitor.js"
import { useNames } from "../live/names.js"
import { useMonitorSnapshot, usePool } from "../live/useMonitor.js"
import type { SandboxNodes } from "../live/useSandboxNodes.js"
import { isLoadBalanced } from "../networks.js"
import { useAdmin, usePlayground } from "../session.js"
import { ShowCode } from "../snippets/index.js"
import { Badge, Button, Empty, ErrorBox, Icon, LiveRegion, Panel, Skeleton } from "../ui/index.js"

/** Loaded on demand: the chart library is a tenth of the page. */
const Sparkline = lazy(() => import("./Sparkline.js").then(({ Sparkline }) => ({ default: Sparkline })))

/** The faults in the list, as rules of the sandbox. */
const faults = {
  "connection reset": { kind: "reset" },
  "HTTP 503": { kind: "status", status: 503 },
  "rate limit": { kind: "rateLimit", requests: 2, perMs: 1_000 },
  "error page": { kind: "html" },
  "half an answer": { kind: "stall" },
  "a wrong digit": { kind: "corrupt", how: "digit" },
  "another chain": { kind: "wrongChain" },
  "20 blocks behind": { kind: "stale", blocks: 20 },
  "20 blocks ahead": { kind: "lying", blocks: 20 }
} as const satisfies Record<string, FaultInput["fault"]>

const isFault = (name: string): name is keyof typeof faults => Object.hasOwn(faults, name)

/** The title of a fault in the list; empty if the list does not have it. */
const titleOfFault = (wanted: FaultInput["fault"]): string =>
  Object.entries(faults).find(([, fault]) =>
    Object.entries(fault).every(([key, value]) => Reflect.get(wanted, key) === value)
  )?.[0] ?? ""

const SLOW_FAULT = { kind: "slow", ms: 1_500 } as const

const GARBAGE_FAULT = { kind: "garbage" } as const

/** The rules that are in force at a node. */
const findActiveRules = (
  states: ReadonlyArray<FaultState>,
  network: string,
  node: string
): ReadonlyArray<FaultState> =>
  states.filter(
    ({ rule: { target }, state }) =>
      state === "active" &&
      target.network === network &&
      (target.node === node || target.node === `${network}/${node}`)
  )

interface NodeCardProps {
  readonly node: NodeSnapshot
  readonly numbers: NodeNumbers | undefined
  readonly highest: number
  /** Whether no node of the pool answers. */
  readonly isSilent: boolean
  readonly sandbox: SandboxNodes
}

/** The actions on a node of the sandbox, and what is in force at it. */
const useNodeActions = (name: string, sandbox: SandboxNodes) => {
  const { log, network } = usePlayground()
  const { act, busy, error } = useAdmin()
  const [running, setRunning] = useState("")
  const state = sandbox.nodes.find((each) => each.name === name)?.state ?? "running"
  const rules = findActiveRules(sandbox.faults, network, name)
  const ruleOf = (kind: string) => rules.find(({ rule }) => rule.fault.kind === kind)?.rule
  const other = rules.find(({ rule }) => rule.fault.kind !== "slow" && rule.fault.kind !== "garbage")?.rule
  const runAction = async (title: string, action: Parameters<typeof act>[0]): Promise<void> => {
    setRunning(title)
    const outcome = await act(action)
    setRunning("")
    if (outcome?.status === "done") log(`${name}: ${title}`)
    sandbox.refresh()
  }
  const changeState = (action: "stop" | "restart" | "freeze" | "resume") =>
    runAction(action, (admin) => admin.node({ path: { network, node: name, action } }))
  const toggleFault = (title: string, fault: FaultInput["fault"]) => {
    const rule = ruleOf(fault.kind)
    return rule === undefined
      ? runAction(title, (admin) => admin.addFault({ payload: { target: { network, node: name }, fault } }))
      : runAction(`no longer ${title}`, (admin) => admin.removeFault({ path: { id: rule.id } }))
  }
  const heal = () =>
    runAction("healed", (admin) => {
      const node = (action: "heal" | "restart" | "resume") =>
        admin.node({ path: { network, node: name, action } })
      const start = state === "stopped" ? node("restart") : state === "frozen" ? node("resume") : Effect.void
      return Effect.zipRight(node("heal"), start)
    })
  /** Replaces the fault that is chosen from the list. Another title than a fault's removes it. */
  const chooseFault = (title: string) =>
    isFault(title)
      ? runAction(title, (admin) =>
          Effect.zipRight(
            other === undefined ? Effect.void : admin.removeFault({ path: { id: other.id } }),
            admin.addFault({ payload: { target: { network, node: name }, fault: faults[title] } })
          )
        )
      : other === undefined
        ? undefined
        : runAction("no other fault", (admin) => admin.removeFault({ path: { id: other.id } }))
  return {
    state,
    error,
    isChanging: busy && (running === "stop" || running === "restart"),
    isHealthy: state === "running" && rules.length === 0,
    hasFault: (kind: string) => ruleOf(kind) !== undefined,
    chosenFault: other === undefined ? "" : titleOfFault(other.fault),
    changeState,
    toggleFault,
    chooseFault,
    heal
  }
}

/** The buttons of a node of the sandbox. All but one are toggles; the last one heals the node at once. */
const NodeActions = ({
  name,
  sandbox
}: {
  readonly name: string
  readonly sandbox: SandboxNodes
}): ReactElement => {
  const {
    changeState,
    chooseFault,
    chosenFault,
    error,
    hasFault,
    heal,
    isChanging,
    isHealthy,
    state,
    toggleFault
  } = useNodeActions(name, sandbox)
  const small = { size: "small" } as const
  return (
    <>
      <fieldset className="node-actions">
        <legend className="hidden">What happens to {name}</legend>
        <Button
          {...small}
          aria-pressed={state === "stopped"}
          busy={isChanging}
          onClick={() => void changeState(state === "stopped" ? "restart" : "stop")}
        >
          Stop
        </Button>
        <Button
          {...small}
          aria-pressed={state === "frozen"}
          disabled={state === "stopped"}
          onClick={() => void changeState(state === "frozen" ? "resume" : "freeze")}
        >
          Freeze
        </Button>
        <Button
          {...small}
          aria-pressed={hasFault("slow")}
          onClick={() => void toggleFault("slow", SLOW_FAULT)}
        >
          Slow
        </Button>
        <Button
          {...small}
          aria-pressed={hasFault("garbage")}
          onClick={() => void toggleFault("corrupt", GARBAGE_FAULT)}
        >
          Corrupt
        </Button>
      </fieldset>
      <div className="node-more">
        <select
          className="input input-small"
          aria-label={`Another fault of ${name}`}
          value={chosenFault}
          onChange={(event) => void chooseFault(event.target.value)}
        >
          <option value="">Another fault…</option>
          {Object.keys(faults).map((title) => (
            <option key={title}>{title}</option>
          ))}
        </select>
        <Button {...small} disabled={isHealthy} onClick={() => void heal()}>
          <Icon name="heart" size={14} />
          Heal
        </Button>
      </div>
      {error === undefined ? null : <ErrorBox error={error} title={`${name} stays as it was`} />}
    </>
  )
}

/** Whether the pool uses a node: healthy, behind, out, or not checked yet. */
const NodeState = ({ highest, isSilent, node }: NodeCardProps): ReactElement => {
  const behind = highest - node.lastBlock
  if (node.failed || isSilent)
    return (
      <Badge tone="bad" dot>
        Out
      </Badge>
    )
  if (node.lastBlock === 0 && node.lastResponseTime === 0) return <Badge dot>Unchecked</Badge>
  return behind > 1 ? (
    <Badge tone="warn" dot>
      {behind} behind
    </Badge>
  ) : (
    <Badge tone="ok" dot>
      Healthy
    </Badge>
  )
}

interface NodeLatencyProps {
  readonly name: string
  readonly numbers: NodeNumbers | undefined
  readonly muted: boolean
}

const NodeLatency = ({ muted, name, numbers }: NodeLatencyProps): ReactElement => {
  const latencies = numbers?.latencies ?? []
  const latency = latencies.at(-1)
  const worst = Math.max(0, ...latencies)
  return (
    <div className="node-latency">
      <strong className="tabular">
        {latency === undefined ? "–" : Math.round(latency)}
        <small> ms</small>
      </strong>
      <Suspense fallback={<div className="spark" />}>
        {" "}
        <Sparkline
          times={numbers?.times ?? []}
          values={latencies}
          muted={muted}
          label={`Latency of ${name} in the last minute: now ${Math.round(latency ?? 0)} ms, at most ${Math.round(worst)} ms`}
        />
      </Suspense>
    </div>
  )
}

const NodeFacts = ({ node, numbers }: Pick<NodeCardProps, "node" | "numbers">): ReactElement => (
  <dl className="facts">
    <div>
      <dt>Role</dt>
      <dd>{node.type === "ARCHIVE" ? "Archive" : "Normal"}</dd>
    </div>
    <div>
      <dt>Height</dt>
      <dd className="tabular">{node.lastBlock > 0 ? node.lastBlock.toLocaleString("en-US") : "–"}</dd>
    </div>
    <div>
      <dt>Ejections</dt>
      <dd className="tabular">{numbers?.ejections ?? 0}</dd>
    </div>
    <div>
      <dt>Answers</dt>
      <dd className="tabular">{(numbers?.answered ?? 0).toLocaleString("en-US")}</dd>
    </div>
  </dl>
)

const NodeCard = (props: NodeCardProps): ReactElement => {
  const { isSilent, node, numbers, sandbox } = props
  const name = useNames()(node.url)
  const isOut = node.failed || isSilent
  const own = sandbox.nodes.find((each) => each.name === name)
  return (
    <article
      className={`node${node.active ? " node-active" : ""}${isOut ? " node-out" : ""}`}
      aria-label={name}
    >
      <div className="node-head">
        <div className="grow">
          <h3 className="node-name truncate">{name}</h3>
          <span className="node-url mono truncate">{node.url.replace(/^https?:\/\//, "")}</span>
        </div>
        <div className="row" style={{ gap: 4, justifyContent: "flex-end" }}>
          {node.active && !isSilent ? <Badge tone="info">Active</Badge> : null}
          <NodeState {...props} />
        </div>
      </div>
      <NodeLatency name={name} numbers={numbers} muted={isOut} />
      <NodeFacts node={node} numbers={numbers} />
      {own === undefined ? null : <NodeActions name={own.name} sandbox={sandbox} />}
    </article>
  )
}

const roleOrder = { NORMAL: 0, ARCHIVE: 1 } as const

/** The nodes in the order of the panel, and the figures of the pool that their cards compare with. */
const useSortedNodes = () => {
  const snapshot = useMonitorSnapshot()
  const nameOf = useNames()
  const nodes = [...snapshot.nodes].sort(
    (a, b) =>
      roleOrder[a.type] - roleOrder[b.type] ||
      nameOf(a.url).localeCompare(nameOf(b.url), "en", { numeric: true })
  )
  const highest = Math.max(0, ...nodes.filter(({ failed }) => !failed).map(({ lastBlock }) => lastBlock))
  return { nodes, highest, numbers: snapshot.numbers, isSilent: snapshot.silentSince !== undefined }
}

/** Says for screen readers which nodes answer, and which are out. */
const PoolSummary = ({ nodes }: { readonly nodes: ReadonlyArray<NodeSnapshot> }): ReactElement => {
  const nameOf = useNames()
  const active = nodes.filter((node) => node.active && node.type === "NORMAL").map(({ url }) => nameOf(url))
  const out = nodes.filter(({ failed }) => failed).map(({ url }) => nameOf(url))
  return (
    <LiveRegion>
      {active.length === 0 ? "" : `Active node: ${active.join(", ")}.`}
      {out.length === 0 ? "" : ` Out: ${out.join(", ")}.`}
    </LiveRegion>
  )
}

/** Why there are no nodes: the network has no pool, or the provider's list cannot be read. */
const NoNodes = (): ReactElement => {
  const { network } = usePlayground()
  const { error } = useBlockNumber({ network })
  return isLoadBalanced(network) ? (
    <ErrorBox
      title="The provider cannot be reached"
      error={error ?? new Error("There is no list of this network's nodes so far. It is asked for again.")}
    />
  ) : (
    <Empty title="No pool here">
      This network has one way in, the provider's gateway. Networks with a list of nodes are marked “pool” in
      the picker.
    </Empty>
  )
}

const CheckButton = ({ check }: { readonly check: () => Promise<unknown> }): ReactElement => {
  const [isChecking, setChecking] = useState(false)
  return (
    <Button
      size="small"
      busy={isChecking}
      onClick={() => {
        setChecking(true)
        void check().then(() => setChecking(false))
      }}
    >
      <Icon name="refresh" size={14} />
      Check now
    </Button>
  )
}

/** The nodes of the network, and on the sandbox the actions on them. */
export const NodePool = ({ sandbox }: { readonly sandbox: SandboxNodes }): ReactElement => {
  const { network, isOnSandbox } = usePlayground()
  const { highest, isSilent, nodes, numbers } = useSortedNodes()
  const { check, ready } = usePool()
  return (
    <Panel
      id="nodes"
      title="Node pool"
      hint={
        isOnSandbox
          ? "Break a node and watch: its calls go to another one, and it is back when a probe finds it well."
          : "The provider's nodes, as this client has found them."
      }
      actions={<CheckButton check={check} />}
      code={<ShowCode title="Node pool" network={network} path="nodes" hook="useNodePool" />}
    >
      <PoolSummary nodes={nodes} />
      {nodes.length > 0 && sandbox.settled ? (
        <div className="nodes">
          {nodes.map((node) => (
            <NodeCard
              key={`${node.url} ${node.type}`}
              node={node}
              numbers={numbers.get(node.url)}
              highest={highest}
              isSilent={isSilent}
              sandbox={sandbox}
            />
          ))}
        </div>
      ) : ready && sandbox.settled ? (
        <NoNodes />
      ) : (
        <div className="nodes">
          {[1, 2, 3, 4].map((n) => (
            <div className="node" key={n}>
              <Skeleton lines={7} height={isOnSandbox ? 20 : 6} />
            </div>
          ))}
        </div>
      )}
    </Panel>
  )
}
