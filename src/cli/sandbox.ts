/**
 * `effect-chains sandbox`: the provider on this machine.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { SANDBOX_URL } from "../config/resolveConfig.js"
import * as Network from "../data/Network.js"
import * as Installation from "../sandbox/Installation.js"
import { findProgram, installationOf } from "../sandbox/nodes/binaries.js"
import { programsOf } from "../sandbox/nodes/runtimes.js"
import * as Packages from "../sandbox/Packages.js"
import { make, type SandboxOptions } from "../sandbox/Sandbox.js"
import { SandboxError } from "../sandbox/SandboxError.js"
import { askConfirmation } from "./Confirmation.js"

const DEFAULT_PORT = Number(new URL(SANDBOX_URL).port)

const makeOptionsError = (message: string): SandboxError =>
  new SandboxError({
    reason: "options",
    message: `${message}\n\n"effect-chains sandbox --help" lists the options`
  })

const parseNumber = (
  name: string,
  text: string | undefined
): Effect.Effect<number | undefined, SandboxError> => {
  if (text === undefined) return Effect.succeed(undefined)
  const value = Number(text)
  return text.trim() !== "" && Number.isFinite(value) && value >= 0
    ? Effect.succeed(value)
    : makeOptionsError(`--${name} takes a number from 0, not "${text}"`)
}

type NamedNetwork = NonNullable<SandboxOptions["networks"]>[number] & { readonly network: string }

const parseNetwork = (text: string): Effect.Effect<NamedNetwork, SandboxError> =>
  Effect.gen(function* () {
    const [network = "", nodes, archive] = text.split(":")
    const counts = yield* Effect.all([parseNumber("network", nodes), parseNumber("network", archive)])
    return {
      network,
      ...(counts[0] === undefined ? {} : { nodes: counts[0] }),
      ...(counts[1] === undefined ? {} : { archive: counts[1] })
    }
  })

const print = (text: string): void => void process.stdout.write(text)

/** The missing packages that npm can install: the sandbox's own, and the networks' nodes. */
const findMissing = (networks: ReadonlyArray<string>) =>
  Effect.map(Packages.areInstalled, (areThere): ReadonlyArray<Installation.Installation> => {
    const nodes = networks.flatMap((id) => (Network.isNetwork(id) ? programsOf(id) : ["anvil" as const]))
    const missing = [...new Set(nodes)].filter((name) => findProgram(name) === undefined)
    return [
      areThere ? [] : Packages.installation,
      ...missing.map((name) => installationOf(name) ?? [])
    ].flat()
  })

/**
 * Installs missing packages if the user agrees. They go into the sandbox's own folder, so that the project does not
 * change.
 */
const installMissing = (networks: ReadonlyArray<string>, isAgreed: boolean, args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const missing = yield* findMissing(networks)
    if (missing.length === 0) return
    const names = missing.flatMap(({ packages }) =>
      Object.entries(packages).map(([name, { version }]) => `${name}@${version}`)
    )
    const list = `These packages are missing:\n${names.map((name) => `  ${name}\n`).join("")}`
    const question = `${list}Install them in ${Installation.folder}?`
    if (!isAgreed && (yield* askConfirmation(question, "yes")) !== true)
      return yield* new SandboxError({
        reason: "package",
        message: `${list}Install them in ${Installation.folder} with "npx effect-chains ${[...args, "--install"].join(" ")}"`
      })
    for (const each of missing) {
      print(`Installing ${each.name} in ${Installation.folderOf(each)}\n`)
      yield* Installation.install(each)
    }
  })

interface CommandOptions {
  readonly network: ReadonlyArray<string>
  readonly port: Option.Option<string>
  readonly blockTime: Option.Option<string>
  readonly database: Option.Option<string>
  readonly recordings: Option.Option<string>
  readonly dataApi: "v4" | "legacy" | "both"
  readonly seed: Option.Option<string>
  readonly host: ReadonlyArray<string>
  readonly origin: ReadonlyArray<string>
  readonly webhookHost: ReadonlyArray<string>
  readonly populate: boolean
  readonly install: boolean
  readonly quiet: boolean
}

const toSandboxOptions = (
  options: CommandOptions,
  networks: ReadonlyArray<NamedNetwork>
): Effect.Effect<SandboxOptions, SandboxError> =>
  Effect.gen(function* () {
    const port = (yield* parseNumber("port", Option.getOrUndefined(options.port))) ?? DEFAULT_PORT
    const blockTime = yield* parseNumber("block-time", Option.getOrUndefined(options.blockTime))
    const file = Option.getOrUndefined(options.database)
    const recordings = Option.getOrUndefined(options.recordings)
    const seed = Option.getOrUndefined(options.seed)
    return {
      port,
      hosts: options.host,
      origins: options.origin,
      webhooks: { hosts: options.webhookHost },
      networks,
      populated: options.populate,
      dataApi: options.dataApi,
      ...(blockTime === undefined ? {} : { blockTime }),
      ...(file === undefined ? {} : { file }),
      ...(recordings === undefined ? {} : { recordings }),
      ...(seed === undefined ? {} : { seed }),
      ...(options.quiet ? {} : { onProgress: (line: string) => print(`${line}\n`) })
    }
  })

/**
 * Serves the provider's API on 127.0.0.1, over real chain nodes. When it ends, it ends every process that it started.
 *
 * @since 0.1.0
 * @category operations
 */
export const run = (options: CommandOptions): Effect.Effect<void, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const named = options.network.length === 0 ? ["ethereum-mainnet"] : options.network
    const networks = yield* Effect.forEach(named, parseNetwork)
    const ids = networks.map(({ network }) => network)
    const wanted = yield* toSandboxOptions(options, networks)
    yield* installMissing(ids, options.install, process.argv.slice(2))
    const sandbox = yield* make(wanted)
    const provider = sandbox.baseUrl === SANDBOX_URL ? "sandbox" : sandbox.baseUrl
    print(`\nprovider     ${sandbox.baseUrl}\ndocs         ${sandbox.baseUrl}/docs\n`)
    for (const id of ids) {
      const [account] = sandbox.network(id).accounts
      print(`\n${id}\n`)
      if (account !== undefined)
        print(`account      ${account.address}\nprivate key  ${account.privateKey}\n`)
      print(`\ninit({ network: ${JSON.stringify(id)}, provider: ${JSON.stringify(provider)} })\n`)
    }
    print(`\nEFFECT_CHAINS_PROVIDER=${provider} moves a program that names no provider here\n`)
    return yield* Effect.never
  })
