/** Callbacks of abort signals, with one listener per signal. */

/** The callbacks of each signal, and the one listener that calls them. */
const listenersBySignal = new WeakMap<
  AbortSignal,
  { readonly all: Set<() => void>; readonly listener: () => void }
>()

const getListeners = (signal: AbortSignal) => {
  const known = listenersBySignal.get(signal)
  if (known !== undefined) return known
  const all = new Set<() => void>()
  const listener = (): void => {
    listenersBySignal.delete(signal)
    for (const each of all) each()
  }
  const entry = { all, listener }
  listenersBySignal.set(signal, entry)
  signal.addEventListener("abort", listener, { once: true })
  return entry
}

/**
 * Calls `abort` when the signal is aborted. Call the returned function to stop listening. All callbacks of a signal
 * share one listener, since Node warns of more than ten; without callbacks there is no listener, since a signal may
 * outlive its calls.
 */
export const onAbort = (signal: AbortSignal, abort: () => void): (() => void) => {
  const { all, listener } = getListeners(signal)
  // a new function, so that a callback that is given twice runs twice
  const callback = (): void => abort()
  all.add(callback)
  return () => {
    if (!all.delete(callback) || all.size > 0) return
    listenersBySignal.delete(signal)
    signal.removeEventListener("abort", listener)
  }
}
