/**
 * The provider's own routes for Tron, which are recordings.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeInvalid } from "../api/Refusal.js"
import { group } from "../api/Tron.js"
import { makeAccount } from "../recorded/Tron.js"

const api = HttpApi.make("provider").add(group)

/** Whether a text is a base58 address of 34 characters that begins with T, or its hexadecimal form. */
const isAddress = (text: string): boolean => /^(T[1-9A-HJ-NP-Za-km-z]{33}|41[0-9a-fA-F]{40})$/.test(text)

/**
 * The routes about Tron.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<HttpApiGroup.ApiGroup<"provider", "tron">> = HttpApiBuilder.group(
  api,
  "tron",
  (handlers) =>
    handlers.handle("account", ({ path: { address } }) =>
      isAddress(address)
        ? Effect.succeed(makeAccount(address))
        : Effect.fail(
            makeInvalid("tron.address", `"${address}" is no address of Tron`, ["address must be base58, T…"])
          )
    )
)
