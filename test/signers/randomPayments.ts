/**
 * Random payments: an account with a policy, whose key is here or with somebody who misbehaves, and a node that lies in one field of one
 * answer. Whatever comes of them, what is broadcast takes no more than its preview, is one transaction, and is within the policy.
 */
import { ed25519 } from "@noble/curves/ed25519.js"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { expect } from "vitest"
import { BroadcastUnclear, NodeError } from "../../src/data/SdkError.js"
import { isRecord } from "../../src/data/untrusted.js"
import { make as makePolicy, type PolicyRules } from "../../src/signers/policyRules.js"
import type { Account, Prepared, Signer, SigningRequest } from "../../src/signers/Signer.js"
import { changed, type Field, fieldsOf, type Lie, others, timesIn, watched } from "./lying.js"
import { type From, type Paid, publicKeyOf, secret, type World } from "./worlds.js"

const otherSecret = new Uint8Array(32).fill(7)

const signHonestly = ({ scheme }: World, bytes: Uint8Array, key = secret): Uint8Array =>
  scheme === "ed25519" ? ed25519.sign(bytes, key) : secp256k1.sign(bytes, key, { prehash: false })

type Answer = (world: World, request: SigningRequest) => Promise<Uint8Array>

/** The answers of those who hold a key: to some of them a payment is made, and to the others never. */
const holders: Readonly<Record<string, { readonly isHonest: boolean; readonly sign: Answer }>> = {
  honest: { isHonest: true, sign: async (world, { bytes }) => signHonestly(world, bytes) },
  "changes what it was given, behind its signature": {
    isHonest: true,
    sign: async (world, { bytes, preimage, ...request }) => {
      const signature = signHonestly(world, bytes)
      bytes.fill(0)
      preimage?.fill(0)
      if (request.kind === "payment") Reflect.set(request.prepared, "amount", 0n)
      return signature
    }
  },
  "signs other bytes": {
    isHonest: false,
    sign: async (world, { bytes }) => signHonestly(world, bytes.fill((bytes[0] ?? 0) ^ 0xff, 0, 1))
  },
  "signs with another key": {
    isHonest: false,
    sign: async (world, { bytes }) => signHonestly(world, bytes, otherSecret)
  },
  "gives a signature with another bit": {
    isHonest: false,
    sign: async (world, { bytes }) => {
      const signature = signHonestly(world, bytes)
      signature[10] = (signature[10] ?? 0) ^ 1
      return signature
    }
  },
  "gives zeros": { isHonest: false, sign: async () => new Uint8Array(64) },
  "gives too little": {
    isHonest: false,
    sign: async (world, { bytes }) => signHonestly(world, bytes).slice(0, 63)
  },
  "gives two signatures": {
    isHonest: false,
    sign: async (world, { bytes }) => {
      const signature = signHonestly(world, bytes)
      return Uint8Array.of(...signature, ...signature)
    }
  },
  "gives nothing": { isHonest: false, sign: async () => undefined as never },
  "gives text": { isHonest: false, sign: async () => "signed" as never },
  throws: { isHonest: false, sign: () => Promise.reject(new Error("no")) },
  "never answers": { isHonest: false, sign: () => new Promise(() => {}) }
}

const names = Object.keys(holders)

/** How a payment goes: what is paid, who signs, what a node says, and what the policy allows. */
const givens = fc.record({
  amount: fc.bigInt({ min: 0n, max: 10n ** 7n }),
  holder: fc.oneof(
    { weight: 4, arbitrary: fc.constant("key") },
    { weight: 4, arbitrary: fc.constant("honest") },
    { weight: 4, arbitrary: fc.constantFrom(...names) }
  ),
  lie: fc.option(
    fc.record({
      field: fc.nat(),
      how: fc.oneof(
        fc.bigInt({ min: 0n, max: 2n ** 70n }).map((factor): Lie => timesIn(factor)),
        fc.constantFrom(2n, 10n, 1_000n, 100_000n).map((factor): Lie => timesIn(factor)),
        fc.constantFrom(...others.map(([, lie]) => lie)),
        fc.constant("another" as const)
      ),
      with: fc.nat(),
      isOnce: fc.boolean()
    }),
    { nil: undefined, freq: 8 }
  ),
  limit: fc.option(fc.nat(12), { nil: undefined }),
  perDay: fc.option(fc.nat(24), { nil: undefined }),
  recipients: fc.constantFrom("all", "all", "known", "known", "other"),
  confirms: fc.constantFrom("absent", "absent", "absent", "yes", "no", "throws"),
  /** Of so many broadcasts the answers get lost, before a node has the bytes or after it. */
  lost: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    {
      weight: 1,
      arbitrary: fc.record({
        when: fc.constantFrom("before", "after"),
        count: fc.constantFrom(1, 2, 3, 1_000)
      })
    }
  ),
  maxFee: fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(1n, 1_000n, 10n ** 6n, 10n ** 17n) }
  ),
  payments: fc.integer({ min: 1, max: 2 })
})

