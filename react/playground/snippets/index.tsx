/**
 * "Show the code": the same call on the three surfaces, to copy.
 *
 * @since 0.1.0
 */
import { lazy, type ReactElement, Suspense, useId, useState } from "react"
import { findOwnNetwork } from "../networks.js"
import { Button } from "../ui/index.js"
import type { SnippetSubject, Snippets } from "./generate.js"
import "./snippets.css"

const Code = lazy(() => import("./Code.js").then(({ Code }) => ({ default: Code })))

/**
 * The code, and a title for screen readers.
 *
 * @since 0.1.0
 * @category components
 */
export interface ShowCodeProps extends SnippetSubject {
  readonly title: string
}

/**
 * A button that discloses the code of a call for React, Promise and Effect.
 *
 * @since 0.1.0
 * @category components
 */
export const ShowCode = ({ title, ...shown }: ShowCodeProps): ReactElement => {
  const definition = findOwnNetwork(shown.network)?.definition
  const [open, setOpen] = useState(false)
  const [surface, setSurface] = useState<keyof Snippets>("react")
  const id = useId()
  return (
    <div className="snippet">
      <Button
        kind="plain"
        size="small"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={open ? `Hide the code: ${title}` : `Show the code: ${title}`}
        onClick={() => setOpen(!open)}
      >
        {open ? "Hide the code" : "Show the code"}
      </Button>
      {open ? (
        <div id={id} className="snippet-body">
          <Suspense>
            <Code
              title={title}
              surface={surface}
              onSurface={setSurface}
              shown={{ ...shown, ...(definition && { definition }) }}
            />
          </Suspense>
        </div>
      ) : null}
    </div>
  )
}
