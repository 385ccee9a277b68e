/**
 * The help of the command line and of its commands.
 *
 * @since 0.1.0
 */
import { formatFields, withTone } from "./Output.js"
import type { CommandPart, CommandShape } from "./Shape.js"

const DOCS = "https://unpkg.com/effect-chains/docs/cli.md"

const formatSection = (title: string, text: string): ReadonlyArray<string> =>
  text === "" ? [] : ["", withTone("strong", title), text]

const formatPartName = ({ isRepeated, name, valueName }: CommandPart): string =>
  `  ${name}${valueName === undefined ? "" : ` ${valueName}`}${isRepeated && valueName === undefined ? "..." : ""}`

const formatParts = (parts: ReadonlyArray<CommandPart>): string =>
  parts.length === 0 ? "" : formatFields(parts.map((part) => [formatPartName(part), part.description]))

const formatArgument = ({ isOptional, isRepeated, name }: CommandPart): string => {
  const all = isRepeated ? `${name}...` : name
  return isOptional ? `[${all}]` : all
}

/**
 * The help of a command.
 *
 * @since 0.1.0
 * @category conversions
 */
export const formatCommandHelp = ({ args, description, name, options }: CommandShape): string =>
  [
    description,
    "",
    `  effect-chains ${[name, ...args.map(formatArgument)].join(" ")} [options]`,
    ...formatSection("arguments", formatParts(args)),
    ...formatSection("options", formatParts(options))
  ].join("\n")

/**
 * The help of the command line.
 *
 * @since 0.1.0
 * @category conversions
 */
export const formatHelp = (version: string, shapes: ReadonlyArray<CommandShape>): string =>
  [
    `effect-chains ${version}`,
    ...formatSection(
      "commands",
      formatFields(shapes.map(({ description, name }) => [`  ${name}`, description]))
    ),
    "",
    `"effect-chains <command> --help" tells its options; ${DOCS} explains them, and the exit codes.`
  ].join("\n")
