/** Loggers of tests have the annotations and spans of a line, and take the place of the logger that is there. */
import type * as Cause from "effect4/Cause"
import * as Layer from "effect4/Layer"
import * as Loggers from "effect4/Logger"
import * as References from "effect4/References"
import type { LogLevel } from "../../src/effect4/LogLevel.js"

export * from "effect4/Logger"

interface Line<Message> {
  readonly message: Message
  readonly cause: Cause.Cause<unknown>
  readonly annotations: ReadonlyArray<readonly [name: string, value: unknown]>
  readonly spans: ReadonlyArray<readonly [label: string, timestamp: number]>
}

export const make = <Message, Output>(
  log: (line: Line<Message>) => Output
): Loggers.Logger<Message, Output> =>
  Loggers.make(({ cause, fiber, message }) =>
    log({
      cause,
      message,
      annotations: Object.entries(fiber.getRef(References.CurrentLogAnnotations)),
      spans: fiber.getRef(References.CurrentLogSpans)
    })
  )

export const replace = (_: Loggers.Logger<unknown, unknown>, that: Loggers.Logger<unknown, unknown>) =>
  Loggers.layer([that])

export const minimumLogLevel = ({ name }: LogLevel): Layer.Layer<never> =>
  Layer.succeed(References.MinimumLogLevel, name)