type Given = typeof givens extends fc.Arbitrary<infer A> ? A : never

/** What an honest node answers: its fields, and their values. */
interface Known {
  readonly fields: ReadonlyArray<Field>
  readonly values: ReadonlyArray<unknown>
}

const valueAt = (value: unknown, path: Field["path"]): unknown =>
  path.reduce<unknown>(
    (at, name) => (at === null || at === undefined ? at : Reflect.get(Object(at), name)),
    value
  )

/** Milliseconds that pass at once, and how often. */
const STEP = 2_000
const STEPS = 150

/** What comes of an effect while time passes; undefined if it does not end, as when somebody never answers. */
const runInTime = <A, E>(
  effect: Effect.Effect<A, E>,
  isStuck: () => boolean,
  tick: () => void
): Promise<Either.Either<A, E> | undefined> =>
  Effect.runPromise(
    Effect.provide(
      Effect.gen(function* () {
        let isOver = false
        const fiber = yield* Effect.fork(
          Effect.ensuring(
            Effect.either(effect),
            Effect.sync(() => {
              isOver = true
            })
          )
        )
        for (let steps = 0; steps < STEPS && !isOver && !isStuck(); ) {
          // libraries that sign take turns of the event loop, of which the clock knows nothing
          yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
          if ((yield* TestClock.sleeps()).length === 0) continue
          yield* TestClock.adjust(STEP)
          tick()
          steps++
        }
        if (isOver) return yield* Fiber.join(fiber)
        yield* Fiber.interrupt(fiber)
        return undefined
      }),
      TestContext.TestContext
    )
  )

const tagOf = (error: unknown): unknown => (isRecord(error) ? error._tag : undefined)

/** The rules of a policy, and what they allow by the words of its page. */
const rulesOf = (world: World, { amount, confirms, limit, perDay, recipients }: Given) => {
  const { network, other, to, token } = world
  const quarter = (amount + world.most) / 4n + 1n
  const most = limit === undefined ? undefined : quarter * BigInt(limit + 1)
  const mostPerDay = perDay === undefined ? undefined : quarter * BigInt(perDay + 1)
  const asset = { network, ...(token === undefined ? {} : { token }) }
  const limits = [
    ...(most === undefined ? [] : [{ ...asset, amount: most }]),
    ...(mostPerDay === undefined ? [] : [{ ...asset, amount: mostPerDay, per: "1 day" as const }])
  ]
  const rules: PolicyRules = {
    ...(limits.length === 0
      ? {}
      : { limits: token === undefined ? limits : [...limits, { network, amount: 10n ** 40n }] }),
    ...(recipients === "all" ? {} : { recipients: { [network]: [recipients === "known" ? to : other] } }),
    ...(confirms === "absent"
      ? {}
      : {
          confirmation: {
            ask: () => {
              if (confirms === "throws") throw new Error("no")
              return confirms === "yes"
            }
          }
        })
  }
  const spentBy = ({ amount: paid, fee }: Prepared<unknown>): bigint =>
    paid + (token === undefined ? fee : 0n)
  return {
    rules,
    mostPerDay,
    spentBy,
    /** Whether a payment is refused, whatever was paid before. */
    refuses: (prepared: Prepared<unknown>): boolean =>
      recipients === "other" ||
      confirms === "no" ||
      confirms === "throws" ||
      [most, mostPerDay].some((each) => each !== undefined && spentBy(prepared) > each)
  }
}

/** What a run has come to, so that nobody takes one for another that refuses everything. */
export interface Outcomes {
  paid: number
  denied: number
  unsigned: number
  refused: number
  unclear: number
}

const hungUp = () => new NodeError({ kind: "network", call: "broadcast", url: "", reason: "socket hang up" })

