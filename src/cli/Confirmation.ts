/**
 * Questions to the user at the terminal.
 *
 * @since 0.1.0
 */
import { createInterface } from "node:readline/promises"
import * as Effect from "effect/Effect"

/**
 * Asks for a confirmation; undefined without a terminal. Only a yes confirms: anything else, including the end of the
 * input, is a no. An empty answer is the `defaultAnswer`.
 *
 * @since 0.1.0
 * @category operations
 */
export const askConfirmation = (
  question: string,
  defaultAnswer: "yes" | "no" = "no"
): Effect.Effect<boolean | undefined> =>
  process.stdin.isTTY !== true || process.stderr.isTTY !== true
    ? Effect.succeed(undefined)
    : Effect.acquireUseRelease(
        Effect.sync(() => createInterface({ input: process.stdin, output: process.stderr })),
        (terminal) =>
          Effect.race(
            Effect.map(
              Effect.promise((signal) =>
                terminal.question(`${question} [${defaultAnswer === "yes" ? "Y/n" : "y/N"}] `, { signal })
              ),
              (answer) =>
                answer.trim() === "" ? defaultAnswer === "yes" : /^(?:y|yes)$/i.test(answer.trim())
            ),
            Effect.async<boolean>((resume) => {
              terminal.once("close", () => resume(Effect.succeed(false)))
              terminal.once("SIGINT", () => resume(Effect.interrupt))
            })
          ),
        (terminal) => Effect.sync(() => terminal.close())
      )
