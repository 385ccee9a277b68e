/**
 * A logger with one function per level, such as `console`.
 *
 * @since 0.1.0
 * @category models
 */
export interface LogSink {
  readonly trace: (message: string) => void
  readonly debug: (message: string) => void
  readonly info: (message: string) => void
  readonly warn: (message: string) => void
  readonly error: (message: string) => void
}
