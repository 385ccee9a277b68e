import type { ReactElement, ReactNode } from "react"

/** Makes an element that scrolls focusable: without a mouse its end is unreachable otherwise. */
const focusable = { tabIndex: 0 }

/** A named list that scrolls. */
export const Scroller = (props: {
  readonly label: string
  readonly className: string
  readonly children: ReactNode
}): ReactElement => (
  <section className={props.className} aria-label={props.label} {...focusable}>
    {props.children}
  </section>
)
