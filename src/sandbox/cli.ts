#!/usr/bin/env -S node --max-semi-space-size=4
/**
 * The command line: `npx effect-chains sandbox`.
 *
 * @since 0.1.0
 */
import { createInterface } from "node:readline/promises"
import { parseArgs } from "node:util"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Network from "../data/Network.js"
import * as Installation from "./Installation.js"
import { find, installation } from "./nodes/binaries.js"
import { programs } from "./nodes/runtimes.js"
import * as Packages from "./Packages.js"
import { make, type SandboxOptions } from "./Sandbox.js"
import { SandboxError } from "./SandboxError.js"

const usage = `npx effect-chains sandbox [options]

Serves the provider's whole API on 127.0.0.1, over real chain nodes, without a key and without the internet.

  --network ID[:NODES[:ARCHIVE]]  start this network at once (may be repeated; default ethereum-mainnet)
  --port N           port of the provider (default 4100)
  --block-time S     a block every S seconds (default: with every transaction)
  --database FILE    keep chains, files and subscriptions in this SQLite database (default: in memory)
  --recordings DIR   answers of your own for networks that no node runs here
  --populate         give the networks a history: transfers, tokens, NFTs with pictures
  --seed TEXT        another course of exchange rates
  --host NAME        let clients address it by this name too (may be repeated)
  --origin ORIGIN    let pages of this origin use it (may be repeated; default: those of this machine)
  --webhook-host H   call webhooks on this host too, * for all (may be repeated; default: this machine)
  --install          install what is missing without a question, in ${Installation.folder}
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

/** What npm can install of what is missing: the packages of the sandbox, and the nodes of the networks. */
const lacking = (networks: ReadonlyArray<string>) =>
  Effect.map(Packages.areThere, (areThere): ReadonlyArray<Installation.Installation> => {
    const nodes = networks.flatMap((id) => (Network.isNetwork(id) ? programs(id) : ["anvil" as const]))
    const missing = [...new Set(nodes)].filter((name) => find(name) === undefined)
    return [areThere ? [] : Packages.installation, ...missing.map((name) => installation(name) ?? [])].flat()
  })

/** Asks at a terminal; by default the answer is yes. */
const agreed = (question: string): Effect.Effect<boolean> =>
  Effect.acquireUseRelease(
    Effect.sync(() => createInterface({ input: process.stdin, output: process.stdout })),
    (terminal) =>
      Effect.map(
        Effect.promise((signal) => terminal.question(question, { signal })),
        (answer) => /^(y|yes|)$/i.test(answer.trim())
      ),
    (terminal) => Effect.sync(() => terminal.close())
  )

/** Installs what is missing, if the user wants it: outside of the project, so that nothing of the project changes. */
const prepare = (networks: ReadonlyArray<string>, isAgreed: boolean, args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const missing = yield* lacking(networks)
    if (missing.length === 0) return
    const names = missing.flatMap(({ packages }) =>
      Object.entries(packages).map(([name, { version }]) => `${name}@${version}`)
    )
    const list = `These packages are missing:\n${names.map((name) => `  ${name}\n`).join("")}`
    const isAsked = process.stdin.isTTY === true && process.stdout.isTTY === true
    const question = `${list}Install them in ${Installation.folder}? [Y/n] `
    if (!isAgreed && !(isAsked && (yield* agreed(question))))
      return yield* new SandboxError({
        reason: "package",
        message: `${list}Install them in ${Installation.folder} with "npx effect-chains ${[...args, "--install"].join(" ")}"`
      })
    for (const each of missing) {
      print(`Installing ${each.name} in ${Installation.homeOf(each)}\n`)
      yield* Installation.install(each)
    }
  })

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
        populate: { type: "boolean" },
        seed: { type: "string" },
        host: { type: "string", multiple: true },
        origin: { type: "string", multiple: true },
        "webhook-host": { type: "string", multiple: true },
        install: { type: "boolean" },
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
  const networks = yield* Effect.forEach(values.network ?? ["ethereum-mainnet"], networkOf)
  const { database, host = [], install = false, origin = [], populate = false } = values
  const { quiet = false, recordings, seed } = values
  const ids = networks.map(({ network }) => network)
  yield* prepare(ids, install, process.argv.slice(2))
  const sandbox = yield* make({
    port,
    hosts: host,
    origins: origin,
    webhooks: { hosts: values["webhook-host"] ?? [] },
    networks,
    populated: populate,
    ...(blockTime === undefined ? {} : { blockTime }),
    ...(database === undefined ? {} : { file: database }),
    ...(recordings === undefined ? {} : { recordings }),
    ...(seed === undefined ? {} : { seed }),
    ...(quiet ? {} : { onProgress: (line) => print(`${line}\n`) })
  })
  print(`\nprovider     ${sandbox.baseUrl}\ndocs         ${sandbox.baseUrl}/docs\n`)
  for (const id of ids) {
    const [account] = sandbox.network(id).accounts
    const { provider } = sandbox.config(id)
    print(`\n${id}\n`)
    if (account !== undefined) print(`account      ${account.address}\nprivate key  ${account.privateKey}\n`)
    print(`\ninit({ network: ${JSON.stringify(id)}, provider: ${JSON.stringify(provider)} })\n`)
  }
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
