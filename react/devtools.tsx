"use client"

import * as Option from "effect/Option"
import * as React from "react"
/**
 * A panel for developers: `effect-chains/react/devtools`. It lists the cached reads with their state, age and number of observers. It sends
 * no requests itself.
 *
 * ```tsx
 * <SdkProvider config={config}>
 *   <App />
 *   {import.meta.env.DEV && <Devtools />}
 * </SdkProvider>
 * ```
 *
 * @since 0.1.0
 */
import type { OnThisEffect } from "../src/data/effectVersion.js"
import { type CachedRead, type CacheEntry, cacheEntryOf } from "./CacheEntry.js"
import { type ClientStore, useClients } from "./ClientStore.js"
import { errorOf, isEmptyList } from "./Reactive.js"
import * as Result from "./Result.js"
import { listRx } from "./reactivity.js"
import { toKey } from "./values.js"

/**
 * The props of {@link Devtools}: whether the panel is open at first (default false), and its corner of the page.
 *
 * @since 0.1.0
 * @category models
 */
export interface DevtoolsProps {
  readonly initialIsOpen?: boolean
  readonly position?: "bottom-left" | "bottom-right"
}

type AnyResult = Result.Result<unknown, unknown>

interface ReadRow extends CachedRead {
  readonly key: string
  readonly observers: number
  /** Its last result that a component has observed. */
  readonly result: AnyResult | undefined
  readonly refresh: () => void
}

/** The time between two updates of the list, in milliseconds: a registry has no event for it. */
const POLL_INTERVAL_MS = 500

/** All cached reads. Results come from the registry only while a read has observers: `registry.get` would refetch an invalidated one. */
const collectRows = (
  { registry }: ClientStore,
  lastResults: WeakMap<CacheEntry, AnyResult>
): ReadonlyArray<ReadRow> =>
  listRx(registry).flatMap((rx): ReadonlyArray<ReadRow> => {
    const cacheEntry = cacheEntryOf(rx)
    if (cacheEntry === undefined || cacheEntry.rx !== rx) return []
    const observers = cacheEntry.observers.size
    if (observers > 0) lastResults.set(cacheEntry, registry.get(cacheEntry.rx))
    const { args, network, path } = cacheEntry.read
    return [
      {
        args,
        network,
        path,
        observers,
        key: `${network} ${path} ${toKey(args)}`,
        result: lastResults.get(cacheEntry),
        refresh: () => registry.refresh(rx)
      }
    ]
  })

const formatState = ({ observers, result }: ReadRow): string => {
  if (result === undefined) return "held"
  const isGood = Result.isSuccess(result) || isEmptyList(result)
  const state = isGood ? "success" : Result.isFailure(result) ? "error" : "loading"
  if (observers === 0) return `${state}, held`
  return result.waiting && state !== "loading" ? `${state}, asked again` : state
}

