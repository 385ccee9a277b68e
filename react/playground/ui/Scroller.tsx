import type { ReactElement, ReactNode } from "react"

/** A part that scrolls has to be reachable by the keyboard, or users without a mouse never see the end of it. */
const focusable = { tabIndex: 0 }

/** A list that scrolls within itself, with a name. */
export const Scroller = (props: {
  readonly label: string
  readonly className: string
  readonly children: ReactNode
}): ReactElement => (
  <section className={props.className} aria-label={props.label} {...focusable}>
    {props.children}
  </section>
)
