/**
 * Access to the sandbox. Programs of this machine may use it, and pages that this machine serves. A page of another
 * origin can neither read nor change anything, even when its host name resolves to this machine (DNS rebinding).
 *
 * @since 0.1.0
 */
import type { IncomingHttpHeaders } from "node:http"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { SandboxError } from "./SandboxError.js"

/**
 * Who else may use the sandbox. `hosts` are the names, without a port, under which requests may address it, such as the
 * name of a container's host. `localhost`, 127.0.0.0/8 and `[::1]` are always allowed. `origins` are other machines'
 * origins (`https://app.test`, or `null` for pages without one) whose pages may read and change everything.
 *
 * @since 0.1.0
 * @category models
 */
export interface AccessOptions {
  readonly hosts?: ReadonlyArray<string>
  readonly origins?: ReadonlyArray<string>
}

/**
 * The parts of a request that the check reads. `path` is the output of `normalizePath`.
 *
 * @since 0.1.0
 * @category models
 */
export interface AccessRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

/**
 * The reason for a refusal, in the provider's format.
 *
 * @since 0.1.0
 * @category models
 */
export interface Refusal {
  readonly statusCode: number
  readonly errorCode: string
  readonly message: string
}

/**
 * Checks a request. Yields the reason for a refusal, or undefined for a request that is allowed.
 *
 * @since 0.1.0
 * @category models
 */
export type AccessService = (visitor: AccessRequest) => Refusal | undefined

/** The normalized name in a Host header or in a url's authority; undefined for an invalid one. */
const parseHostName = (host: string): string | undefined =>
  /^[^\s@/\\?#]+$/.test(host) && URL.canParse(`http://${host}`)
    ? new URL(`http://${host}`).hostname
    : undefined

/**
 * Whether a name, with or without a port, is one of this machine: `localhost`, 127.0.0.0/8 in any spelling, or `[::1]`.
 *
 * @since 0.1.0
 * @category operations
 */
export const isLoopback = (host: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(parseHostName(host) ?? "")

/** Characters that mean the same whether they are escaped or not (RFC 3986, 2.3). */
const unreserved = /^[A-Za-z0-9._~-]$/

/**
 * The normalized path and query of a request's target: without the scheme and host of the absolute form, without `.`
 * and `..`, doubled slashes and needless escapes. Undefined where there is no path. The check and the handlers see this
 * form only.
 *
 * @since 0.1.0
 * @category getters
 */
export const normalizePath = (target: string): string | undefined => {
  const text = target.startsWith("/")
    ? `http://127.0.0.1${target}`
    : target === "*"
      ? "http://127.0.0.1/"
      : target
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const { pathname, search } = new URL(text)
  const plain = pathname.replaceAll(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
    return unreserved.test(character) ? character : escaped
  })
  return plain.replaceAll(/\/{2,}/g, "/") + search
}

/** The host that a target in the absolute form names, unchecked. */
const findAuthority = (target: string): string | undefined => /^https?:\/\/([^/?#]*)/i.exec(target)?.[1]

/** Routes that only read, documentation and files. Pages of any origin may embed them and link to them. */
const isReadableAnywhere = (path: string): boolean =>
  /^(?:\/docs(?:\/|\?|$)|\/openapi\.json(?:\?|$)|(?:\/v[34])?\/ipfs\/)/.test(path)

const makeRefusal = (statusCode: number, errorCode: string, message: string): Refusal => ({
  statusCode,
  errorCode,
  message
})

const makeOptionsError = (message: string): SandboxError => new SandboxError({ reason: "options", message })

/**
 * Makes the check of a sandbox. Fails for an invalid host or origin (`options`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({
  hosts = [],
  origins = []
}: AccessOptions = {}): Effect.Effect<AccessService, SandboxError> =>
  Effect.gen(function* () {
    const names = yield* Effect.forEach(hosts, (host) => {
      const name = parseHostName(host)
      return name === undefined || /:\d+$/.test(host)
        ? makeOptionsError(
            `"${host}" is not a host: give a name without scheme and port, such as "host.docker.internal"`
          )
        : Effect.succeed(name)
    })
    const pages = yield* Effect.forEach(origins, (origin) =>
      origin === "null" || (URL.canParse(origin) && new URL(origin).origin === origin)
        ? Effect.succeed(origin)
        : makeOptionsError(
            `"${origin}" is not an origin: give only scheme, host and port, such as "https://app.test"`
          )
    )
    return makeCheck(new Set(names), new Set(pages))
  })

const makeCheck =
  (hosts: ReadonlySet<string>, origins: ReadonlySet<string>): AccessService =>
  ({ headers, path }) => {
    const isOurs = (host: string): boolean => isLoopback(host) || hosts.has(parseHostName(host) ?? "")
    const { host, origin } = headers
    if (host !== undefined && !isOurs(host))
      return makeRefusal(
        403,
        "sandbox.host",
        `The sandbox is not to be addressed as "${host}": use 127.0.0.1, or allow the name with the option "hosts"`
      )
    const isCrossSite = headers["sec-fetch-site"] === "cross-site"
    // Whether the request comes from another site's page. For an image, a script, a frame or a link, browsers send no
    // origin.
    const isForeign =
      origin === undefined
        ? isCrossSite && !isReadableAnywhere(path)
        : !origins.has(origin) &&
          !(/^https?:\/\//.test(origin) && isLoopback(origin.replace(/^https?:\/\//, "")))
    return isForeign
      ? makeRefusal(
          403,
          "sandbox.origin",
          `Pages of ${origin ?? "other sites"} may not use the sandbox, which serves this machine: allow them with the option "origins"`
        )
      : undefined
  }

/**
 * The check for all servers that are opened in its scope. By default it allows loopback alone.
 *
 * @since 0.1.0
 * @category services
 */
export class Access extends Context.Reference<Access>()("effect-chains/sandbox/Access", {
  defaultValue: (): AccessService => makeCheck(new Set(), new Set())
}) {}

/**
 * Checks a request as it came in. Yields its path, or the reason for a refusal.
 *
 * @since 0.1.0
 * @category operations
 */
export const checkAccess = (
  access: AccessService,
  target: string,
  headers: IncomingHttpHeaders
): { readonly path: string } | Refusal => {
  const path = normalizePath(target)
  if (path === undefined)
    return makeRefusal(
      400,
      "validation.failed",
      "The target of the request is neither a path nor an http url"
    )
  // RFC 9112, 3.2.2: the host of the absolute form counts, whatever the header says. Here both have to be allowed.
  const named = findAuthority(target)
  const also = named === undefined ? undefined : access({ path, headers: { ...headers, host: named } })
  return access({ path, headers }) ?? also ?? { path }
}
