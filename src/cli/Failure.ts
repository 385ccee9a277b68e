/**
 * The failures of commands: exit codes, and their errors.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as declarations from "../data/errorDeclarations.js"
import { isSdkError, type SdkError } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"

/**
 * The exit codes. `docs/cli.md` explains them.
 *
 * @since 0.1.0
 * @category constants
 */
export const EXIT_CODES = {
  done: 0,
  wrong: 1,
  refused: 2,
  unreachable: 3,
  lacking: 4,
  declined: 5,
  unsettled: 6,
  unwell: 7,
  bug: 70,
  interrupted: 130
} as const

/**
 * The name of an exit code.
 *
 * @since 0.1.0
 * @category models
 */
export type ExitName = keyof typeof EXIT_CODES

/**
 * An error of the command line itself. The message says what is wrong and what to do.
 *
 * @since 0.1.0
 * @category errors
 */
export class CommandError extends Data.TaggedError("CommandError")<{
  readonly exit: ExitName
  readonly message: string
}> {}

/**
 * The error of invalid input. Nothing was sent.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeInputError = (message: string): CommandError => new CommandError({ exit: "wrong", message })

/** The declaration of each error. The compiler checks that none is missing. */
const declarationByTag: Readonly<Record<SdkError["_tag"], declarations.ErrorDeclaration>> = declarations

const isErrorTag = (tag: unknown): tag is SdkError["_tag"] =>
  typeof tag === "string" && Object.hasOwn(declarationByTag, tag)

/**
 * The exit code's name for an error, by its tag. An error without a tag is a bug, except for the sandbox's.
 *
 * @since 0.1.0
 * @category getters
 */
export const exitNameOf = (error: unknown): ExitName => {
  if (error instanceof CommandError) return error.exit
  if (typeof error !== "object" || error === null) return "bug"
  const { _tag, kind }: { readonly _tag?: unknown; readonly kind?: unknown } = error
  if (_tag === "SandboxError") return "wrong"
  if (!isErrorTag(_tag)) return "bug"
  const { exit, exitOfKind } = declarationByTag[_tag]
  return (typeof kind === "string" ? exitOfKind?.[kind] : undefined) ?? exit
}

/**
 * An error for scripts: an object with its tag, its message, the name of its exit code, and its own fields.
 *
 * @since 0.1.0
 * @category conversions
 */
export const errorToJson = (error: unknown): object => {
  const message = error instanceof Error ? error.message : String(error)
  const own: unknown = isSdkError(error) ? error.toJSON() : undefined
  return {
    error: {
      ...(isRecord(own)
        ? own
        : {
            _tag:
              error instanceof CommandError
                ? error._tag
                : exitNameOf(error) === "bug"
                  ? "Unexpected"
                  : "SandboxError",
            message
          }),
      ...(isSdkError(error) ? { docs: error.docsUrl } : {}),
      exit: exitNameOf(error)
    }
  }
}
