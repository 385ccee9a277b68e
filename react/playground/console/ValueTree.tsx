import { type ReactElement, useState } from "react"
import { Button } from "../ui/index.js"
import "./values.css"

/** Items of a list that are shown before the user asks for more. */
const STEP = 50

/** Characters of a text that are shown at once. */
const LONG = 2_000

const bytes = (value: Uint8Array): string =>
  `0x${Array.from(value.subarray(0, 64), (byte) => byte.toString(16).padStart(2, "0")).join("")}${value.length > 64 ? "…" : ""}`

const isGroup = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !(value instanceof Blob) && !ArrayBuffer.isView(value)

/** The content of a group, in a word. */
const summary = (value: object): string =>
  Array.isArray(value)
    ? `${value.length} ${value.length === 1 ? "item" : "items"}`
    : `${Object.keys(value).length} ${Object.keys(value).length === 1 ? "field" : "fields"}`

const Leaf = ({ value }: { readonly value: unknown }): ReactElement => {
  if (value instanceof Blob) {
    return <span className="value-other">{`Blob of ${value.size} bytes ${value.type}`}</span>
  }
  if (value instanceof Uint8Array) return <span className="value-other">{bytes(value)}</span>
  switch (typeof value) {
    case "string":
      return (
        <span className="value-string">
          {JSON.stringify(value.length > LONG ? `${value.slice(0, LONG)}…` : value)}
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

interface NodeProps {
  readonly name: string | undefined
  readonly value: unknown
  readonly depth: number
}

const Name = ({ name }: { readonly name: string | undefined }): ReactElement | null =>
  name === undefined ? null : <span className="value-name">{name}: </span>

const Group = ({ depth, name, value }: NodeProps & { readonly value: object }): ReactElement => {
  const [open, setOpen] = useState(depth < 2)
  const [shown, setShown] = useState(STEP)
  const entries = Object.entries(value)
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="value-marker">
        <Name name={name} />
        <span className="value-summary">
          {Array.isArray(value) ? "[ " : "{ "}
          {summary(value)}
          {Array.isArray(value) ? " ]" : " }"}
        </span>
      </summary>
      {open ? (
        <ul>
          {entries.slice(0, shown).map(([key, item]) => (
            <li key={key}>
              <Node name={key} value={item} depth={depth + 1} />
            </li>
          ))}
          {entries.length > shown ? (
            <li>
              <Button size="small" kind="plain" onClick={() => setShown(shown + STEP * 4)}>
                {entries.length - shown} more
              </Button>
            </li>
          ) : null}
        </ul>
      ) : null}
    </details>
  )
}

const Node = ({ depth, name, value }: NodeProps): ReactElement =>
  isGroup(value) && Object.keys(value).length > 0 ? (
    <Group name={name} value={value} depth={depth} />
  ) : (
    <span className="value-leaf">
      <Name name={name} />
      {isGroup(value) ? (
        <span className="value-summary">{Array.isArray(value) ? "[]" : "{}"}</span>
      ) : (
        <Leaf value={value} />
      )}
    </span>
  )

/** An answer as it is typed: bigints as `123n`, objects and lists to open and close. */
export const ValueTree = ({ value }: { readonly value: unknown }): ReactElement => (
  <div className="value-tree">
    <Node name={undefined} value={value} depth={0} />
  </div>
)
