/**
 * Pages of lists. A cursor has the number of items before it and the newest block of the list at its creation, since
 * newer blocks would shift the items.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { type Invalid, makeInvalid } from "../../api/Refusal.js"

/**
 * A page of an answer.
 *
 * @since 0.1.0
 * @category models
 */
export interface Page<A> {
  readonly result: ReadonlyArray<A>
  readonly prevPage: string
  readonly nextPage: string
}

/**
 * A part of a list that starts after `from` items. `head` is the newest block of the list, if a cursor has one.
 *
 * @since 0.1.0
 * @category models
 */
export interface PagePart {
  readonly from: number
  readonly size: number
  readonly head: number | undefined
}

const makeCursor = (from: number, head: number): string => `at-${from}-${head}`

/**
 * The part of a list that a query asks for. Fails for an invalid cursor.
 *
 * @since 0.1.0
 * @category getters
 */
export const readPart = (query: {
  readonly pageSize: number
  readonly offset: number
  readonly cursor?: string | undefined
}): Effect.Effect<PagePart, Invalid> => {
  const { cursor, offset, pageSize: size } = query
  if (cursor === undefined) return Effect.succeed({ from: offset * size, size, head: undefined })
  const [, from, head] = /^at-(\d{1,15})-(\d{1,15})$/.exec(cursor) ?? []
  return from === undefined
    ? Effect.fail(
        makeInvalid("validation.failed", "Request validation failed.", [
          "cursor must be the prevPage or the nextPage of a page"
        ])
      )
    : Effect.succeed({ from: Number(from), size, head: Number(head) })
}

/**
 * A page of items. One more item than fits shows that there is a next page. `head` is the newest block of the list.
 *
 * @since 0.1.0
 * @category getters
 */
export const makePage = <A>(items: ReadonlyArray<A>, { from, size }: PagePart, head: number): Page<A> => ({
  result: items.slice(0, size),
  prevPage: from > 0 ? makeCursor(Math.max(0, from - size), head) : "",
  nextPage: items.length > size ? makeCursor(from + size, head) : ""
})

/**
 * A page of a complete list.
 *
 * @since 0.1.0
 * @category getters
 */
export const makePageOfAll = <A>(all: ReadonlyArray<A>, part: PagePart, head: number): Page<A> =>
  makePage(all.slice(part.from, part.from + part.size + 1), part, head)
