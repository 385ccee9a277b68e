/**
 * The RPC console: every method of the network, its arguments, its docs, and its answers.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import {
  type FormEvent,
  type ReactElement,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState
} from "react"
import { useRun, useSdk } from "../../index.js"
import { effectAt } from "../../Reactive.js"
import { NamesContext, useNames } from "../live/names.js"
import { useSandboxNodes } from "../live/useSandboxNodes.js"
import { usePlayground } from "../session.js"
import { ShowCode } from "../snippets/index.js"
import { formatLiteral } from "../snippets/literal.js"
import { Badge, Button, CopyButton, Empty, ErrorBox, LiveRegion, Panel, Skeleton, Time } from "../ui/index.js"
import { type CallOutcome, type CompletedCall, extraFieldsOf, makeCall } from "./call.js"
import { type ExampleContext, makeInitialTexts } from "./examples.js"
import { Inputs } from "./Inputs.js"
import { MethodList } from "./MethodList.js"
import { Modal } from "./Modal.js"
import type { Method } from "./model.js"
import { useMethods } from "./useMethods.js"
import { ValueTree } from "./ValueTree.js"
import { type InputTexts, parseArguments } from "./values.js"
import "./console.css"

/** Calls that the history keeps. */
const MAX_CALLS = 20

const isWrite = ({ kind }: Method): boolean => kind === "write" || kind === "broadcast"

