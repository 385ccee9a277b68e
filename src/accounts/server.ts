/**
 * The reference server of accounts over HTTP: `effect-chains/accounts/server`. It is a function from a request to a response, for any
 * server that has those (Node, Bun, Deno, workers).
 *
 * ```ts
 * const handle = makeSigningServer({ accounts: { treasury }, token, authorize: ({ kind }) => kind === "payment" || "payments only" })
 * ```
 *
 * @since 0.1.0
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { InvalidArgument } from "../data/SdkError.js"
import type { Account, SigningRequest } from "../signers/Signer.js"
import { encodeSignature, parseRequest, type RefusalCode } from "./contract.js"

export type { Account, KeyScheme, SigningRequest } from "../signers/Signer.js"
export type { RefusalCode } from "./contract.js"

/**
 * What a client asks a server to sign: the request, and the id of the account. What stands beside `bytes` is the word of the client; its
 * numbers are bigints, and its transaction is JSON.
 *
 * @since 0.1.0
 * @category models
 */
export type RemoteRequest = SigningRequest & { readonly account: string }

/**
 * A signing server. `accounts` are its accounts by their ids, and `token` is what clients send as the bearer token: at least 32
 * characters, or several of those while one is replaced. `authorize` says whether to sign: `true`, or the words of the refusal, which the
 * client sees; anything else is a refusal.
 *
 * @since 0.1.0
 * @category models
 */
export interface SigningServerOptions {
  readonly accounts: Readonly<Record<string, Account>>
  readonly token: string | ReadonlyArray<string>
  readonly authorize: (request: RemoteRequest) => true | string | Promise<true | string>
  /** The highest number of bytes in a body (default: 262,144). */
  readonly maxBodyBytes?: number
  /** Sees what `authorize` and accounts throw, which clients do not. */
  readonly onError?: (error: unknown) => void
}

const MIN_TOKEN_LENGTH = 32
const MAX_BODY_BYTES = 262_144

/** The statuses of refusals. */
const statuses: Readonly<Record<RefusalCode, number>> = {
  unauthorized: 401,
  "not-found": 404,
  "method-not-allowed": 405,
  "invalid-request": 400,
  "too-large": 413,
  refused: 403,
  failed: 502
}

const answer = (status: number, body: string): Response =>
  new Response(body, {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store" }
  })

const refuse = (code: RefusalCode, message: string): Response =>
  answer(statuses[code], JSON.stringify({ error: { code, message } }))

const hashText = (text: string): Uint8Array => sha256(new TextEncoder().encode(text))

/** Compares all bytes of both hashes, so that the time says nothing about the token. */
const isSameHash = (one: Uint8Array, other: Uint8Array): boolean =>
  one.reduce((difference, byte, at) => difference | (byte ^ (other[at] ?? 0)), 0) === 0

const makeTokenCheck = (token: SigningServerOptions["token"]): ((request: Request) => boolean) => {
  const tokens = typeof token === "string" ? [token] : token
  if (
    tokens.length === 0 ||
    tokens.some((each) => typeof each !== "string" || each.length < MIN_TOKEN_LENGTH)
  )
    throw new InvalidArgument({
      call: "makeSigningServer",
      reason: `token must have at least ${MIN_TOKEN_LENGTH} characters`
    })
  const hashes = tokens.map(hashText)
  return ({ headers }) => {
    const given = hashText(/^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? "")
    return hashes.reduce((isKnown, each) => isSameHash(each, given) || isKnown, false)
  }
}

/** The text of a body. Undefined if it has more bytes than `maxBytes`, of which no more are read. */
const readBody = async (request: Request, maxBytes: number): Promise<string | undefined> => {
  const decoder = new TextDecoder()
  let text = ""
  let size = 0
  const reader = request.body?.getReader()
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    size += part.value.byteLength
    if (size > maxBytes) {
      await reader?.cancel()
      return undefined
    }
    text += decoder.decode(part.value, { stream: true })
  }
  return text + decoder.decode()
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The id and the action of a path, wherever the server is mounted. */
const parsePath = (url: string) => {
  const [, id, action] = /\/v1\/accounts\/([^/]+)(\/sign)?$/.exec(new URL(url).pathname) ?? []
  try {
    return id === undefined ? undefined : { id: decodeURIComponent(id), isSigning: action !== undefined }
  } catch {
    return undefined
  }
}

/**
 * Makes a signing server: a handler of requests. It checks the token, reads the request, asks `authorize`, and signs. Throws
 * `InvalidArgument` if the token is too short.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeSigningServer = (
  options: SigningServerOptions
): ((request: Request) => Promise<Response>) => {
  const { accounts, authorize, maxBodyBytes = MAX_BODY_BYTES, onError = () => {} } = options
  const hasToken = makeTokenCheck(options.token)

  const sign = async (id: string, account: Account, request: Request): Promise<Response> => {
    const body = await readBody(request, maxBodyBytes)
    if (body === undefined) return refuse("too-large", `a body has at most ${maxBodyBytes} bytes`)
    const asked = parseRequest(parseJson(body))
    if (asked === undefined) return refuse("invalid-request", "the body is no request to sign")
    if (account.scheme === "secp256k1" && asked.bytes.length !== 32)
      return refuse("invalid-request", "the payload of a key on secp256k1 has 32 bytes")
    const isAllowed: unknown = await authorize({ ...asked, account: id })
    if (isAllowed !== true)
      return refuse("refused", typeof isAllowed === "string" ? isAllowed : "the server does not sign this")
    return answer(200, encodeSignature(await account.sign(asked)))
  }

  return async (request) => {
    if (!hasToken(request)) return refuse("unauthorized", "the token is missing or unknown")
    const path = parsePath(request.url)
    const account = path !== undefined && Object.hasOwn(accounts, path.id) ? accounts[path.id] : undefined
    if (path === undefined || account === undefined) return refuse("not-found", "there is no such account")
    if (request.method !== (path.isSigning ? "POST" : "GET"))
      return refuse("method-not-allowed", `${request.method} is not allowed here`)
    const { publicKey, scheme } = account
    if (!path.isSigning) return answer(200, JSON.stringify({ scheme, publicKey }))
    try {
      return await sign(path.id, account, request)
    } catch (error) {
      onError(error)
      return refuse("failed", "the server could not sign")
    }
  }
}