/** An account on a node of which the bytes and the requests to sign are noted. */
const openAccount = async (
  world: World,
  given: Given,
  known: Known
): Promise<{
  readonly signer: Signer<never>
  readonly policy: ReturnType<typeof rulesOf>
  readonly raws: ReadonlyArray<string>
  readonly asked: () => number
  readonly isStuck: () => boolean
  readonly tick: () => void
  readonly read: (raw: string) => Paid | Promise<Paid>
}> => {
  const opened = await world.open()
  const raws: Array<string> = []
  let [asked, answers, left] = [0, 0, given.lost?.count ?? 0]
  const { holder, lie, lost } = given
  const field = lie === undefined ? undefined : known.fields[lie.field % known.fields.length]
  const lying = (call: string, answer: unknown): unknown => {
    if (lie === undefined || field === undefined || call !== field.call) return answer
    if (lie.isOnce && answers++ > 0) return answer
    const { how } = lie
    const other = known.values[lie.with % known.values.length]
    return changed(answer, field.path, typeof how === "function" ? how : () => other)
  }
  const noted = new Proxy(opened.rpc, {
    get: (all, name) => {
      const call: unknown = Reflect.get(all, name)
      if (typeof call !== "function" || name !== world.broadcast) return call
      return (...args: ReadonlyArray<unknown>) =>
        Effect.suspend(() => {
          raws.push(world.rawOf(args[0]))
          const taken = Effect.suspend((): Effect.Effect<unknown, unknown> => call.apply(all, args))
          if (lost === undefined || left-- <= 0) return taken
          return lost.when === "before"
            ? Effect.fail(hungUp())
            : Effect.zipRight(Effect.ignore(taken), Effect.fail(hungUp()))
        })
    }
  })
  const policy = rulesOf(world, given)
  const account: Account = {
    scheme: world.scheme,
    publicKey: publicKeyOf(world.scheme),
    sign: (request) => {
      asked++
      return (holders[holder] ?? expect.fail()).sign(world, request)
    }
  }
  const from: From = {
    ...(holder === "key" ? { privateKey: world.privateKey } : { account }),
    policy: await Effect.runPromise(makePolicy(policy.rules)),
    ...opened.more
  }
  const signer = await Effect.runPromise(world.make(watched(noted, lying), from as never))
  return {
    signer,
    policy,
    raws,
    asked: () => asked,
    isStuck: () => holder === "never answers" && asked > 0,
    tick: opened.tick ?? (() => {}),
    read: opened.read
  }
}

/** The errors after which a payment was certainly not made, as far as the nodes are honest about what they refuse. */
const refusals: ReadonlySet<unknown> = new Set([
  "RequestRejected",
  "RpcError",
  "NonceTaken",
  "TransactionDropped",
  "TransactionExpired"
])

/** Checks what came of one preview that was to be sent. */
const checkSent = async (
  world: World,
  given: Given,
  account: Awaited<ReturnType<typeof openAccount>>,
  prepared: Prepared<never>,
  outcomes: Outcomes
): Promise<bigint> => {
  const { asked, isStuck, policy, raws, read, signer, tick } = account
  const [before, askedBefore] = [new Set(raws), asked()]
  const result = await runInTime(signer.submit(prepared), isStuck, tick)
  const error = result !== undefined && Either.isLeft(result) ? result.left : undefined
  // what waits of earlier payments goes out again with this one
  const sent = () => [...new Set(raws)].filter((raw) => !before.has(raw))
  if (policy.refuses(prepared)) {
    expect(tagOf(error)).toBe("PolicyDenied")
    expect(asked()).toBe(askedBefore)
    expect(sent()).toEqual([])
    outcomes.denied++
    return 0n
  }
  if (tagOf(error) === "PolicyDenied") {
    // what was spent before counts
    expect(policy.mostPerDay).toBeDefined()
    expect([asked(), ...sent()]).toEqual([askedBefore])
    outcomes.denied++
    return 0n
  }
  const isMisbehaving = given.holder !== "key" && holders[given.holder]?.isHonest === false
  if (isMisbehaving) {
    expect(sent(), "bytes without a signature of the account").toEqual([])
    expect(result === undefined || Either.isLeft(result)).toBe(true)
  }
  if (error !== undefined) expect(typeof tagOf(error), String(error)).toBe("string")
  if (error instanceof BroadcastUnclear) {
    // the same bytes go out again
    await runInTime(signer.submit(error), isStuck, tick)
    await runInTime(signer.submit(prepared), isStuck, tick)
  }
  expect(sent().length, "a payment is one transaction").toBeLessThanOrEqual(1)
  expect(asked() - askedBefore).toBeLessThanOrEqual(1)
  for (const raw of sent()) {
    const paid = await read(raw)
    // a signature of amounts that the node has made up: no node takes it
    if (given.lie !== undefined && paid.isRefused === true) continue
    expect(paid.isSigned, "signed by the account").toBe(true)
    expect(paid.isToReceiver, "paid to whom the preview names").toBe(true)
    expect(paid.amount).toBe(prepared.amount)
    expect(paid.coins).toBeLessThanOrEqual(prepared.fee + (world.token === undefined ? prepared.amount : 0n))
    if (result !== undefined && Either.isRight(result) && paid.hash !== undefined)
      expect(result.right.hash).toBe(paid.hash)
  }
  if (result === undefined || sent().length === 0) outcomes.unsigned++
  else if (Either.isRight(result)) outcomes.paid++
  else outcomes.unclear++
  // what every node has refused is not paid, and counts against no limit
  const isRefused = error !== undefined && refusals.has(tagOf(error))
  return sent().length === 0 || isRefused ? 0n : policy.spentBy(prepared)
}

