/**
 * Four hundred times as many hostile answers as CI gives, forty times as many calls of services, sockets of subscriptions and payments,
 * and all exchanges and calls with secrets for every family. They are others each time: `FUZZ_SEED` gives those of one run again.
 */
process.env.FUZZ_SEED ??= String(Math.floor(Date.now() / 1_000))
process.env.HOSTILE_TIMES ??= "10"
const { feed } = await import("../hostile/families.js")

feed(0, 1, 100_000)
await import("../hostile/services.test.js")
await import("../hostile/frames.test.js")
await import("../hostile/paidOnce.test.js")
await import("../hostile/secrets.test.js")
await import("../hostile/wire.test.js")
