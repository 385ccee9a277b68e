/** Nodes of which a test says what they answer. */
import * as Effect from "effect/Effect"

/** A client whose node has these answers, by the calls. Any other call is a defect. */
export const clientOf = (network: string, answers: Readonly<Record<string, unknown>> = {}) => ({
  network,
  rpc: new Proxy(answers, {
    get: (given, name) => () => {
      const answer: unknown = Reflect.get(given, name)
      if (answer === undefined) throw new Error(`${String(name)} is called, and signing needs no such call`)
      return Effect.succeed(answer)
    }
    // it is the calls of every family
  }) as never
})
