/** A client whose node is a text: what it sends is kept, and it answers what the test says. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Client, make } from "../../src/Client.js"
import type { Call, Rejection, TransportService } from "../../src/Transport.js"

export interface Wire<G> {
  readonly client: Client<G>
  readonly calls: ReadonlyArray<Call<unknown>>
  /** What the node answers from now on. */
  readonly answers: (body: unknown, status?: number) => void
  /** The one call that was sent last: verb, path, and body as text or bytes. */
  readonly sent: () => readonly [verb: string, path: string, body: unknown]
  /** Headers of the last call. */
  readonly headers: () => Readonly<Record<string, string>>
  /** The same node for calls that are in no table. */
  readonly transport: TransportService
  /** Whose fault the last answer was taken for. */
  readonly fault: () => Rejection["fault"] | undefined
}

export const wire = <G extends object>(endpoints: G): Wire<G> => {
  const calls: Array<Call<unknown>> = []
  let text = "{}"
  let status = 200
  let fault: Rejection["fault"] | undefined
  const transport: TransportService = {
    send: (call) =>
      Effect.suspend(() => {
        calls.push(call)
        const read = call.decode({ status, text, url: "https://node.example" })
        fault = Either.isLeft(read) ? read.left.fault : undefined
        return Either.isLeft(read) ? Effect.fail(read.left.error) : Effect.succeed(read.right)
      }),
    nodeUrl: () => Effect.succeed("https://node.example")
  }
  const last = (): Call<unknown> => {
    const call = calls.at(-1)
    if (call === undefined) throw new Error("nothing was sent")
    return call
  }
  return {
    client: make(endpoints, transport, { archive: false, batchArchive: false }),
    calls,
    answers: (body, code = 200) => {
      text = typeof body === "string" ? body : JSON.stringify(body)
      status = code
    },
    sent: () => {
      const { body, path, verb } = last()
      return [verb, path, body]
    },
    headers: () => last().headers ?? {},
    transport,
    fault: () => fault
  }
}

/** What an effect succeeds with. */
export const value = <A, E>(effect: Effect.Effect<A, E>): Promise<A> =>
  Effect.runPromise(Effect.mapError(effect, (error) => new Error(String(error))))

/** What an effect fails with. */
export const error = <A, E>(effect: Effect.Effect<A, E>): Promise<E> =>
  Effect.runPromise(
    Effect.matchEffect(effect, {
      onFailure: Effect.succeed,
      onSuccess: () => Effect.dieMessage("it succeeded")
    })
  )

export interface Fixture {
  readonly file: string
  readonly text: string
}

/** Recorded answers of a folder beside the repository, or none, with a line that says so. */
export const fixtures = (folder: string): ReadonlyArray<Fixture> => {
  const shared = process.env.EFFECT_CHAINS_SHARED ?? join(import.meta.dirname, "../../../shared")
  const path = join(shared, "fixtures", folder)
  if (!existsSync(path)) {
    console.log(`left out: recorded answers (no ../shared/fixtures/${folder})`)
    return []
  }
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(path, file), "utf8") }))
}
