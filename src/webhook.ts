/**
 * For receivers of webhooks in ordinary async code: whether a call is the provider's, and its content. Works wherever
 * WebCrypto does: Node, browsers, workers.
 *
 * ```ts
 * const body = await request.text()
 * const signature = request.headers.get(signatureHeader)
 * if (!(await verify({ body, signature, secret }))) return new Response(null, { status: 401 })
 * const call = decode(body)
 * if (call.status === "SUCCESS") console.log(call.data.subscriptionType)
 * ```
 *
 * `Webhook` of `effect-chains` has the same as Effects.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { failure, type Result, success } from "./data/CallResult.js"
import type { Network } from "./data/Network.js"
import {
  type ChainNotSupported,
  type GatewayError,
  type InvalidArgument,
  Unexpected
} from "./data/SdkError.js"
import * as Webhook from "./services/Webhook.js"

export { type Failure, isFailure, isSuccess, type Result, type Success } from "./data/CallResult.js"
export {
  type BuiltInTemplate,
  type ContractEvent,
  type ContractEvents,
  type Enriched,
  type EnrichedWithRawData,
  encode,
  type JsonTemplate,
  type Movement,
  type Payload,
  type PayloadOf,
  type RenderedJson,
  type RenderedText,
  signatureHeader,
  type Template,
  type TemplateId,
  type TemplateProperty,
  type TemplateValues,
  type TextTemplate,
  type TokenMetadata,
  template
} from "./services/Webhook.js"

/**
 * A call with a signature to check: the body as it arrived (text, or bytes in whatever holds bytes; a body that was parsed
 * already is written as JSON again, which is the same unless a parser has changed it), the value of the header as `node:http`
 * or `Headers` have it, and the secret of `notification.enableHmac`.
 *
 * @since 0.1.0
 * @category conversions
 */
export type SignedCall = Webhook.SignedCall<string>

/**
 * Whether a call carries the provider's signature: HMAC with SHA-512 of the body, in base64. Resolves to false for whatever a
 * stranger may send. Rejects with `InvalidArgument` on mistakes of the receiver itself: an empty secret, a body that has
 * still to be read.
 *
 * @since 0.1.0
 * @category conversions
 */
export const verify = async (call: SignedCall): Promise<boolean> => {
  const verified = await Effect.runPromise(Effect.either(Webhook.verify(call)))
  if (Either.isLeft(verified)) throw verified.left
  return verified.right
}

/**
 * Reads the body of a webhook, in {@link decode}.
 *
 * @since 0.1.0
 * @category models
 */
export interface Decode {
  (body: unknown): Result<Webhook.Payload, GatewayError>
  <const T extends Webhook.TemplateId | Webhook.Template>(
    body: unknown,
    template: T
  ): Result<Webhook.PayloadOf<T>, GatewayError | InvalidArgument>
}

/**
 * Reads the body of a webhook: text, bytes (16 MiB at most), or the value of a JSON parser. It never throws: a body that the
 * provider's documentation does not promise is an ERROR with a `GatewayError` of kind `malformed`, which names the fields.
 *
 * With a template, the body has to be of it, and its content is typed by it: by one of your own as you declared it
 * ({@link template}), or by the name of one of the provider's. A template that makes no sense is an `InvalidArgument`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const decode: Decode = (
  body: unknown,
  ...templates: ReadonlyArray<Webhook.TemplateId | Webhook.Template>
): Result<never, GatewayError> => {
  try {
    const [declared] = templates
    const read = declared === undefined ? Webhook.decode(body) : Webhook.decode(body, declared)
    // what is read is what the template says, which the compiler cannot follow
    return Effect.runSync(Effect.match(read, { onFailure: failure, onSuccess: success })) as Result<
      never,
      GatewayError
    >
  } catch (defect) {
    return failure(new Unexpected({ defect }))
  }
}

/**
 * The network of a webhook's `chain`, or of a subscription's.
 *
 * @since 0.1.0
 * @category conversions
 */
export const networkOf = (chain: string): Result<Network, ChainNotSupported> =>
  Either.match(Webhook.networkOf(chain), { onLeft: failure, onRight: success })
