/** Runs vectors against the public Promise surface. */
import * as Effect from "effect/Effect"
import { listUrls } from "../../src/balancer/NodeList.js"
import { findFastest } from "../../src/balancer/Pool.js"
import { parseHeight } from "../../src/balancer/Probe.js"
import { loadFamily } from "../../src/client/Sdk.js"
import { specOf } from "../../src/data/Endpoint.js"
import * as Network from "../../src/data/Network.js"
import { type InitConfig, init, type PromiseSdk } from "../../src/promise.js"
import { withLists } from "../specs/tables.js"
import { canonical, difference, line } from "./compare.js"
import { isReminder, type Outcome, type Rule, rules } from "./exceptions.js"
import { type Asked, type Recorder, recorder } from "./recorder.js"
import {
  type CallVector,
  decode,
  type FollowUp,
  type ProbeVector,
  type SelectionVector,
  type Vector
} from "./vectors.js"
import { installWallet } from "./wallet.js"

/** What is wrong, as lines; nothing when the vector passed. */
export type Failure = ReadonlyArray<string>

const isInit = (target: string): boolean => target === "TatumSDK.init"

const isFunction = (value: unknown): value is (...args: ReadonlyArray<unknown>) => unknown =>
  typeof value === "function"

/** What one segment of a target leads to. */
const memberAt = (value: unknown, segment: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, segment) : undefined

/** Where ours stand elsewhere on purpose: the recorded client's container and `use(MetaMask)` are services of ours. */
const targetPrefixes: ReadonlyArray<readonly [recorded: string, ours: string]> = [
  ["$container.TatumApi.", "data."],
  ["$container.TatumConnector.", "provider."],
  ["walletProvider.use(MetaMask).", "wallet."]
]

/** The dotted path of a target on our clients: targets are mapped by rule, so that any file of the format can be run. */
export const mapTarget = (target: string): string => {
  const place = targetPrefixes.find(([recorded]) => target.startsWith(recorded))
  return place === undefined ? target : `${place[1]}${target.slice(place[0].length)}`
}

const methodAt = (
  sdk: object,
  target: string
): ((...args: ReadonlyArray<unknown>) => unknown) | undefined => {
  const found = mapTarget(target).split(".").reduce<unknown>(memberAt, sdk)
  return isFunction(found) ? found : undefined
}

const isOutcome = (value: unknown): value is Outcome =>
  typeof value === "object" &&
  value !== null &&
  "status" in value &&
  ["SUCCESS", "ERROR"].includes(String(value.status))

/** Calls what a target names; undefined where the client has no such method. */
export const call = async (
  sdk: object,
  target: string,
  args: ReadonlyArray<unknown>
): Promise<Outcome | undefined> => {
  const method = methodAt(sdk, target)
  if (method === undefined) return undefined
  const value = await method(...args)
  return isOutcome(value) ? value : { status: "SUCCESS", data: value }
}

/**
 * The recorded client knows no nodes but those of the provider: it asks all of them for the provider's routes. Own nodes get those of
 * the chain's own server (`test/specs/layouts.test.ts`).
 */
const NODES_PROVIDER = {
  baseUrl: "https://api.tatum.io",
  nodeListUrl: "https://rpc.tatum.io",
  domain: "example"
}

/** Calls and probes do; a vector that keeps all headers is about those of nodes that are not the provider's. */
const asksProvider = ({ allHeaders, config: { rpc }, target }: CallVector): boolean =>
  allHeaders !== true && rpc?.nodes !== undefined && (target.startsWith("rpc.") || isInit(target))

