/** What services check, on both runtimes: the same schemas read the same values, and tell the same problems of them. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type * as Either from "effect/Either"
import type * as AST from "effect/SchemaAST"
import { build, type Plugin } from "esbuild"
import * as fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import { inert } from "../../scripts/lean.mjs"
import type { Network } from "../../src/data/Network.js"
import type * as Surface from "../../src/promise.js"
import { catalogue } from "../../src/services/Services.js"
import { runs } from "../properties.js"

const root = join(import.meta.dirname, "../..")

interface Check {
  readonly call: string
  readonly kind: "input" | "answer"
  readonly schema: { readonly ast: AST.AST }
  readonly read: (value: unknown) => Either.Either<unknown, Error & { readonly messages?: unknown }>
}

interface Built {
  readonly checks: ReadonlyArray<Check>
  readonly init: typeof Surface.init
}

/** Notes every schema that a service checks by. */
const noting: Plugin = {
  name: "noting",
  setup(esbuild) {
    const path = join(root, "src/services/internal/noted")
    esbuild.onResolve({ filter: /\/schema\.js$/ }, () => ({ path, namespace: "noted" }))
    esbuild.onLoad({ filter: /.*/, namespace: "noted" }, () => ({
      contents: `
        import * as schema from "./schema.ts"
        export const checks = []
        const noted = (kind, make) => (call, of) => {
          const read = make(call, of)
          checks.push({ kind, call, schema: of, read })
          return read
        }
        export const makeInputCheck = noted("input", schema.makeInputCheck)
        export const makeAnswerReader = noted("answer", schema.makeAnswerReader)`,
      resolveDir: join(root, "src/services/internal")
    }))
  }
}

const runtimes = { effect: [noting], lean: [noting, inert] }

/** Networks whose services check by schemas of their own. */
const all: ReadonlyArray<Network> = [
  "ethereum-mainnet",
  "bitcoin-mainnet",
  "tezos-mainnet",
  "tron-mainnet",
  "solana-mainnet",
  "stellar-mainnet",
  "ripple-mainnet",
  "algorand-mainnet-algod",
  "cardano-mainnet"
]

/** The program, with all of its services asked once on each of the networks. */
const load = async (runtime: keyof typeof runtimes): Promise<Built> => {
  const folder = join(root, "node_modules/.cache/effect-chains")
  mkdirSync(folder, { recursive: true })
  const outfile = join(folder, `checks.${runtime}.${process.pid}.mjs`)
  await build({
    stdin: {
      contents: `export { init } from "./src/promise.ts"; export { checks } from "./src/services/internal/schema.js"`,
      resolveDir: root,
      loader: "ts"
    },
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "silent",
    plugins: runtimes[runtime]
  })
  const built: Built = await import(pathToFileURL(outfile).href)
  for (const network of all) await askAll(built, network)
  return built
}

const callAll = async (methods: object, service: object): Promise<void> => {
  for (const [name, kind] of Object.entries(methods)) {
    const method: unknown = Reflect.get(service, name)
    if (typeof kind === "object") await callAll(kind, Object(method))
    else if (typeof method === "function") {
      const called: unknown = method.call(service, { address: "0x" })
      if (kind === "stream") await Object(called)[Symbol.asyncIterator]().next()
      else if (kind !== "live") await called
    }
  }
}

const askAll = async ({ init }: Built, network: Network): Promise<void> => {
  const sdk = await init({
    network,
    quiet: true,
    retryCount: 0,
    rpc: { nodes: [{ url: "http://127.0.0.1:1" }], statusCheckInterval: Number.POSITIVE_INFINITY },
    fetch: async () => new Response("{}", { status: 400 })
  })
  for (const [name, methods] of Object.entries(catalogue)) {
    const service: unknown = Reflect.get(sdk, name)
    if (typeof service === "object" && service !== null) await callAll(methods, service)
  }
  await sdk.destroy()
}

const address = "0x53e8577c4347c365e4e0da5b57a589cb6f2ab849"

/** Texts that some check lets pass, among others. */
const texts = fc.oneof(
  fc.constantFrom(
    address,
    `0x${"a".repeat(64)}`,
    "ethereum-mainnet",
    "https://example.com/hook",
    "1.5",
    "12",
    "-3",
    "1e-7",
    "NaN",
    "Infinity",
    " ",
    "",
    "USD",
    "Qm1",
    "0x",
    "native",
    "incoming",
    "a/../b"
  ),
  fc.string(),
  fc.nat().map(String)
)
const numbers = fc.oneof(fc.constantFrom(0, 1, -1, 1.5, 18, 255, 256), fc.integer(), fc.double())
const anything = fc.anything({ withBigInt: true, maxDepth: 2 })

