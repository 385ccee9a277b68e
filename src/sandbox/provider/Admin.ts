/**
 * The handlers of the sandbox's own routes.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { group, type Incident, type NetworkState, type NodeState, NotDone, NotFound } from "../api/Admin.js"
import type { SeenRequest } from "../api/FaultRule.js"
import { type Invalid, makeInvalid } from "../api/Refusal.js"
import { Faults } from "../Faults.js"
import { withRealClock } from "../Loopback.js"
import type { SandboxNetwork, SandboxNode } from "../Networks.js"
import type { SandboxError } from "../SandboxError.js"

/**
 * A node as the routes need it. `name` includes the network (`ethereum-mainnet/normal-1`).
 *
 * @since 0.1.0
 * @category models
 */
export type AdminNode = Omit<SandboxNode, "slow" | "fault">

/**
 * A running network as the routes need it. `fund` takes whole coins as a decimal string and yields a transaction's
 * hash.
 *
 * @since 0.1.0
 * @category models
 */
export interface AdminNetwork extends Omit<SandboxNetwork, "nodes" | "archive" | "urls"> {
  readonly nodes: ReadonlyArray<AdminNode>
  readonly archive: ReadonlyArray<AdminNode>
}

/**
 * What the routes need of the sandbox: the running networks, the start of a network by its id (or the running one), and
 * the incidents.
 *
 * @since 0.1.0
 * @category models
 */
export interface AdminDependencies {
  readonly networks: Effect.Effect<ReadonlyArray<AdminNetwork>>
  readonly start: (network: string) => Effect.Effect<AdminNetwork, SandboxError>
  readonly incidents: Effect.Effect<ReadonlyArray<Incident>>
}

/**
 * What the routes need of the sandbox, as a service.
 *
 * @since 0.1.0
 * @category services
 */
export class Admin extends Context.Tag("effect-chains/sandbox/Admin")<Admin, AdminDependencies>() {}

const toAdminError = ({ message, reason }: SandboxError): NotDone | Invalid =>
  reason === "options" ? makeInvalid("sandbox.options", message) : new NotDone({ reason, message })

const shortName = (name: string): string => name.replace(/^.*\//, "")

const readNodeState = (node: AdminNode): Effect.Effect<NodeState> =>
  Effect.map(Effect.all([node.state, node.pid, node.requests]), ([state, pid, requests]) => ({
    name: shortName(node.name),
    type: node.type,
    url: node.url,
    state,
    ...(pid === undefined ? {} : { pid }),
    requests
  }))

const readNetworkState = (network: AdminNetwork): Effect.Effect<NetworkState> =>
  Effect.gen(function* () {
    // A frozen node never answers, and the list must still show that it is frozen.
    const height = yield* withRealClock(Effect.option(Effect.timeout(network.height, "1 second")))
    return {
      network: network.id,
      recorded: network.recorded,
      ...(network.chainId === undefined ? {} : { chainId: network.chainId }),
      ...(Option.isNone(height) ? {} : { height: height.value }),
      nodes: yield* Effect.forEach([...network.nodes, ...network.archive], readNodeState)
    }
  })

const findNetwork = (id: string): Effect.Effect<AdminNetwork, NotFound, Admin> =>
  Effect.gen(function* () {
    const found = (yield* (yield* Admin).networks).find((network) => network.id === id)
    return (
      found ??
      (yield* new NotFound({
        what: "network",
        name: id,
        message: `The sandbox does not run "${id}": start it with POST /sandbox/networks/${id}`
      }))
    )
  })

const findNode = (network: AdminNetwork, name: string): Effect.Effect<AdminNode, NotFound> => {
  const all = [...network.nodes, ...network.archive]
  const found = all.find((node) => node.name === name || shortName(node.name) === name)
  return found === undefined
    ? new NotFound({
        what: "node",
        name,
        message: `${network.id} has no node "${name}". Its nodes are ${all.map((node) => shortName(node.name)).join(", ")}`
      })
    : Effect.succeed(found)
}

const toServerSentEvent = (seen: SeenRequest): string => `id: ${seen.id}\ndata: ${JSON.stringify(seen)}\n\n`

/** The interval in milliseconds of comments in a stream, without which proxies and browsers would close it. */
const HEARTBEAT_MS = 15_000

const api = HttpApi.make("provider").add(group)

/**
 * The routes under `/sandbox`. Events are server-sent: one message per request, with the JSON of the list as its data.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<
  HttpApiGroup.ApiGroup<"provider", "sandbox">,
  never,
  Admin | Faults
> = HttpApiBuilder.group(api, "sandbox", (handlers) =>
  handlers
    .handle("networks", () =>
      Effect.flatMap(Admin, ({ networks }) =>
        Effect.flatMap(networks, (all) => Effect.forEach(all, readNetworkState, { concurrency: "unbounded" }))
      )
    )
    .handle("start", ({ path }) =>
      Effect.flatMap(Admin, ({ start }) =>
        Effect.flatMap(Effect.mapError(start(path.network), toAdminError), readNetworkState)
      )
    )
    .handle("mine", ({ path, payload }) =>
      Effect.gen(function* () {
        const network = yield* findNetwork(path.network)
        yield* Effect.mapError(network.mine(payload.blocks), toAdminError)
        return yield* readNetworkState(network)
      })
    )
    .handle("fund", ({ path, payload }) =>
      Effect.gen(function* () {
        const network = yield* findNetwork(path.network)
        const hash = yield* Effect.mapError(network.fund(payload.address, payload.amount), toAdminError)
        return { hash }
      })
    )
    .handle("node", ({ path }) =>
      Effect.gen(function* () {
        const node = yield* findNode(yield* findNetwork(path.network), path.node)
        yield* Effect.mapError(node[path.action], toAdminError)
        return yield* readNodeState(node)
      })
    )
    .handle("incidents", () => Effect.flatMap(Admin, ({ incidents }) => incidents))
    .handle("faults", () => Effect.flatMap(Faults, ({ list }) => list))
    .handle("addFault", ({ payload }) => Effect.flatMap(Faults, ({ add }) => add(payload)))
    .handle("clearFaults", ({ urlParams }) =>
      Effect.flatMap(Faults, ({ clear }) => Effect.map(clear(urlParams), (removed) => ({ removed })))
    )
    .handle("removeFault", ({ path }) =>
      Effect.flatMap(Faults, ({ remove }) =>
        Effect.flatMap(remove(path.id), (removed) =>
          removed
            ? Effect.void
            : new NotFound({
                what: "fault",
                name: path.id,
                message: `There is no rule "${path.id}": GET /sandbox/faults lists all`
              })
        )
      )
    )
    .handle("requests", ({ urlParams }) => Effect.flatMap(Faults, ({ requests }) => requests(urlParams.last)))
    .handleRaw("events", ({ urlParams }) =>
      Effect.map(Faults, ({ events }) => {
        const beats = Stream.repeatValue(":\n\n").pipe(Stream.schedule(Schedule.spaced(HEARTBEAT_MS)))
        return HttpServerResponse.stream(
          // The first comment shows the client that it is connected.
          Stream.make(":\n\n").pipe(
            Stream.concat(Stream.merge(Stream.map(events(urlParams.last), toServerSentEvent), beats)),
            Stream.encodeText
          ),
          { contentType: "text/event-stream", headers: { "cache-control": "no-store" } }
        )
      })
    )
)
