/**
 * The code of a call, coloured, with its three surfaces as tabs: loaded when somebody wants to see one.
 *
 * @since 0.1.0
 */
import { type ReactElement, useMemo } from "react"
import { CopyButton, Tabs } from "../ui/index.js"
import { makeSnippets, type SnippetSubject, type Snippets } from "./generate.js"

const surfaces: ReadonlyArray<{ readonly id: keyof Snippets; readonly title: string }> = [
  { id: "react", title: "React" },
  { id: "promise", title: "Promise" },
  { id: "effect", title: "Effect" }
]

const isSurface = (id: string): id is keyof Snippets => surfaces.some((surface) => surface.id === id)

/** A rough grammar of TypeScript, for colours. */
const codeTokens =
  /(?<string>"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|`(?:[^`\\]|\\[\s\S])*(?:`|\\?$))|(?<word>\b(?:import|from|const|class|extends|export|return|await|async|yield|function|for|of|if|else|new|null|undefined|true|false)\b|yield\*)|(?<number>\b\d[\d_.]*n?\b)/g

/**
 * Code with coloured strings, words and numbers.
 *
 * @since 0.1.0
 * @category components
 */
export const HighlightedCode = ({ code }: { readonly code: string }): ReactElement => {
  const pieces = useMemo(() => {
    const found: Array<{ readonly at: number; readonly kind: string | undefined; readonly text: string }> = []
    let at = 0
    for (const match of code.matchAll(codeTokens)) {
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
 * The code of a call on the surface that is selected.
 *
 * @since 0.1.0
 * @category components
 */
export const Code = (props: {
  readonly title: string
  readonly surface: keyof Snippets
  readonly onSurface: (surface: keyof Snippets) => void
  readonly shown: SnippetSubject
}): ReactElement => {
  const { onSurface, shown, surface, title } = props
  const code = makeSnippets(shown)[surface]
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
          <HighlightedCode code={code} />
        </pre>
        <div className="snippet-copy">
          <CopyButton text={code} label="the code" />
        </div>
      </div>
    </Tabs>
  )
}
