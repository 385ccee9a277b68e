/** Runs vectors against the public Promise surface. */
import * as Effect from "effect/Effect"
import { listUrls } from "../../src/balancer/NodeList.js"
import { fastest } from "../../src/balancer/NodePool.js"
import { parseHeight } from "../../src/balancer/Probe.js"
import * as Network from "../../src/Network.js"
import { type InitConfig, init, type PromiseSdk } from "../../src/promise.js"
import { loadFamily } from "../../src/Sdk.js"
import { canonical, difference, line } from "./compare.js"
import { isReminder, type Outcome, type Rule, rules } from "./exceptions.js"
import { type Recorder, recorder } from "./recorder.js"
import {
  type CallVector,
  decode,
  type FollowUp,
  type ProbeVector,
  type SelectionVector,
  type Vector
} from "./vectors.js"

/** What is wrong, as lines; nothing when the vector passed. */
export type Failure = ReadonlyArray<string>

const isInit = (target: string): boolean => target === "TatumSDK.init"

const isFunction = (value: unknown): value is (...args: ReadonlyArray<unknown>) => unknown =>
  typeof value === "function"

/** The method of a dotted path: targets are mapped by rule, so that any file of the format can be run. */
const methodAt = (
  sdk: object,
  target: string
): ((...args: ReadonlyArray<unknown>) => unknown) | undefined => {
  const found = target
    .split(".")
    .reduce<unknown>(
      (value, name) => (typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined),
      sdk
    )
  return isFunction(found) ? found : undefined
}

const isOutcome = (value: unknown): value is Outcome =>
  typeof value === "object" &&
  value !== null &&
  "status" in value &&
  ["SUCCESS", "ERROR"].includes(String(value.status))

const call = async (
  sdk: object,
  target: string,
  args: ReadonlyArray<unknown>
): Promise<Outcome | undefined> => {
  const method = methodAt(sdk, target)
  if (method === undefined) return undefined
  const value = await method(...args)
  return isOutcome(value) ? value : { status: "SUCCESS", data: value }
}

/** The configuration, with everything off that has traffic of its own or draws lots. */
const configOf = (vector: CallVector, wire: Recorder, log: (line: string) => void): InitConfig => {
  const { rpc, ...config } = vector.config
  const sink = { trace: () => {}, debug: () => {}, info: () => {}, warn: log, error: log }
  return {
    ...config,
    // vectors name networks that the table may lack, which is for init to say
    network: vector.network as Network.Network,
    rpc: { ...rpc, statusCheckInterval: Number.POSITIVE_INFINITY },
    verifyChain: false,
    sendSdkHeaders: true,
    logger: sink,
    fetch: wire.fetch
  }
}

/** Recordings begin with the first node of each type, which our clients draw at random: draw until it is theirs. */
const start = async (
  vector: CallVector,
  wire: Recorder,
  log: (line: string) => void
): Promise<PromiseSdk> => {
  const first = (type: number) =>
    vector.config.rpc?.nodes?.find((node) => node.type === type)?.url.replace(/\/+$/, "")
  const wanted = [first(0), first(1)].flatMap((url) => (url === undefined ? [] : [new URL(url).origin]))
  for (let tries = 0; ; tries++) {
    const sdk = await init(configOf(vector, wire, log))
    const active = sdk.nodes().flatMap((node) => (node.active ? [new URL(node.url).origin] : []))
    if (tries === 100 || isInit(vector.target) || wanted.every((origin) => active.includes(origin)))
      return sdk
    await sdk.destroy()
    wire.take()
  }
}

const messageOf = (outcome: Outcome): string => outcome.error?.message.join("; ") ?? ""

