import * as Effect from "effect4/Effect"

export * from "../../src/effect4/Clock.js"
export { clockWith } from "../../src/effect4/Effect.js"
export const currentTimeMillis = Effect.clockWith((clock) => clock.currentTimeMillis)