/** Makes the payments of an account, one after another. */
const payAll = async (world: World, given: Given, known: Known, outcomes: Outcomes): Promise<void> => {
  const account = await openAccount(world, given, known)
  const { asked, isStuck, policy, raws, signer, tick } = account
  let spent = 0n
  for (let i = 0; i < given.payments; i++) {
    const amount = world.least + given.amount
    const before = [asked(), raws.length]
    const { maxFee } = given
    const payment = {
      to: world.to,
      amount,
      ...(maxFee === undefined ? {} : { maxFee }),
      ...(world.token === undefined ? {} : { token: world.token })
    }
    const made = await runInTime(signer.prepare(payment), isStuck, tick)
    expect([asked(), raws.length], "nothing is signed for a preview").toEqual(before)
    if (made === undefined || Either.isLeft(made)) {
      if (made !== undefined) expect(typeof tagOf(made.left), String(made.left)).toBe("string")
      outcomes.refused++
      continue
    }
    const prepared = made.right
    expect([prepared.amount, prepared.to]).toEqual([amount, world.to])
    expect(prepared.fee).toBeLessThanOrEqual(maxFee ?? world.most)
    spent += await checkSent(world, given, account, prepared, outcomes)
    if (policy.mostPerDay !== undefined) expect(spent).toBeLessThanOrEqual(policy.mostPerDay)
  }
}

const nothing: Given = {
  amount: 1_000_000n,
  holder: "key",
  lie: undefined,
  limit: undefined,
  perDay: undefined,
  recipients: "all",
  confirms: "absent",
  lost: undefined,
  maxFee: undefined,
  payments: 1
}

/** Payments of each outcome. */
const examples: ReadonlyArray<Given> = [
  nothing,
  { ...nothing, holder: "honest" },
  { ...nothing, confirms: "no", holder: "honest" },
  { ...nothing, holder: "throws" },
  { ...nothing, holder: "never answers" },
  { ...nothing, amount: 10n ** 20n },
  { ...nothing, lost: { when: "after", count: 1 } },
  { ...nothing, lost: { when: "before", count: 1_000 } }
]

/** What an honest node answers a payment, which it gets. */
const findKnown = async (world: World): Promise<Known> => {
  const opened = await world.open()
  const fields = new Map<string, Field>()
  const values = new Set<unknown>()
  const rpc = watched(opened.rpc, (call, answer) => {
    for (const path of fieldsOf(answer)) {
      fields.set(`${call} ${path.join(".")}`, { call, path })
      values.add(valueAt(answer, path))
    }
    return answer
  })
  const from = { privateKey: world.privateKey, ...opened.more }
  const signer = await Effect.runPromise(world.make(rpc, from as never))
  const { amount } = nothing
  const payment = { to: world.to, amount, ...(world.token === undefined ? {} : { token: world.token }) }
  const prepared = await Effect.runPromise(signer.prepare(payment))
  const sent = await runInTime(signer.submit(prepared), () => false, opened.tick ?? (() => {}))
  if (sent === undefined || Either.isLeft(sent))
    throw new Error(`${world.name} takes no honest payment`, { cause: sent?.left })
  return { fields: [...fields.values()], values: [...values] }
}

/** Makes so many payments of a world, from a seed. */
export const payRandomly = async (world: World, count: number, seed: number): Promise<Outcomes> => {
  const known = await findKnown(world)
  const outcomes: Outcomes = { paid: 0, denied: 0, unsigned: 0, refused: 0, unclear: 0 }
  const all = [...examples, ...fc.sample(givens, { numRuns: Math.max(1, count - examples.length), seed })]
  for (const [at, given] of all.entries())
    try {
      await payAll(world, given, known, outcomes)
    } catch (error) {
      const { lie, ...rest } = given
      const field = lie === undefined ? undefined : known.fields[lie.field % known.fields.length]
      const how =
        lie === undefined
          ? ""
          : typeof lie.how === "function"
            ? lie.how(5)
            : known.values[lie.with % known.values.length]
      const shown = JSON.stringify({ ...rest, field, how, isOnce: lie?.isOnce }, (_, value: unknown) =>
        typeof value === "bigint" ? String(value) : value
      )
      throw new Error(`payment ${at} of ${world.name}, seed ${seed}: ${shown}\n${String(error)}`, {
        cause: error
      })
    }
  return outcomes
}
