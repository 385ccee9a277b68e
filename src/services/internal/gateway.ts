/** The gateway for services that are loaded: a chunk keeps all that its module exports, and this is all that they need. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Config } from "../../config/Config.js"
import type { Logger } from "../../config/Logger.js"
import type { Http } from "../../http/service.js"
import { Gateway, type GatewayService, make } from "../Gateway.js"

export { Gateway } from "../Gateway.js"

/** The gateway that a client was given, or one that is made of its parts. */
export const currentGateway: Effect.Effect<GatewayService, never, Config | Http | Logger> = Effect.flatMap(
  Effect.serviceOption(Gateway),
  Option.match({ onNone: () => make, onSome: (gateway) => Effect.succeed(gateway) })
)
