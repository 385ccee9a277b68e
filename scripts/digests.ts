/**
 * Makes `test/specs/digests` from the chains' own API descriptions (OpenAPI 2 and 3, OpenRPC), which are not part of
 * this repository: names, kinds, optionality and sources. No sentence of a description is kept.
 *
 * Recorded answers of real nodes, which are not part of it either, get digests of the same form.
 *
 *     node scripts/run.mjs scripts/digests.ts [folder of descriptions] [folder of recordings]
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { parse } from "yaml"
import { makeRecordedDigests } from "./recordings.js"

type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const toList = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/**
 * A description: its file, its project, and the paths of networks that the SDK has. A description that `isSeparate` is
 * in no folder of descriptions, and has a digest if somebody adds the file.
 */
interface DigestSource {
  readonly file: string
  readonly project: string
  readonly isSeparate?: true
  readonly only?: RegExp
}

export const sources: Readonly<Record<string, DigestSource>> = {
  algod: { file: "algod.oas3.yml", project: "go-algorand" },
  "algorand-indexer": { file: "indexer.oas3.yml", project: "Algorand Indexer" },
  aptos: { file: "aptos-spec.json", project: "Aptos node", isSeparate: true },
  beacon: { file: "beacon/beacon-node-oapi.yaml", project: "Ethereum beacon-APIs" },
  bitcoin: { file: "bitcoin-openrpc.yaml", project: "Alchemy's description of Bitcoin Core" },
  casper: { file: "casper-rpc.json", project: "Casper node" },
  casper2: { file: "casper2-rpc.json", project: "Casper sidecar" },
  "casper2-speculative": { file: "casper2-schema.json", project: "Casper sidecar, speculative execution" },
  chainweb: { file: "chainweb.yaml", project: "Chainweb node" },
  cometbft: { file: "cometbft.yaml", project: "CometBFT" },
  // modules of other chains are left out
  cosmos: { file: "juno.yaml", project: "Juno", only: /^\/cosmos\/(?!group\/|nft\/|circuit\/)/ },
  eos: { file: "eos-chain.yaml", project: "Antelope's chain API" },
  "hedera-mirror": { file: "hedera-mirror.yml", project: "Hiero mirror node", isSeparate: true },
  horizon: { file: "horizon.yml", project: "Stellar Horizon" },
  "iota-core": { file: "iota-core.yaml", project: "IOTA TIP 25" },
  "iota-indexer": { file: "iota-indexer.yaml", project: "IOTA TIP 26" },
  mesh: { file: "mesh.json", project: "Mesh (Rosetta)" },
  solana: { file: "solana-openrpc.yaml", project: "Alchemy's description of Solana" },
  sui: { file: "sui-openrpc.json", project: "Sui", isSeparate: true },
  tonapi: { file: "tonapi.yml", project: "TON API" },
  toncenter: { file: "toncenter-v2.yaml", project: "TON HTTP API" },
  wasp: { file: "wasp-1.0.3.yaml", project: "Wasp 1.0.3" },
  zksync: { file: "zksync-openrpc.yaml", project: "Alchemy's description of ZKsync" }
}

/** Any value, for a missing part of a description. */
const ANY_VALUE: Json = {}

const types = /^(array|boolean|integer|null|number|object|string)$/

const isEmpty = (node: unknown): boolean => isJson(node) && Object.keys(node).length === 0

const unescapePointer = (part: string): string =>
  decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~")

const verbs = ["get", "post", "put", "delete"]

/** The text of a digest's file: one line per call and type. */
export const formatDigest = (digest: {
  readonly source: string
  readonly version: string
  readonly operations: ReadonlyArray<object>
  readonly methods: ReadonlyArray<object>
  readonly types: ReadonlyArray<readonly [name: string, kind: unknown]>
}): string => {
  const { methods, operations, source, types, version } = digest
  const lines = (list: ReadonlyArray<string>) => list.map((line) => `\n    ${line}`).join(",")
  const rows = (list: ReadonlyArray<object>) => lines(list.map((each) => JSON.stringify(each)))
  return `{
  "source": ${JSON.stringify(source)},
  "version": ${JSON.stringify(version)},
  "operations": [${rows(operations)}],
  "methods": [${rows(methods)}],
  "types": {${lines(types.map(([name, kind]) => `${JSON.stringify(name)}: ${JSON.stringify(kind)}`))}}
}
`
}

/** Whether a digest can be made from a folder. A missing description that is not separate is an error. */
export const isAvailable = (folder: string, { isSeparate, file }: DigestSource): boolean =>
  isSeparate !== true || existsSync(join(folder, file))

