import { type ReactElement, type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from "react"
import { format } from "../../../src/data/Units.js"
import { Icon } from "./Icon.js"

/** Text for screen readers alone. */
export const VisuallyHidden = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <span className="hidden">{children}</span>
)

/** A polite message for screen readers whenever it changes. */
export const LiveRegion = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <div className="hidden" aria-live="polite">
    {children}
  </div>
)

/** A state in a word; `dot` puts its colour before it as well. */
export const Badge = (props: {
  readonly tone?: "ok" | "warn" | "bad" | "info" | "muted"
  readonly dot?: boolean
  readonly children: ReactNode
}): ReactElement => (
  <span className={`badge badge-${props.tone ?? "muted"}`}>
    {props.dot === true ? <span className="dot" aria-hidden="true" /> : null}
    {props.children}
  </span>
)

/** Copies a text, and says so for a moment. `label` names the text. */
export const CopyButton = ({
  label,
  text
}: {
  readonly text: string
  readonly label: string
}): ReactElement => {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1_600)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={copied ? "Copied" : `Copy ${label}`}
      title={copied ? "Copied" : `Copy ${label}`}
      onClick={() => {
        navigator.clipboard.writeText(text).then(
          () => setCopied(true),
          () => setCopied(false)
        )
      }}
    >
      <Icon name={copied ? "check" : "copy"} size={14} />
      <span className="hidden" aria-live="polite">
        {copied ? "Copied" : ""}
      </span>
    </button>
  )
}

/** The props of an address or a hash. */
export interface AddressProps {
  readonly value: string
  readonly label?: string
  /** All of it, broken where it has to be. */
  readonly full?: boolean
  /** The page about it, which opens in another tab. */
  readonly href?: string | undefined
}

const shorten = (value: string): string =>
  value.length <= 16 ? value : `${value.slice(0, 8)}…${value.slice(-6)}`

/** An address: its ends, all of it on hover, and a button that copies it. */
export const Address = ({ full = false, href, label = "address", value }: AddressProps): ReactElement => {
  const shape = full ? "mono breakable" : "mono"
  const text = full ? value : shorten(value)
  return (
    <span className="address">
      {href === undefined ? (
        <span className={shape} title={value}>
          {text}
        </span>
      ) : (
        <a className={`link ${shape}`} href={href} title={value} target="_blank" rel="noreferrer">
          {text}
        </a>
      )}
      <CopyButton text={value} label={label} />
    </span>
  )
}

/** A hash: the same as an address. */
export const Hash = (props: AddressProps): ReactElement => <Address label="hash" {...props} />

/** The props of an amount: coins as a decimal string, or the smallest units with the coin's decimals. */
export interface AmountProps {
  readonly value: string | bigint
  readonly symbol?: string | undefined
  readonly decimals?: number
  /** Whether a change is highlighted for a moment. */
  readonly flash?: boolean
}

/** At most so many decimals are shown; the title has all. */
const MAX_DECIMALS = 6

/** An amount in figures of one width, the part after the point muted. */
export const Amount = ({ decimals = 18, flash = false, symbol, value }: AmountProps): ReactElement => {
  const text = typeof value === "bigint" ? format(value, decimals) : value
  const [whole = "", fraction = ""] = text.split(".")
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",")
  const before = useRef(text)
  const [tick, setTick] = useState(0)
  useEffect(() => {
    if (before.current === text) return
    before.current = text
    setTick((n) => n + 1)
  }, [text])
  return (
    <span className="amount tabular" title={symbol === undefined ? text : `${text} ${symbol}`}>
      <span key={tick} className={flash && tick > 0 ? "flash" : undefined}>
        {grouped}
        {fraction === "" ? null : <span className="amount-fraction">.{fraction.slice(0, MAX_DECIMALS)}</span>}
      </span>
      {symbol === undefined ? null : <span className="amount-symbol"> {symbol}</span>}
    </span>
  )
}

const clock: {
  now: number
  listeners: Set<() => void>
  timer: ReturnType<typeof setInterval> | undefined
} = {
  now: Date.now(),
  listeners: new Set(),
  timer: undefined
}

/** One timer for all times of the page. */
const subscribe = (listener: () => void): (() => void) => {
  clock.listeners.add(listener)
  clock.timer ??= setInterval(() => {
    clock.now = Date.now()
    for (const each of clock.listeners) each()
  }, 1_000)
  return () => {
    clock.listeners.delete(listener)
    if (clock.listeners.size > 0) return
    clearInterval(clock.timer)
    clock.timer = undefined
  }
}

/** The time now, to the second. */
export const useClock = (): number => useSyncExternalStore(subscribe, () => clock.now)

const formatAge = (ms: number): string => {
  const s = Math.max(0, Math.round(ms / 1_000))
  if (s < 5) return "now"
  if (s < 60) return `${s} s ago`
  if (s < 3_600) return `${Math.floor(s / 60)} min ago`
  if (s < 86_400) return `${Math.floor(s / 3_600)} h ago`
  return `${Math.floor(s / 86_400)} d ago`
}

/** The time since an event; the exact time on hover. `at` is in milliseconds since 1970. */
export const Time = ({ at }: { readonly at: number }): ReactElement => {
  const now = useClock()
  const date = new Date(at)
  return (
    <time className="tabular" dateTime={date.toISOString()} title={date.toLocaleString()}>
      {formatAge(now - at)}
    </time>
  )
}
