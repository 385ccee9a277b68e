/**
 * Access to the sandbox: for programs of this machine, and for pages that come from it. A page of another origin can neither
 * change anything nor read anything, also where its name is made to lead to this machine (DNS rebinding).
 *
 * @since 0.1.0
 */
import type { IncomingHttpHeaders } from "node:http"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { SandboxError } from "./SandboxError.js"

/**
 * Further access to the sandbox. `hosts` are names other than `localhost`, 127.0.0.0/8 and `[::1]` under which it may be
 * addressed, without a port: that of a container's host, for example. `origins` (`https://app.test`, or `null` for pages
 * without one) are those of other machines whose pages may read and change everything.
 *
 * @since 0.1.0
 * @category models
 */
export interface AccessOptions {
  readonly hosts?: ReadonlyArray<string>
  readonly origins?: ReadonlyArray<string>
}

/**
 * The parts of a request that decide whether it may come in. `path` is that of `normalizePath`.
 *
 * @since 0.1.0
 * @category models
 */
export interface AccessRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

/**
 * Why a request is turned away, in the provider's words.
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
 * Tells why a request is turned away; undefined where it may come in.
 *
 * @since 0.1.0
 * @category models
 */
export type AccessService = (visitor: AccessRequest) => Refusal | undefined

/** The name in a Host header or in the authority of a url, in its only spelling; undefined where it is none. */
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
 * The path and query of a request's target, in the only spelling in which they are looked at and passed on: without the
 * scheme and host of the absolute form, without `.` and `..`, doubled slashes and needless escapes. Undefined where there is
 * no path.
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

/** Routes that pages of any origin may embed and link to, since they only read: documentation and files. */
const isReadableAnywhere = (path: string): boolean =>
  /^(?:\/docs(?:\/|\?|$)|\/openapi\.json(?:\?|$)|(?:\/v[34])?\/ipfs\/)/.test(path)

const makeRefusal = (statusCode: number, errorCode: string, message: string): Refusal => ({
  statusCode,
  errorCode,
  message
})

const makeOptionsError = (message: string): SandboxError => new SandboxError({ reason: "options", message })

/**
 * The check of a sandbox. Fails for an entry that is no host or no origin (`options`).
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
            `"${host}" is no host: give a name without scheme and port, such as "host.docker.internal"`
          )
        : Effect.succeed(name)
    })
    const pages = yield* Effect.forEach(origins, (origin) =>
      origin === "null" || (URL.canParse(origin) && new URL(origin).origin === origin)
        ? Effect.succeed(origin)
        : makeOptionsError(
            `"${origin}" is no origin: give scheme, host and port alone, such as "https://app.test"`
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
    // An image, a script, a frame or a link of another site comes without an origin.
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
 * The check in force, for all servers that are opened in its scope: loopback alone, unless a sandbox allows more.
 *
 * @since 0.1.0
 * @category services
 */
export class Access extends Context.Reference<Access>()("effect-chains/sandbox/Access", {
  defaultValue: (): AccessService => makeCheck(new Set(), new Set())
}) {}

/**
 * Looks at a request as it came in: yields its path, or why it is turned away.
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
  // RFC 9112, 3.2.2: the host of the absolute form counts, whatever the header says. Here both have to be ours.
  const named = findAuthority(target)
  const also = named === undefined ? undefined : access({ path, headers: { ...headers, host: named } })
  return access({ path, headers }) ?? also ?? { path }
}
