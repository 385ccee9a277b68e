/**
 * The urls of a chain's routes. The provider serves all routes of a chain at one url, some with a prefix of its own. Your own nodes serve
 * them where the chain's programs do: these may be several, on several ports.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { ResolvedConfig, ResolvedNode, ServerUrls } from "../config/Config.js"
import { makeHeaders } from "../config/headers.js"
import { isProviderUrl } from "../config/resolveConfig.js"
import type { ConfigIssue } from "../data/SdkError.js"
import { withoutTail } from "../data/tail.js"
import {
  type HttpFailure,
  type HttpRequest,
  type HttpResponse,
  type HttpService,
  monotonic
} from "../http/service.js"
import { joinUrl } from "../wire/route.js"

/**
 * A server of a node, which may have a url of its own.
 *
 * @since 0.1.0
 * @category models
 */
export interface ServerLayout {
  /** The paths that the server serves. The path of JSON-RPC is empty. */
  readonly routes: RegExp
  /** Where the server is under the node's url if it has no url of its own. Default: at the node's url. */
  readonly path?: string
  /** An ending of the server's own url that is removed, since the routes start with it. */
  readonly tail?: string
}

/**
 * The urls of a family's routes. A route that no server serves is at the node's url.
 *
 * @since 0.1.0
 * @category models
 */
export interface Layout {
  /** The servers of a node, by the options that name their urls. */
  readonly servers?: { readonly [K in keyof ServerUrls]?: ServerLayout }
  /** The prefix that the provider puts before these routes. */
  readonly provider?: { readonly routes: RegExp; readonly prefix: string }
  /** An ending of the node's url that is removed, since the routes start with it. */
  readonly tail?: string
}

/**
 * The url and headers of a call.
 *
 * @since 0.1.0
 * @category models
 */
export interface RequestTarget {
  readonly url: string
  /** Adds a slash to the end of the server's url from now on. */
  readonly addSlash?: () => void
  readonly headers: {
    readonly GET: Readonly<Record<string, string>>
    readonly POST: Readonly<Record<string, string>>
  }
}

/** The url with a slash at the end of its path; undefined if it has one. */
const withSlash = (url: string): string | undefined => {
  const to = new URL(url)
  if (to.pathname.endsWith("/")) return undefined
  to.pathname += "/"
  return to.href
}

/** The target of a redirect that only adds a slash: same server, same query. */
const findSlashRedirect = (url: string, { isHidden, location }: HttpFailure): string | undefined => {
  const to = withSlash(url)
  if (isHidden === true || location === undefined) return isHidden && to
  return URL.canParse(location, url) && new URL(location, url).href === to ? to : undefined
}

const isSuccess = ({ status }: HttpResponse): boolean => status >= 200 && status < 300

/**
 * Sends a request to a node. It follows a redirect that only adds a slash to the path, and remembers it for the server's url. Browsers hide
 * the target of a redirect: there it tries the slash, and accepts an answer with a status of 2xx.
 *
 * @since 0.1.0
 * @category operations
 */
export const sendTo = (
  http: HttpService,
  target: RequestTarget,
  request: HttpRequest
): Effect.Effect<HttpResponse, HttpFailure> =>
  Effect.clockWith((clock) => {
    const start = monotonic(clock)
    return Effect.catchAll(http.send(request), (failure) => {
      const url = failure.kind === "redirect" ? findSlashRedirect(request.url, failure) : undefined
      if (url === undefined) return Effect.fail(failure)
      const timeout = Math.max(1, Math.ceil(request.timeout - (monotonic(clock) - start)))
      return Effect.flatMap(http.send({ ...request, url, timeout }), (response) => {
        if (failure.isHidden === true && !isSuccess(response)) return Effect.fail(failure)
        target.addSlash?.()
        return Effect.succeed(response)
      })
    })
  })

