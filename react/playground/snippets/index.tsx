/**
 * "Show the code": the same call on the three surfaces, to copy.
 *
 * @since 0.1.0
 */
import { type ReactElement, useId, useMemo, useState } from "react"
import { Button, Copy, Tabs } from "../ui/index.js"
import { type Shown, type Snippets, snippetsOf } from "./generate.js"
import "./snippets.css"

/**
 * The code, and a title for screen readers.
 *
 * @since 0.1.0
 * @category components
 */
export interface ShowCodeProps extends Shown {
  readonly title: string
}

const surfaces: ReadonlyArray<{ readonly id: keyof Snippets; readonly title: string }> = [
  { id: "react", title: "React" },
  { id: "promise", title: "Promise" },
  { id: "effect", title: "Effect" }
]

const isSurface = (id: string): id is keyof Snippets => surfaces.some((surface) => surface.id === id)

/** Enough of the language to tell its parts apart at a glance. */
const parts =
  /(?<string>"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|`(?:[^`\\]|\\[\s\S])*(?:`|\\?$))|(?<word>\b(?:import|from|const|class|extends|export|return|await|async|yield|function|for|of|if|else|new|null|undefined|true|false)\b|yield\*)|(?<number>\b\d[\d_.]*n?\b)/g

/**
 * Code with its strings, words and numbers told apart by colour.
 *
 * @since 0.1.0
 * @category components
 */
export const Coloured = ({ code }: { readonly code: string }): ReactElement => {
  const pieces = useMemo(() => {
    const found: Array<{ readonly at: number; readonly kind: string | undefined; readonly text: string }> = []
    let at = 0
    for (const match of code.matchAll(parts)) {
      const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0]
      if (match.index > at) found.push({ at, kind: undefined, text: code.slice(at, match.index) })
      found.push({ at: match.index, kind, text: match[0] })
      at = match.index + match[0].length
    }
    found.push({ at, kind: undefined, text: code.slice(at) })
    return found
  }, [code])
  return (
    <code>
      {pieces.map(({ at, kind, text }) =>
        kind === undefined ? (
          text
        ) : (
          <span key={at} className={`snippet-${kind}`}>
            {text}
          </span>
        )
      )}
    </code>
  )
}

/**
 * A button that discloses the code of a call for React, Promise and Effect.
 *
 * @since 0.1.0
 * @category components
 */
export const ShowCode = ({ title, ...shown }: ShowCodeProps): ReactElement => {
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
          <Code title={title} surface={surface} onSurface={setSurface} shown={shown} />
        </div>
      ) : null}
    </div>
  )
}

const Code = (props: {
  readonly title: string
  readonly surface: keyof Snippets
  readonly onSurface: (surface: keyof Snippets) => void
  readonly shown: Shown
}): ReactElement => {
  const { onSurface, shown, surface, title } = props
  const code = snippetsOf(shown)[surface]
  return (
    <Tabs
      label={`The code of ${title}`}
      tabs={surfaces}
      selected={surface}
      onSelect={(id) => {
        if (isSurface(id)) onSurface(id)
      }}
    >
      <div className="snippet-code">
        <pre className="pre">
          <Coloured code={code} />
        </pre>
        <div className="snippet-copy">
          <Copy text={code} label="the code" />
        </div>
      </div>
    </Tabs>
  )
}