const formatMs = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`

/** An error for any thrown value. */
const toError = (error: unknown): { readonly message: string } =>
  error instanceof Error ? error : new Error(String(error))

/** The node that answered, and how many others were asked. */
const AnsweringNode = ({ made }: { readonly made: CompletedCall }): ReactElement => {
  const nameOf = useNames()
  const last = made.answered.at(-1)
  if (!made.method.path.startsWith("rpc.")) return <span>the provider's API</span>
  if (last === undefined) {
    return (
      <span>
        {made.requestedUrls.length > 0
          ? `asked ${made.requestedUrls.map(nameOf).join(", ")}`
          : "no node of the pool"}
      </span>
    )
  }
  const others = made.requestedUrls.filter((url) => url !== last.url).length
  return (
    <span>
      <span className="mono">{nameOf(last.url)}</span>
      {others > 0 ? `, after asking ${others} other ${others === 1 ? "node" : "nodes"}` : ""}
      {made.answered.length > 1 ? ` (${made.answered.length} answers)` : ""}
    </span>
  )
}

const Answer = ({ made }: { readonly made: CompletedCall }): ReactElement => {
  const { outcome } = made
  const fields = outcome._tag === "error" ? extraFieldsOf(outcome.error) : []
  return (
    <div className="stack-2">
      <div className="spread">
        <p className="console-facts tabular">
          <Badge tone={outcome._tag === "answer" ? "ok" : "bad"} dot>
            {outcome._tag === "answer" ? "Answered" : "Failed"}
          </Badge>
          <span>{formatMs(made.ms)}</span>
          <AnsweringNode made={made} />
        </p>
        {outcome._tag === "answer" ? (
          <CopyButton text={formatLiteral(outcome.value)} label="the answer" />
        ) : null}
      </div>
      {outcome._tag === "answer" ? (
        <ValueTree key={made.id} value={outcome.value} />
      ) : (
        <>
          <ErrorBox error={outcome.error} title="The call has failed" />
          {fields.length === 0 ? null : <ValueTree value={Object.fromEntries(fields)} />}
        </>
      )}
    </div>
  )
}

interface FormProps {
  readonly method: Method
  readonly surroundings: ExampleContext
  readonly texts: InputTexts
  readonly onTexts: (texts: InputTexts) => void
  readonly busy: boolean
  readonly ready: boolean
  readonly onRun: (args: ReadonlyArray<unknown>) => void
}

/** A method with its inputs. Problems are shown after the first try. */
const Form = (props: FormProps): ReactElement => {
  const { busy, method, onRun, onTexts, ready, surroundings, texts } = props
  const [tried, setTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const { problems, values } = useMemo(() => parseArguments(method.args, texts), [method, texts])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setTried(true)
    if (busy || !ready) return
    if (Object.keys(problems).length === 0) onRun(values)
    // focus the first invalid input, after it is rendered as invalid
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus())
  }
  return (
    <form ref={form} className="stack" aria-label={`Call ${method.path}`} noValidate onSubmit={submit}>
      <div className="stack-2">
        <div className="console-title">
          <h3 className="mono">{method.path}</h3>
          {method.kind === "read" ? null : (
            <Badge tone={method.kind === "broadcast" ? "info" : "warn"}>{method.kind}</Badge>
          )}
          {method.wire === undefined ? null : <code className="code">{method.wire}</code>}
        </div>
        <p>{method.doc}</p>
        <p className="hint">
          Yields <code className="code">{method.returns}</code>
        </p>
      </div>
      <Inputs
        method={method}
        texts={texts}
        problems={tried ? problems : {}}
        onText={(key, text) => onTexts({ ...texts, [key]: text })}
        surroundings={surroundings}
      />
      <div className="row">
        <Button type="submit" kind="primary" busy={busy}>
          Run
        </Button>
        <span className="hint only-wide">
          <kbd className="kbd">Ctrl</kbd> <kbd className="kbd">Enter</kbd>
        </span>
        {isWrite(method) ? (
          <span className="hint">It may have an effect: you will be asked first.</span>
        ) : null}
      </div>
    </form>
  )
}

const History = (props: {
  readonly calls: ReadonlyArray<CompletedCall>
  readonly shown: CompletedCall | undefined
  readonly onPick: (made: CompletedCall) => void
}): ReactElement =>
  props.calls.length === 0 ? (
    <p className="hint">The last {MAX_CALLS} calls will be here, to look at and to run again.</p>
  ) : (
    <ul className="list-plain divide">
      {props.calls.map((made) => (
        <li key={made.id}>
          <button
            type="button"
            className="console-past"
            aria-current={made === props.shown ? "true" : undefined}
            onClick={() => props.onPick(made)}
          >
            <Badge tone={made.outcome._tag === "answer" ? "ok" : "bad"}>
              {made.outcome._tag === "answer" ? "ok" : "error"}
            </Badge>
            <span className="mono truncate grow">
              {made.method.path}({made.args.map((arg) => formatLiteral(arg).replace(/\s+/g, " ")).join(", ")})
            </span>
            <span className="tabular console-past-ms">{formatMs(made.ms)}</span>
            <span className="muted only-wide console-past-at">
              <Time at={made.at} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  )

/** The accounts and contracts of the current network, for examples. */
const useExampleContext = (): ExampleContext => {
  const { network, isOnSandbox, sandbox } = usePlayground()
  return useMemo(
    () => ({
      network,
      accounts: (sandbox?.accounts ?? []).map(({ address }) => address),
      ...(isOnSandbox && sandbox !== undefined
        ? {
            inbox: `${sandbox.inbox.url}/console`,
            nft: sandbox.seed?.nft.address,
            token: sandbox.seed?.token.address
          }
        : {})
    }),
    [network, isOnSandbox, sandbox]
  )
}

/** The completed calls, and the state of the running one. */
const useConsoleCalls = (method: Method | undefined, texts: InputTexts) => {
  const { log, network } = usePlayground()
  const sdk = useSdk({ network })
  const run = useRun({ network })
  const [calls, setCalls] = useState<ReadonlyArray<CompletedCall>>([])
  const [shown, setShown] = useState<CompletedCall>()
  const [running, setRunning] = useState<ReadonlySet<string>>(new Set())
  const number = useRef(0)
  const current = useRef<string>(undefined)
  useEffect(() => {
    current.current = method?.path
  })
  const start = async (args: ReadonlyArray<unknown>): Promise<void> => {
    if (sdk === undefined || method === undefined) return
    const { path } = method
    setRunning((all) => new Set([...all, path]))
    const made = await makeCall(sdk, { method, texts, args }, async (): Promise<CallOutcome> => {
      const outcome = await run((client) =>
        Effect.mapError(effectAt(client, path, args, isWrite(method) ? "write" : "read"), toError)
      )
      return outcome.status === "SUCCESS"
        ? { _tag: "answer", value: outcome.data }
        : { _tag: "error", error: outcome.error.cause }
    })
    const numbered = { ...made, id: ++number.current }
    setRunning((all) => new Set([...all].filter((each) => each !== path)))
    // the user may have opened another method
    if (current.current === path) setShown(numbered)
    setCalls((all) => [numbered, ...all].slice(0, MAX_CALLS))
    if (isWrite(method)) log(`Called ${method.path}`)
  }
  const isRunning = method !== undefined && running.has(method.path)
  return { calls, isRunning, ready: sdk !== undefined, setShown, shown, start }
}

interface AnswerSectionProps {
  readonly shown: CompletedCall | undefined
  readonly isRunning: boolean
}

const AnswerSection = ({ isRunning, shown }: AnswerSectionProps): ReactElement => (
  <>
    <section className="console-answer" aria-label="Answer" aria-busy={isRunning}>
      {shown !== undefined ? (
        <Answer made={shown} />
      ) : (
        <Empty title={isRunning ? "Waiting for the answer" : "No answer yet"}>
          Run the method: its answer, the time it took and the node that gave it are shown here.
        </Empty>
      )}
    </section>
    <LiveRegion>
      {shown === undefined
        ? ""
        : `${shown.method.path}: ${shown.outcome._tag === "answer" ? "answered" : "failed"} after ${formatMs(shown.ms)}`}
    </LiveRegion>
  </>
)

/** Runs on Ctrl+Enter, wherever the focus is. */
const useRunKey = (enabled: boolean, run: () => void): void => {
  const keys = useEffectEvent((event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !enabled) return
    event.preventDefault()
    run()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => keys(event)
    window.addEventListener("keydown", listener)
    return () => window.removeEventListener("keydown", listener)
  }, [])
}

interface ConfirmProps {
  readonly method: Method
  readonly args: ReadonlyArray<unknown>
  readonly onClose: () => void
  readonly onRun: () => void
}

/** Asks before a method that may have an effect. */
const Confirm = ({ args, method, onClose, onRun }: ConfirmProps): ReactElement => {
  const { network, isOnSandbox } = usePlayground()
  return (
    <Modal
      title="Run a method that may have an effect?"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            onClick={() => {
              onClose()
              onRun()
            }}
          >
            Run {method.path.slice(method.path.lastIndexOf(".") + 1)}
          </Button>
        </>
      }
    >
      <p>
        <code className="code">{method.path}</code> is a {method.kind}
        {method.kind === "broadcast"
          ? ": what it sends is signed, and sending it again is safe."
          : ": it is sent once, and never repeated on its own."}
      </p>
      <p className="hint">
        {isOnSandbox ? "It goes to the sandbox of this machine." : `It goes to ${network}, for real.`}
      </p>
      <pre className="pre console-confirm">
        {args.map((arg) => formatLiteral(arg)).join(",\n") || "no arguments"}
      </pre>
    </Modal>
  )
}

/** The method at hand and its inputs, the calls that were made, and the arguments that wait for the user's confirmation. */
const useConsole = () => {
  const { network } = usePlayground()
  const methods = useMethods(network)
  const surroundings = useExampleContext()
  const [picked, setPicked] = useState<Method>()
  const [typed, setTyped] = useState<Readonly<Record<string, InputTexts>>>({})
  const [asking, setAsking] = useState<ReadonlyArray<unknown>>()
  const method =
    picked ??
    methods?.find(({ path }) => path === "rpc.getBalance") ??
    methods?.find(({ args }) => args.length === 0)
  const texts = method === undefined ? {} : (typed[method.path] ?? makeInitialTexts(method, surroundings))
  const calls = useConsoleCalls(method, texts)
  return {
    methods,
    method,
    surroundings,
    texts,
    asking,
    calls,
    setTexts: (path: string, next: InputTexts) => setTyped({ ...typed, [path]: next }),
    selectMethod: (next: Method) => {
      setPicked(next)
      calls.setShown(undefined)
    },
    showCall: (made: CompletedCall) => {
      setPicked(made.method)
      setTyped({ ...typed, [made.method.path]: made.texts })
      calls.setShown(made)
    },
    /** Calls a read at once, and asks the user before any other method. */
    runOrAsk: (args: ReadonlyArray<unknown>) => {
      if (method !== undefined && isWrite(method)) setAsking(args)
      else void calls.start(args)
    },
    stopAsking: () => setAsking(undefined)
  }
}

interface CallPanelProps {
  readonly state: ReturnType<typeof useConsole>
}

/** The list of methods, the form of the selected one, and its answer. */
const CallPanel = ({ state }: CallPanelProps): ReactElement => {
  const { asking, calls, method, methods, runOrAsk, selectMethod, setTexts, surroundings, texts } = state
  const { network } = usePlayground()
  const formBox = useRef<HTMLDivElement>(null)
  const { values } = useMemo(() => parseArguments(method?.args ?? [], texts), [method, texts])
  useRunKey(asking === undefined, () => formBox.current?.querySelector("form")?.requestSubmit())
  const code =
    method === undefined ? undefined : (
      <ShowCode
        title={method.path}
        network={network}
        path={method.path}
        args={values}
        {...(isWrite(method) ? { hook: "useWrite" } : {})}
      />
    )
  return (
    <Panel
      id="console-call"
      title="Call"
      hint="Read off the endpoint tables when this page was built: names, types and docs are those of the SDK."
      code={code}
    >
      {methods === undefined || method === undefined ? (
        <div className="console-waiting">
          <Skeleton lines={12} />
        </div>
      ) : (
        <div className="console-grid">
          <MethodList methods={methods} selected={method} onSelect={selectMethod} />
          <div className="console-side" ref={formBox}>
            <Form
              key={method.path}
              method={method}
              surroundings={surroundings}
              texts={texts}
              onTexts={(next) => setTexts(method.path, next)}
              busy={calls.isRunning}
              ready={calls.ready}
              onRun={runOrAsk}
            />
            <AnswerSection shown={calls.shown} isRunning={calls.isRunning} />
          </div>
        </div>
      )}
    </Panel>
  )
}

/**
 * The console of the selected network.
 *
 * @since 0.1.0
 * @category components
 */
export const RpcConsole = (): ReactElement => {
  const { nodes } = useSandboxNodes()
  const names = useMemo(() => new Map(nodes.map(({ name, url }) => [url, name])), [nodes])
  const state = useConsole()
  const { asking, calls, method, showCall, stopAsking } = state
  return (
    <NamesContext value={names}>
      <CallPanel state={state} />
      <Panel id="console-history" title="Last calls">
        <History calls={calls.calls} shown={calls.shown} onPick={showCall} />
      </Panel>
      {asking === undefined || method === undefined ? null : (
        <Confirm method={method} args={asking} onClose={stopAsking} onRun={() => void calls.start(asking)} />
      )}
    </NamesContext>
  )
}
