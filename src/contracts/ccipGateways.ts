/** Requests to the gateways of contracts (EIP-3668). The author of a contract chooses them, so they are not trusted. */
import * as Effect from "effect/Effect"
import { GatewayError, reasonOf } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import { type HttpRequest, type HttpResponse, makeFetch } from "../http/service.js"
import type { OffchainRequest } from "./Types.js"

type HexString = `0x${string}`

/** A list of gateways may have no end, and neither may their answers. */
const MAX_GATEWAYS = 5
const TIMEOUT_MS = 10_000
const MAX_BYTES = 1_048_576

/** The most characters of a gateway's message in an error. */
const MAX_REASON_LENGTH = 500

/** Requests carry no cookie, no header of the client and no referrer: a gateway only learns the contract's request. */
const send = (request: HttpRequest) =>
  makeFetch((url, init) =>
    globalThis.fetch(url, { ...init, credentials: "omit", referrerPolicy: "no-referrer" })
  ).send(request)

type GatewayFailure = ConstructorParameters<typeof GatewayError>[0]

const isHex = (value: unknown): value is HexString =>
  typeof value === "string" && /^0x(?:[\da-f]{2})*$/i.test(value)

/** Whether nobody on the way can read or change the request. On this machine that does not need https. */
const isSecureUrl = (url: string, isLocal: boolean): boolean => {
  if (!URL.canParse(url)) return false
  const { hostname, protocol } = new URL(url)
  return (
    protocol === "https:" ||
    (isLocal && protocol === "http:" && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname))
  )
}

const toHttpRequest = ({ data, sender }: OffchainRequest, template: string): HttpRequest => {
  const url = template.replaceAll("{sender}", sender).replaceAll("{data}", data)
  const limits = { url, timeout: TIMEOUT_MS, maxBytes: MAX_BYTES }
  return template.includes("{data}")
    ? { ...limits, method: "GET", headers: {} }
    : {
        ...limits,
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ data, sender })
      }
}

const parseData = (text: string): unknown => {
  try {
    const answer: unknown = JSON.parse(text)
    return isRecord(answer) ? answer.data : undefined
  } catch {
    return undefined
  }
}

const readAnswer = ({ status, text }: HttpResponse): HexString | Omit<GatewayFailure, "call"> => {
  if (status < 200 || status > 299)
    return { kind: "status", status, messages: [`HTTP ${status} ${text.slice(0, MAX_REASON_LENGTH)}`] }
  const data = parseData(text)
  return isHex(data)
    ? data
    : { kind: "malformed", status, messages: ["the answer is no JSON with hexadecimal digits as its data"] }
}

const askGateway = (
  request: OffchainRequest,
  template: string,
  isLocal: boolean
): Effect.Effect<HexString, GatewayFailure> => {
  const httpRequest = toHttpRequest(request, template)
  // only the origin, since the rest contains the request
  const origin = URL.canParse(httpRequest.url) ? new URL(httpRequest.url).origin : "(not a url)"
  const failWith = ({ messages, ...fields }: Omit<GatewayFailure, "call">) =>
    Effect.fail<GatewayFailure>({
      ...fields,
      call: `${httpRequest.method} ${origin}`,
      messages: messages.map((message) => `${origin}: ${message}`)
    })
  return isSecureUrl(httpRequest.url, isLocal)
    ? Effect.matchEffect(send(httpRequest), {
        onFailure: ({ kind, reason }) => failWith({ kind, messages: [reason] }),
        onSuccess: (response) => {
          const answer = readAnswer(response)
          return typeof answer === "string" ? Effect.succeed(answer) : failWith(answer)
        }
      })
    : failWith({ kind: "malformed", messages: ["this is no https url, and is not asked"] })
}

/** A gateway that refuses the question speaks for all of them. */
const isRefusal = ({ status = 0 }: GatewayFailure): boolean => status >= 400 && status < 500

/** The answer of the first gateway that has one. */
const askInOrder = (
  request: OffchainRequest,
  [url, ...others]: ReadonlyArray<string>,
  isLocal: boolean,
  earlierMessages: ReadonlyArray<string> = []
): Effect.Effect<HexString, GatewayError> =>
  url === undefined
    ? Effect.fail(
        new GatewayError({
          call: request.sender,
          kind: "malformed",
          messages: [`${request.sender} refers to gateways, and names none`]
        })
      )
    : Effect.catchAll(askGateway(request, url, isLocal), (failure) => {
        const messages = [...earlierMessages, ...failure.messages]
        return isRefusal(failure) || others.length === 0
          ? Effect.fail(new GatewayError({ ...failure, messages }))
          : askInOrder(request, others, isLocal, messages)
      })

export const askGateways = (
  request: OffchainRequest,
  isLocal: boolean
): Effect.Effect<HexString, GatewayError> => askInOrder(request, request.urls.slice(0, MAX_GATEWAYS), isLocal)

/** Checks the answer of the program's own function. */
export const askCallback = (
  ask: (request: OffchainRequest) => Effect.Effect<string, unknown>,
  request: OffchainRequest
): Effect.Effect<HexString, GatewayError> => {
  const failWith = (kind: GatewayFailure["kind"], message: string) =>
    Effect.fail(new GatewayError({ call: "ccipRead", kind, messages: [`ccipRead: ${message}`] }))
  return Effect.matchEffect(
    Effect.suspend(() => ask(request)),
    {
      onFailure: (error) => failWith("network", reasonOf(error)),
      onSuccess: (answer) =>
        isHex(answer) ? Effect.succeed(answer) : failWith("malformed", "the answer is no hexadecimal digits")
    }
  )
}
