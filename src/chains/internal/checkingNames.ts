import { findNearest } from "../../data/nearest.js"

/**
 * An encoder of one object, of which every field goes somewhere: those that it does not read would be lost, and are
 * refused.
 */
export const checkingNames =
  <Q extends object, A>(encode: (query: Q) => A): ((query: Q) => A) =>
  (query) => {
    if (typeof query !== "object" || query === null) throw new Error("the input must be an object")
    const read = new Set<string>()
    const made = encode(
      new Proxy(query, {
        get: (target, name) => {
          read.add(String(name))
          return Reflect.get(target, name)
        }
      })
    )
    const lost = Object.entries(query).find(([name, value]) => value !== undefined && !read.has(name))?.[0]
    if (lost === undefined) return made
    const near = findNearest(lost, [...read])
    throw new Error(
      `${lost} is not a field that it takes${near === undefined ? "" : `; did you mean ${near}?`}`
    )
  }
