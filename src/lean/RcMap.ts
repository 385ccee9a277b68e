import * as Micro from "effect/Micro"
import type * as Original from "effect/RcMap"
import { type Deferred, make as makeDeferred } from "./Deferred.js"
import { as, inScope } from "./micro.js"

type Any = Micro.Micro<unknown, unknown, Micro.MicroScope>

interface Entry {
  readonly scope: Micro.MicroScope.Closeable
  readonly made: Micro.Micro<unknown, unknown>
  users: number
}

class RcMap {
  readonly lookup: (key: unknown) => Any
  readonly entries = new Map<unknown, Entry>()
  isClosed = false
  constructor(lookup: RcMap["lookup"]) {
    this.lookup = lookup
  }
}

const closed = ({ scope }: Entry): Micro.Micro<void> => scope.close(Micro.exitVoid)

/** Entries end with their last user: there is no time to live, and no capacity. */
export const make: typeof Original.make = /*#__PURE__*/ as(({ lookup }: Pick<RcMap, "lookup">) =>
  Micro.acquireRelease(
    Micro.sync(() => new RcMap(lookup)),
    (self) =>
      Micro.suspend(() => {
        self.isClosed = true
        return Micro.forEach([...self.entries.values()], closed, { discard: true })
      })
  )
)

/** Makes the entry of a key in a fiber of its own, with the services of its first user. */
const begin = (self: RcMap, key: unknown): Micro.Micro<Entry> =>
  Micro.gen(function* () {
    const scope = yield* Micro.scopeMake
    const made = yield* as<Micro.Micro<Deferred>>(makeDeferred())
    const lookup = Micro.onExit(
      Micro.suspend(() => Micro.provideScope(self.lookup(key), scope)),
      (exit) => Micro.sync(() => made.done(exit))
    )
    const entry: Entry = { scope, made: made.await, users: 0 }
    self.entries.set(key, entry)
    yield* inScope(yield* Micro.forkDaemon(Micro.interruptible(lookup)), scope)
    return entry
  })

const left = (self: RcMap, key: unknown, entry: Entry): Micro.Micro<void> =>
  Micro.suspend(() => {
    entry.users--
    if (entry.users > 0) return Micro.void
    if (self.entries.get(key) === entry) self.entries.delete(key)
    return closed(entry)
  })

export const get: typeof Original.get = /*#__PURE__*/ as((self: RcMap, key: unknown) =>
  Micro.flatMap(
    Micro.acquireRelease(
      Micro.suspend((): Micro.Micro<Entry> => {
        if (self.isClosed) return Micro.interrupt
        const entry = self.entries.get(key)
        return entry === undefined ? begin(self, key) : Micro.succeed(entry)
      }).pipe(
        Micro.tap((entry) => {
          entry.users++
        })
      ),
      (entry) => left(self, key, entry)
    ),
    ({ made }) => made
  )
)
