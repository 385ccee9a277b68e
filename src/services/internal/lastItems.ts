/** Marks the last items of paged streams, if the page says so: nothing follows them. */
export const lastItems = new WeakSet<object>()

/** Marks a page as the last one. */
export const markLastPage = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => {
  if (items.length > 0) lastItems.add(Object(items.at(-1)))
  return items
}
