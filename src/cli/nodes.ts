/**
 * `effect-chains nodes`: the state of a network's nodes, live.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { NodeSnapshot } from "../balancer/NodePool.js"
import { type ConnectionOptions, connect } from "./Connection.js"
import { CommandError } from "./Failure.js"
import { escapeControls, formatJson, formatTable, print, withTone } from "./Output.js"

/** The state of a node in a word. */
const formatState = ({ active, failed, lastBlock }: NodeSnapshot, highest: number): string => {
  if (failed) return withTone("bad", "failed")
  const state = active ? withTone("good", "active") : "ready"
  return lastBlock < highest ? `${state}, ${withTone("careful", `${highest - lastBlock} behind`)}` : state
}

const formatNodes = (nodes: ReadonlyArray<NodeSnapshot>): string => {
  const highest = Math.max(0, ...nodes.filter(({ failed }) => !failed).map(({ lastBlock }) => lastBlock))
  return formatTable(
    ["node", "type", "height", "response", "state"],
    nodes.map((node) => [
      escapeControls(node.url),
      node.type.toLowerCase(),
      node.failed ? "" : String(node.lastBlock),
      node.failed ? "" : `${Math.round(node.lastResponseTime)} ms`,
      formatState(node, highest)
    ])
  )
}

/** Moves the cursor to the start of the last table, and erases it. */
const moveCursorUp = (lines: number): string => `\u001b[${lines}A\u001b[0J`

/**
 * Prints the nodes of a network after each health check: in place on a terminal, one table after the other elsewhere.
 * With `once`, it ends after the first check, and fails if no node is healthy.
 *
 * @since 0.1.0
 * @category operations
 */
export const run = (
  options: ConnectionOptions & {
    readonly network: string
    readonly once: boolean
    readonly interval: number
  }
): Effect.Effect<void, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const { network, nodes } = yield* connect(options.network, options)
    const checkNodes = Effect.gen(function* () {
      yield* nodes.check
      const found = yield* nodes.snapshot
      const at = yield* Clock.currentTimeMillis
      return { at, found }
    })
    const printNodes = ({ at, found }: Effect.Effect.Success<typeof checkNodes>, before: number) => {
      if (options.json) return Effect.as(print(formatJson({ at, network, nodes: found })), 0)
      const text = formatNodes(found)
      const back = before > 0 && process.stdout.isTTY === true ? moveCursorUp(before) : ""
      return Effect.as(print(`${back}${text}`), text.split("\n").length)
    }
    const first = yield* checkNodes
    let lines = yield* printNodes(first, 0)
    if (options.once)
      return first.found.some(({ failed }) => !failed)
        ? undefined
        : yield* new CommandError({ exit: "unreachable", message: `No node of ${network} is healthy` })
    const again = Effect.flatMap(checkNodes, (next) =>
      Effect.map(printNodes(next, lines), (printed) => {
        lines = printed
      })
    )
    return yield* Effect.forever(Effect.delay(again, `${options.interval} seconds`))
  })
