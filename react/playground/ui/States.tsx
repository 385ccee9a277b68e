import type { ReactElement, ReactNode } from "react"
import { Button } from "./Button.js"
import { Icon } from "./Icon.js"

/** Shown in place of content: why there is none, and what the user can do. */
export const Empty = (props: {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}): ReactElement => (
  <div className="empty">
    <p className="empty-title">{props.title}</p>
    {props.children === undefined ? null : <p className="hint">{props.children}</p>}
    {props.action}
  </div>
)

/** The placeholder of content on its way. */
export const Skeleton = (props: { readonly lines?: number; readonly height?: number }): ReactElement => (
  <div className="skeleton" role="status">
    <span className="hidden">Loading</span>
    {Array.from({ length: props.lines ?? 3 }, (_, i) => i).map((i) => (
      <span
        key={i}
        className="skeleton-line"
        style={{ height: props.height ?? 16, width: `${100 - ((i * 17) % 40)}%` }}
      />
    ))}
  </div>
)

const readField = (error: unknown, name: string): string | undefined => {
  const value: unknown = typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined
  return typeof value === "string" && value !== "" ? value : undefined
}

/** The tag, the message and the docs page of an error, as far as it has them. */
export const describeError = (
  error: unknown
): { readonly tag: string | undefined; readonly message: string; readonly docs: string | undefined } => ({
  tag:
    readField(error, "_tag") ?? (error instanceof Error && error.name !== "Error" ? error.name : undefined),
  message: readField(error, "message") ?? String(error),
  docs: readField(error, "docsUrl")
})

/** Whether an error is about the API key: it is unknown, or not permitted to do this. */
export const isApiKeyError = (error: unknown): boolean =>
  typeof error === "object" && error !== null && [401, 403].includes(Number(Reflect.get(error, "status")))

/** The props of an error box. */
export interface ErrorBoxProps {
  readonly error: unknown
  readonly title?: string
  readonly onRetry?: () => void
}

/** The message of an error, with a link to its page and a retry button. */
export const ErrorBox = ({ error, onRetry, title = "That did not work" }: ErrorBoxProps): ReactElement => {
  const { docs, message, tag } = describeError(error)
  return (
    <div className="error-box" role="alert">
      <Icon name="warn" />
      <div className="stack-2 grow">
        <p>
          <strong>{title}</strong> {tag === undefined ? null : <code className="code">{tag}</code>}
        </p>
        <p className="error-message">{message}</p>
        {docs === undefined && onRetry === undefined && !isApiKeyError(error) ? null : (
          <div className="row">
            {isApiKeyError(error) ? (
              <a className="link" href="#/settings">
                Check the key in the settings
              </a>
            ) : null}
            {onRetry === undefined ? null : (
              <Button size="small" onClick={onRetry}>
                Try again
              </Button>
            )}
            {docs === undefined ? null : (
              <a className="link" href={docs} target="_blank" rel="noreferrer">
                About this error
              </a>
            )}
          </div>
        )}
      </div>
    </div>
  )
}
