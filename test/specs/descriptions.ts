/**
 * The chains' own API descriptions, as digests: names, kinds and optionality. `scripts/digests.ts` makes them from the
 * descriptions, which are not part of this repository.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"

export type Json = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What a value may be: a part of JSON Schema, with references to the digest's types. */
export interface Kind {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly const?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly properties?: Readonly<Record<string, Kind>>
  readonly required?: ReadonlyArray<string>
  readonly items?: Kind
  readonly prefixItems?: ReadonlyArray<Kind>
  readonly additionalProperties?: Kind | boolean
  readonly anyOf?: ReadonlyArray<Kind>
  readonly allOf?: ReadonlyArray<Kind>
}

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header" | "formData" | "cookie"
  readonly required?: boolean
  /** One value holds all items, between commas. */
  readonly commas?: boolean
  readonly kind: Kind
}

export interface Operation {
  readonly verb: string
  readonly path: string
  readonly deprecated?: boolean
  readonly parameters: ReadonlyArray<Parameter>
  /** Bodies by content type. */
  readonly bodies?: Readonly<Record<string, Kind>>
  readonly bodyRequired?: boolean
  readonly result?: Kind
}

export interface Method {
  readonly name: string
  readonly params: ReadonlyArray<{ readonly name: string; readonly required?: boolean; readonly kind: Kind }>
  /** Parameters by name, not by position. */
  readonly named?: boolean
  readonly result?: Kind
}

interface Digest {
  readonly source: string
  readonly version: string
  readonly operations: ReadonlyArray<Operation>
  readonly methods: ReadonlyArray<Method>
  readonly types: Readonly<Record<string, Kind>>
}

export interface Description extends Digest {
  readonly name: string
  /** A kind, behind its references. */
  readonly follow: (kind: Kind) => Kind
  /** What is wrong with a value, in a word, or nothing. */
  readonly problem: (kind: Kind, value: unknown) => string | undefined
}

const prefix = "#/types/"
const opened = new Map<string, Description>()

/** A description, opened. */
export const describe = (name: string): Description => {
  const known = opened.get(name)
  if (known !== undefined) return known
  // the script that writes digests is checked against this form by the tests that read them
  const digest = JSON.parse(
    readFileSync(join(import.meta.dirname, "digests", `${name}.json`), "utf8")
  ) as Digest
  const follow = (kind: Kind): Kind => {
    if (kind.$ref === undefined) return kind
    const target = digest.types[kind.$ref.slice(prefix.length)]
    if (target === undefined) throw new Error(`${name} refers to ${kind.$ref}, which it has not`)
    return follow(target)
  }
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    validateSchema: false,
    allErrors: true,
    logger: false,
    inlineRefs: false
  })
  const compiled = new Map<Kind, ValidateFunction>()
  ajv.addSchema({ $id: "digest", types: digest.types })
  const compile = (kind: Kind): ValidateFunction => {
    const found = compiled.get(kind)
    if (found !== undefined) return found
    const absolute = JSON.parse(JSON.stringify(kind).replaceAll(`"${prefix}`, `"digest${prefix}`))
    const made = ajv.compile(absolute)
    compiled.set(kind, made)
    return made
  }
  const description: Description = {
    ...digest,
    name,
    follow,
    problem: (kind, value) => {
      const validate = compile(kind)
      return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: "it" })
    }
  }
  opened.set(name, description)
  return description
}
