/** Reads the chains' own API descriptions: OpenAPI 2 and 3, OpenRPC. They are not part of this repository. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { Ajv, type AnySchema, type ValidateFunction } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import { parse } from "yaml"

const shared = process.env.EFFECT_CHAINS_SHARED ?? join(import.meta.dirname, "../../../shared")
const folder = join(shared, "specs")

/** Whether the descriptions are at hand. */
export const present = existsSync(folder)
if (!present) console.log("left out: checks by the chains' own API descriptions (no ../shared/specs)")

export type Json = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header" | "body" | "formData" | "cookie"
  readonly required: boolean
  /** One value holds all items, between commas. */
  readonly commas: boolean
  readonly schema: AnySchema
}

export interface Operation {
  readonly verb: string
  readonly path: string
  readonly deprecated: boolean
  readonly parameters: ReadonlyArray<Parameter>
  /** Bodies by content type. */
  readonly bodies: ReadonlyMap<string, AnySchema>
  readonly bodyRequired: boolean
}

export interface Method {
  readonly name: string
  readonly params: ReadonlyArray<{
    readonly name: string
    readonly required: boolean
    readonly schema: AnySchema
  }>
  /** Parameters by name, not by position. */
  readonly named: boolean
  readonly examples: ReadonlyArray<{
    readonly params: ReadonlyArray<readonly [name: string, value: unknown]>
    readonly result: unknown
  }>
}

export interface Description {
  readonly file: string
  readonly operations: ReadonlyArray<Operation>
  readonly methods: ReadonlyArray<Method>
  /** A node, or what it refers to. */
  readonly follow: (node: unknown) => Json
  /** What is wrong with a value by a schema of this description, in a word, or nothing. */
  readonly problem: (schema: AnySchema, value: unknown) => string | undefined
}

const base = "https://descriptions.example/"

/** What stands for a part of a description that is not at hand: any value. */
const missing: Json = { "x-missing": true }

const isMissing = (value: unknown): boolean => isJson(value) && value["x-missing"] === true

/** What OpenAPI 3.0 allows and JSON Schema does not. */
const normal = (node: Json): unknown => {
  const { exclusiveMinimum, exclusiveMaximum, nullable, oneOf, required, type, ...rest } = node
  const isParameter = "in" in node || "schema" in node || "content" in node
  const known = typeof type === "string" && !/^(array|boolean|integer|null|number|object|string)$/.test(type)
  const kept = {
    ...rest,
    // descriptions say one where they mean any: their alternatives overlap
    ...(oneOf === undefined ? {} : node.anyOf === undefined ? { anyOf: oneOf } : { oneOf }),
    ...(type === undefined || known ? {} : { type }),
    ...(typeof exclusiveMinimum === "boolean" ? {} : { exclusiveMinimum }),
    ...(typeof exclusiveMaximum === "boolean" ? {} : { exclusiveMaximum }),
    ...(Array.isArray(required) || isParameter ? { required } : {})
  }
  // one of which is unknown: nothing can be said
  if (listOf(node.oneOf).some(isMissing) || listOf(node.anyOf).some(isMissing)) return missing
  const clean = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined))
  if (nullable !== true) return clean
  return { anyOf: [clean, { type: "null" }] }
}

/** All documents that a description consists of, with absolute references; what is not at hand is any value. */
const documents = (entry: string): ReadonlyMap<string, Json> => {
  const found = new Map<string, Json>()
  const open = (file: string): void => {
    const uri = `${base}${relative(folder, file)}`
    if (found.has(uri)) return
    const text = readFileSync(file, "utf8")
    const json: unknown = text.trimStart().startsWith("{")
      ? JSON.parse(text)
      : parse(text, { maxAliasCount: -1 })
    if (!isJson(json)) throw new Error(`${file} is no description`)
    const others: Array<string> = []
    const walk = (node: unknown, name: string): unknown => {
      if (Array.isArray(node)) return node.map((item) => walk(item, ""))
      if (!isJson(node) || name === "example" || name === "examples") return node
      const { $ref } = node
      if (typeof $ref === "string" && name !== "properties") {
        const [path = "", pointer = ""] = $ref.split("#")
        const target = path === "" ? file : resolve(dirname(file), path)
        if (/^https?:/.test(path) || !existsSync(target)) return missing
        others.push(target)
        return { $ref: `${base}${relative(folder, target)}#${pointer}` }
      }
      const walked = Object.fromEntries(Object.entries(node).map(([key, item]) => [key, walk(item, key)]))
      return name === "properties" ? walked : normal(walked)
    }
    const walked = walk(json, "")
    if (isJson(walked)) found.set(uri, walked)
    for (const other of others) open(other)
  }
  open(join(folder, entry))
  return found
}

