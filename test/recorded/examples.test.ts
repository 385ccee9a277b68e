/**
 * The examples of the chains' own descriptions: our calls make their requests, and read their answers. Digests have no
 * examples.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { isAvailable, makeDigest, makeRecordedTexts, sources } from "../../scripts/digests.js"
import * as Bitcoin from "../../src/chains/Bitcoin.js"
import * as Casper from "../../src/chains/Casper.js"
import * as ZkSync from "../../src/chains/ZkSync.js"
import { makeRpcNode, runValue } from "../chains/wire.js"
import { isJson } from "../specs/descriptions.js"
import { same, walk, withLists } from "../specs/tables.js"
import { answerWithEcho, describeFailure, shared } from "./fixtures.js"

const folder = join(shared, "specs")

interface Example {
  readonly params: ReadonlyArray<readonly [name: string, value: unknown]>
  readonly result: unknown
}

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** The methods of an OpenRPC description with the names of their parameters, and their examples. */
const methodsOf = (file: string) => {
  const text = readFileSync(join(folder, file), "utf8")
  const root: unknown = file.endsWith(".json") ? JSON.parse(text) : parse(text, { maxAliasCount: -1 })
  const follow = (node: unknown): Readonly<Record<string, unknown>> => {
    if (!isJson(node)) return {}
    if (typeof node.$ref !== "string") return node
    return follow(
      node.$ref
        .split("/")
        .slice(1)
        .reduce<unknown>((at, part) => (isJson(at) ? at[part] : undefined), root)
    )
  }
  return listOf(follow(root).methods).map((given) => {
    const { examples, name, params } = follow(given)
    return {
      name: String(name),
      params: listOf(params).map((each) => String(follow(each).name)),
      examples: listOf(examples).map((each): Example => {
        const example = follow(each)
        const values = listOf(example.params).map(follow)
        return {
          params: values.map((param) => [String(param.name), param.value]),
          result: follow(example.result).value
        }
      })
    }
  })
}

/** Our arguments for the parameters of an example; without a rule of their own they are the arguments. */
type Arguments = (example: Example) => ReadonlyArray<unknown>

const valuesOf: Arguments = ({ params }) => params.map(([, each]) => each)

const isCall = (
  given: unknown
): given is (...args: ReadonlyArray<unknown>) => Parameters<typeof runValue>[0] => typeof given === "function"

interface Family {
  readonly name: string
  readonly file: string
  readonly endpoints: object
  readonly args?: Arguments
  readonly own?: Readonly<Record<string, Arguments>>
}

const families: ReadonlyArray<Family> = [
  {
    name: "Casper",
    file: "casper-rpc.json",
    endpoints: Casper.endpoints,
    // one value, or the parameters by their names; ours tell a block's hash from its height by what it is
    args: ({ params }) => {
      const own = params.map(([param, each]) => [
        param,
        param === "block_identifier" && isJson(each) ? (each.Hash ?? each.Height) : each
      ])
      const [first] = own
      return own.length < 2 && /^(deploy|block_identifier|undefined)$/.test(String(first?.[0]))
        ? own.map(([, each]) => each)
        : [Object.fromEntries(own)]
    }
  },
  {
    name: "ZkSync",
    file: "zksync-openrpc.yaml",
    endpoints: ZkSync.endpoints,
    own: {
      zks_getL2ToL1MsgProof: ({ params: [block, sender, msg, l2LogPosition] }) => [
        { block: block?.[1], sender: sender?.[1], msg: msg?.[1], l2LogPosition: l2LogPosition?.[1] }
      ],
      zks_getProof: ({ params: [data, arrayOfData, timePoint] }) => [
        { data: data?.[1], arrayOfData: arrayOfData?.[1], timePoint: timePoint?.[1] }
      ]
    }
  },
  { name: "Bitcoin", file: "bitcoin-openrpc.yaml", endpoints: Bitcoin.endpoints }
]

describe("examples of the chains' own descriptions", () => {
  for (const { args = valuesOf, endpoints, file, name, own = {} } of families) {
    const table = walk(endpoints).methods
    const examples = methodsOf(file).flatMap((method) => {
      const declared = table.find(({ spec }) => spec.method === method.name)
      return declared === undefined
        ? []
        : method.examples.map((example, i) => ({ method, declared, example, i }))
    })
    it.each(examples)(`${name}: $method.name, example $i`, async ({ declared, example, method }) => {
      const node = makeRpcNode(endpoints)
      const call: unknown = Reflect.get(node.client, declared.name)
      if (!isCall(call)) throw new Error(`${declared.name} is no method`)
      const given = (own[method.name] ?? args)(example)
      const answered = await answerWithEcho(JSON.stringify(example.result ?? null), async (text) => {
        node.result(text)
        return describeFailure(call(...given))
      })
      const result: unknown = JSON.parse(answered)
      node.result(answered)
      const read = await runValue(call(...given))
      const { params } = node.sent()
      const asked = Array.isArray(params)
        ? method.params.map((param) => example.params.find(([each]) => each === param)?.[1])
        : Object.fromEntries(example.params)
      while (Array.isArray(asked) && (asked.at(-1) ?? undefined) === undefined && asked.length > 0)
        asked.pop()
      expect(params).toEqual(asked)
      const promised = withLists(result, declared.spec.lists)
      expect(same(read, promised), `${String(read)} for ${answered}`).toBe(true)
    })
    it(`${name} has examples`, () => {
      expect(examples.length).toBeGreaterThan(15)
    })
  }
})

describe("digests", () => {
  it("are as the script makes them, of descriptions and of recordings", () => {
    const made = [
      ...Object.entries(sources)
        .filter(([, source]) => isAvailable(folder, source))
        .map(([name, source]) => [name, makeDigest(folder, source)] as const),
      ...makeRecordedTexts(join(shared, "fixtures"))
    ]
    const kept = join(import.meta.dirname, "../specs/digests")
    const apart = Object.entries(sources).flatMap(([name, source]) =>
      isAvailable(folder, source) ? [] : [name]
    )
    if (apart.length > 0)
      console.log(`left out: digests of descriptions that are not in ../shared: ${apart.join(", ")}`)
    expect([...made.map(([name]) => name), ...apart].map((name) => `${name}.json`).toSorted()).toEqual(
      // what clients declare is in their packages, what nodes say of themselves in these: `scripts/clients.ts --check`
      // and `scripts/help.ts --check` compare it; the provider's routes are held by `test/specs/providerData.test.ts`
      readdirSync(kept)
        .filter((name) => !/^(client|help|provider)-/.test(name))
        .toSorted()
    )
    for (const [name, text] of made)
      expect(readFileSync(join(kept, `${name}.json`), "utf8") === text, `the digest ${name}`).toBe(true)
  })
})
