/**
 * The output of commands: JSON for scripts, tables and colours for people. No text of a node can control the terminal.
 *
 * @since 0.1.0
 */
import { inspect, stripVTControlCharacters, styleText } from "node:util"
import * as Effect from "effect/Effect"

/** Whether a stream supports colours. Node reads NO_COLOR, FORCE_COLOR and TERM. */
const hasColours = (stream: NodeJS.WriteStream): boolean => stream.isTTY === true && stream.hasColors()

/**
 * A line without colour codes, if the stream does not support colours.
 *
 * @since 0.1.0
 * @category operations
 */
export const stripColoursFor = (stream: NodeJS.WriteStream, text: string): string =>
  hasColours(stream) ? text : stripVTControlCharacters(text)

/**
 * The meaning of a colour.
 *
 * @since 0.1.0
 * @category models
 */
export type Tone = "good" | "bad" | "careful" | "faint" | "strong"

const styles = { good: "green", bad: "red", careful: "yellow", faint: "dim", strong: "bold" } as const

/**
 * Text in the colour of its meaning, if the output is a terminal.
 *
 * @since 0.1.0
 * @category operations
 */
export const withTone = (tone: Tone, text: string): string =>
  hasColours(process.stdout) ? styleText(styles[tone], text, { validateStream: false }) : text

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal takes for orders
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

const escapeCharacter = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/**
 * External text with its control characters escaped.
 *
 * @since 0.1.0
 * @category operations
 */
export const escapeControls = (text: string): string => text.replace(CONTROL_CHARACTERS, escapeCharacter)

/**
 * A value as JSON on one line. Bigints are texts, since JSON parsers would lose digits.
 *
 * @since 0.1.0
 * @category conversions
 */
export const formatJson = (value: unknown): string =>
  escapeControls(
    JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? String(each) : each)) ?? "null"
  )

/**
 * A value for people: texts and numbers as they are, everything else by its fields.
 *
 * @since 0.1.0
 * @category conversions
 */
export const formatReadable = (value: unknown): string =>
  typeof value === "string" || typeof value === "bigint" || typeof value === "number"
    ? escapeControls(String(value))
    : inspect(value, {
        depth: null,
        colors: hasColours(process.stdout),
        maxArrayLength: null,
        maxStringLength: null,
        breakLength: process.stdout.columns ?? 100
      })

/**
 * Prints a line.
 *
 * @since 0.1.0
 * @category operations
 */
export const print = (line: string): Effect.Effect<void> =>
  Effect.sync(() => void process.stdout.write(`${line}\n`))

/**
 * Prints a line to standard error: progress or a warning.
 *
 * @since 0.1.0
 * @category operations
 */
export const printNote = (line: string): Effect.Effect<void> =>
  Effect.sync(() => void process.stderr.write(`${line}\n`))

/**
 * Prints a result: as JSON, or in the format for people.
 *
 * @since 0.1.0
 * @category operations
 */
export const printResult = <A>(
  asJson: boolean,
  value: A,
  people: (value: A) => string
): Effect.Effect<void> => Effect.suspend(() => print(asJson ? formatJson(value) : people(value)))

const visibleWidth = (text: string): number => stripVTControlCharacters(text).length

/**
 * Rows in columns with titles.
 *
 * @since 0.1.0
 * @category conversions
 */
export const formatTable = (
  titles: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): string => {
  const widths = titles.map((title, i) =>
    Math.max(title.length, ...rows.map((row) => visibleWidth(row[i] ?? "")))
  )
  const line = (cells: ReadonlyArray<string>): string =>
    cells
      .map((cell, i) =>
        i === cells.length - 1 ? cell : cell + " ".repeat((widths[i] ?? 0) - visibleWidth(cell))
      )
      .join("  ")
  return [line(titles.map((title) => withTone("faint", title))), ...rows.map(line)].join("\n")
}

/**
 * Names with their values, one per line.
 *
 * @since 0.1.0
 * @category conversions
 */
export const formatFields = (
  named: ReadonlyArray<readonly [name: string, value: string | undefined]>
): string => {
  const known = named.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  const widest = Math.max(...known.map(([name]) => name.length))
  return known.map(([name, value]) => `${withTone("faint", name.padEnd(widest))}  ${value}`).join("\n")
}
