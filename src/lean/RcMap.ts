import type * as Original from "effect/RcMap"
import { as } from "./cast.js"
import { type Deferred, make as makeDeferred } from "./Deferred.js"
import {
  type Effect,
  flatMap,
  forEachInOrder,
  forkDaemon,
  interrupt,
  interruptible,
  map,
  onExit,
  succeed,
  suspend,
  sync,
  unit
} from "./fiberRuntime.js"
import { acquireInScope, interruptWithScope, type LeanScope, makeScope, provideScope } from "./finalizers.js"

interface Entry {
  readonly scope: LeanScope
  readonly value: Effect
  users: number
}

class RcMap {
  readonly lookup: (key: unknown) => Effect
  readonly entries = new Map<unknown, Entry>()
  isClosed = false
  constructor(lookup: RcMap["lookup"]) {
    this.lookup = lookup
  }
}

const closeEntry = ({ scope }: Entry): Effect => scope.close(unit)

/** An entry ends with its last user. There is no time to live and no capacity. */
export const make: typeof Original.make = /*#__PURE__*/ as(({ lookup }: Pick<RcMap, "lookup">) =>
  acquireInScope(
    sync(() => new RcMap(lookup)),
    (self) =>
      suspend(() => {
        self.isClosed = true
        return forEachInOrder([...self.entries.values()], closeEntry)
      })
  )
)

/** Makes the entry of a key in its own fiber, with the services of its first user. */
const makeEntry = (self: RcMap, key: unknown): Effect<Entry> =>
  flatMap(makeScope, (scope) =>
    flatMap(as<Effect<Deferred>>(makeDeferred()), (made) => {
      const lookup = onExit(
        suspend(() => provideScope(self.lookup(key), scope)),
        (end) => sync(() => made.done(end))
      )
      const entry: Entry = { scope, value: made.await, users: 0 }
      self.entries.set(key, entry)
      return flatMap(forkDaemon(interruptible(lookup)), (fiber) =>
        map(interruptWithScope(fiber, scope), () => entry)
      )
    })
  )

const releaseEntry = (self: RcMap, key: unknown, entry: Entry): Effect =>
  suspend(() => {
    entry.users--
    if (entry.users > 0) return unit
    if (self.entries.get(key) === entry) self.entries.delete(key)
    return closeEntry(entry)
  })

export const get: typeof Original.get = /*#__PURE__*/ as((self: RcMap, key: unknown) =>
  flatMap(
    acquireInScope(
      map(
        suspend((): Effect<Entry> => {
          if (self.isClosed) return interrupt
          const entry = self.entries.get(key)
          return entry === undefined ? makeEntry(self, key) : succeed(entry)
        }),
        (entry) => {
          entry.users++
          return entry
        }
      ),
      (entry) => releaseEntry(self, key, entry)
    ),
    ({ value }) => value
  )
)
