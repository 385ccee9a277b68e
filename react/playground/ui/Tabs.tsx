import { type KeyboardEvent, type ReactElement, type ReactNode, useId, useRef } from "react"

/** The props of tabs; `children` is the panel of the selected one. */
export interface TabsProps {
  readonly label: string
  readonly tabs: ReadonlyArray<{ readonly id: string; readonly title: ReactNode; readonly count?: number }>
  readonly selected: string
  readonly onSelect: (id: string) => void
  readonly children: ReactNode
}

/** Tabs by the ARIA practices: one stop for the tab key, arrows between them. */
export const Tabs = ({ children, label, onSelect, selected, tabs }: TabsProps): ReactElement => {
  const base = useId()
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ id }) => id === selected)
    const to =
      event.key === "ArrowRight"
        ? (at + 1) % tabs.length
        : event.key === "ArrowLeft"
          ? (at - 1 + tabs.length) % tabs.length
          : event.key === "Home"
            ? 0
            : event.key === "End"
              ? tabs.length - 1
              : -1
    const next = tabs[to]
    if (next === undefined) return
    event.preventDefault()
    onSelect(next.id)
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[to]?.focus()
  }
  return (
    <div className="tabs">
      <div role="tablist" aria-label={label} className="tablist" ref={list} onKeyDown={move}>
        {tabs.map(({ count, id, title }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}-${id}`}
            className="tab"
            aria-selected={id === selected}
            aria-controls={id === selected ? `${base}-panel` : undefined}
            tabIndex={id === selected ? 0 : -1}
            onClick={() => onSelect(id)}
          >
            {title}
            {count === undefined ? null : <span className="count tabular">{count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${selected}`} className="tabpanel">
        {children}
      </div>
    </div>
  )
}
