import { type ReactElement, useState } from "react"
import { Button } from "../ui/index.js"
import "./values.css"

/** Items of a list that are shown before the user asks for more. */
const ENTRIES_PER_STEP = 50

/** Characters of a text that are shown at once. */
const MAX_TEXT_LENGTH = 2_000

const formatBytes = (value: Uint8Array): string =>
  `0x${Array.from(value.subarray(0, 64), (byte) => byte.toString(16).padStart(2, "0")).join("")}${value.length > 64 ? "…" : ""}`

const isGroup = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !(value instanceof Blob) && !ArrayBuffer.isView(value)

/** The content of a group, in a word. */
const summarize = (value: object): string =>
  Array.isArray(value)
    ? `${value.length} ${value.length === 1 ? "item" : "items"}`
    : `${Object.keys(value).length} ${Object.keys(value).length === 1 ? "field" : "fields"}`

const ValueLeaf = ({ value }: { readonly value: unknown }): ReactElement => {
  if (value instanceof Blob) {
    return <span className="value-other">{`Blob of ${value.size} bytes ${value.type}`}</span>
  }
  if (value instanceof Uint8Array) return <span className="value-other">{formatBytes(value)}</span>
  switch (typeof value) {
    case "string":
      return (
        <span className="value-string">
          {JSON.stringify(value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH)}…` : value)}
        </span>
      )
    case "bigint":
      return <span className="value-number">{`${value}n`}</span>
    case "number":
      return <span className="value-number">{value}</span>
    default:
      return <span className="value-other">{String(value)}</span>
  }
}

interface ValueNodeProps {
  readonly name: string | undefined
  readonly value: unknown
  readonly depth: number
}

const Name = ({ name }: { readonly name: string | undefined }): ReactElement | null =>
  name === undefined ? null : <span className="value-name">{name}: </span>

const ValueGroup = ({ depth, name, value }: ValueNodeProps & { readonly value: object }): ReactElement => {
  const [open, setOpen] = useState(depth < 2)
  const [shown, setShown] = useState(ENTRIES_PER_STEP)
  const entries = Object.entries(value)
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="value-marker">
        <Name name={name} />
        <span className="value-summary">
          {Array.isArray(value) ? "[ " : "{ "}
          {summarize(value)}
          {Array.isArray(value) ? " ]" : " }"}
        </span>
      </summary>
      {open ? (
        <ul>
          {entries.slice(0, shown).map(([key, item]) => (
            <li key={key}>
              <ValueNode name={key} value={item} depth={depth + 1} />
            </li>
          ))}
          {entries.length > shown ? (
            <li>
              <Button size="small" kind="plain" onClick={() => setShown(shown + ENTRIES_PER_STEP * 4)}>
                {entries.length - shown} more
              </Button>
            </li>
          ) : null}
        </ul>
      ) : null}
    </details>
  )
}

const ValueNode = ({ depth, name, value }: ValueNodeProps): ReactElement =>
  isGroup(value) && Object.keys(value).length > 0 ? (
    <ValueGroup name={name} value={value} depth={depth} />
  ) : (
    <span className="value-leaf">
      <Name name={name} />
      {isGroup(value) ? (
        <span className="value-summary">{Array.isArray(value) ? "[]" : "{}"}</span>
      ) : (
        <ValueLeaf value={value} />
      )}
    </span>
  )

/** An answer as it is typed: bigints as `123n`, objects and lists to open and close. */
export const ValueTree = ({ value }: { readonly value: unknown }): ReactElement => (
  <div className="value-tree">
    <ValueNode name={undefined} value={value} depth={0} />
  </div>
)