/** The recorded envelope `{ jsonrpc, id, result }` corresponds to our data, `{ data, status, error }` to our Result. */
const resultProblem = (vector: CallVector, outcome: Outcome): Failure => {
  const problem = (what: string) => [
    `${what}; it ended with ${JSON.stringify(canonical(outcome.data))} ${messageOf(outcome)}`
  ]
  const wantError = vector.error ?? (vector.correctedOutcome?.startsWith("rejects") ? "" : undefined)
  if (wantError !== undefined) {
    const text = wantError.replace(/^Error: /, "")
    return outcome.status === "ERROR" && messageOf(outcome).includes(text)
      ? []
      : problem(`it should fail with "${text}"`)
  }
  const recorded = vector.correctedResult ?? vector.result ?? vector.returns
  if (recorded === undefined || vector.correctedOutcome !== undefined) return []
  const envelope = typeof recorded === "object" && recorded !== null ? recorded : {}
  if ("error" in envelope && envelope.error !== undefined) {
    const { error } = envelope
    const text =
      typeof error === "object" && error !== null && "message" in error
        ? [error.message].flat().join("; ")
        : ""
    // text of the server arrives as it is, where the recorded client dumps it as JSON
    const plain = text.replace(/^"(.*)"$/, "$1")
    return outcome.status === "ERROR" && messageOf(outcome).includes(plain)
      ? []
      : problem(`it should fail with "${plain}"`)
  }
  const wanted =
    "jsonrpc" in envelope && "result" in envelope
      ? envelope.result
      : "status" in envelope && "data" in envelope
        ? envelope.data
        : recorded
  const expected = decode(wanted)
  const { data } = outcome
  // a big number was recorded as its digits
  const counted = typeof data === "bigint" && typeof expected === "string" ? data.toString() : data
  const [want, got] = [expected, counted].map((value) => JSON.stringify(canonical(value ?? null)))
  return outcome.status === "SUCCESS" && want === got ? [] : problem(`it should give ${want}`)
}

const runThen = async (
  vector: CallVector,
  followUp: FollowUp,
  sdk: PromiseSdk,
  wire: Recorder,
  applied: ReadonlyArray<Rule>
): Promise<Failure> => {
  const [first] = followUp.requests
  const body = first?.body ?? { params: ["0x0"] }
  const params = typeof body === "object" && "params" in body && Array.isArray(body.params) ? body.params : []
  // without args of its own a follow-up has those of the vector, or the first that it sent
  const args =
    followUp.args ??
    (followUp.target === vector.target
      ? vector.args
      : followUp.target === "rpc.getCode"
        ? params.slice(0, 1)
        : [])
  const outcome = await call(sdk, followUp.target, args.map(decode))
  if (outcome === undefined) return [`there is no ${followUp.target} yet`]
  const sent = wire.take()
  const rule = applied.find((each) => each.followUp !== undefined)
  if (rule?.followUp !== undefined) {
    return rule.followUp(sent.length, followUp.requests.length, outcome)
      ? []
      : [`then ${followUp.target}: against the rule ${rule.name}`]
  }
  const problems = difference(
    followUp.requests.map((each) => line(each, vector)),
    sent.map((each) => line(each, vector)),
    true
  )
  const text = followUp.error?.replace(/^Error: /, "")
  return text !== undefined && !messageOf(outcome).includes(text)
    ? [...problems, `then ${followUp.target} should fail with "${text}", not "${messageOf(outcome)}"`]
    : problems
}

const runCall = async (given: CallVector): Promise<Failure> => {
  const applied = rules.filter((rule) => rule.when(given))
  const vector = applied.reduce((current, rule) => rule.adapt?.(current) ?? current, given)
  const wire = recorder(vector)
  const logged: Array<string> = []
  if (isInit(vector.target)) wire.play()
  const sdk = await start(vector, wire, (text) => logged.push(text))
  try {
    await (isInit(vector.target) || vector.config.rpc?.oneTimeLoadBalancing === true
      ? wire.quiet()
      : undefined)
    if (!isInit(vector.target)) {
      wire.take()
      wire.play()
    }
    const outcome = isInit(vector.target)
      ? ({ status: "SUCCESS", data: undefined } as const)
      : await call(sdk, vector.target, vector.args.map(decode))
    if (outcome === undefined) return [`there is no ${vector.target} on this network yet`]
    const sent = wire.take().map((each) => line(each, vector))
    if (outcome.error?.cause._tag === "Unexpected") return [`a defect: ${messageOf(outcome)}`]
    const rule = applied.find((each) => each.outcome !== undefined)
    const wanted = (vector.corrected ?? vector.requests).map((each) => line(each, vector))
    const repeats = applied.some((each) => each.repeats === true)
    const wire_ = isReminder(given)
      ? []
      : difference(
          repeats ? [...new Set(wanted)] : wanted,
          repeats ? [...new Set(sent)] : sent,
          !isInit(vector.target)
        )
    const ended =
      rule?.outcome !== undefined
        ? rule.outcome(outcome)
          ? []
          : [`against the rule ${rule.name}; it ended with ${outcome.status} ${messageOf(outcome)}`]
        : isReminder(given) || isInit(vector.target)
          ? []
          : resultProblem(vector, outcome)
    const url = Reflect.get(vector, "rpcNodeUrl")
    const node =
      isInit(vector.target) && typeof url === "string" ? await call(sdk, "rpc.getRpcNodeUrl", []) : undefined
    const followed: Array<string> = []
    for (const followUp of vector.then ?? [])
      followed.push(...(await runThen(vector, followUp, sdk, wire, applied)))
    const unlogged = (vector.logged ?? []).filter(
      (text) => !logged.some((each) => each.startsWith(text.split(" Error:")[0] ?? text))
    )
    return [
      ...wire_,
      ...ended,
      ...followed,
      ...unlogged.map((text) => `not logged: ${text}`),
      ...(node === undefined || isReminder(given) || nodeUrlFits(node, String(url), vector)
        ? []
        : [`the node url is ${String(node.data)}, not ${String(url)}`])
    ]
  } finally {
    await sdk.destroy()
  }
}