/** The configuration, with everything off that has traffic of its own or draws lots. */
const configOf = (
  vector: CallVector,
  wire: Recorder,
  log: (line: string) => void
): InitConfig<Network.Network, "eventual"> => {
  const { rpc, ...config } = vector.config
  const sink = { trace: () => {}, debug: () => {}, info: () => {}, warn: log, error: log }
  return {
    ...config,
    // vectors name networks that the table may lack, which is for init to say
    network: vector.network as Network.Network,
    rpc: { ...rpc, statusCheckInterval: Number.POSITIVE_INFINITY },
    verifyChain: false,
    sendSdkHeaders: true,
    ...(asksProvider(vector) ? { provider: NODES_PROVIDER } : {}),
    logger: sink,
    fetch: wire.fetch
  }
}

/** Tries to draw the recorded nodes: with two nodes of a type, all of them fail once in 10^30. */
const DRAWS = 100

/** Recordings begin with the first node of each type, which our clients draw at random: draw until it is theirs. */
const start = async (
  vector: CallVector,
  wire: Recorder,
  log: (line: string) => void
): Promise<PromiseSdk> => {
  const first = (type: number) =>
    vector.config.rpc?.nodes?.find((node) => node.type === type)?.url.replace(/\/+$/, "")
  const wanted = [first(0), first(1)].flatMap((url) => (url === undefined ? [] : [new URL(url).origin]))
  for (let tries = 1; ; tries++) {
    const sdk = await init(configOf(vector, wire, log))
    if (isInit(vector.target)) return sdk
    // probes run on after init
    if (vector.config.rpc?.oneTimeLoadBalancing === true) await wire.quiet()
    const active = sdk.nodes().flatMap((node) => (node.active ? [new URL(node.url).origin] : []))
    if (tries === DRAWS || wanted.every((origin) => active.includes(origin))) return sdk
    await sdk.destroy()
  }
}

const messageOf = (outcome: Outcome): string => outcome.error?.message.join("; ") ?? ""

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const show = (value: unknown): string => JSON.stringify(canonical(value ?? null))

/** What a call should end with: a value, or an error of which what is absent is not compared. */
type Expected =
  | { readonly _tag: "data"; readonly data: unknown }
  | {
      readonly _tag: "error"
      readonly message?: string
      readonly code?: unknown
      readonly dashboardLog?: unknown
    }

/** Text of the server arrives as it is, where the recorded client dumps it as JSON. */
const plain = (text: string): string => text.replace(/^Error: /, "").replace(/^"(.*)"$/s, "$1")

/** The recorded envelope `{ jsonrpc, id, result }` corresponds to our data, `{ data, status, error }` to our Result. */
const expectedOf = (recorded: unknown): Expected => {
  if (!isRecord(recorded)) return { _tag: "data", data: recorded }
  const { error } = recorded
  const isEnvelope = "jsonrpc" in recorded || "status" in recorded
  if (isEnvelope && isRecord(error)) {
    const { message, code, dashboardLog } = error
    return {
      _tag: "error",
      ...(message === undefined ? {} : { message: [message].flat().map(String).map(plain).join("; ") }),
      ...(code === undefined ? {} : { code }),
      ...(dashboardLog === undefined ? {} : { dashboardLog })
    }
  }
  if ("jsonrpc" in recorded && "result" in recorded) return { _tag: "data", data: recorded.result }
  if ("status" in recorded && "data" in recorded) return { _tag: "data", data: recorded.data }
  return { _tag: "data", data: recorded }
}

const isExpectedOutcome = (expected: Expected, outcome: Outcome, text?: Rule["text"]): boolean => {
  if (expected._tag === "error") {
    const { message, code, dashboardLog } = expected
    return (
      outcome.status === "ERROR" &&
      (message === undefined ||
        (text === "ends" ? messageOf(outcome).endsWith(message) : messageOf(outcome) === message)) &&
      (code === undefined || outcome.error?.code === String(code)) &&
      (dashboardLog === undefined || outcome.error?.dashboardLog === dashboardLog)
    )
  }
  const wanted = decode(expected.data)
  const { data } = outcome
  // a big number was recorded as its digits, or ours is
  const counted =
    (typeof data === "bigint" && typeof wanted === "string") ||
    (typeof data === "string" && typeof wanted === "bigint")
  const [want, got] = counted ? [String(wanted), String(data)] : [show(wanted), show(data)]
  return outcome.status === "SUCCESS" && want === got
}