/** Removes a path from the end of a url, and keeps the query; undefined if the url does not end with the path. */
const withoutPath = (url: string, path: string): string | undefined => {
  const at = url.indexOf("?")
  const [whole, query] = at === -1 ? [url, ""] : [url.slice(0, at), url.slice(at)]
  const base = withoutTail(whole, "/")
  // compare with the path only: a host name may end like it
  return new URL(base).pathname.endsWith(path)
    ? `${withoutTail(base.slice(0, -path.length), "/")}${query}`
    : undefined
}

/**
 * Makes the function that finds the url and headers for a path.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeTargets = (
  config: ResolvedConfig,
  node: ResolvedNode,
  { provider, servers = {}, tail: ending }: Layout = {}
): ((path: string) => RequestTarget) => {
  const prefixAt = (url: string): string => (isProviderUrl(config, url) ? (provider?.prefix ?? "") : "")
  const isOwn = !isProviderUrl(config, node.url)
  const all = Object.entries(servers)
  const headersAt = (url: string, own: Readonly<Record<string, string>>): RequestTarget["headers"] => {
    const headersFor = (body: boolean) => ({
      ...makeHeaders(config, url, { body, sendApiKey: node.sendApiKey }),
      ...own
    })
    return { GET: headersFor(false), POST: headersFor(true) }
  }
  let root = ending === undefined ? undefined : withoutPath(node.url, ending)
  for (const [, { path }] of all) if (path !== undefined) root ??= withoutPath(node.url, path)
  const main = {
    url: root ?? node.url,
    headers: headersAt(node.url, node.headers),
    prefix: prefixAt(node.url)
  }
  const serverTargets = all.map(([name, { path, routes, tail }]) => {
    const server = node.servers?.[name]
    if (server !== undefined) {
      const { headers } = server
      const url = (tail === undefined ? undefined : withoutPath(server.url, tail)) ?? server.url
      return { routes, url, headers: headersAt(url, headers), prefix: prefixAt(url) }
    }
    // the provider answers JSON-RPC at the url of its list, unchanged
    const url = isOwn && path !== undefined ? joinUrl(main.url, path) : routes.test("") ? node.url : main.url
    return { ...main, routes, url }
  })
  const moved = new Map<string, string | undefined>()
  return (path) => {
    const { headers, prefix, url } = serverTargets.find(({ routes }) => routes.test(path)) ?? main
    if (path === "")
      return { url: moved.get(url) ?? url, headers, addSlash: () => void moved.set(url, withSlash(url)) }
    return { url: joinUrl(url, provider?.routes.test(path) === true ? `${prefix}${path}` : path), headers }
  }
}

/**
 * Removes the provider's prefix or a server's path from a request path, for a node that serves all routes at one url.
 *
 * @since 0.1.0
 * @category getters
 */
export const routeAt = ({ provider, servers = {} }: Layout, path: string): string => {
  if (provider !== undefined && path.startsWith(provider.prefix)) {
    const route = path.slice(provider.prefix.length)
    if (provider.routes.test(route)) return route
  }
  for (const { path: base } of Object.values(servers))
    if (base !== undefined && `${path}/`.startsWith(`${base}/`)) return path.slice(base.length) || "/"
  return path
}

/**
 * The issues of a configuration whose nodes name servers that nodes of the network do not have.
 *
 * @since 0.1.0
 * @category getters
 */
export const findUnknownServers = (
  { network, nodes = [] }: Pick<ResolvedConfig, "network" | "nodes">,
  { servers = {} }: Layout = {}
): ReadonlyArray<ConfigIssue> => {
  const known = Object.keys(servers)
  return nodes.flatMap((node, i) =>
    Object.keys(node.servers ?? {})
      .filter((name) => !known.includes(name))
      .map((name) => ({
        path: `rpc.nodes[${i}].${name}`,
        message: `names a server that nodes of ${network} do not have: ${known.length === 0 ? "everything is at their url" : `beside url they have ${known.join(", ")}`}`
      }))
  )
}
