/**
 * Links to the pages of a network's block explorer, beside what commands print.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { AnyClient } from "./Connection.js"

/**
 * The page of a transaction or an address; undefined where the network has no explorer, or that one no such page: a link is no result
 * that a command could fail for.
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
 * Rows with the links of their pages, which are absent where there are none.
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
