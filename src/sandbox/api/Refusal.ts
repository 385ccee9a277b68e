/**
 * The refusals of the provider.
 *
 * @since 0.1.0
 */
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Schema from "effect/Schema"

const bodyFields = <const Status extends number>(status: Status) => ({
  // A class encodes any value with its fields. The literal makes only one class fit, which sets the HTTP status.
  statusCode: Schema.Literal(status),
  errorCode: Schema.String,
  message: Schema.String,
  /** One line per invalid field. */
  data: Schema.optional(Schema.Array(Schema.String))
})

const makeBody = <const Status extends number>(
  status: Status,
  errorCode: string,
  message: string,
  data?: ReadonlyArray<string>
) => ({
  statusCode: status,
  errorCode,
  message,
  ...(data === undefined ? {} : { data })
})

/**
 * An invalid request (400).
 *
 * @since 0.1.0
 * @category errors
 */
export class Invalid extends Schema.Class<Invalid>("Invalid")(
  bodyFields(400),
  HttpApiSchema.annotations({ status: 400 })
) {}

/**
 * The requested thing does not exist (404).
 *
 * @since 0.1.0
 * @category errors
 */
export class Missing extends Schema.Class<Missing>("Missing")(
  bodyFields(404),
  HttpApiSchema.annotations({ status: 404 })
) {}

/**
 * The thing exists already (409).
 *
 * @since 0.1.0
 * @category errors
 */
export class Conflict extends Schema.Class<Conflict>("Conflict")(
  bodyFields(409),
  HttpApiSchema.annotations({ status: 409 })
) {}

/**
 * The nodes of a network did not carry out a request (503).
 *
 * @since 0.1.0
 * @category errors
 */
export class Unavailable extends Schema.Class<Unavailable>("Unavailable")(
  bodyFields(503),
  HttpApiSchema.annotations({ status: 503 })
) {}

/** Makes an `Invalid`; `data` has one line per invalid field. */
export const makeInvalid = (errorCode: string, message: string, data?: ReadonlyArray<string>): Invalid =>
  new Invalid(makeBody(400, errorCode, message, data))

/** Makes a `Missing`. */
export const makeMissing = (errorCode: string, message: string): Missing =>
  new Missing(makeBody(404, errorCode, message))

/** Makes an `Unavailable`. */
export const makeUnavailable = (message: string): Unavailable =>
  new Unavailable(makeBody(503, "node.unavailable", message))
