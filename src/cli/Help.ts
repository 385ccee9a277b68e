/**
 * The help of the command line and of its commands.
 *
 * @since 0.1.0
 */
import { fields, toned } from "./Output.js"
import type { Part, Shape } from "./Shape.js"

const DOCS = "https://unpkg.com/effect-chains/docs/cli.md"

const titled = (title: string, text: string): ReadonlyArray<string> =>
  text === "" ? [] : ["", toned("strong", title), text]

const shown = ({ isRepeated, name, takes }: Part): string =>
  `  ${name}${takes === undefined ? "" : ` ${takes}`}${isRepeated && takes === undefined ? "..." : ""}`

const described = (parts: ReadonlyArray<Part>): string =>
  parts.length === 0 ? "" : fields(parts.map((part) => [shown(part), part.description]))

/** An argument of a usage. */
const place = ({ isOptional, isRepeated, name }: Part): string => {
  const all = isRepeated ? `${name}...` : name
  return isOptional ? `[${all}]` : all
}

/**
 * The help of a command.
 *
 * @since 0.1.0
 * @category conversions
 */
export const helpOf = ({ args, description, name, options }: Shape): string =>
  [
    description,
    "",
    `  effect-chains ${[name, ...args.map(place)].join(" ")} [options]`,
    ...titled("arguments", described(args)),
    ...titled("options", described(options))
  ].join("\n")

/**
 * The help of the command line.
 *
 * @since 0.1.0
 * @category conversions
 */
export const help = (version: string, shapes: ReadonlyArray<Shape>): string =>
  [
    `effect-chains ${version}`,
    ...titled("commands", fields(shapes.map(({ description, name }) => [`  ${name}`, description]))),
    "",
    `"effect-chains <command> --help" tells its options; ${DOCS} explains them, and the exit codes.`
  ].join("\n")
