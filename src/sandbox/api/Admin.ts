/**
 * The sandbox's own routes: its networks and nodes, the faults, and the requests that it received. This file needs
 * nothing of Node.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Schema from "effect/Schema"
import { FaultInput, FaultRefused, FaultRule, FaultState, FaultTarget, SeenRequest } from "./FaultRule.js"
import { Invalid } from "./Refusal.js"

/**
 * A node: its `name` without the network, its `url`, its process id while it runs, and the number of HTTP requests that
 * arrived.
 *
 * @since 0.1.0
 * @category schemas
 */
export const NodeState = Schema.Struct({
  name: Schema.String,
  type: Schema.Literal("normal", "archive"),
  url: Schema.String,
  state: Schema.Literal("running", "frozen", "stopped"),
  pid: Schema.optionalWith(Schema.Number, { exact: true }),
  requests: Schema.Number
}).annotations({ identifier: "NodeState" })

/**
 * A node; see the schema of the same name.
 *
 * @since 0.1.0
 * @category models
 */
export type NodeState = typeof NodeState.Type

/**
 * A running network. Its answers are `recorded` or real. `height` is the number of its newest block, and missing while
 * no node answers within a second.
 *
 * @since 0.1.0
 * @category schemas
 */
export const NetworkState = Schema.Struct({
  network: Schema.String,
  recorded: Schema.Boolean,
  chainId: Schema.optionalWith(Schema.Number, { exact: true }),
  height: Schema.optionalWith(Schema.Number, { exact: true }),
  nodes: Schema.Array(NodeState)
}).annotations({ identifier: "NetworkState" })

/**
 * A running network; see the schema of the same name.
 *
 * @since 0.1.0
 * @category models
 */
export type NetworkState = typeof NetworkState.Type

/**
 * The restart of a node that did not answer (`silent`) or whose process had `ended` by itself. The node was
 * `restarted`, or the restart `failed` and is tried again. `kept` says whether its chain keeps all blocks. `at` is in
 * milliseconds since 1970, `message` the line in the log.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Incident = Schema.Struct({
  id: Schema.Number,
  at: Schema.Number,
  network: Schema.String,
  node: Schema.String,
  what: Schema.Literal("silent", "ended"),
  outcome: Schema.Literal("restarted", "failed"),
  kept: Schema.Boolean,
  message: Schema.String
}).annotations({ identifier: "Incident" })

/**
 * The restart of a node; see the schema of the same name.
 *
 * @since 0.1.0
 * @category models
 */
export type Incident = typeof Incident.Type

/**
 * The network, node or rule does not exist. `message` says how to get one.
 *
 * @since 0.1.0
 * @category errors
 */
export class NotFound extends Schema.TaggedError<NotFound>("effect-chains/sandbox/NotThere")(
  "NotThere",
  { what: Schema.Literal("network", "node", "fault"), name: Schema.String, message: Schema.String },
  HttpApiSchema.annotations({ status: 404 })
) {}

/**
 * The sandbox could not carry out the request. `reason` is the SandboxError's.
 *
 * @since 0.1.0
 * @category errors
 */
export class NotDone extends Schema.TaggedError<NotDone>("effect-chains/sandbox/NotDone")(
  "NotDone",
  { reason: Schema.String, message: Schema.String },
  HttpApiSchema.annotations({ status: 503 })
) {}

const Name = Schema.Struct({ network: Schema.String })

const Amount = Schema.String.pipe(
  Schema.filter((text) => /^\d+(\.\d+)?$/.test(text) || 'an amount in coins, such as "1.5", is expected')
)

const Blocks = Schema.Number.pipe(
  Schema.filter((n) => (Number.isInteger(n) && n >= 1 && n <= 10_000) || "1 to 10000 blocks are expected")
)

const Last = Schema.optionalWith(
  Schema.NumberFromString.pipe(
    Schema.filter((n) => (Number.isInteger(n) && n >= 0) || "a whole number from 0 is expected")
  ),
  { exact: true }
)

/**
 * An action on a node. `heal` removes the rules for this node.
 *
 * @since 0.1.0
 * @category schemas
 */
export const NodeAction = Schema.Literal("stop", "restart", "freeze", "resume", "heal")

/**
 * The sandbox's own routes, all under `/sandbox`.
 *
 * @since 0.1.0
 * @category combinators
 */
export const group = HttpApiGroup.make("sandbox")
  .add(HttpApiEndpoint.get("networks", "/networks").addSuccess(Schema.Array(NetworkState)))
  .add(
    HttpApiEndpoint.post("start", "/networks/:network")
      .setPath(Name)
      .addSuccess(NetworkState)
      .addError(NotFound)
      .addError(NotDone)
  )
  .add(
    HttpApiEndpoint.post("mine", "/networks/:network/mine")
      .setPath(Name)
      .setPayload(Schema.Struct({ blocks: Blocks }))
      .addSuccess(NetworkState)
      .addError(NotFound)
      .addError(NotDone)
  )
  .add(
    HttpApiEndpoint.post("fund", "/networks/:network/fund")
      .setPath(Name)
      .setPayload(Schema.Struct({ address: Schema.NonEmptyString, amount: Amount }))
      .addSuccess(Schema.Struct({ hash: Schema.String }))
      .addError(NotFound)
      .addError(NotDone)
  )
  .add(
    HttpApiEndpoint.post("node", "/networks/:network/nodes/:node/:action")
      .setPath(Schema.Struct({ network: Schema.String, node: Schema.String, action: NodeAction }))
      .addSuccess(NodeState)
      .addError(NotFound)
      .addError(NotDone)
  )
  .add(HttpApiEndpoint.get("incidents", "/incidents").addSuccess(Schema.Array(Incident)))
  .add(HttpApiEndpoint.get("faults", "/faults").addSuccess(Schema.Array(FaultState)))
  .add(
    HttpApiEndpoint.post("addFault", "/faults")
      .setPayload(FaultInput)
      .addSuccess(FaultRule, { status: 201 })
      .addError(FaultRefused)
  )
  .add(
    HttpApiEndpoint.del("clearFaults", "/faults")
      .setUrlParams(
        Schema.Struct({
          ...FaultTarget.fields,
          socket: Schema.optionalWith(Schema.BooleanFromString, { exact: true })
        })
      )
      .addSuccess(Schema.Struct({ removed: Schema.Number }))
  )
  .add(
    HttpApiEndpoint.del("removeFault", "/faults/:id")
      .setPath(Schema.Struct({ id: Schema.String }))
      .addError(NotFound)
  )
  .add(
    HttpApiEndpoint.get("requests", "/requests")
      .setUrlParams(Schema.Struct({ last: Last }))
      .addSuccess(Schema.Array(SeenRequest))
  )
  .add(
    HttpApiEndpoint.get("events", "/events")
      .setUrlParams(Schema.Struct({ last: Last }))
      .addSuccess(HttpApiSchema.Text({ contentType: "text/event-stream" }))
  )
  .addError(Invalid)
  .prefix("/sandbox")
