/**
 * Names in the current data API.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import { ChainQuery, routePath } from "./Blockchains.js"
import { Invalid, Unavailable } from "./Refusal.js"

/**
 * A query for the address of a name.
 *
 * @since 0.1.0
 * @category schemas
 */
export const NameQuery = Schema.Struct({ ...ChainQuery.fields, name: Schema.String })

/**
 * The address of a name. If the name has none, it is empty and `resolved` is false.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ResolvedName = Schema.Struct({
  address: Schema.String,
  chain: Schema.String,
  name: Schema.String,
  resolved: Schema.Boolean
})

/**
 * Names.
 *
 * @since 0.1.0
 * @category combinators
 */
export const group = HttpApiGroup.make("names")
  .add(
    HttpApiEndpoint.get("name", routePath("name"))
      .setUrlParams(NameQuery)
      .addSuccess(Schema.Array(ResolvedName))
  )
  .addError(Invalid)
  .addError(Unavailable)
