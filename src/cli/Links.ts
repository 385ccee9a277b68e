/**
 * Links to a network's block explorer in the output of commands.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { AnyClient } from "./Connection.js"

/**
 * The page of a transaction or an address; undefined if the network has no explorer or no such page. No command fails
 * for a missing link.
 *
 * @since 0.1.0
 * @category getters
 */
export const findLink = (
  { explorer }: Pick<AnyClient, "explorer">,
  page: "address" | "tx",
  value: string
): Effect.Effect<string | undefined> => Effect.orElseSucceed(explorer[page](value), () => undefined)

/**
 * Adds links to rows, if there are any.
 *
 * @since 0.1.0
 * @category combinators
 */
export const withLinks = <R extends object>(
  client: Pick<AnyClient, "explorer">,
  page: "address" | "tx",
  rows: ReadonlyArray<R>,
  value: (row: R) => string
): Effect.Effect<ReadonlyArray<R & { readonly explorer?: string }>> =>
  Effect.forEach(rows, (row) =>
    Effect.map(findLink(client, page, value(row)), (explorer) =>
      explorer === undefined ? row : { ...row, explorer }
    )
  )
