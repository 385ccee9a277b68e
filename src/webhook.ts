/**
 * For receivers of webhooks, in ordinary async code: verifies that a request is the provider's, and decodes its body.
 * Works wherever WebCrypto does: Node, browsers, workers.
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
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
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
 * A request with a signature: `body` as it arrived (text or bytes; a parsed body is written as JSON again, which is
 * the same unless a parser changed it), `signature` as `node:http` or `Headers` have the header, and the `secret` of
 * `notification.enableHmac`.
 *
 * @since 0.1.0
 * @category conversions
 */
export type SignedCall = Webhook.SignedCall<string>

/**
 * Checks the provider's signature: HMAC with SHA-512 of the body, in base64. Resolves to false for anything that a
 * stranger may send. Rejects with `InvalidArgument` for mistakes of the receiver: an empty secret, or a body that was
 * not read.
 *
 * @since 0.1.0
 * @category conversions
 */
export const verify = async (call: SignedCall): Promise<boolean> => {
  const exit = await Effect.runPromiseExit(Webhook.verify(call))
  if (Exit.isSuccess(exit)) return exit.value
  throw Cause.squash(exit.cause)
}

/**
 * The signatures of {@link decode}.
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
 * Decodes the body of a webhook: text, bytes (16 MiB at most), or the value of a JSON parser. Addresses of EVM networks get the checksum
 * of EIP-55. It never throws. A body
 * that the provider does not document is an ERROR with a `GatewayError` of kind `malformed`, which names the fields.
 *
 * With a template, the body must match it, and has its type: your own ({@link template}), or the name of one of the
 * provider's. An invalid template is an `InvalidArgument`.
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
    // the type of the content follows from the template
    return Effect.runSync(Effect.match(read, { onFailure: failure, onSuccess: success })) as Result<
      never,
      GatewayError
    >
  } catch (defect) {
    return failure(new Unexpected({ defect }))
  }
}

/**
 * Returns the network of the `chain` of a webhook or subscription.
 *
 * @since 0.1.0
 * @category conversions
 */
export const networkOf = (chain: string): Result<Network, ChainNotSupported> =>
  Either.match(Webhook.networkOf(chain), { onLeft: failure, onRight: success })