/** Archive networks answer with the url of an archive node (quirk node-url-is-archive), so both of the lists are right. */
const nodeUrlFits = (outcome: Outcome, url: string, vector: CallVector): boolean => {
  const listed = vector.responses.flatMap(({ body }) =>
    Array.isArray(body) ? body.map((entry) => String(entry?.url).replace(/\/+$/, "")) : []
  )
  return outcome.data === url || listed.includes(String(outcome.data))
}

const build = (pointer: string, value: unknown): unknown =>
  pointer
    .split("/")
    .slice(1)
    .reduceRight<unknown>((inner, key) => (/^\d+$/.test(key) ? { [key]: inner } : { [key]: inner }), value)

const runProbe = async (vector: ProbeVector): Promise<Failure> => {
  const { network } = vector
  if (!Network.isNetwork(network)) return [`there is no network ${network}`]
  const info = Network.info(network)
  const urls = listUrls({ nodeListUrl: "https://rpc.tatum.io", info, network })
  const lists = difference(vector.list, urls, false)
  const family = await Effect.runPromise(loadFamily(info.family))
  const probe = family.probe?.(network, info)
  const suffix = vector.probe?.pathSuffix
  // where the recorded client has no probe, ours may have one: every EVM network has
  if (vector.probe === undefined || typeof suffix !== "string") return lists
  if (probe === undefined) return [...lists, "it has no probe"]
  const show = (verb: string, path: string, body: unknown) =>
    `${verb} ${path} ${JSON.stringify(canonical(body) ?? null)}`
  const asked = difference(
    [show(vector.probe.method, suffix, vector.probe.body)],
    [show(probe.verb, probe.path, probe.body)],
    true
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
  return [
    ...lists,
    ...asked,
    ...(read === example ? [] : [`it reads the height ${read} from ${height.pointer}, not ${example}`])
  ]
}

const runSelection = (vector: SelectionVector): Failure => {
  const index = fastest(vector.servers, vector.allowedBlocksBehind)
  return index === vector.index ? [] : [`it chooses ${index}, not ${vector.index}`]
}

/** Runs one vector. What is thrown is a failure too: init rejects on what it refuses. */
export const run = async (vector: Vector): Promise<Failure> => {
  try {
    return vector.kind === "call"
      ? await runCall(vector)
      : vector.kind === "probe"
        ? await runProbe(vector)
        : runSelection(vector)
  } catch (error) {
    return [`it was thrown: ${String(error)}`]
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
      console.log(`✗ ${vector.id}\n${problems.map((each) => `    ${each.slice(0, 600)}`).join("\n")}`)
  }
  if (failures > limit) console.log(`… and ${failures - limit} more`)
  const passed = vectors.length - failures
  for (const [name, group] of groups)
    console.log(`${name.padEnd(36)} ${group.passed} passed, ${group.failed} failed.`)
  console.log(`${passed} passed, ${failures} failed`)
  return { passed, failed: failures }
}