const describe = (expected: Expected): string => {
  if (expected._tag === "data") return `give ${show(decode(expected.data))}`
  const { _tag, ...error } = expected
  return `fail with ${show(error)}`
}

/** A batch has one outcome per body, by its id; one that was not answered is an ERROR. */
const batchProblems = (vector: CallVector, recorded: ReadonlyArray<unknown>, outcome: Outcome): Failure => {
  const bodies = [vector.args[0]].flat()
  const items = Array.isArray(outcome.data) ? outcome.data : []
  if (outcome.status !== "SUCCESS" || items.length !== bodies.length) {
    return [
      `it should give ${bodies.length} outcomes; it ended with ${show(outcome.data)} ${messageOf(outcome)}`
    ]
  }
  return bodies.flatMap((body, i) => {
    const answer = recorded.find((each) => isRecord(each) && isRecord(body) && each.id === body.id)
    const expected: Expected = answer === undefined ? { _tag: "error" } : expectedOf(answer)
    const item: unknown = items[i]
    return isOutcome(item) && isExpectedOutcome(expected, item)
      ? []
      : [`item ${i} should ${describe(expected)}; it is ${show(item)}`]
  })
}

const endProblem = (
  expected: Expected | undefined,
  outcome: Outcome,
  applied: ReadonlyArray<Rule>
): Failure => {
  const text = applied.find((rule) => rule.text !== undefined)?.text
  return expected === undefined || isExpectedOutcome(expected, outcome, text)
    ? []
    : [`it should ${describe(expected)}; it ended with ${show(outcome.data)} ${messageOf(outcome)}`]
}

const resultProblem = (vector: CallVector, outcome: Outcome, applied: ReadonlyArray<Rule>): Failure => {
  const { correctedOutcome, correctedResult, error, result, returns } = vector
  const recorded = [correctedResult, result, returns].find((each) => each !== undefined)
  if (Array.isArray(recorded) && vector.target.endsWith("rawBatchRpcCall")) {
    return batchProblems(vector, recorded, outcome)
  }
  if (error !== undefined) return endProblem({ _tag: "error", message: plain(error) }, outcome, applied)
  // the recorded result is that of the wrong requests
  if (correctedOutcome?.startsWith("rejects")) return endProblem({ _tag: "error" }, outcome, applied)
  if (correctedOutcome?.startsWith("SUCCESS") && outcome.status !== "SUCCESS")
    return [`it should succeed; it ended with ${messageOf(outcome)}`]
  return endProblem(
    recorded === undefined || correctedOutcome !== undefined ? undefined : expectedOf(recorded),
    outcome,
    applied
  )
}

/** What a follow-up call that was recorded without arguments was called with: positional ones are what it sent. */
const argsOf = (
  { args, target, requests: [first] }: FollowUp,
  vector: CallVector
): ReadonlyArray<unknown> => {
  if (args !== undefined) return args
  if (target === vector.target) return vector.args
  const { body } = first ?? {}
  if (isRecord(body)) return Array.isArray(body.params) ? body.params : []
  // nothing was sent, so that any argument will do
  return first === undefined ? ["0x0"] : []
}

/** Where there was no node list, a call has the lists asked for again behind it, before its own end or after. */
const isBehind = ({ path }: Asked): boolean => path.endsWith("/list.json")