const formatAge = ({ result }: ReadRow, now: number): string => {
  const at = result && Result.isSuccess(result) ? result.timestamp : undefined
  if (at === undefined) return "–"
  const seconds = Math.max(0, Math.round((now - at) / 1_000))
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`
}

const replaceValue = (_: string, part: unknown): unknown =>
  typeof part === "bigint"
    ? `${part}n`
    : part instanceof Uint8Array
      ? `${part.length} bytes`
      : typeof part === "function"
        ? "(function)"
        : part

/** A value as text: bigints with an `n`, bytes as their number. */
const formatValue = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, replaceValue, indent) ?? String(value)).replace(/"(-?\d+n)"/g, "$1")

/** The details of a read: its error, its answer, or that there is none yet. */
const formatContent = ({ result }: ReadRow): string => {
  if (result === undefined) return "No component has looked at it since the panel was opened."
  if (isEmptyList(result)) return "The list is empty."
  const answer = Option.map(Result.value(result), (value) => formatValue(value, 2))
  const error = Result.isFailure(result) ? [String(errorOf(result.cause))] : []
  return [...error, ...Option.toArray(answer)].join("\n\n") || "No answer yet."
}

const panelStyle = {
  background: "#14161c",
  color: "#eceef4",
  border: "1px solid #5b6170",
  borderRadius: 6
} as const

const buttonStyle: React.CSSProperties = {
  ...panelStyle,
  font: "inherit",
  padding: "4px 8px",
  cursor: "pointer"
}

const cellStyle: React.CSSProperties = { padding: "3px 8px", textAlign: "left", verticalAlign: "top" }

const Read = ({ isShown, now, row, show }: ReadProps): React.ReactElement => (
  <>
    <tr>
      <td style={cellStyle}>
        <button type="button" style={buttonStyle} aria-expanded={isShown} onClick={show}>
          {row.path}({row.args.map((arg) => formatValue(arg)).join(", ")})
        </button>
      </td>
      <td style={cellStyle}>{row.network}</td>
      <td style={cellStyle}>{formatState(row)}</td>
      <td style={cellStyle}>{formatAge(row, now)}</td>
      <td style={cellStyle}>{row.observers}</td>
      <td style={cellStyle}>
        <button type="button" style={buttonStyle} onClick={row.refresh} aria-label={`Ask again: ${row.path}`}>
          Again
        </button>
      </td>
    </tr>
    {isShown && (
      <tr>
        <td style={cellStyle} colSpan={6}>
          <pre style={{ margin: 0, whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
            {formatContent(row)}
          </pre>
        </td>
      </tr>
    )}
  </>
)

interface ReadProps {
  readonly row: ReadRow
  readonly now: number
  readonly isShown: boolean
  readonly show: () => void
}

const columns = ["Read", "Network", "State", "Age", "Components", "Action"]

interface PanelState {
  readonly now: number
  readonly rows: ReadonlyArray<ReadRow>
}

/** All cached reads, updated while the panel is open. */
const useRows = (): PanelState => {
  const clients = useClients()
  const [lastResults] = React.useState(() => new WeakMap<CacheEntry, AnyResult>())
  const [state, setState] = React.useState<PanelState>({ now: 0, rows: [] })
  React.useEffect(() => {
    const update = (): void => setState({ now: Date.now(), rows: collectRows(clients, lastResults) })
    update()
    const timer = setInterval(update, POLL_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [clients, lastResults])
  return state
}

const ReadTable = ({ now, rows }: PanelState): React.ReactElement => {
  const [shown, setShown] = React.useState<string>()
  return (
    <table style={{ borderCollapse: "collapse" }}>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col" style={cellStyle}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Read
            key={row.key}
            row={row}
            now={now}
            isShown={shown === row.key}
            show={() => setShown(shown === row.key ? undefined : row.key)}
          />
        ))}
      </tbody>
    </table>
  )
}

const Reads = ({ id }: { readonly id: string }): React.ReactElement => {
  const { now, rows } = useRows()
  const [filter, setFilter] = React.useState("")
  const shownRows = rows.filter(({ key }) => key.toLowerCase().includes(filter.toLowerCase()))
  return (
    <section
      id={id}
      aria-label="Reads"
      style={{
        ...panelStyle,
        maxWidth: "calc(100vw - 16px)",
        maxHeight: "50vh",
        overflow: "auto",
        marginBottom: 8
      }}
    >
      <label style={{ display: "block", padding: 8 }}>
        Filter{" "}
        <input
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
          style={{ ...panelStyle, font: "inherit" }}
        />
      </label>
      <ReadTable now={now} rows={shownRows} />
      {shownRows.length === 0 && <p style={{ padding: 8, margin: 0 }}>No reads</p>}
    </section>
  )
}

/**
 * A panel in a corner of the page that lists the reads of the provider above it: key, state, age and number of observers. A click on a read
 * shows its answer or error, and a button refetches it. Render it only in development.
 *
 * @since 0.1.0
 * @category components
 */
export const Devtools = ({
  initialIsOpen = false,
  position = "bottom-right"
}: OnThisEffect<DevtoolsProps>): React.ReactElement => {
  const [isOpen, setIsOpen] = React.useState(initialIsOpen)
  const id = React.useId()
  return (
    <div
      style={{
        position: "fixed",
        zIndex: 99_999,
        bottom: 8,
        [position === "bottom-left" ? "left" : "right"]: 8,
        font: "12px/1.4 ui-monospace, monospace"
      }}
    >
      {isOpen && <Reads id={id} />}
      <button
        type="button"
        style={buttonStyle}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? "Close reads" : "Reads"}
      </button>
    </div>
  )
}
