/**
 * Formats values as TypeScript: bigints as `123n`, keys without quotes where none are needed.
 *
 * @since 0.1.0
 */

const MAX_WIDTH = 80

const formatKey = (key: string): string =>
  /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? key : JSON.stringify(key)

const formatList = (
  items: ReadonlyArray<string>,
  [open, close]: readonly [string, string],
  pad: string
): string => {
  if (items.length === 0) return `${open}${close}`
  const space = open === "{" ? " " : ""
  const line = `${open}${space}${items.join(", ")}${space}${close}`
  if (line.length + pad.length <= MAX_WIDTH && !line.includes("\n")) return line
  return `${open}\n${items.map((item) => `${pad}  ${item}`).join(",\n")}\n${pad}${close}`
}

/**
 * A value as a literal, indented by `pad`. A value that is no data (functions, undefined) is `undefined`.
 *
 * @since 0.1.0
 * @category getters
 */
export const formatLiteral = (value: unknown, pad = ""): string => {
  switch (typeof value) {
    case "bigint":
      return `${value}n`
    case "string":
      return JSON.stringify(value)
    case "number":
    case "boolean":
      return String(value)
    case "object": {
      if (value === null) return "null"
      const inner = `${pad}  `
      if (Array.isArray(value))
        return formatList(
          value.map((item) => formatLiteral(item, inner)),
          ["[", "]"],
          pad
        )
      const fields = Object.entries(value)
        .filter(([, field]) => field !== undefined)
        .map(([key, field]) => `${formatKey(key)}: ${formatLiteral(field, inner)}`)
      return formatList(fields, ["{", "}"], pad)
    }
    default:
      return "undefined"
  }
}

/**
 * The arguments of a call as code, without trailing undefined ones.
 *
 * @since 0.1.0
 * @category getters
 */
export const formatLiterals = (args: ReadonlyArray<unknown>, pad = ""): string => {
  const last = args.findLastIndex((arg) => arg !== undefined)
  return args
    .slice(0, last + 1)
    .map((arg) => formatLiteral(arg, pad))
    .join(", ")
}
