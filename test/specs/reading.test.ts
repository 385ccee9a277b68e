/** Answers as the chains' own descriptions allow them, made at random: our calls read each, and lose no field. */
import type * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Spec } from "../../src/data/Endpoint.js"
import { makeResultReader } from "../../src/wire/resultReader.js"
import { makeRpcNode, makeWire, runValue } from "../chains/wire.js"
import { arbitraryAnswers, describedKind } from "./describedKind.js"
import { rest, rpc } from "./families.js"
import { needed, oneOfEach } from "./samples.js"
import { memberOf, same, walk } from "./tables.js"

const isCall = (
  given: unknown
): given is (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown> =>
  typeof given === "function"

const RUNS = 5

/** An answer with the lists that its call promises, or none where it has something else in their place. */
const withLists = ({ lists }: Spec, answer: unknown): unknown => {
  try {
    const bare: Spec = { kind: "rpc", method: "", repeat: "read", ...(lists === undefined ? {} : { lists }) }
    return makeResultReader(bare)?.([])(answer) ?? answer
  } catch {
    return undefined
  }
}

describe("answers that the chains' own descriptions allow", () => {
  for (const described of [...rest, ...rpc]) {
    it(`${described.family}: are read as they are`, async () => {
      const calls = oneOfEach(described)
      const { methods, routes } = walk(described.endpoints)
      const unread: Array<string> = []
      let read = 0
      for (const [name, kinds] of describedKind(described)) {
        const isRpc = methods.some((method) => method.name === name)
        const route = routes.find((each) => each.name === name)
        const args =
          calls.get(name) ?? (route === undefined || described.positional ? undefined : [needed(route)])
        if (args === undefined) continue
        const node = makeRpcNode(described.endpoints)
        const server = makeWire(described.endpoints)
        const call = memberOf(isRpc ? node.client : server.client, name)
        if (!isCall(call)) throw new Error(`${name} is no method`)
        for (const kind of kinds) {
          for (const answer of fc.sample(arbitraryAnswers(kind), { numRuns: RUNS, seed: 1 })) {
            const text = JSON.stringify(answer)
            if (isRpc) node.result(text)
            else server.answers(text)
            const result = await runValue(call(...args)).catch((error) => String(error).split("\n")[0])
            // the answer is not about these arguments, which nobody has told it
            if (/was asked for\)$/.test(String(result))) continue
            const spec = isRpc ? methods.find((method) => method.name === name)?.spec : route?.spec
            const wanted = spec === undefined ? answer : withLists(spec, answer)
            // a description that says nothing of a list may have anything there
            if (wanted === undefined) continue
            const isRefused =
              described.refusals?.test(text) === true && /RequestRejected|RpcError/.test(String(result))
            if (!same(result, wanted) && !isRefused)
              unread.push(`${name}: ${text} is read as ${String(result)}`)
          }
        }
        read++
      }
      console.log(`read: ${described.family}: ${read} methods`)
      expect(unread.join("\n")).toBe("")
    })
  }
})
