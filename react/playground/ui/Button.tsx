import type { ButtonHTMLAttributes, ReactElement } from "react"

/** A button's own props, and its look. */
export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: "primary" | "quiet" | "danger" | "plain"
  readonly size?: "small" | "normal"
  readonly busy?: boolean
}

/** A button. While it is busy it keeps its size and focus, and ignores clicks. */
export const Button = (props: ButtonProps): ReactElement => {
  const { busy = false, children, className = "", kind = "quiet", onClick, size = "normal", ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${kind} button-${size} ${className}`}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : null}
      {children}
    </button>
  )
}