/** The digest of a description, as the text of its file. */
export const makeDigest = (folder: string, { file, project, only = /^/ }: DigestSource): string => {
  const docs = new Map<string, unknown>()
  const open = (path: string): unknown => {
    const known = docs.get(path)
    if (known !== undefined) return known
    const text = readFileSync(path, "utf8")
    const doc: unknown = text.trimStart().startsWith("{")
      ? JSON.parse(text)
      : parse(text, { maxAliasCount: -1 })
    docs.set(path, doc)
    return doc
  }
  const entry = join(folder, file)
  const root = open(entry)
  if (!isJson(root)) throw new Error(`${file} is not a description`)

  /** The target of a reference: its file, its path, and the node; undefined if it is missing. */
  const targetOf = ($ref: string, at: string) => {
    const [path = "", pointer = ""] = $ref.split("#")
    const target = path === "" ? at : resolve(dirname(at), path)
    if (/^https?:/.test(path) || !existsSync(target)) return undefined
    const node = pointer
      .split("/")
      .slice(1)
      .reduce<unknown>(
        (inner, part) =>
          typeof inner === "object" && inner !== null ? Reflect.get(inner, unescapePointer(part)) : undefined,
        open(target)
      )
    return node === undefined ? undefined : { at: target, pointer, node }
  }
  /** A node with its references resolved, and its file. */
  const follow = (node: unknown, at: string): readonly [node: Json, at: string] => {
    if (!isJson(node)) return [{}, at]
    if (typeof node.$ref !== "string") return [node, at]
    const target = targetOf(node.$ref, at)
    return target === undefined ? [ANY_VALUE, at] : follow(target.node, target.at)
  }

  const named = new Map<string, string>()
  const kinds = new Map<string, unknown>()
  const nameOf = (key: string, pointer: string, at: string): string => {
    const known = named.get(key)
    if (known !== undefined) return known
    const last = unescapePointer(pointer.split("/").at(-1) ?? "").replace(/^.*\./, (prefix) =>
      /\.v\d[^.]*\.$/.test(prefix) ? `${prefix.split(".").at(-3)}.` : ""
    )
    const base = last === "" ? relative(folder, at).replace(/^.*\/|\.\w+$/g, "") : last
    let name = base
    for (let i = 2; kinds.has(name); i++) name = `${base}${i}`
    named.set(key, name)
    kinds.set(name, ANY_VALUE)
    return name
  }

  const kindOf = (given: unknown, at: string): Json => {
    if (!isJson(given)) return {}
    if (typeof given.$ref === "string") {
      const target = targetOf(given.$ref, at)
      if (target === undefined) return ANY_VALUE
      const key = `${target.at}#${target.pointer}`
      const isNew = !named.has(key)
      const name = nameOf(key, target.pointer, target.at)
      if (isNew) kinds.set(name, kindOf(target.node, target.at))
      return { $ref: `#/types/${name}` }
    }
    const all = (list: unknown): ReadonlyArray<Json> => toList(list).map((each) => kindOf(each, at))
    // `oneOf` counts as `anyOf`, since descriptions use it for alternatives that overlap
    const any = [...all(given.anyOf), ...all(given.oneOf)]
    if (any.some(isEmpty)) return ANY_VALUE
    const every = all(given.allOf).filter((each) => !isEmpty(each))
    const { items, type } = given
    const isTuple = Array.isArray(items)
    const isKnown = Array.isArray(type) || types.test(String(type))
    const own: Record<string, unknown> = {
      ...(isKnown ? { type } : {}),
      ...(given.const === undefined ? {} : { const: given.const }),
      ...(Array.isArray(given.enum) ? { enum: given.enum } : {}),
      ...(isJson(given.properties)
        ? {
            properties: Object.fromEntries(
              Object.entries(given.properties).map(([name, each]) => [name, kindOf(each, at)])
            )
          }
        : {}),
      ...(Array.isArray(given.required) ? { required: given.required } : {}),
      ...(isTuple || given.prefixItems !== undefined
        ? { prefixItems: all(isTuple ? items : given.prefixItems) }
        : {}),
      ...(!isTuple && isJson(items) ? { items: kindOf(items, at) } : {}),
      ...(isJson(given.additionalProperties)
        ? { additionalProperties: kindOf(given.additionalProperties, at) }
        : typeof given.additionalProperties === "boolean"
          ? { additionalProperties: given.additionalProperties }
          : {}),
      ...(any.length > 0 ? { anyOf: any } : {})
    }
    const [first] = every
    const kind: Json =
      first === undefined
        ? own
        : every.length === 1 && (isEmpty(own) || (Object.keys(own).length === 1 && own.type === "object"))
          ? first
          : { ...own, allOf: every }
    return given.nullable === true && !isEmpty(kind) ? { anyOf: [kind, { type: "null" }] } : kind
  }

  const contentOf = (node: Json, at: string): ReadonlyArray<readonly [type: string, kind: Json]> =>
    Object.entries(isJson(node.content) ? node.content : {}).map(([type, given]) => {
      const [media, where] = follow(given, at)
      return [type, kindOf(media.schema, where)]
    })
  const isOld = root.swagger !== undefined
  const parameterOf = (given: unknown, from: string) => {
    const [node, at] = follow(given, from)
    const { description: _, in: __, name: ___, required: ____, ...inline } = node
    const [content] = contentOf(node, at)
    const commas = isOld
      ? (node.collectionFormat ?? "csv") === "csv" && node.type === "array"
      : node.explode === false && (node.style ?? "form") === "form"
    const kind = isJson(node.schema)
      ? kindOf(node.schema, at)
      : (content?.[1] ?? (isOld ? kindOf(inline, at) : {}))
    return {
      name: String(node.name),
      in: String(node.in),
      ...(node.required === true ? { required: true } : {}),
      ...(commas ? { commas } : {}),
      kind
    }
  }
  const isJsonType = (type: string) => /json|^\*\/\*/.test(type)
  /** The answer of an operation: its first successful one. */
  const resultOf = (operation: Json, from: string): Json | undefined => {
    const responses = isJson(operation.responses) ? operation.responses : {}
    const codes = Object.keys(responses).filter((code) => /^2/.test(code))
    for (const code of codes.sort()) {
      const [response, at] = follow(responses[code], from)
      if (isOld && isJson(response.schema)) return kindOf(response.schema, at)
      const found = contentOf(response, at).find(([type]) => isJsonType(type))
      if (found !== undefined) return found[1]
    }
    return undefined
  }
  const base = typeof root.basePath === "string" ? root.basePath.replace(/\/$/, "") : ""
  const operations = Object.entries(isJson(root.paths) ? root.paths : {}).flatMap(([path, given]) => {
    const [item, at] = follow(given, entry)
    if (!only.test(`${base}${path}`)) return []
    return verbs.flatMap((verb) => {
      const operation = item[verb]
      if (!isJson(operation)) return []
      const own = toList(operation.parameters).map((each) => parameterOf(each, at))
      const common = toList(item.parameters)
        .map((each) => parameterOf(each, at))
        .filter(({ in: place, name }) => !own.some((each) => each.name === name && each.in === place))
      const parameters = [...common, ...own]
      const [body, bodyAt] = follow(operation.requestBody, at)
      const old = parameters.find((each) => each.in === "body")
      const bodies =
        old === undefined ? Object.fromEntries(contentOf(body, bodyAt)) : { "application/json": old.kind }
      const result = resultOf(operation, at)
      return [
        {
          verb: verb.toUpperCase(),
          path: `${base}${path}`,
          ...(operation.deprecated === true ? { deprecated: true } : {}),
          parameters: parameters.filter((each) => each.in !== "body"),
          ...(Object.keys(bodies).length > 0 ? { bodies } : {}),
          ...((old?.required ?? body.required === true) ? { bodyRequired: true } : {}),
          ...(result === undefined ? {} : { result })
        }
      ]
    })
  })
  const methods = toList(root.methods).map((given) => {
    const [node, at] = follow(given, entry)
    const [result, resultAt] = follow(node.result, at)
    return {
      name: String(node.name),
      ...(node.paramStructure === "by-name" ? { named: true } : {}),
      params: toList(node.params).map((each) => {
        const [param, where] = follow(each, at)
        return {
          name: String(param.name),
          ...(param.required === true ? { required: true } : {}),
          kind: kindOf(param.schema, where)
        }
      }),
      ...(isJson(result.schema) ? { result: kindOf(result.schema, resultAt) } : {})
    }
  })
  const info = isJson(root.info) ? root.info : {}
  return formatDigest({
    source: project,
    version: String(info.version ?? ""),
    operations,
    methods,
    types: [...kinds].sort(([one], [other]) => (one < other ? -1 : 1))
  })
}

/** The digests of recorded answers, as texts of files by name. */
export const makeRecordedTexts = (fixtures: string): ReadonlyArray<readonly [name: string, text: string]> =>
  makeRecordedDigests(fixtures).map(([name, recorded]) => [
    name,
    // recordings have no version
    formatDigest({ ...recorded, version: "", types: [] })
  ])

const [, script, descriptions, recorded] = process.argv
if (script?.endsWith("digests.ts") === true) {
  const write = (name: string, text: string): void => writeFileSync(`test/specs/digests/${name}.json`, text)
  if (descriptions !== undefined)
    for (const [name, source] of Object.entries(sources))
      if (isAvailable(descriptions, source)) write(name, makeDigest(descriptions, source))
  if (recorded !== undefined) for (const [name, text] of makeRecordedTexts(recorded)) write(name, text)
}
