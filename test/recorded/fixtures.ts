/** Answers that real nodes have given. They are not part of this repository: without them, this folder's tests are left out. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"

export const shared = process.env.EFFECT_CHAINS_SHARED ?? join(import.meta.dirname, "../../../shared")

export interface Fixture {
  readonly file: string
  readonly text: string
}

/** The recorded answers of a folder. */
export const readFixtures = (folder: string): ReadonlyArray<Fixture> => {
  const path = join(shared, "fixtures", folder)
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(path, file), "utf8") }))
}

/** What an error says of an answer to another question. */
const echoedIdPattern = /is ("[^"]*"|-?\d+), and ("[^"]*"|-?\d+) was asked for\)/

/** A recorded answer as it would be to the question of a test: what it repeats of its own question is that of this one. */
export const answerWithEcho = async (
  text: string,
  ask: (text: string) => Promise<string | undefined>
): Promise<string> => {
  const [, told, asked] = echoedIdPattern.exec((await ask(text)) ?? "") ?? []
  return told === undefined || asked === undefined ? text : answerWithEcho(text.split(told).join(asked), ask)
}

/** The words of an effect's failure, if it is one. */
export const describeFailure = (effect: Effect.Effect<unknown, unknown>): Promise<string | undefined> =>
  Effect.runPromise(Effect.match(effect, { onFailure: String, onSuccess: () => undefined }))