/** Values by a schema's shape: as it wants them, but for its filters. */
const valuesOf = (ast: AST.AST): fc.Arbitrary<unknown> => {
  switch (ast._tag) {
    case "StringKeyword":
      return texts
    case "NumberKeyword":
      return numbers
    case "BigIntKeyword":
      return fc.bigInt()
    case "BooleanKeyword":
      return fc.boolean()
    case "UndefinedKeyword":
      return fc.constant(undefined)
    case "UnknownKeyword":
      return anything
    case "Declaration":
      return fc.constantFrom<unknown>([], ["a"], new Blob(["a"]), new Uint8Array(1), new ArrayBuffer(1), {})
    case "Literal":
      return fc.constant(ast.literal)
    case "Union":
      return fc.oneof(...ast.types.map(valuesOf))
    case "TupleType": {
      const items = [...ast.elements, ...ast.rest].map(({ type }) => valuesOf(type))
      return fc.array(fc.oneof(...items), { minLength: ast.elements.length, maxLength: 12 })
    }
    case "TypeLiteral": {
      const fields = Object.fromEntries(
        ast.propertySignatures.map(({ name, type }) => [String(name), valuesOf(type)])
      )
      const required = ast.propertySignatures.flatMap(({ isOptional, name }) =>
        isOptional ? [] : [String(name)]
      )
      const own = fc.record(fields, { requiredKeys: required })
      const rest = ast.indexSignatures.map(({ type }) => fc.dictionary(fc.string(), valuesOf(type)))
      return fc.tuple(own, ...rest).map((parts) => Object.assign({}, ...parts.toReversed()))
    }
    case "Refinement":
    case "Transformation":
      return valuesOf(ast.from)
    default:
      throw new Error(`no values of ${ast._tag}`)
  }
}

/** The same with a part of it changed, left out or added, as a path of numbers says. */
const changed = (value: unknown, path: ReadonlyArray<number>, by: unknown): unknown => {
  const [at = 0, ...deeper] = path
  if (path.length === 0 || typeof value !== "object" || value === null) return by
  if (Array.isArray(value)) {
    const i = at % (value.length + 1)
    return [...value.slice(0, i), changed(value[i], deeper, by), ...value.slice(i + 1)]
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return by
  const keys = Object.keys(value)
  const key = keys[at % (keys.length + 1)] ?? "more"
  const { [key]: old, ...others } = value as Record<string, unknown>
  return by === undefined ? others : { ...others, [key]: changed(old, deeper, by) }
}

const inputsOf = (ast: AST.AST): fc.Arbitrary<unknown> => {
  const values = valuesOf(ast)
  const strange = fc
    .tuple(values, fc.array(fc.nat(20), { maxLength: 4 }), fc.oneof(anything, fc.constant(undefined)))
    .map(([value, path, by]) => changed(value, path, by))
  return fc.oneof({ weight: 4, arbitrary: values }, { weight: 5, arbitrary: strange }, anything)
}

const outcomeOf = ({ read }: Check, value: unknown): unknown => {
  const outcome = read(value)
  return outcome._tag === "Right"
    ? { is: outcome.right }
    : { not: outcome.left.message, messages: outcome.left.messages, name: outcome.left.name }
}

/** Pairs of the same check, by its call and the number of those of that call before it. */
const byName = (checks: ReadonlyArray<Check>): ReadonlyMap<string, Check> => {
  const counts = new Map<string, number>()
  return new Map(
    checks.map((check) => {
      const name = `${check.kind} ${check.call}`
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      return [`${name} ${count}`, check]
    })
  )
}

/** How often a check is tried. Most calls check by the same shape on each network, with filters that may differ. */
const RUNS = { first: runs(40), again: 8 }

describe("the checks of services", () => {
  let effect: ReadonlyMap<string, Check>
  let lean: ReadonlyMap<string, Check>
  beforeAll(async () => {
    effect = byName((await load("effect")).checks)
    lean = byName((await load("lean")).checks)
  })

  it("are the same ones on both runtimes", () => {
    expect([...lean.keys()].sort()).toEqual([...effect.keys()].sort())
    const calls = new Set([...effect.values()].map(({ call }) => call.split(".")[0]))
    // a link is made of one word, which no schema is needed for
    for (const name of Object.keys(catalogue).filter((each) => each !== "explorer"))
      expect(calls).toContain(name)
    console.log(`${effect.size} checks, of ${calls.size} services`)
  })

  it("tell the same of any value", () => {
    let right = 0
    let all = 0
    const shapes = new Set<string>()
    for (const [name, check] of effect) {
      const other = lean.get(name)
      if (other === undefined) throw new Error(name)
      const shape = `${check.kind} ${check.call}: ${check.schema.ast}`
      const numRuns = shapes.has(shape) ? RUNS.again : RUNS.first
      shapes.add(shape)
      fc.assert(
        fc.property(inputsOf(check.schema.ast), (value) => {
          const outcome = outcomeOf(check, value)
          all++
          if ("is" in Object(outcome)) right++
          expect(outcomeOf(other, value), name).toEqual(outcome)
        }),
        { numRuns }
      )
    }
    // neither all of them pass, nor hardly any
    console.log(`${right} of ${all} values pass, of ${shapes.size} shapes`)
    expect(right).toBeGreaterThan(all / 20)
    expect(right).toBeLessThan(all / 2)
  })
})
