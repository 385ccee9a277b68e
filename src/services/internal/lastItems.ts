/** Last items of lists that are streamed by pages, where the page has told that: nothing comes after them. */
export const lastItems = new WeakSet<object>()

/** Says that a page is the last one. */
export const markLastPage = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => {
  if (items.length > 0) lastItems.add(Object(items.at(-1)))
  return items
}
