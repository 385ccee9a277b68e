/** The services of a fiber, by the keys of their tags. `unsafeMap` is Effect's name. */
export class Services {
  readonly unsafeMap: ReadonlyMap<string, unknown>
  constructor(unsafeMap: Services["unsafeMap"]) {
    this.unsafeMap = unsafeMap
  }
  pipe(...steps: ReadonlyArray<(self: unknown) => unknown>): unknown {
    return pipeThrough(this, steps)
  }
}

/** A tag: its key, and the default of its service. */
export interface AnyTag {
  readonly key: string
  readonly defaultValue?: () => unknown
}

export const pipeThrough = (self: unknown, steps: ReadonlyArray<(self: unknown) => unknown>): unknown =>
  steps.reduce((value, step) => step(value), self)

export const getService = ({ unsafeMap }: Services, { defaultValue, key }: AnyTag): unknown => {
  if (unsafeMap.has(key)) return unsafeMap.get(key)
  if (defaultValue === undefined) throw new Error(`Service not found: ${key}`)
  return defaultValue()
}

export const mergeServices = (self: Services, that: Services): Services =>
  new Services(new Map([...self.unsafeMap, ...that.unsafeMap]))

export const addService = (self: Services, { key }: AnyTag, service: unknown): Services =>
  new Services(new Map(self.unsafeMap).set(key, service))
