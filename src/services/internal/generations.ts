/**
 * The two generations of the provider's data API: which of them is asked, and what a client has found out about each route.
 */
import * as Effect from "effect/Effect"
import type { ResolvedConfig } from "../../config/Config.js"
import { type DataRoute, type DataRouteName, dataRoutes } from "../../data/dataRoutes.js"
import { GatewayError } from "../../data/SdkError.js"

export type Generation = "v4" | "legacy"

/** What a client knows of a route: the generation that serves it, if that is settled, and whether the legacy one is gone. */
interface RouteKnowledge {
  servedBy?: Generation
  isLegacyGone?: true
}

/** By the client's configuration, which no other client has. */
const knowledgeByClient = new WeakMap<ResolvedConfig, Map<DataRouteName, RouteKnowledge>>()

const knowledgeOf = (config: ResolvedConfig, route: DataRouteName): RouteKnowledge => {
  const routes = knowledgeByClient.get(config) ?? new Map<DataRouteName, RouteKnowledge>()
  knowledgeByClient.set(config, routes)
  const known = routes.get(route) ?? {}
  routes.set(route, known)
  return known
}

/** Whether it is settled which generation of a route a client asks. */
export const isGenerationKnown = (config: ResolvedConfig, route: DataRouteName): boolean =>
  config.dataApi !== "auto" || knowledgeOf(config, route).servedBy !== undefined

/** Error codes about a route, and not about the query. */
const routeErrorCode = /^(not[._-]?found|404|(route|endpoint|path|url|api)[._-].*)$/i

/** A server's messages about a missing route. */
const routeMessage = /\bcannot (get|post)\b|\bHTTP 404\b|\b(no|unknown) (get|post|route|endpoint|path)\b/i

/** The provider's messages about a removed route. */
const retiredMessage =
  /\b(route|endpoint|api|path|operation)\b.*\b(deprecated|retired|removed|sunset|discontinued|gone|no longer)\b/i

/** What the provider cannot find on a route that it has. */
const subjectMessage =
  /\b(address|account|balance|block|chain|collection|contract|data|hash|metadata|network|nft|owner|token|transaction|tx|utxo|wallet)s?\b/i

/** Names of parameters that one generation of a route has, and the other one lacks. */
const parameterNamesOf = ({
  lacking = [],
  renamed = {}
}: DataRoute): { readonly [G in Generation]: ReadonlyArray<string> } => ({
  v4: Object.values(renamed),
  legacy: [...Object.keys(renamed), ...lacking]
})

/** Whether the provider refuses a query because it only knows, at the same path, the parameters of the other generation. */
const namesOtherParameters = (
  messages: ReadonlyArray<string>,
  route: DataRoute,
  generation: Generation
): boolean => {
  if (route.legacy !== route.v4) return false
  const names = parameterNamesOf(route)
  const [own, other] = generation === "v4" ? [names.v4, names.legacy] : [names.legacy, names.v4]
  // a message about a parameter begins with its name
  return messages.some((message) => {
    const [, unwanted, name = ""] = /^(property )?(\w+)/i.exec(message) ?? []
    return unwanted === undefined
      ? other.includes(name) && !own.includes(name)
      : own.includes(name) && !other.includes(name)
  })
}

/**
 * Whether an error means that the provider does not have a route, or not in the form of the request. An unknown address or token is not a
 * missing route.
 */
export const isRouteGone = (error: unknown, name: DataRouteName, generation: Generation): boolean => {
  if (!(error instanceof GatewayError) || error.kind !== "status") return false
  const { code = "", messages, status } = error
  if (status === 405 || status === 410) return true
  if (status === undefined || status < 400 || status >= 500) return false
  if (messages.some((message) => retiredMessage.test(message))) return true
  if (status === 400) return namesOtherParameters(messages, dataRoutes[name], generation)
  if (status !== 404) return false
  if (messages.some((message) => routeMessage.test(message))) return true
  if (code !== "")
    return routeErrorCode.test(code) && !messages.some((message) => subjectMessage.test(message))
  return !messages.some((message) => subjectMessage.test(message))
}

/** A question in the forms of both generations. */
export interface GenerationRequests<A, E> {
  /** Undefined as the answer, if it has the other generation's form. Undefined as a form, if v4 cannot be asked so: `lacking` is why. */
  readonly v4: Effect.Effect<A | undefined, E> | undefined
  /** Undefined if only v4 has the route. */
  readonly legacy: Effect.Effect<A, E> | undefined
  readonly failWithoutV4: Effect.Effect<never, E>
  /** Whether v4 does not serve the chain. */
  readonly isLegacyOnly: boolean
}

/**
 * Asks the generation of the configuration, or v4 and, if the provider does not have that route, the legacy API. A client remembers for
 * its life which generation is gone, and does not ask it again while the other one serves. If neither does, it only asks v4 from then on.
 */
export const askGenerations = <A, E>(
  config: ResolvedConfig,
  route: DataRouteName,
  { failWithoutV4, legacy, isLegacyOnly, v4 }: GenerationRequests<A, E>
): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const knowledge = knowledgeOf(config, route)
    const askV4 = Effect.flatMap(v4 ?? failWithoutV4, (answer) =>
      answer === undefined ? failWithoutV4 : Effect.succeed(answer)
    )
    if (config.dataApi === "v4" || legacy === undefined) return askV4
    if (config.dataApi === "legacy" || knowledge.servedBy === "legacy") return legacy

    /**
     * Asks the legacy API; `orElse` runs if its route is gone. `isV4Gone`: v4's route is gone, so the legacy API serves if it answers.
     */
    const askLegacy = (isV4Gone: boolean, orElse: () => Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.matchEffect(legacy, {
        onFailure: (error) => {
          const isGone = isRouteGone(error, route, "legacy")
          if (isGone) knowledge.isLegacyGone = true
          else if (isV4Gone) knowledge.servedBy = "legacy"
          return isGone ? orElse() : Effect.fail(error)
        },
        onSuccess: (answer) => {
          if (isV4Gone) knowledge.servedBy = "legacy"
          return Effect.succeed(answer)
        }
      })

    if (knowledge.isLegacyGone !== true) {
      if (v4 === undefined) return askLegacy(false, () => failWithoutV4)
      // if the legacy route is gone, v4 decides: it may serve the chain by now
      if (isLegacyOnly) return askLegacy(false, () => askV4)
    }
    const canFallBack = knowledge.servedBy === undefined && knowledge.isLegacyGone !== true
    return Effect.matchEffect(v4 ?? failWithoutV4, {
      onFailure: (error) =>
        canFallBack && isRouteGone(error, route, "v4")
          ? askLegacy(true, () => Effect.fail(error))
          : Effect.fail(error),
      onSuccess: (answer) => {
        if (answer === undefined) return canFallBack ? askLegacy(true, () => failWithoutV4) : failWithoutV4
        knowledge.servedBy = "v4"
        return Effect.succeed(answer)
      }
    })
  })