const runThen = async (
  vector: CallVector,
  followUp: FollowUp,
  sdk: PromiseSdk,
  wire: Recorder,
  applied: ReadonlyArray<Rule>
): Promise<Failure> => {
  const outcome = await call(sdk, followUp.target, argsOf(followUp, vector).map(decode))
  if (outcome === undefined) return [`then: no such method yet: ${followUp.target}`]
  const sent = wire.take().filter((each) => isInit(followUp.target) || !isBehind(each))
  const lines = sent.map((each) => line(each, vector))
  const recorded = followUp.requests.map((each) => line(each, vector))
  const rule = applied.find((each) => each.followUp !== undefined)
  if (rule?.followUp !== undefined) {
    return rule.followUp({ sent, lines, recorded, vector, outcome })
      ? []
      : [`then ${followUp.target}: against the rule ${rule.name}`, ...lines.map((each) => `+ ${each}`)]
  }
  const rounds = sent.map((each) => each.round)
  const expected: Expected | undefined =
    followUp.error !== undefined
      ? { _tag: "error", message: plain(followUp.error) }
      : followUp.result === undefined
        ? undefined
        : expectedOf(followUp.result)
  return [...difference(recorded, lines, rounds), ...endProblem(expected, outcome, applied)].map(
    (each) => `then ${followUp.target}: ${each}`
  )
}

/** Sets environment variables for one vector. */
const withEnv = (env: CallVector["env"] = {}): (() => void) => {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, env)
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, name)
      else process.env[name] = value
    }
  }
}

/** An init that is refused ends as its vector may expect; in all others it is a failure of the run. */
const startOrRefuse = async (
  vector: CallVector,
  wire: Recorder,
  log: (line: string) => void
): Promise<PromiseSdk | Outcome> => {
  try {
    return await start(vector, wire, log)
  } catch (error) {
    if (!isInit(vector.target) || vector.error === undefined || !(error instanceof Error)) throw error
    const _tag = "_tag" in error ? String(error._tag) : error.name
    return { status: "ERROR", data: null, error: { message: [error.message], cause: { _tag } } }
  }
}

/** The requests that are right: one list, or where the specification names upstream's form, either. */
const expectedRequests = (
  vector: CallVector,
  applied: ReadonlyArray<Rule>
): ReadonlyArray<CallVector["requests"]> => {
  const { corrected = vector.requests, requests } = vector
  return applied.some((rule) => rule.name === "specified-path") ? [corrected, requests] : [corrected]
}

const wireProblems = (
  vector: CallVector,
  applied: ReadonlyArray<Rule>,
  sent: ReadonlyArray<Asked>
): Failure => {
  const repeats = applied.some((each) => each.repeats === true)
  const linesOf = (requests: CallVector["requests"]): ReadonlyArray<string> => {
    const lines = requests.map((each) => line(each, vector))
    return repeats ? [...new Set(lines)] : lines
  }
  // lists and probes go out together
  const rounds = isInit(vector.target) ? [] : sent.map((each) => each.round)
  const [first = [], ...others] = expectedRequests(vector, applied).map((each) =>
    difference(linesOf(each), linesOf(sent), rounds)
  )
  return others.some((each) => each.length === 0) ? [] : first
}

/** What the wallet was asked for, in order, but for what rules add. */
const walletProblems = (
  vector: CallVector,
  applied: ReadonlyArray<Rule>,
  asked: ReadonlyArray<unknown>
): Failure => {
  const besides = new Set(applied.flatMap((rule) => rule.besides ?? []))
  const compared = asked.filter((each) => !(isRecord(each) && besides.has(String(each.method))))
  return difference((vector.eip1193 ?? []).map(show), compared.map(show), [...compared.keys()])
}

/** The lists that the type of a call's result promises. */
const listsOf = async ({ network, target }: CallVector): Promise<ReadonlyArray<string>> => {
  if (!target.startsWith("rpc.") || !Network.isNetwork(network)) return []
  const { endpoints } = await Effect.runPromise(loadFamily(Network.info(network).family))
  return specOf(target.split(".").slice(1).reduce<unknown>(memberAt, endpoints))?.lists ?? []
}

/** An answer without anything in it, of a call whose result is a list or has some: nodes that give something else are not believed. */
const emptyFor = (lists: ReadonlyArray<string>): unknown =>
  lists.length === 0 ? undefined : lists.some((path) => path === "" || path === "?") ? [] : {}

