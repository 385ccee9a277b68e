/** The calls that wait for a signal, and the one listener that all of them share. */
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
 * Runs `abort` when the signal is aborted, until the function that it returns is called. However many wait for a signal, it
 * has one listener, and none when nobody waits: Node warns of more than ten, and a signal may outlive its calls by far.
 */
export const onAbort = (signal: AbortSignal, abort: () => void): (() => void) => {
  const { all, listener } = getListeners(signal)
  // a function of its own, so that one that is given twice is run twice
  const callback = (): void => abort()
  all.add(callback)
  return () => {
    if (!all.delete(callback) || all.size > 0) return
    listenersBySignal.delete(signal)
    signal.removeEventListener("abort", listener)
  }
}
