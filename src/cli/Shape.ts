/**
 * The options and arguments of commands as data, for help, completions and the check of unknown options. They are read
 * from the commands' declarations.
 *
 * @since 0.1.0
 */
import * as CliConfig from "@effect/cli/CliConfig"
import * as Descriptor from "@effect/cli/CommandDescriptor"
import type { HelpDoc } from "@effect/cli/HelpDoc"
import type { Span } from "@effect/cli/HelpDoc/Span"
import type { Usage } from "@effect/cli/Usage"
import * as Option from "effect/Option"
import { commands } from "./commands.js"

/**
 * An option (`--node`) or an argument (`<network>`) of a command. `valueName` is the name of an option's value, if it
 * has one.
 *
 * @since 0.1.0
 * @category models
 */
export interface CommandPart {
  readonly name: string
  readonly valueName: string | undefined
  readonly description: string
  readonly isOptional: boolean
  readonly isRepeated: boolean
}

/**
 * The options and arguments of a command.
 *
 * @since 0.1.0
 * @category models
 */
export interface CommandShape {
  readonly name: string
  readonly description: string
  readonly options: ReadonlyArray<CommandPart>
  readonly args: ReadonlyArray<CommandPart>
}

const textOf = (span: Span): string => {
  switch (span._tag) {
    case "Text":
    case "URI":
      return span.value
    case "Sequence":
      return textOf(span.left) + textOf(span.right)
    default:
      return textOf(span.value)
  }
}

/** The paragraphs of a help text, and those under each name in its lists. */
const listParagraphs = (doc: HelpDoc): ReadonlyArray<string> => {
  switch (doc._tag) {
    case "Paragraph":
      return [textOf(doc.value)]
    case "Sequence":
      return [...listParagraphs(doc.left), ...listParagraphs(doc.right)]
    default:
      return []
  }
}

const listDescriptions = (doc: HelpDoc): ReadonlyArray<readonly [name: string, description: string]> => {
  switch (doc._tag) {
    case "DescriptionList":
      return doc.definitions.map(([span, about]) => [
        textOf(span).split(/[\s.]/, 1)[0] ?? "",
        // the first paragraph is the library's description of the type
        listParagraphs(about)[1] ?? ""
      ])
    case "Sequence":
      return [...listDescriptions(doc.left), ...listDescriptions(doc.right)]
    default:
      return []
  }
}

type NamedPart = Omit<CommandPart, "description">

/** The names in a usage. The first is the command's. */
const listNames = (usage: Usage): readonly [NamedPart, ...ReadonlyArray<NamedPart>] => {
  const [first, ...others] = listParts(usage, false, false)
  if (first === undefined) throw new Error("a command has a name")
  return [first, ...others]
}

const listParts = (usage: Usage, isOptional: boolean, isRepeated: boolean): ReadonlyArray<NamedPart> => {
  switch (usage._tag) {
    case "Named":
      return usage.names.map((name) => ({
        name,
        valueName: name.startsWith("-") ? Option.getOrUndefined(usage.acceptedValues) : undefined,
        isOptional,
        isRepeated
      }))
    case "Optional":
      return listParts(usage.usage, true, isRepeated)
    case "Repeated":
      return listParts(usage.usage, isOptional, true)
    case "Alternation":
    case "Concat":
      return [
        ...listParts(usage.left, isOptional, isRepeated),
        ...listParts(usage.right, isOptional, isRepeated)
      ]
    default:
      return []
  }
}

const readShape = (command: Descriptor.Command<unknown>): CommandShape => {
  const help = Descriptor.getHelp(command, CliConfig.defaultConfig)
  const descriptions = new Map(listDescriptions(help))
  const [{ name }, ...parts] = listNames(Descriptor.getUsage(command))
  const described = parts.map(
    (part): CommandPart => ({ ...part, description: descriptions.get(part.name) ?? "" })
  )
  return {
    name,
    description: listParagraphs(help)[0] ?? "",
    options: described.filter((part) => part.name.startsWith("-")),
    args: described.filter((part) => !part.name.startsWith("-"))
  }
}

/**
 * The shapes of all commands.
 *
 * @since 0.1.0
 * @category getters
 */
export const readShapes = (): ReadonlyArray<CommandShape> =>
  commands.map(({ descriptor }) => readShape(descriptor))
