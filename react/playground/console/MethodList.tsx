import {
  type KeyboardEvent,
  type ReactElement,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState
} from "react"
import { Badge, Empty, Icon } from "../ui/index.js"
import type { Method } from "./model.js"

const matchesWords = ({ doc, path, wire = "" }: Method, words: ReadonlyArray<string>): boolean => {
  const text = `${path} ${wire} ${doc}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

/** Names that begin with the search text stand before those that only contain its words. */
const rankOf = ({ path, wire = "" }: Method, query: string): number => {
  const name = path.slice(path.lastIndexOf(".") + 1).toLowerCase()
  if (name === query || wire.toLowerCase() === query) return 0
  if (name.startsWith(query)) return 1
  return `${path} ${wire}`.toLowerCase().includes(query) ? 2 : 3
}

/** The methods that match a search text, the best matches first. */
const findMethods = (methods: ReadonlyArray<Method>, text: string): ReadonlyArray<Method> => {
  const trimmed = text.trim().toLowerCase()
  if (trimmed === "") return methods
  const words = trimmed.split(/\s+/)
  return methods
    .filter((method) => matchesWords(method, words))
    .map((method) => ({ method, rank: rankOf(method, trimmed) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ method }) => method)
}

interface MethodListProps {
  readonly methods: ReadonlyArray<Method>
  readonly selected: Method | undefined
  readonly onSelect: (method: Method) => void
}

/** The steps of a key in the list. */
const keySteps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }

/** The search: its text, the methods that match, and the keys that select one of them while the text has the focus. */
const useMethodSearch = ({ methods, onSelect, selected }: MethodListProps) => {
  const list = useRef<HTMLDivElement>(null)
  const [text, setText] = useState("")
  const query = useDeferredValue(text)
  const found = useMemo(() => findMethods(methods, query), [methods, query])
  const index = selected === undefined ? -1 : found.indexOf(selected)
  useEffect(() => {
    const box = list.current
    const item = box?.children[index]
    if (box === null || !(item instanceof HTMLElement)) return
    // only the list scrolls: the page stays where it is
    if (item.offsetTop < box.scrollTop) box.scrollTop = item.offsetTop
    else if (item.offsetTop + item.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = item.offsetTop + item.offsetHeight - box.clientHeight
    }
  }, [index])
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = keySteps[event.key]
    if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      if (index < 0 && found[0] !== undefined) onSelect(found[0])
    }
    if (step === undefined) return
    event.preventDefault()
    const next = found[Math.max(0, Math.min(found.length - 1, index + step))]
    if (next !== undefined) onSelect(next)
  }
  return { list, text, setText, found, index, onKeyDown }
}

interface MethodOptionProps {
  readonly id: string
  readonly method: Method
  readonly isSelected: boolean
  readonly onSelect: () => void
}

const MethodOption = ({ id, isSelected, method, onSelect }: MethodOptionProps): ReactElement => (
  <button
    id={id}
    type="button"
    role="option"
    tabIndex={-1}
    aria-selected={isSelected}
    className="console-option"
    onClick={onSelect}
  >
    <span className="console-option-name">
      <span className="mono truncate">{method.path}</span>
      {method.kind === "read" ? null : (
        <Badge tone={method.kind === "broadcast" ? "info" : "warn"}>{method.kind}</Badge>
      )}
    </span>
    <span className="hint truncate">{method.doc}</span>
  </button>
)

/** All methods of a network, to search and to select from. */
export const MethodList = (props: MethodListProps): ReactElement => {
  const { methods, onSelect, selected } = props
  const base = useId()
  const { found, index, list, onKeyDown, setText, text } = useMethodSearch(props)
  return (
    <div className="console-methods">
      <div className="console-search">
        <Icon name="search" />
        <input
          className="input"
          type="text"
          role="combobox"
          aria-label="Search methods"
          aria-autocomplete="list"
          aria-expanded={true}
          aria-controls={`${base}-list`}
          aria-activedescendant={index < 0 ? undefined : `${base}-${index}`}
          placeholder="getBalance, eth_call, fees…"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <p className="hint tabular" aria-live="polite">
        {found.length} of {methods.length} methods
      </p>
      <div
        className="console-list"
        role="listbox"
        id={`${base}-list`}
        aria-label="Methods"
        tabIndex={-1}
        ref={list}
      >
        {found.map((method, i) => (
          <MethodOption
            key={method.path}
            id={`${base}-${i}`}
            method={method}
            isSelected={method === selected}
            onSelect={() => onSelect(method)}
          />
        ))}
      </div>
      {found.length === 0 ? (
        <Empty title="No such method">Names, wire names and docs are searched.</Empty>
      ) : null}
    </div>
  )
}
