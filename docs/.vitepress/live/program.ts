/** Runs the program of a live example: its types are left out, its imports are the site's own, its provider is the sandbox. */
import inspect from "object-inspect"
import { transform } from "sucrase"

type Module = Readonly<Record<string, unknown>>

/** The entries that examples can import. */
const entries: Readonly<Record<string, () => Promise<Module>>> = {
  "effect-chains/promise": () => import("../../../src/promise.js"),
  "effect-chains/cache": () => import("../../../src/cache.js"),
  "effect-chains/chains": () => import("../../../src/data/rows.js"),
  "effect-chains/contracts": () => import("../../../src/contracts.js"),
  "effect-chains/evm": () => import("../../../src/pick/evm.js"),
  "effect-chains/health": () => import("../../../src/health.js"),
  "effect-chains/networks": () => import("../../../src/data/networks.js"),
  "effect-chains/quota": () => import("../../../src/quota.js"),
  "effect-chains/solana": () => import("../../../src/pick/solana.js")
}

/** How a program reaches the sandbox, or what stands in its place. */
export interface Door {
  readonly provider: string
  readonly fetch: typeof globalThis.fetch
}

/** A line of output, as a console would have it. */
export type Print = (line: string, isError: boolean) => void

/**
 * An entry whose clients go to the door's sandbox, if a program names no provider or the sandbox. A browser has no
 * `EFFECT_CHAINS_PROVIDER`, so the provider is an option here.
 */
const throughDoor = (module: Module, { fetch, provider }: Door): Module => {
  const toConfig = (config: object): object => ({
    quiet: true,
    fetch,
    ...config,
    ...([undefined, "sandbox"].includes(Reflect.get(config, "provider")) ? { provider } : {})
  })
  const makers = Object.entries(module).flatMap(([name, make]) =>
    /^(init|createClient)$/.test(name) && typeof make === "function"
      ? [[name, (config: object): unknown => Reflect.apply(make, undefined, [toConfig(config)])]]
      : []
  )
  return { ...module, ...Object.fromEntries(makers) }
}

/** The modules that compiled code asks for. */
const modulesOf = async (code: string, door: Door): Promise<ReadonlyMap<string, Module>> => {
  const names = new Set(Array.from(code.matchAll(/\brequire\('([^']+)'\)/g), ([, name = ""]) => name))
  const loaded = await Promise.all(
    [...names].map(async (name) => {
      const load = entries[name]
      if (load === undefined)
        throw new Error(`"${name}" cannot be imported here: pages have ${Object.keys(entries).join(", ")}.`)
      return [name, throughDoor(await load(), door)] as const
    })
  )
  return new Map(loaded)
}

const shown = (value: unknown): string => {
  const line = inspect(value, { depth: 6 })
  return line.length <= 72 ? line : inspect(value, { depth: 6, indent: 2 })
}

const written = (values: ReadonlyArray<unknown>): string =>
  values.map((value) => (typeof value === "string" ? value : shown(value))).join(" ")

/** An error in full: with what it says of the way out, and what it comes from. */
export const told = (error: unknown): string => {
  if (!(error instanceof Error)) return `Thrown: ${written([error])}`
  const docs = "docsUrl" in error && typeof error.docsUrl === "string" ? `\n${error.docsUrl}` : ""
  const cause = error.cause === undefined ? "" : `\nCaused by ${told(error.cause)}`
  return `${error.name}: ${error.message}${docs}${cause}`
}

/** Runs a program to its end. Rejects with what it throws, and with what the compiler says of it. */
export const run = async (source: string, door: Door, print: Print): Promise<void> => {
  const { code } = transform(source, {
    transforms: ["typescript", "imports"],
    disableESTransforms: true
  })
  const modules = await modulesOf(code, door)
  const line =
    (isError: boolean) =>
    (...values: ReadonlyArray<unknown>): void =>
      print(written(values), isError)
  const console = Object.assign(Object.create(globalThis.console), {
    ...Object.fromEntries(["debug", "info", "log", "table"].map((name) => [name, line(false)])),
    ...Object.fromEntries(["error", "warn"].map((name) => [name, line(true)]))
  })
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor
  await AsyncFunction(
    "require",
    "exports",
    "console",
    "fetch",
    code
  )((name: string) => modules.get(name), {}, console, door.fetch)
}