const unescaped = (part: string): string =>
  decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~")

const verbs = ["get", "post", "put", "delete"]

/** A description, opened. */
export const describe = (file: string): Description => {
  const docs = documents(file)
  const follow = (node: unknown): Json => {
    if (!isJson(node)) return {}
    if (typeof node.$ref !== "string") return node
    const [uri = "", pointer = ""] = node.$ref.split("#")
    const target = pointer
      .split("/")
      .slice(1)
      .reduce<unknown>(
        (at, part) => (isJson(at) || Array.isArray(at) ? Reflect.get(at, unescaped(part)) : undefined),
        docs.get(uri)
      )
    if (target === undefined) throw new Error(`${file} refers to ${node.$ref}, which it has not`)
    return follow(target)
  }
  const root = docs.get(`${base}${file}`) ?? {}
  const options = {
    strict: false,
    validateFormats: false,
    validateSchema: false,
    allErrors: true,
    unicodeRegExp: false,
    logger: false,
    inlineRefs: false
  } as const
  const ajv = String(root.openapi).startsWith("3.1") ? new Ajv2020(options) : new Ajv(options)
  for (const [uri, doc] of docs) ajv.addSchema(doc, uri)
  const compiled = new Map<AnySchema, ValidateFunction>()
  const compile = (schema: AnySchema): ValidateFunction => {
    const validate = compiled.get(schema) ?? ajv.compile(schema)
    compiled.set(schema, validate)
    return validate
  }
  const contentOf = (node: Json): ReadonlyMap<string, AnySchema> =>
    new Map(
      Object.entries(isJson(node.content) ? node.content : {}).map(([type, media]) => {
        const schema = follow(media).schema
        return [type, isJson(schema) ? schema : {}]
      })
    )
  const parameterOf = (given: unknown): Parameter => {
    const node = follow(given)
    const own = isJson(node.schema) ? node.schema : undefined
    const [content] = contentOf(node).values()
    // in OpenAPI 2 the type stands in the parameter itself
    const { description: _, in: __, name: ___, required: ____, ...inline } = node
    const commas =
      root.swagger === undefined
        ? node.explode === false && (node.style ?? "form") === "form"
        : (node.collectionFormat ?? "csv") === "csv" && node.type === "array"
    return {
      name: String(node.name),
      in: node.in as Parameter["in"],
      required: node.required === true,
      commas,
      schema: own ?? content ?? (root.swagger === undefined ? {} : inline)
    }
  }
  const operations = Object.entries(isJson(root.paths) ? root.paths : {}).flatMap(([path, given]) => {
    const item = follow(given)
    return verbs.flatMap((verb): ReadonlyArray<Operation> => {
      const operation = item[verb]
      if (!isJson(operation)) return []
      const own = listOf(operation.parameters).map(parameterOf)
      const common = listOf(item.parameters)
        .map(parameterOf)
        .filter(({ in: place, name }) => !own.some((each) => each.name === name && each.in === place))
      const parameters = [...common, ...own]
      const body = follow(operation.requestBody)
      const old = parameters.find((each) => each.in === "body")
      return [
        {
          verb: verb.toUpperCase(),
          path: `${typeof root.basePath === "string" ? root.basePath.replace(/\/$/, "") : ""}${path}`,
          deprecated: operation.deprecated === true,
          parameters,
          bodies: old === undefined ? contentOf(body) : new Map([["application/json", old.schema]]),
          bodyRequired: old?.required ?? body.required === true
        }
      ]
    })
  })
  const methods = listOf(root.methods).map((given): Method => {
    const node = follow(given)
    return {
      name: String(node.name),
      named: node.paramStructure === "by-name",
      params: listOf(node.params).map((each) => {
        const param = follow(each)
        return {
          name: String(param.name),
          required: param.required === true,
          schema: isJson(param.schema) ? param.schema : {}
        }
      }),
      examples: listOf(node.examples).map((each) => {
        const example = follow(each)
        return {
          params: listOf(example.params).map((param) => {
            const { name, value } = follow(param)
            return [String(name), value] as const
          }),
          result: follow(example.result).value
        }
      })
    }
  })
  return {
    file,
    operations,
    methods,
    follow,
    problem: (schema, value) => {
      const validate = compile(schema)
      return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: "it" })
    }
  }
}
