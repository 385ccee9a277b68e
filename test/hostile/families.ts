/** Feeds every endpoint of families with hostile answers, straight to the decoder that the client's call has. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import { loadFamily } from "../../src/client/Sdk.js"
import { type Dialect, dialectOf, group, specOf } from "../../src/data/Endpoint.js"
import { type FamilyId, info, type Network, networks } from "../../src/data/Network.js"
import { PlainText, RecordedRefusal, type RecordedRequest } from "../../src/sandbox/recorded/Recorded.js"
import { make, makeRawRpc } from "../../src/transport/Client.js"
import type { Call, TransportService } from "../../src/wire/Transport.js"
import { answerOf, Chance, type HostileAnswer, namesIn } from "./answers.js"
import failures from "./failures.json" with { type: "json" }
import { arePrototypesPolluted, errorProblem } from "./judge.js"
import { loadRecorded } from "./recorded.js"
import { someOf } from "./times.js"

/** `FUZZ_SEED` makes the answers of another run again, or others. */
export const seed = Number(process.env.FUZZ_SEED ?? 13)

/** An answer that was read wrongly once, with `"$id"` for the id of its request: they are given first. */
interface KeptFailure {
  readonly family: string
  readonly call: string
  readonly seed: number
  readonly status: number
  readonly text: string
}

const kept: ReadonlyArray<KeptFailure> = failures.answers

/** No answer here takes long to read, in milliseconds of work; twice, since others may work in the same process. */
const SLOW_MS = 500

/** The milliseconds of work since then, by the processor's clock: it stands still while the machine does something else. */
const workSince = (before: NodeJS.CpuUsage): number => process.cpuUsage(before).user / 1_000

const networkIds = Object.keys(networks) as ReadonlyArray<Network>

/** Families, and a network of each. */
export const families: ReadonlyArray<readonly [FamilyId, Network]> = [
  ...new Map(networkIds.map((network) => [info(network).family, network] as const))
].sort(([a], [b]) => a.localeCompare(b))

/** What a part of a path may be: anything, or bytes of the lengths that tables know. */
const parts = [
  "1",
  ...[4, 32, 34, 38, 48, 96].flatMap((length) => {
    const digits = "00".repeat(length)
    return [`0x${digits}`, digits, Buffer.alloc(length).toString("base64url")]
  })
]

/** The first of them that a table takes under this name. */
const partFor = (name: string, bytes: Dialect["bytes"]): string => {
  const taken = parts.find((part) => {
    try {
      return bytes === undefined || bytes({ [name]: part }, "", []) !== undefined
    } catch {
      return false
    }
  })
  if (taken === undefined) throw new Error(`nothing is taken as ${name}`)
  return taken
}

/** The same table, whose calls take no arguments: what is read is what nodes answer. */
const withoutChecks = (table: object): object =>
  group(
    dialectOf(table),
    Object.fromEntries(
      Object.entries(table).map(([name, value]) => {
        const spec = specOf(value)
        if (spec === undefined) return [name, withoutChecks(value)]
        if (spec.kind === "rpc") return [name, value.params(() => []).signed(() => false)]
        const { bytes } = spec.dialect ?? dialectOf(table)
        const path = [...spec.template.matchAll(/\{\+?([^}?]*)\}/g)].map(([, each = ""]) => [
          each,
          partFor(each, bytes)
        ])
        const payload = spec.payload?._tag === "bytes" ? { [spec.payload.name]: "AA==" } : {}
        const input = { ...Object.fromEntries(path), ...payload }
        return [
          name,
          value
            .bytes({})
            .args(() => input)
            .signed(() => false)
        ]
      })
    )
  )

interface Asked {
  readonly name: string
  readonly call: Call<unknown>
}

type Method = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

const isMethod = (value: unknown): value is Method => typeof value === "function"

/** One call of every method, as it goes to the transport. */
export const callsOf = (table: object): ReadonlyArray<Asked> => {
  const found: Array<Asked> = []
  let name = ""
  const transport: TransportService = {
    send: (call) => {
      // an answer's type is the call's own matter
      found.push({ name, call: call as Call<unknown> })
      return Effect.never
    },
    nodeUrl: () => Effect.die("nobody asks for it")
  }
  const routing = { archive: true, batchArchive: true }
  const ask = (client: object, path: string): void => {
    for (const [key, method] of Object.entries(client)) {
      name = `${path}${key}`
      if (isMethod(method)) Effect.runFork(method())
      else ask(method, `${name}.`)
    }
  }
  const stripped = withoutChecks(table)
  ask(make(stripped, transport, routing), "")
  const count = found.length
  const raw = makeRawRpc(stripped, transport, routing)
  name = "rawRpcCall"
  Effect.runFork(raw.rawRpcCall({ method: "anything", params: [] }))
  name = "rawBatchRpcCall"
  Effect.runFork(raw.rawBatchRpcCall([{ method: "anything" }, { method: "other", params: [] }]))
  expect(found.length).toBe(count + 2)
  return found
}

const endpointsIn = (table: object): number =>
  Object.values(table).reduce(
    (all: number, value) => all + (specOf(value) === undefined ? endpointsIn(value) : 1),
    0
  )

const asked: Omit<RecordedRequest, "network"> = {
  verb: "GET",
  path: "/",
  accept: "application/json",
  params: [],
  body: {},
  testnet: false,
  now: 1_700_000_000_000,
  height: 1_000,
  timeOf: () => 1_700_000_000_000,
  get: () => undefined,
  text: (_, fallback) => fallback,
  whole: (_, fallback) => fallback
}

