/**
 * The provider's own routes for Tron.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import { Invalid } from "./Refusal.js"

/**
 * Accounts of Tron. They are recordings, since the sandbox runs no Tron node.
 *
 * @since 0.1.0
 * @category combinators
 */
export const group = HttpApiGroup.make("tron")
  .add(
    HttpApiEndpoint.get("account", "/tron/account/:address")
      .setPath(Schema.Struct({ address: Schema.String }))
      .addSuccess(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
  )
  .addError(Invalid)
