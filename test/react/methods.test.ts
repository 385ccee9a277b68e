// @vitest-environment node
import { readdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import type { Plugin } from "vite"
import { beforeAll, describe, expect, it } from "vitest"
import type { Argument, Method, MethodTable, Shape } from "../../react/playground/console/model.js"
import { cachedMethods, methodsPlugin } from "../../scripts/methods.js"
import { loadFamily } from "../../src/chains/registry.js"
import { type Spec, specOf } from "../../src/data/Endpoint.js"
import { type FamilyId, type Network, networks } from "../../src/data/Network.js"
import { catalogue } from "../../src/services/Services.js"

const root = dirname(dirname(import.meta.dirname))
const cache = join(root, "node_modules", ".cache", "effect-chains")

/** What the plugin of a Vite page yields for a module. */
const loadWith = async ({ load }: Plugin, id: string): Promise<string> => {
  if (typeof load !== "function") throw new Error("the plugin has no hook")
  const text: unknown = await Reflect.apply(load, undefined, [`\0virtual:effect-chains-methods${id}`])
  return typeof text === "string" ? text : ""
}

let methods: MethodTable
/** How often this process has had a turn while the methods were read beside it. */
let turns = 0

beforeAll(async () => {
  for (const name of readdirSync(cache)) if (name.startsWith("methods-")) rmSync(join(cache, name))
  const timer = setInterval(() => turns++, 10)
  const text = await loadWith(methodsPlugin(root), "/solana")
  clearInterval(timer)
  expect(text).toContain("export default")
  methods = cachedMethods(root, readNothing)
})

const readNothing = (): never => {
  throw new Error("it is read again")
}

const ids: ReadonlyArray<Network> = Object.keys(networks).filter((id): id is Network => id in networks)
const families: ReadonlyArray<FamilyId> = [...new Set(ids.map((id) => networks[id].family))]

/** Every endpoint of a table by its path. */
const endpointsOf = (table: object, prefix: string): ReadonlyArray<readonly [string, Spec]> =>
  Object.entries(table).flatMap(([name, value]) => {
    const path = `${prefix}.${name}`
    const spec = specOf(value)
    return spec === undefined ? endpointsOf(value, path) : [[path, spec] as const]
  })

const leaves = (group: object, prefix: string): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(group).flatMap(([name, value]) =>
    typeof value === "object" && value !== null
      ? leaves(value, `${prefix}${name}.`)
      : [[`${prefix}${name}`, value] as const]
  )

const byPath = (list: ReadonlyArray<Method> = []): ReadonlyMap<string, Method> =>
  new Map(list.map((method) => [method.path, method]))

const argumentsIn = (list: ReadonlyArray<Argument>): ReadonlyArray<Argument> =>
  list.flatMap((argument) => [
    argument,
    ...(argument.shape.kind === "object" ? argumentsIn(argument.shape.fields) : [])
  ])

const findFaults = ({ args, doc, returns }: Method): ReadonlyArray<string> => [
  ...(/^\p{L}.*\S$/u.test(doc) ? [] : [`doc: ${doc}`]),
  ...(returns === "" ? ["returns nothing that has a name"] : []),
  ...argumentsIn(args).flatMap(({ name, type }) => [
    ...(name === "" || /^(args|_*)_\d+$/.test(name) ? [`an argument of type ${type} has no name`] : []),
    ...(type === "" ? [`${name} has no type`] : [])
  ])
]

const shapeOf = (list: ReadonlyArray<Method> | undefined, path: string, name: string): Shape | undefined =>
  argumentsIn(byPath(list).get(path)?.args ?? []).find((argument) => argument.name === name)?.shape

describe("what the console knows of methods", () => {
  it.each(families)("is there for every endpoint of %s, with a doc line and named arguments", async (id) => {
    const known = byPath(methods.families[id])
    const { endpoints } = await Effect.runPromise(loadFamily(id))
    const faults = endpointsOf(endpoints, "rpc").flatMap(([path, spec]) => {
      const method = known.get(path)
      if (method === undefined) return [`${path} is missing`]
      const taken = spec.kind === "rest" ? [...spec.template.matchAll(/\{\+?([^?}]+)\}/g)] : []
      const names = argumentsIn(method.args).map(({ name }) => name)
      const lost =
        spec.kind === "rest" && spec.prepare === undefined ? taken.map(([, name = ""]) => name) : []
      return [
        ...findFaults(method),
        ...(method.kind === spec.repeat ? [] : [`is a ${method.kind}, not a ${spec.repeat}`]),
        ...(spec.kind === "rpc" && method.wire !== undefined && method.wire !== spec.method
          ? [`is ${method.wire} on the wire, not ${spec.method}`]
          : []),
        ...lost.filter((name) => !names.includes(name)).map((name) => `has no field ${name}`)
      ].map((fault) => `${path}: ${fault}`)
    })
    expect(faults).toEqual([])
  })

  it("is there for every method of the services, by the catalogue", () => {
    const known = byPath(Object.values(methods.services).flat())
    const expected = leaves(catalogue, "")
    expect(expected.length).toBeGreaterThan(80)
    expect([...known.keys()].sort()).toEqual(expected.map(([path]) => path).sort())
    const faults = expected.flatMap(([path, kind]) => {
      const method = known.get(path)
      if (method === undefined) return [`${path} is missing`]
      return [...findFaults(method), ...(method.kind === kind ? [] : [`is a ${method.kind}`])].map(
        (fault) => `${path}: ${fault}`
      )
    })
    expect(faults).toEqual([])
  })

  it("says what inputs have to know", () => {
    const { evm, cosmos, tron } = methods.families
    expect(shapeOf(evm, "rpc.getBalance", "address")).toEqual({ kind: "scalar", of: ["string"] })
    const block = shapeOf(evm, "rpc.getBalance", "block")
    expect(block).toMatchObject({ kind: "scalar", json: true })
    expect(block?.kind === "scalar" ? [...block.of].sort() : []).toEqual(["bigint", "string"])
    expect(block?.kind === "scalar" ? block.options : []).toContain("finalized")
    expect(shapeOf(evm, "rpc.getBlockByNumber", "includeTransactions")).toEqual({
      kind: "scalar",
      of: ["boolean"],
      closed: true
    })
    expect(shapeOf(evm, "rpc.getProof", "storageKeys")).toEqual({ kind: "json" })
    expect(byPath(cosmos).get("rpc.getNodeStatus")?.args).toEqual([])
    expect(
      byPath(tron)
        .get("rpc.getNowBlock")
        ?.args.every(({ optional }) => optional)
    ).toBe(true)
    expect(shapeOf(Object.values(methods.services).flat(), "address.getBalance", "addresses")).toEqual({
      kind: "json"
    })
  })

  it("knows raw calls as writes: nobody can tell what they do", () => {
    for (const list of Object.values(methods.families)) {
      expect(byPath(list).get("rpc.rawRpcCall")?.kind).toBe("write")
    }
  })

  it("is read once for every state of the sources", () => {
    expect(cachedMethods(root, readNothing)).toEqual(methods)
  })

  it("is read beside the server, which answers all the while", () => {
    // the compiler takes some seconds, in which a process that reads them itself has none
    expect(turns).toBeGreaterThan(10)
  })

  it("is loaded by families", async () => {
    const plugin = methodsPlugin(root)
    const { resolveId } = plugin
    if (typeof resolveId !== "function") throw new Error("the plugin has no hook")
    const loaded = (id: string): Promise<string> => loadWith(plugin, id)
    const index = await loaded("")
    for (const family of families)
      expect(index).toContain(`import("virtual:effect-chains-methods/${family}")`)
    const inner = /^export default JSON\.parse\((.*)\)\n$/s.exec(await loaded("/solana"))?.[1] ?? ""
    expect(JSON.parse(JSON.parse(inner))).toEqual(methods.families.solana)
    expect(await loaded("/nowhere")).toBe("")
    expect(Reflect.apply(resolveId, undefined, ["react"])).toBeUndefined()
  })
})
