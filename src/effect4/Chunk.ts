/** Streams carry arrays, and chunks are no more what they are made of. */
export type Chunk<A> = ReadonlyArray<A>

export const unsafeFromArray = <A>(items: ReadonlyArray<A>): Chunk<A> => items
export const fromIterable = <A>(items: Iterable<A>): Chunk<A> => [...items]
export const toReadonlyArray = <A>(items: Chunk<A>): ReadonlyArray<A> => items
