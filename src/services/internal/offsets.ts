import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { markLastPage } from "./lastItems.js"

/** The position in a list: `step` is unknown until the second page, and `last` are the ids of the page before. */
interface Position {
  readonly offset: number
  readonly step: number | undefined
  readonly last: ReadonlyArray<string>
}

/**
 * A paged list as a stream. The provider's reference does not say whether `offset` counts pages or items, so the second request finds
 * out: at offset 1, its page begins with the second item of the first page, or with a new one. Repeated items (by `id`, by default their
 * whole content) are left out, since lists grow while they are read. `limit` is the most items. `isLast` is false if another list
 * follows.
 */
export const streamByOffset = <A, E>(options: {
  readonly pageSize: number
  readonly limit?: number | undefined
  readonly isLast?: boolean
  readonly id?: (item: A) => string
  readonly fetch: (offset: number) => Effect.Effect<ReadonlyArray<A>, E>
}): Stream.Stream<A, E> => {
  const { fetch, id = (item) => JSON.stringify(item), isLast = true, limit, pageSize } = options
  const all = Stream.suspend(() => {
    const seen = new Set<string>()
    const start: Position = { offset: 0, step: undefined, last: [] }
    return Stream.paginateChunkEffect(start, (at) =>
      Effect.map(fetch(at.offset), (items) => {
        const ids = items.map(id)
        const fresh = items.filter((item) => !seen.has(id(item)))
        for (const each of ids) seen.add(each)
        const shared = ids.filter((each) => at.last.includes(each)).length
        const step = at.offset === 0 ? undefined : (at.step ?? (2 * shared >= pageSize ? pageSize : 1))
        // a page that is not full is the last one; a page without new items would be requested forever
        const hasMore = items.length >= pageSize && fresh.length > 0
        const next: Position = { offset: at.offset + (step ?? 1), step, last: ids }
        return [
          Chunk.fromIterable(hasMore || !isLast ? fresh : markLastPage(fresh)),
          hasMore ? Option.some(next) : Option.none()
        ]
      })
    )
  })
  return limit === undefined ? all : Stream.take(all, limit)
}

/** Streams of parts, one after the other. */
export const streamByParts = <P, A, E>(
  [first, ...more]: readonly [P, ...ReadonlyArray<P>],
  limit: number | undefined,
  stream: (part: P, isLast: boolean) => Stream.Stream<A, E>
): Stream.Stream<A, E> => {
  const all = more.reduce(
    (before, part, i) => Stream.concat(before, stream(part, i === more.length - 1)),
    stream(first, more.length === 0)
  )
  return limit === undefined ? all : Stream.take(all, limit)
}
