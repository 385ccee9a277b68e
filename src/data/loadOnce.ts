/** Loads a part of the program when it is first needed; a chunk that could not be fetched is asked for again by the next caller. */
export const loadOnce = <A>(load: () => Promise<A>): (() => Promise<A>) => {
  let loading: Promise<A> | undefined
  return () => {
    if (loading !== undefined) return loading
    const begun = load()
    loading = begun
    begun.catch(() => {
      loading = undefined
    })
    return begun
  }
}