const runCall = async (given: CallVector): Promise<Failure> => {
  const applied = rules.filter((rule) => rule.when(given))
  const lists = await listsOf(given)
  const adapted = applied.reduce((current, rule) => rule.adapt?.(current) ?? current, given)
  const vector =
    adapted.result === undefined ? adapted : { ...adapted, result: withLists(adapted.result, lists) }
  const reminder = isReminder(given)
  const wire = recorder(vector, (one, other) => line(one, given) === line(other, given), emptyFor(lists))
  const logged: Array<string> = []
  const restore = withEnv(vector.env)
  const wallet = vector.accounts === undefined ? undefined : installWallet(vector)
  if (isInit(vector.target)) wire.play()
  let sdk: PromiseSdk | undefined
  try {
    const started = await startOrRefuse(vector, wire, (text) => logged.push(text))
    if (isOutcome(started)) return resultProblem(vector, started, applied)
    sdk = started
    await (isInit(vector.target) ? wire.quiet() : undefined)
    if (!isInit(vector.target)) {
      wire.take()
      wire.play()
    }
    const args = vector.args.map(decode)
    const before = show(args)
    const outcome: Outcome | undefined = isInit(vector.target)
      ? { status: "SUCCESS", data: undefined }
      : await call(sdk, vector.target, args)
    if (outcome === undefined) return [`no such method yet: ${vector.target} on ${vector.network}`]
    const sent = wire.take()
    wire.next()
    if (outcome.error?.cause._tag === "Unexpected") return [`a defect: ${messageOf(outcome)}`]
    const rule = applied.find((each) => each.outcome !== undefined)
    const ended =
      rule?.outcome !== undefined
        ? rule.outcome(outcome)
          ? []
          : [`against the rule ${rule.name}; it ended with ${outcome.status} ${messageOf(outcome)}`]
        : reminder
          ? []
          : resultProblem(vector, outcome, applied)
    const asked = wallet === undefined || reminder ? [] : walletProblems(vector, applied, wallet.asked)
    const node = vector.rpcNodeUrl === undefined ? undefined : await call(sdk, "rpc.getRpcNodeUrl", [])
    const followed: Array<string> = []
    for (const followUp of vector.followUps)
      followed.push(...(await runThen(vector, followUp, sdk, wire, applied)))
    const unlogged = (vector.logged ?? []).filter(
      (text) => !logged.some((each) => each.startsWith(text.split(" Error:")[0] ?? text))
    )
    return [
      ...(reminder ? [] : wireProblems(vector, applied, sent)),
      ...ended,
      ...asked,
      ...(show(args) === before ? [] : [`it changed its arguments: ${before} is now ${show(args)}`]),
      ...followed,
      ...unlogged.map((text) => `not logged: ${text}`),
      ...(node === undefined || reminder || node.data === vector.rpcNodeUrl
        ? []
        : [`the node url is ${String(node.data)}, not ${vector.rpcNodeUrl}`])
    ]
  } finally {
    await sdk?.destroy()
    wallet?.remove()
    restore()
  }
}

const build = (pointer: string, value: unknown): unknown =>
  pointer
    .split("/")
    .slice(1)
    .reduceRight<unknown>((inner, key) => {
      if (!/^\d+$/.test(key)) return { [key]: inner }
      const list: Array<unknown> = []
      list[Number(key)] = inner
      return list
    }, value)

