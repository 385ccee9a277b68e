#!/usr/bin/env -S node --max-semi-space-size=4
/**
 * The command line: `npx effect-chains sandbox`.
 *
 * @since 0.1.0
 */
import { parseArgs } from "node:util"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { make, type SandboxOptions } from "./Sandbox.js"
import { SandboxError } from "./SandboxError.js"

const usage = `npx effect-chains sandbox [options]

Serves the provider's whole API on 127.0.0.1, over real chain nodes, without a key and without the internet.

  --network ID[:NODES[:ARCHIVE]]  start this network at once (may be repeated; default ethereum-mainnet)
  --port N           port of the provider (default 4100)
  --block-time S     a block every S seconds (default: with every transaction)
  --database FILE    keep files and subscriptions in this SQLite database (default: in memory)
  --recordings DIR   answers of your own for networks that no node runs here
  --seed TEXT        another course of exchange rates
  --host NAME        let clients address it by this name too (may be repeated)
  --origin ORIGIN    let pages of this origin use it (may be repeated; default: those of this machine)
  --webhook-host H   call webhooks on this host too, * for all (may be repeated; default: this machine)
  --quiet            print the addresses alone
  --help             this text

Documentation of the API: /docs on that port. Ctrl-C ends it, with every process that it started.
`

const PORT = 4100

const misused = (message: string): SandboxError =>
  new SandboxError({ reason: "options", message: `${message}\n\n${usage}` })

const numberOf = (
  name: string,
  text: string | undefined
): Effect.Effect<number | undefined, SandboxError> => {
  if (text === undefined) return Effect.succeed(undefined)
  const value = Number(text)
  return text.trim() !== "" && Number.isFinite(value) && value >= 0
    ? Effect.succeed(value)
    : misused(`--${name} takes a number from 0, not "${text}"`)
}

type Named = NonNullable<SandboxOptions["networks"]>[number]

const networkOf = (text: string): Effect.Effect<Named, SandboxError> =>
  Effect.gen(function* () {
    const [network = "", nodes, archive] = text.split(":")
    const counts = yield* Effect.all([numberOf("network", nodes), numberOf("network", archive)])
    return {
      network,
      ...(counts[0] === undefined ? {} : { nodes: counts[0] }),
      ...(counts[1] === undefined ? {} : { archive: counts[1] })
    }
  })

const print = (text: string): void => void process.stdout.write(text)

const parse = Effect.try({
  try: () =>
    parseArgs({
      allowPositionals: true,
      options: {
        network: { type: "string", multiple: true },
        port: { type: "string" },
        "block-time": { type: "string" },
        database: { type: "string" },
        recordings: { type: "string" },
        seed: { type: "string" },
        host: { type: "string", multiple: true },
        origin: { type: "string", multiple: true },
        "webhook-host": { type: "string", multiple: true },
        quiet: { type: "boolean" },
        help: { type: "boolean", short: "h" }
      }
    }),
  catch: (error) => misused(error instanceof Error ? error.message : String(error))
})

const program = Effect.gen(function* () {
  const { positionals, values } = yield* parse
  if (values.help) return print(usage)
  const [command, ...rest] = positionals
  if (command !== "sandbox" || rest.length > 0)
    return yield* misused(
      command === undefined ? "A command is missing" : `There is no command "${positionals.join(" ")}"`
    )
  const port = (yield* numberOf("port", values.port)) ?? PORT
  const blockTime = yield* numberOf("block-time", values["block-time"])
  const networks = yield* Effect.forEach(values.network ?? [], networkOf)
  const { database, host = [], origin = [], quiet = false, recordings, seed } = values
  const sandbox = yield* make({
    port,
    hosts: host,
    origins: origin,
    webhooks: { hosts: values["webhook-host"] ?? [] },
    ...(networks.length === 0 ? {} : { networks }),
    ...(blockTime === undefined ? {} : { blockTime }),
    ...(database === undefined ? {} : { file: database }),
    ...(recordings === undefined ? {} : { recordings }),
    ...(seed === undefined ? {} : { seed }),
    ...(quiet ? {} : { onProgress: (line) => print(`${line}\n`) })
  })
  const [account] = sandbox.accounts
  print(
    `\nprovider     ${sandbox.baseUrl}\ndocs         ${sandbox.baseUrl}/docs\naccount      ${account?.address}\nprivate key  ${account?.privateKey}\n\n`
  )
  print(
    `init({ network: "ethereum-mainnet", provider: ${JSON.stringify(sandbox.config("ethereum-mainnet").provider)} })\n`
  )
  return yield* Effect.never
}).pipe(Effect.scoped)

const main = Effect.runFork(program)
let asked = false
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    // a second signal means that the user does not want to wait; the nodes end by themselves
    if (asked) process.exit(1)
    asked = true
    Effect.runFork(Fiber.interruptFork(main))
  })
}
main.addObserver((exit) => {
  if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) process.exit(0)
  const failure = Cause.failureOption(exit.cause)
  process.stderr.write(`${Option.isSome(failure) ? failure.value.message : Cause.pretty(exit.cause)}\n`)
  process.exit(1)
})
