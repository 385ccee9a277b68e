/** Answers of rippled. */
import type * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { endpoints } from "../../src/chains/Xrp.js"
import type { CallError } from "../../src/wire/Transport.js"
import { makeRpcNode, runError, runValue } from "../chains/wire.js"
import { answerWithEcho, describeFailure, readFixtures } from "./fixtures.js"

type Xrp = ReturnType<typeof makeRpcNode<typeof endpoints>>["client"]

const HASH = "00".repeat(32)

/** The call from which an answer was recorded; answers of subscriptions have none here. */
const askers: ReadonlyArray<readonly [RegExp, (client: Xrp) => Effect.Effect<unknown, CallError>]> = [
  [/^accountInfo/, (client) => client.accountInfo("rA")],
  [/^accountObjects/, (client) => client.accountObjects("rA")],
  [/^accountTx/, (client) => client.accountTx("rA")],
  [/^ledgerData/, (client) => client.ledgerData()],
  [/^ledgerFull/, (client) => client.ledger({ full: true })],
  [/^serverInfo/, (client) => client.serverInfo()],
  [/^submit/, (client) => client.submit("00")],
  [/^transactionEntry/, (client) => client.transactionEntry(HASH)],
  [/^(tx|partialPayment)/, (client) => client.tx(HASH)]
]

const recorded = readFixtures("xrpl").flatMap(({ file, text }) => {
  const name = file.replace(/^.*rippled./, "")
  const ask = askers.find(([pattern]) => pattern.test(name))?.[1]
  return ask === undefined ? [] : [{ name, text, ask }]
})

describe("answers recorded from rippled", () => {
  it.each(recorded)("$name", async ({ ask, name, text }) => {
    const recording: { readonly result?: object } = JSON.parse(text)
    const { client, result } = makeRpcNode(endpoints)
    const answered = await answerWithEcho(JSON.stringify(recording.result ?? recording), async (text) => {
      result(text)
      return describeFailure(ask(client))
    })
    const answer = JSON.parse(answered)
    result(answered)
    if (name.includes("TemError")) {
      expect(await runError(ask(client))).toMatchObject({ message: "temMALFORMED: Malformed transaction." })
    } else {
      expect(await runValue(ask(client))).toEqual(answer)
    }
  })
})