const runProbe = async (vector: ProbeVector): Promise<Failure> => {
  const { network } = vector
  if (!Network.isNetwork(network)) return [`there is no network ${network}`]
  const info = Network.info(network)
  const urls = listUrls({ nodeListUrl: "https://rpc.tatum.io", info, network })
  const lists = difference(vector.list, urls)
  const family = await Effect.runPromise(loadFamily(info.family))
  const probe = family.probe?.(network, info)
  const suffix = vector.probe?.pathSuffix
  // where the recorded client has no probe, ours may have one: every EVM network has
  if (vector.probe === undefined || typeof suffix !== "string") return lists
  if (probe === undefined) return [...lists, "it has no probe"]
  const question = (verb: string, path: string, body: unknown) => `${verb} ${path} ${show(body)}`
  const asked = difference(
    [question(vector.probe.method, suffix, vector.probe.body)],
    [question(probe.verb, probe.path, probe.body)]
  )
  const { height } = vector
  if (height === undefined || height === null) return [...lists, ...asked]
  const example = typeof height.parsedExample === "number" ? height.parsedExample : 18_000_000
  const written = height.format.startsWith("0x")
    ? `0x${example.toString(16)}`
    : height.format.includes("string")
      ? String(example)
      : example
  const read = parseHeight(probe.height(build(height.pointer, written)))
  const missing = parseHeight(probe.height(build(height.pointer, undefined)))
  return [
    ...lists,
    ...asked,
    ...(missing === undefined ? [] : [`it reads the height ${missing} where there is none`]),
    ...(read === example ? [] : [`it reads the height ${read} from ${height.pointer}, not ${example}`])
  ]
}

const runSelection = (vector: SelectionVector): Failure => {
  const index = findFastest(vector.servers, vector.allowedBlocksBehind) ?? -1
  return index === vector.index ? [] : [`it chooses ${index}, not ${vector.index}`]
}

/** Longer than any call may take: a vector that hangs must not hang the run. */
const TIMEOUT_MS = 120_000

/** Runs one vector. What is thrown is a failure too: init rejects on what it refuses. */
export const run = async (vector: Vector): Promise<Failure> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Failure>((resolve) => {
    timer = setTimeout(() => resolve([`it did not end within ${TIMEOUT_MS} ms`]), TIMEOUT_MS)
  })
  const ran = async (): Promise<Failure> =>
    vector.kind === "call"
      ? runCall(vector)
      : vector.kind === "probe"
        ? runProbe(vector)
        : runSelection(vector)
  try {
    return await Promise.race([ran(), late])
  } catch (error) {
    return [`it was thrown: ${String(error)}`]
  } finally {
    clearTimeout(timer)
  }
}

/** What a vector is counted under: its wrapper, or what comes before the network in its id. */
export const groupOf = (vector: Vector): string =>
  vector.kind === "call" &&
  /^[a-z0-9-]+\/[a-z]/i.test(vector.id) &&
  vector.target.startsWith("rpc.") &&
  !vector.id.includes("flow/")
    ? (vector.id.split("/")[0] ?? "")
    : vector.kind === "call"
      ? vector.id
          .replace(/[@#].*$/, "")
          .split("/")
          .slice(0, 2)
          .join("/")
      : vector.kind

export interface Report {
  readonly passed: number
  readonly failed: number
}

/** Runs vectors one after the other and prints what fails, a table of the groups, and the totals alone on a line. */
export const report = async (vectors: ReadonlyArray<Vector>, limit = 40): Promise<Report> => {
  const groups = new Map<string, { passed: number; failed: number }>()
  let failures = 0
  for (const vector of vectors) {
    const problems = await run(vector)
    const group = groups.get(groupOf(vector)) ?? { passed: 0, failed: 0 }
    groups.set(groupOf(vector), group)
    if (problems.length === 0) {
      group.passed++
      continue
    }
    group.failed++
    if (++failures <= limit)
      console.log(`✗ ${vector.id}\n${problems.map((each) => `    ${each.slice(0, 1000)}`).join("\n")}`)
  }
  if (failures > limit) console.log(`… and ${failures - limit} more`)
  const passed = vectors.length - failures
  for (const [name, group] of groups)
    console.log(`${name.padEnd(36)} ${group.passed} passed, ${group.failed} failed.`)
  console.log(`${passed} passed, ${failures} failed`)
  return { passed, failed: failures }
}
