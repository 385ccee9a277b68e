import type * as Original from "effect/RcMap"
import { as } from "./cast.js"
import { type Deferred, make as makeDeferred } from "./Deferred.js"
import { acquired, type Ends, held, open, within } from "./finalizers.js"
import {
  type Effect,
  each,
  flatMap,
  forkDaemon,
  interrupt,
  interruptible,
  map,
  onExit,
  succeed,
  suspend,
  sync,
  unit
} from "./machine.js"

interface Entry {
  readonly scope: Ends
  readonly made: Effect
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

const closed = ({ scope }: Entry): Effect => scope.close(unit)

/** Entries end with their last user: there is no time to live, and no capacity. */
export const make: typeof Original.make = /*#__PURE__*/ as(({ lookup }: Pick<RcMap, "lookup">) =>
  acquired(
    sync(() => new RcMap(lookup)),
    (self) =>
      suspend(() => {
        self.isClosed = true
        return each([...self.entries.values()], closed)
      })
  )
)

/** Makes the entry of a key in a fiber of its own, with the services of its first user. */
const begin = (self: RcMap, key: unknown): Effect<Entry> =>
  flatMap(open, (scope) =>
    flatMap(as<Effect<Deferred>>(makeDeferred()), (made) => {
      const lookup = onExit(
        suspend(() => within(self.lookup(key), scope)),
        (end) => sync(() => made.done(end))
      )
      const entry: Entry = { scope, made: made.await, users: 0 }
      self.entries.set(key, entry)
      return flatMap(forkDaemon(interruptible(lookup)), (fiber) => map(held(fiber, scope), () => entry))
    })
  )

const left = (self: RcMap, key: unknown, entry: Entry): Effect =>
  suspend(() => {
    entry.users--
    if (entry.users > 0) return unit
    if (self.entries.get(key) === entry) self.entries.delete(key)
    return closed(entry)
  })

export const get: typeof Original.get = /*#__PURE__*/ as((self: RcMap, key: unknown) =>
  flatMap(
    acquired(
      map(
        suspend((): Effect<Entry> => {
          if (self.isClosed) return interrupt
          const entry = self.entries.get(key)
          return entry === undefined ? begin(self, key) : succeed(entry)
        }),
        (entry) => {
          entry.users++
          return entry
        }
      ),
      (entry) => left(self, key, entry)
    ),
    ({ made }) => made
  )
)
