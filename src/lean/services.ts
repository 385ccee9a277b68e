/** The services of a fiber, by the keys of their tags. The name of the field is effect's. */
export class Services {
  readonly unsafeMap: ReadonlyMap<string, unknown>
  constructor(unsafeMap: Services["unsafeMap"]) {
    this.unsafeMap = unsafeMap
  }
  pipe(...steps: ReadonlyArray<(self: unknown) => unknown>): unknown {
    return pipeThrough(this, steps)
  }
}

/** What a tag tells: its key, and what stands for the service where nobody has provided it. */
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
