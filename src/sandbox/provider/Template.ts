/**
 * Templates of notifications in the store. `Webhooks` renders them.
 *
 * @since 0.1.0
 */
import { randomBytes } from "node:crypto"
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { type Missing, makeMissing, makeUnavailable } from "../api/Refusal.js"
import { group } from "../api/Template.js"
import { Store, type Transaction } from "../Store.js"
import { findDefaultTemplate, hasTemplate, OwnTemplate } from "../Templates.js"
import { findKey } from "./Subscription.js"

const Id = Schema.Struct({ id: Schema.String })
const Row = Schema.Struct({ id: Schema.String, body: Schema.parseJson(OwnTemplate) })

const makeMissingTemplate = (id: string): Either.Either<never, Missing> =>
  Either.left(makeMissing("subscription.template.not.exists", `There is no template ${id}`))

const withTemplate = (
  { all }: Transaction,
  key: string,
  id: string,
  body: () => void
): Either.Either<void, Missing> =>
  all(Id, "SELECT id FROM templates WHERE id = ? AND api_key = ?", id, key).length === 0
    ? makeMissingTemplate(id)
    : Either.right(body())

const setDefault = (transaction: Transaction, key: string, id: string): Either.Either<void, Missing> =>
  hasTemplate(transaction, key, id)
    ? Either.right(transaction.run("INSERT OR REPLACE INTO default_templates VALUES (?, ?)", key, id))
    : makeMissingTemplate(id)

/**
 * Deletes a template. Its subscriptions then have the key's default one, or the provider's if it was the default one.
 */
const deleteTemplate = ({ run }: Transaction, key: string, id: string): void => {
  run("DELETE FROM templates WHERE id = ?", id)
  run("DELETE FROM default_templates WHERE api_key = ? AND template = ?", key, id)
  run(
    "UPDATE subscription_options SET options = json_remove(options, '$.templateId') " +
      "WHERE json_extract(options, '$.templateId') = ?",
    id
  )
}

/**
 * The services that the templates need.
 *
 * @since 0.1.0
 * @category layers
 */
export type Requirements = Store

const api = HttpApi.make("provider").add(group)

/**
 * Templates of a key.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<
  HttpApiGroup.ApiGroup<"provider", "template">,
  never,
  Requirements
> = HttpApiBuilder.group(api, "template", (handlers) =>
  Effect.map(Store, (store) => {
    const transact = <A>(body: (transaction: Transaction) => A) =>
      Effect.mapError(store.transact(body), ({ message }) => makeUnavailable(message))
    return handlers
      .handle("create", ({ payload, request }) =>
        transact(({ run }) => {
          const id = randomBytes(12).toString("hex")
          run("INSERT INTO templates VALUES (?, ?, ?)", id, findKey(request), JSON.stringify(payload))
          return { id }
        })
      )
      .handle("list", ({ request, urlParams: { offset, pageSize } }) =>
        transact(({ all }) =>
          all(
            Row,
            "SELECT id, body FROM templates WHERE api_key = ? ORDER BY rowid LIMIT ? OFFSET ?",
            findKey(request),
            pageSize,
            offset
          ).map(({ body, id }) => ({ id, ...body }))
        )
      )
      .handle("getDefault", ({ request }) =>
        transact((transaction) => ({ templateId: findDefaultTemplate(transaction, findKey(request)) }))
      )
      .handle("setDefault", ({ payload: { templateId }, request }) =>
        Effect.flatten(transact((transaction) => setDefault(transaction, findKey(request), templateId)))
      )
      .handle("update", ({ path: { id }, payload, request }) =>
        Effect.flatten(
          transact((transaction) =>
            withTemplate(transaction, findKey(request), id, () =>
              transaction.run("UPDATE templates SET body = ? WHERE id = ?", JSON.stringify(payload), id)
            )
          )
        )
      )
      .handle("delete", ({ path: { id }, request }) =>
        Effect.flatten(
          transact((transaction) =>
            withTemplate(transaction, findKey(request), id, () =>
              deleteTemplate(transaction, findKey(request), id)
            )
          )
        )
      )
  })
)
