/**
 * Templates of notifications, which decide the content of webhook calls.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import { OwnTemplate } from "../Templates.js"
import { Invalid, Missing, Unavailable } from "./Refusal.js"
import { pageFields } from "./Subscription.js"

const Id = Schema.Struct({ id: Schema.String })
const Default = Schema.Struct({ templateId: Schema.String })

/**
 * Templates. Like subscriptions, they belong to the request's API key.
 *
 * @since 0.1.0
 * @category combinators
 */
export const group = HttpApiGroup.make("template")
  .add(HttpApiEndpoint.post("create", "/subscription/template").setPayload(OwnTemplate).addSuccess(Id))
  .add(
    HttpApiEndpoint.get("list", "/subscription/template")
      .setUrlParams(Schema.Struct({ type: Schema.optional(Schema.String), ...pageFields }))
      .addSuccess(Schema.Array(Schema.extend(OwnTemplate, Id)))
  )
  .add(HttpApiEndpoint.get("getDefault", "/subscription/template/default").addSuccess(Default))
  .add(HttpApiEndpoint.put("setDefault", "/subscription/template/default").setPayload(Default))
  .add(HttpApiEndpoint.put("update", "/subscription/template/:id").setPath(Id).setPayload(OwnTemplate))
  .add(HttpApiEndpoint.del("delete", "/subscription/template/:id").setPath(Id))
  .addError(Invalid)
  .addError(Missing)
  .addError(Unavailable)
