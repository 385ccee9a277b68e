import { type ReactElement, type ReactNode, useId } from "react"

/** The props of a panel. `hint` is a sentence under the title; `code` stands below the body. */
export interface PanelProps {
  readonly id?: string
  readonly title: string
  readonly hint?: ReactNode
  readonly actions?: ReactNode
  readonly code?: ReactNode
  readonly span?: "full" | "wide" | "half" | "third"
  readonly busy?: boolean
  /** Takes the rest of its column. */
  readonly fill?: boolean
  readonly children: ReactNode
}

/** A part of a view, with its title: a landmark of its own. */
export const Panel = (props: PanelProps): ReactElement => {
  const { actions, busy, children, code, fill = false, hint, id, span = "full", title } = props
  const generated = useId()
  const heading = `${id ?? generated}-title`
  return (
    <section
      id={id}
      className={`panel span-${span}${fill ? " panel-fill" : ""}`}
      aria-labelledby={heading}
      aria-busy={busy}
    >
      <header className="panel-head">
        <div className="grow">
          <h2 id={heading}>{title}</h2>
          {hint === undefined ? null : <p className="hint">{hint}</p>}
        </div>
        {actions === undefined ? null : <div className="row panel-actions">{actions}</div>}
      </header>
      <div className="panel-body">{children}</div>
      {code === undefined ? null : <footer className="panel-foot">{code}</footer>}
    </section>
  )
}
