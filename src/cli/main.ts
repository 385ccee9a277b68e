/**
 * The command line: `npx effect-chains`.
 *
 * @since 0.1.0
 */
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as ValidationError from "@effect/cli/ValidationError"
import * as NodeFileSystem from "@effect/platform-node-shared/NodeFileSystem"
import * as NodePath from "@effect/platform-node-shared/NodePath"
import * as NodeTerminal from "@effect/platform-node-shared/NodeTerminal"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { version } from "../config/version.js"
import { findNearest } from "../data/nearest.js"
import { isSdkError } from "../data/SdkError.js"
import { commandLine } from "./commands.js"
import {
  type CommandError,
  EXIT_CODES,
  type ExitName,
  errorToJson,
  exitNameOf,
  makeInputError
} from "./Failure.js"
import { formatCommandHelp, formatHelp } from "./Help.js"
import { escapeControls, formatJson, print, stripColoursFor } from "./Output.js"
import { findSecret } from "./Secrets.js"
import { type CommandShape, readShapes } from "./Shape.js"

/** Commands that run until the user ends them, which is no failure. */
const ENDLESS_COMMANDS: ReadonlySet<string> = new Set(["sandbox", "nodes", "subscribe", "watch"])

const commandArgs = process.argv.slice(2)
const isJson = commandArgs.includes("--json")
const commandShapes = readShapes()
const commandNames = commandShapes.map(({ name }) => name)

/** Moves the command before its options: `effect-chains --json networks`. */
const moveCommandFirst = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const at = args[0]?.startsWith("-") === true ? args.findIndex((arg) => commandNames.includes(arg)) : 0
  const command = args[at]
  return at <= 0 || command === undefined ? args : [command, ...args.slice(0, at), ...args.slice(at + 1)]
}

const suggestNearest = (wanted: string, known: ReadonlyArray<string>): string => {
  const near = findNearest(wanted, known)
  return near === undefined ? "" : `: did you mean ${near}?`
}

const commandList = `There are ${commandNames.join(", ")}`

/** The answer to `--help` or `--version`, if the arguments have one. */
const answerBuiltIn = (shape: CommandShape | undefined, args: ReadonlyArray<string>): string | undefined =>
  args.some((arg) => arg === "--help" || arg === "-h")
    ? shape === undefined
      ? formatHelp(version, commandShapes)
      : formatCommandHelp(shape)
    : shape === undefined && args[0] === "--version"
      ? version
      : undefined

/**
 * Checks the arguments of a command, and adds a value to each switch, so that its parser takes no argument for the
 * value.
 */
const checkArguments = (
  { name, options }: CommandShape,
  args: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>, CommandError> => {
  const known = options.map((option) => option.name)
  const unknown = args.find((arg) => arg.startsWith("--") && !known.includes(arg.replace(/=.*$/s, "")))
  if (unknown !== undefined) {
    const option = unknown.replace(/=.*$/s, "")
    return Effect.fail(
      makeInputError(
        `${name} has no option ${option}${suggestNearest(option, known)}\n"effect-chains ${name} --help" lists its options`
      )
    )
  }
  const last = options.find((option) => option.name === args.at(-1) && option.valueName !== undefined)
  if (last !== undefined)
    return Effect.fail(makeInputError(`${last.name} takes a value: ${last.name} ${last.valueName}`))
  const switches = new Set(options.flatMap((option) => (option.valueName === undefined ? [option.name] : [])))
  return Effect.succeed([name, ...args.map((arg) => (switches.has(arg) ? `${arg}=true` : arg))])
}

const run = Command.run(commandLine, { name: "effect-chains", version, executable: "effect-chains" })

const environment = Layer.mergeAll(
  NodeFileSystem.layer,
  NodePath.layer,
  NodeTerminal.layer,
  // the library's own completions are static and have no networks
  CliConfig.layer({ showBuiltIns: false, showTypes: false })
)

/** Hides the library's messages about arguments; they are printed like all other failures. */
const withoutErrors = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.consoleWith((console) => Effect.withConsole(effect, { ...console, error: () => Effect.void }))

const program: Effect.Effect<void, unknown> = Effect.gen(function* () {
  if (commandArgs[0] === "complete") {
    const { suggestCompletions } = yield* Effect.promise(() => import("./candidates.js"))
    const found = yield* suggestCompletions(commandShapes, commandArgs.slice(1))
    return found.length === 0 ? undefined : yield* print(found.join("\n"))
  }
  const secret = findSecret(commandArgs)
  if (secret !== undefined) return yield* makeInputError(secret)
  const [command, ...rest] = moveCommandFirst(commandArgs)
  const shape = commandShapes.find(({ name }) => name === command)
  const builtIn = answerBuiltIn(shape, commandArgs)
  if (builtIn !== undefined) return yield* print(builtIn)
  const wanted = commandArgs.find((arg) => !arg.startsWith("-"))
  if (command === undefined || wanted === undefined)
    return yield* makeInputError(`A command is missing. ${commandList} (--help tells more)`)
  if (shape === undefined)
    return yield* makeInputError(
      `There is no command "${wanted}"${suggestNearest(wanted, commandNames)}\n${commandList}`
    )
  const args = yield* checkArguments(shape, rest)
  yield* withoutErrors(Effect.provide(run([...process.argv.slice(0, 2), ...args]), environment))
})

/** An error for people: what is wrong, and where to read about it. */
const formatError = (error: unknown): string => {
  if (isSdkError(error)) return String(error)
  return error instanceof Error ? error.message : String(error)
}

const reportFailure = (error: unknown): ExitName => {
  const known = ValidationError.isValidationError(error)
    ? makeInputError(stripColoursFor(process.stderr, HelpDoc.toAnsiText(error.error)).trim())
    : error
  const exit = exitNameOf(known)
  process.stderr.write(`${isJson ? formatJson(errorToJson(known)) : escapeControls(formatError(known))}\n`)
  return exit
}

const exitNameOfRun = (exit: Exit.Exit<void, unknown>): ExitName => {
  if (Exit.isSuccess(exit)) return "done"
  if (Cause.isInterruptedOnly(exit.cause)) {
    const command = moveCommandFirst(commandArgs)[0]
    return command !== undefined && ENDLESS_COMMANDS.has(command) ? "done" : "interrupted"
  }
  const failure = Cause.failureOption(exit.cause)
  if (failure._tag === "Some") return reportFailure(failure.value)
  process.stderr.write(`This is a bug of effect-chains: ${escapeControls(Cause.pretty(exit.cause))}\n`)
  return "bug"
}

// a closed pipe ends the program: `effect-chains networks | head -1`
process.stdout.on("error", (error: NodeJS.ErrnoException) =>
  process.exit(error.code === "EPIPE" ? 0 : EXIT_CODES.bug)
)

const main = Effect.runFork(program)
let isEnding = false
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    // a second signal ends the program at once; started processes end by themselves
    if (isEnding) process.exit(EXIT_CODES.interrupted)
    isEnding = true
    Effect.runFork(Fiber.interruptFork(main))
  })
}
main.addObserver((exit) => {
  process.exitCode = EXIT_CODES[exitNameOfRun(exit)]
  // flushes a pipe first
  process.stdout.write("", () => process.exit())
})