/** Right answers by the method or the route, as far as the sandbox has them. */
export const recordedOf = async (network: Network): Promise<ReadonlyMap<string, unknown>> => {
  const recorded = await loadRecorded(network)
  return new Map(
    (recorded?.recordings ?? []).flatMap(
      ({ answer, method, path, verb }): ReadonlyArray<readonly [string, unknown]> => {
        try {
          const made: unknown = typeof answer === "function" ? answer({ ...asked, network }) : answer
          const body =
            made instanceof RecordedRefusal ? made.body : made instanceof PlainText ? made.text : made
          return [[method ?? `${verb} ${path}`, body]]
        } catch {
          // it answers to arguments that are not made up here
          return []
        }
      }
    )
  )
}

const routeOf = (label: string): string =>
  label
    .replace(/\{\?[^}]*\}/g, "")
    .replace(/\{\+[^}]*\}/g, "*")
    .replace(/\{([^}]*)\}/g, ":$1")

const tags: ReadonlySet<string> = new Set(["NodeError", "RpcError", "RequestRejected", "InvalidArgument"])
const faults: ReadonlySet<string> = new Set([
  "caller",
  "declined",
  "elsewhere",
  "limited",
  "node",
  "unclear",
  "state"
])

/** The recorded answer to a call. */
export const recordedFor = (recorded: ReadonlyMap<string, unknown>, { label }: Call<unknown>): unknown =>
  recorded.get(label) ?? recorded.get(routeOf(label))

/** What is wrong with how an answer was read, if anything is. */
const problemOf = (call: Call<unknown>, answer: HostileAnswer): string | "value" | "error" => {
  const read = (): ReturnType<typeof call.decode> =>
    call.decode({ ...answer, url: "https://node.example/key" })
  const started = process.cpuUsage()
  let outcome: ReturnType<typeof read>
  try {
    outcome = read()
  } catch (error) {
    return `it throws ${String(error)} ${error instanceof Error ? error.stack : ""}`
  }
  const took = workSince(started)
  if (took > SLOW_MS) {
    const again = process.cpuUsage()
    read()
    if (workSince(again) > SLOW_MS) return `it takes ${took} ms`
  }
  if (Either.isRight(outcome)) return "value"
  const { error, fault } = outcome.left
  if (!faults.has(fault)) return `the fault is ${String(fault)}`
  if (!tags.has(error._tag)) return `the error is ${String(error)}`
  return errorProblem(error) ?? "error"
}

const idOf = (call: Call<unknown>): string | undefined =>
  /"id":(\d+)/.exec(typeof call.body === "string" ? call.body : "")?.[1]

/** What is wrong with how the answers of `failures.json` are read now. */
const problemsAgain = (family: string, calls: ReadonlyArray<Asked>): ReadonlyArray<string> =>
  kept
    .filter((each) => each.family === family)
    .map(({ call: name, status, text }) => {
      const found = calls.find((each) => each.name === name)
      if (found === undefined) return `failures.json names ${name}, which ${family} has not`
      const answer = { status, text: text.replaceAll('"$id"', idOf(found.call) ?? "null") }
      const problem = problemOf(found.call, answer)
      return problem === "value" || problem === "error" ? "" : `${problem}\n${name}: ${text}`
    })
    .filter((problem) => problem !== "")

/** `answers` for each of the families of one of several files, which run beside each other; one for each call, and more. */
export const feed = (part: number, parts: number, answers = someOf(1_000)): void => {
  describe(`hostile answers (seed ${seed})`, () => {
    for (const [family, network] of families.filter((_, i) => i % parts === part)) {
      it(`to every call of ${family} are values or typed errors`, async () => {
        const { chain, endpoints, probe } = await Effect.runPromise(loadFamily(family))
        const calls = callsOf(endpoints)
        expect(calls.length).toBe(endpointsIn(endpoints) + 2)
        const recorded = await recordedOf(network)
        const all = [...recorded.values()]
        const vocabulary = ["result", "hash", "height", "number", ...namesIn(all)]
        const chance = new Chance(seed)
        const asks = probe?.(network, info(network))
        expect(problemsAgain(family, calls)).toEqual([])
        const outcomes = { value: 0, error: 0 }
        const problems: Array<string> = []
        const count = Math.max(calls.length, answers)
        for (let i = 0; i < count; i++) {
          const { call, name } = calls[i % calls.length] ?? chance.one(calls)
          const own = recordedFor(recorded, call)
          const seeds = own === undefined ? all : [own]
          const id = idOf(call)
          const single = answerOf(chance, seeds, vocabulary, id === undefined ? undefined : Number(id))
          const answer =
            name === "rawBatchRpcCall" && chance.is(0.8)
              ? {
                  ...single,
                  text: `[${single.text},${answerOf(chance, seeds, vocabulary, Number(id) + 1).text}]`
                }
              : single
          const problem = problemOf(call, answer)
          const entry = (): string =>
            JSON.stringify({
              family,
              call: name,
              seed,
              status: answer.status,
              text: answer.text.replaceAll(`"id":${id}`, '"id":"$id"').slice(0, 2_000)
            })
          if (problem === "value" || problem === "error") outcomes[problem]++
          else problems.push(`${problem}, for failures.json:\n${entry()}`)
          if (arePrototypesPolluted()) expect.fail(`a prototype has changed, for failures.json:\n${entry()}`)
        }
        expect(problems.slice(0, 5)).toEqual([])
        console.log(
          `hostile: ${family}: ${count} answers to ${calls.length} calls (${recorded.size} recorded), ${outcomes.value} values, ${outcomes.error} typed errors${asks === undefined ? "" : ", probed"}${chain === undefined ? "" : ", verified"}`
        )
      })
    }
  })
}
