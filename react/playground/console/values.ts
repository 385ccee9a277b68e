/**
 * Parses the texts of the console's inputs into the arguments of a call: text, integers of any size, JSON.
 *
 * @since 0.1.0
 */
import type { Argument, Shape } from "./model.js"

/**
 * The value of an input, or what is wrong with it. `undefined` is an omitted argument.
 *
 * @since 0.1.0
 * @category models
 */
export type ParsedInput =
  | { readonly _tag: "value"; readonly value: unknown }
  | { readonly _tag: "problem"; readonly message: string }

const value = (found: unknown): ParsedInput => ({ _tag: "value", value: found })
const problem = (message: string): ParsedInput => ({ _tag: "problem", message })

/** Marks a bigint for `JSON.parse`. Users cannot type its first character. */
const BIGINT_MARK = "\u0000bigint:"

const jsonTokens = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?n?/g

/** Parses JSON. Integers with an `n`, or too large for a number, are bigints. */
const parseJson = (text: string): unknown => {
  const marked = text.replace(jsonTokens, (token) => {
    if (token.startsWith('"')) return token
    const digits = token.replace(/n$/, "")
    if (!/^-?\d+$/.test(digits)) return token
    const isBig = digits !== token || !Number.isSafeInteger(Number(digits))
    return isBig ? `"${BIGINT_MARK.replace("\u0000", "\\u0000")}${digits}"` : token
  })
  return JSON.parse(marked, (_, item: unknown) =>
    typeof item === "string" && item.startsWith(BIGINT_MARK) ? BigInt(item.slice(BIGINT_MARK.length)) : item
  )
}

const parseJsonInput = (text: string): ParsedInput => {
  try {
    return value(parseJson(text))
  } catch (error) {
    return problem(`Not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

type Scalar = Extract<Shape, { readonly kind: "scalar" }>

const expectedText: Readonly<Record<Scalar["of"][number], string>> = {
  string: "text",
  number: "a number",
  bigint: "a whole number",
  boolean: "true or false"
}

const parseScalar = (text: string, { closed, json, of, options = [] }: Scalar): ParsedInput => {
  if (options.includes(text)) return value(of.includes("string") ? text : Number(text))
  if (closed === true && options.length > 0) return problem(`One of ${options.join(", ")}`)
  if (json === true && /^[[{]/.test(text)) return parseJsonInput(text)
  if (of.includes("boolean") && /^(true|false)$/.test(text)) return value(text === "true")
  const whole = /^(-?\d+)n?$/.exec(text)?.[1]
  // digits with leading zeros (007) are text
  const isPlain = whole !== undefined && String(BigInt(whole)) === whole
  if (whole !== undefined && isPlain) {
    const isSafe = Number.isSafeInteger(Number(whole))
    if (of.includes("number") && isSafe && !text.endsWith("n")) return value(Number(whole))
    if (of.includes("bigint")) return value(BigInt(whole))
    if (of.includes("number") && !of.includes("string")) return problem("Too large for a number")
  } else if (of.includes("number") && text !== "" && Number.isFinite(Number(text)) && !/^0x/i.test(text)) {
    if (!of.includes("string")) return value(Number(text))
  }
  if (of.includes("string")) return value(text)
  return problem(`Expected ${of.map((kind) => expectedText[kind]).join(" or ")}`)
}

/**
 * Parses the text of an input. An empty text omits an optional argument, and is a problem of any other.
 *
 * @since 0.1.0
 * @category getters
 */
export const parseText = (
  text: string,
  { optional, shape }: Pick<Argument, "optional" | "shape">
): ParsedInput => {
  const trimmed = text.trim()
  if (trimmed === "") return optional === true ? value(undefined) : problem("Required")
  return shape.kind === "scalar" ? parseScalar(trimmed, shape) : parseJsonInput(trimmed)
}

/**
 * The texts in the inputs of a method, by argument: a text each, or a text per field of an object.
 *
 * @since 0.1.0
 * @category models
 */
export type InputTexts = Readonly<Record<string, string>>

/**
 * The key of a field's text in {@link InputTexts}.
 *
 * @since 0.1.0
 * @category getters
 */
export const inputKey = (argument: Argument, field?: Argument): string =>
  field === undefined ? argument.name : `${argument.name}/${field.name}`

/**
 * The arguments of a call from the texts in its inputs, and the problems by the inputs that have them.
 *
 * @since 0.1.0
 * @category getters
 */
export const parseArguments = (
  args: ReadonlyArray<Argument>,
  texts: InputTexts
): { readonly values: ReadonlyArray<unknown>; readonly problems: Readonly<Record<string, string>> } => {
  const problems: Record<string, string> = {}
  const read = (key: string, argument: Argument): unknown => {
    const found = parseText(texts[key] ?? "", argument)
    if (found._tag === "value") return found.value
    problems[key] = found.message
    return undefined
  }
  const values = args.map((argument) => {
    if (argument.shape.kind !== "object") return read(inputKey(argument), argument)
    const { fields } = argument.shape
    // omit an object if none of its fields is given
    const isLeftOut =
      argument.optional === true &&
      fields.every((field) => (texts[inputKey(argument, field)] ?? "").trim() === "")
    if (isLeftOut) return undefined
    const entries = fields.flatMap((field) => {
      const item = read(inputKey(argument, field), field)
      return item === undefined ? [] : [[field.name, item] as const]
    })
    return Object.fromEntries(entries)
  })
  const last = values.findLastIndex((item) => item !== undefined)
  return { values: values.slice(0, last + 1), problems }
}
