import { type Registry, Result, type Rx } from "@effect-rx/rx-react"
import { scheduleTask } from "@effect-rx/rx-react/RegistryContext"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as React from "react"
import type { AnyNetwork } from "../src/data/Network.js"
import type { Unexpected } from "../src/data/SdkError.js"
import { again, FRESH, heldOf, isBrowser, nameOf, type Observer, type Occasion } from "./Held.js"
import { errorOf, valueOf } from "./Reactive.js"
import { refreshing } from "./Refresh.js"
import { type Clients, type Entry, useClients, useDefaults } from "./SdkProvider.js"
import type { ReadDefaults, Reading, ReadOptions } from "./types.js"
import { same } from "./values.js"

export type Source<A = unknown, E = unknown> = Rx.Rx<Result.Result<A, E>>

export type AnyOptions<A = unknown, B = unknown> = ReadOptions<AnyNetwork, A, B>

const unanswered = Result.initial<never, never>(true)

/** A state of an Rx as a component sees it. */
export interface Seen<A = unknown, B = unknown, E = unknown> {
  readonly state: Result.Result<A, E>
  /** The selection from it. */
  readonly made: Result.Result<B, E>
  readonly isEnabled: boolean
  readonly isRefreshing: boolean
  readonly reading: Reading<B, E | Unexpected>
}

type Look<A, B, E> = () => Seen<A, B, E>

/** What a component wants to see of an Rx. */
interface Wish<A, B> {
  readonly select: (answer: A) => B
  readonly isEnabled: boolean
  /** What is shown until there is an answer. */
  readonly stand: () => Option.Option<A>
}

export const itself = <A>(answer: A): A => answer

/**
 * The selection from a result: the same object as before if it is equal to that. Where it throws, the result is a failure, with
 * the last selection beside it.
 */
const chosen = <A, B, E>(
  result: Result.Result<A, E>,
  select: (answer: A) => B,
  before: Seen<A, B, E> | undefined
): Result.Result<B, E> => {
  const data = before?.reading.data
  try {
    return Result.map(result, (answer) => {
      const next = select(answer)
      return data !== undefined && same(data, next) ? data : next
    })
  } catch (defect) {
    return Result.failureWithPrevious(Cause.die(defect), {
      previous: Option.fromNullable(before?.made),
      waiting: result.waiting
    })
  }
}

/** Components that are told a moment later: there are such while others have just been told. */
let late: Array<() => void> | undefined

/** Tells at once of what comes first, or with it, and of what comes in the next tasks together: React would render the page for each. */
const tell = (changed: () => void): void => {
  if (late) return void late.push(changed)
  changed()
  queueMicrotask(() => {
    if (late) return
    const told: Array<() => void> = []
    late = told
    // by the scheduler of React, which no timers of tests stand in for
    scheduleTask(() => {
      late = undefined
      for (const each of told) each()
    })
  })
}

/**
 * The view of one component on an Rx. Its state is that of the last commit: a render that React gives up leaves nothing behind
 * but the knowledge of what the component reads.
 */
export class View<A, E, B> implements Observer {
  /** What the component shows, how it looks at the Rx, and its options. */
  #shown: Seen<A, B, E> | undefined
  #look: Look<A, B, E> | undefined
  #options: AnyOptions = {}
  /** The last state, for a component that is not enabled, or where the registry has let go of the Rx. */
  #kept: Result.Result<A, E> = unanswered
  /** Whether the component looks at more than the answer. */
  #tracked = false
  #tell = (): void => {}

  readonly #clients: Clients
  readonly #rx: Source<A, E>

  constructor(clients: Clients, rx: Source<A, E>) {
    this.#clients = clients
    this.#rx = rx
  }

  /** The eyes of a render, which see the same as long as nothing changes: all that is there, or what came with the page. */
  looks(wish: Wish<A, B>, isServed: boolean): Look<A, B, E> {
    let of: Result.Result<A, E> | undefined
    let by: Result.Result<A, E> | undefined
    let seen: Seen<A, B, E> | undefined
    const look = (): Seen<A, B, E> => {
      const state = isServed ? this.#served(wish) : this.#state(wish)
      const kept = isServed ? unanswered : this.#kept
      if (seen !== undefined && state === of && (kept === by || !Result.isInitial(state))) return seen
      of = state
      by = kept
      // the last value stays until there is an answer
      const isLost = Result.isInitial(state) && !Result.isInitial(kept)
      seen = this.#seen(isLost ? Result.waiting(kept) : state, wish, look, seen ?? this.#shown)
      return seen
    }
    return look
  }

  #state({ isEnabled }: Wish<A, B>): Result.Result<A, E> {
    return isEnabled ? this.#clients.registry.get(this.#rx) : this.#kept
  }

  #served(wish: Wish<A, B>): Result.Result<A, E> {
    return wish.isEnabled && this.#clients.brought.has(nameOf(this.#rx) ?? "")
      ? this.#state(wish)
      : unanswered
  }

  /** The component is as it was rendered. */
  commits(seen: Seen<A, B, E>, look: Look<A, B, E>, options: AnyOptions): void {
    this.#shown = seen
    this.#look = look
    this.#options = options
    this.#kept = seen.state
    heldOf(this.#rx)?.wants(options.gcTime)
  }

  readonly subscribe = (changed: () => void) => {
    const held = heldOf(this.#rx)
    const end = this.#clients.registry.subscribe(this.#rx, (state) => {
      if (this.#isNews(state)) tell(changed)
    })
    held?.observers.add(this)
    // not while React mounts others; the component may be gone by then
    queueMicrotask(() => {
      if (held?.rx && held.observers.has(this))
        again(this.#clients.registry, held.rx, this.#options.staleTime ?? FRESH)
    })
    return () => {
      held?.observers.delete(this)
      end()
    }
  }

  /** Hears of the component's own requests, and of no others. */
  readonly rest = (changed: () => void) => {
    this.#tell = changed
    return () => {}
  }

  wake(occasion: Occasion): void {
    const { staleTime = FRESH, [occasion]: isWished = true } = this.#options
    // a list would lose its pages
    if (isWished && heldOf(this.#rx)?.rx === this.#rx) again(this.#clients.registry, this.#rx, staleTime)
  }

  /** Whether the component would show a difference. */
  #isNews(state: Result.Result<A, E>): boolean {
    const shown = this.#shown
    // most news of most screens is that a read is under way, or has the same answer
    if (!this.#tracked && shown !== undefined && isAnswer(shown.state, state)) return false
    const seen = this.#look?.()
    if (shown === undefined || seen === undefined) return true
    return (
      !isAlike(shown.reading, seen.reading) || (this.#tracked && shown.isRefreshing !== seen.isRefreshing)
    )
  }

  #seen(
    state: Result.Result<A, E>,
    { isEnabled, select, stand }: Wish<A, B>,
    look: Look<A, B, E>,
    before: Seen<A, B, E> | undefined
  ): Seen<A, B, E> {
    const placeholder = isEnabled && Result.isInitial(state) ? stand() : Option.none()
    const isPlaceholderData = Option.isSome(placeholder)
    const shown: Result.Result<A, E> = isPlaceholderData
      ? Result.success(placeholder.value, { waiting: true })
      : state
    const made = chosen(shown, select, before)
    const status = isEnabled ? "loading" : "idle"
    const reading = this.#said(
      {
        status: Result.isSuccess(made) ? "success" : Result.isFailure(made) ? "error" : status,
        data: valueOf(made),
        error: Result.isFailure(made) ? errorOf(made.cause) : undefined,
        isPlaceholderData
      },
      look
    )
    const isRefreshing = isEnabled && made.waiting && !Result.isInitial(made)
    // what is read of it beside the answer is that of now
    const isSame =
      before?.isEnabled === isEnabled &&
      (!this.#tracked || before.isRefreshing === isRefreshing) &&
      isAlike(before.reading, reading)
    return { state, made, isEnabled, isRefreshing, reading: isSame ? before.reading : reading }
  }

  #said(state: Told, look: Look<A, B, E>): Reading<B, E | Unexpected> {
    const track = (): Seen<A, B, E> => {
      this.#tracked = true
      return look()
    }
    const reading = {
      ...state,
      get isRefreshing() {
        return track().isRefreshing
      },
      get result() {
        return track().made
      },
      refresh: this.#refresh
    }
    // the status decides which case of a reading it is
    return reading as Reading<B, E | Unexpected>
  }

  readonly #refresh = (): Promise<Reading<B, E | Unexpected>> =>
    new Promise((resolve) => {
      void this.#clients.settled(this.#rx, true).then((result) => {
        this.#kept = result
        this.#tell()
        const seen = this.#look?.()
        if (seen) resolve(seen.reading)
      })
    })
}

/** Whether two results are the same answer. */
const isAnswer = (one: Result.Result<unknown, unknown>, other: Result.Result<unknown, unknown>): boolean =>
  Result.isSuccess(one) && Result.isSuccess(other) && one.value === other.value

/** The part of a reading that is told to every component. */
interface Told {
  readonly status: string
  readonly data: unknown
  readonly error: unknown
  readonly isPlaceholderData: boolean
}

/** Whether two readings tell the same. A selection that throws makes a new error every time. */
const isAlike = (one: Told, other: Told): boolean =>
  one.status === other.status &&
  one.data === other.data &&
  `${one.error}` === `${other.error}` &&
  one.isPlaceholderData === other.isPlaceholderData

/** What stands for an answer that is not there yet. */
export const standFor = (
  placeholder: AnyOptions["placeholderData"],
  previous: Option.Option<unknown>
): Option.Option<unknown> =>
  placeholder === "previous"
    ? previous
    : Option.fromNullable(
        typeof placeholder === "function" ? placeholder(Option.getOrUndefined(previous)) : placeholder
      )

/** Reads of what the chain says now: a provider's default for their refresh is for them. */
const ofChain = /^(rpc|address|token|nft|data|fee|contracts)\./

/** The options of a hook, with the provider's defaults for reads. */
export const optionsOf = (
  rx: Source,
  options: AnyOptions,
  { refresh, ...defaults }: ReadDefaults
): AnyOptions => {
  const path = heldOf(rx)?.read.path
  if (path === undefined) return options
  return { ...defaults, ...(refresh !== undefined && ofChain.test(path) && { refresh }), ...options }
}

/** The wish for repetition, where durations of one length are the same. */
export const wishOf = ({ refresh = false }: AnyOptions) =>
  refresh === false || refresh === "blocks" || Schedule.isSchedule(refresh)
    ? refresh
    : Duration.toMillis(refresh)

/** Repeats a read as its component wishes. */
const useRefresh = (entry: Entry, rx: Source, options: AnyOptions): void => {
  const { registry } = entry
  const { keepHidden = false } = options
  const wish = wishOf(options)
  // biome-ignore lint/correctness/useExhaustiveDependencies: of schedules that are made in every render the first one counts
  const first = React.useMemo(() => wish, [registry, rx, Schedule.isSchedule(wish) || wish])
  React.useEffect(
    () =>
      first === false ? undefined : registry.mount(refreshing(rx, first, keepHidden, entry.blocks.watch)),
    [registry, rx, first, keepHidden, entry]
  )
}

/** The state of an Rx for a component, which is rendered again when it changes. */
const useSeen = (entry: Entry, rx: Source, given: AnyOptions, isSuspense: boolean): Seen => {
  const options = optionsOf(rx, given, useDefaults())
  const { enabled: isEnabled = true, placeholderData, select = itself } = options
  const clients = useClients()
  const view = React.useMemo(() => new View<unknown, unknown, unknown>(clients, rx), [clients, rx])
  const previous = React.useRef<Option.Option<unknown>>(Option.none())
  const [look, served] = React.useMemo(() => {
    const wish = { isEnabled, select, stand: () => standFor(placeholderData, previous.current) }
    const all = view.looks(wish, false)
    // where a component waits for its answer, so does the server
    return [all, isSuspense ? all : view.looks(wish, true)]
  }, [view, isEnabled, select, placeholderData, isSuspense])
  const seen = React.useSyncExternalStore(isEnabled ? view.subscribe : view.rest, look, served)
  // renders may be given up: what counts is what is shown
  React.useInsertionEffect(() => {
    view.commits(seen, look, options)
    const answer = Result.value(seen.state)
    if (Option.isSome(answer)) previous.current = answer
  })
  useRefresh(entry, rx, isEnabled ? options : {})
  return seen
}

/** The two ways in which a hook uses an Rx: it has its state, or waits for it. */
export type Use = (entry: Entry, rx: Source, options: AnyOptions) => Seen

/** The base of every hook that reads. */
export const useNow: Use = (entry, rx, options) => useSeen(entry, rx, options, false)

const promises = new WeakMap<Source, Promise<void>>()

/** Whether there is neither an answer nor an error yet. */
const isAwaited = (result: Result.Result<unknown, unknown>): boolean =>
  result.waiting && Option.isNone(Result.value(result))

/** Failures that components have waited for, and those of them that boundaries have: who meets these comes after a reset. */
const met = new WeakSet<Result.Result<unknown, unknown>>()
const caught = new WeakSet<Result.Result<unknown, unknown>>()

/** Settles with the first answer, which is kept a little for the components that wait for it. */
const firstAnswer = (registry: Registry.Registry, rx: Source, isRepeated: boolean): Promise<void> => {
  const known = promises.get(rx)
  if (known !== undefined) return known
  const promise = new Promise<void>((resolve) => {
    const end = registry.subscribe(rx, (result) => {
      if (isAwaited(result) || !promises.delete(rx)) return
      met.add(result)
      resolve()
      setTimeout(end, Result.isSuccess(result) ? 1_000 : 0)
    })
    // other components may hear of it, and must not while one renders
    if (isRepeated) queueMicrotask(() => registry.refresh(rx))
  })
  promises.set(rx, promise)
  return promise
}

/** Whether a failure is an older one, of which the component is not to hear. */
const isOld = (result: Result.Result<unknown, unknown>): boolean =>
  Result.isFailure(result) &&
  Option.isNone(result.previousSuccess) &&
  (!met.has(result) || caught.has(result))

/** What a component that needs an answer has to wait for, if there is none so far. Throws the error that there is in its place. */
export const awaited = (
  registry: Registry.Registry,
  rx: Source,
  { reading, state }: Seen
): Promise<void> | undefined => {
  const isRepeated = isOld(state)
  if (isAwaited(state) || isRepeated) return firstAnswer(registry, rx, isRepeated)
  if (reading.status !== "error" || reading.data !== undefined) return undefined
  // React renders a failed component once more before it looks for a boundary, but not after this task;
  // a selection that has thrown is made again, and asks for nothing
  if (Result.isFailure(state)) setTimeout(() => caught.add(state))
  throw reading.error
}

/** The same, for components that wait for the first answer: on a server too, which sends it when it is there. */
export const useAnswer: Use = (entry, rx, { enabled: _, placeholderData: __, ...options }) => {
  const seen = useSeen(entry, rx, options, true)
  const promise = awaited(entry.registry, rx, seen)
  // React shows the fallback meanwhile; its `use` would never go on in tests that render in an `act` without waiting for that
  if (promise !== undefined) throw promise
  return seen
}

/** Waits for what no server has: wallets, and events that are still to come. */
export const inBrowser =
  (hook: string): Use =>
  (entry, rx, options) => {
    if (!isBrowser)
      throw new Error(`useSuspense${hook}: no server waits for that: use a boundary or use${hook}`)
    return useAnswer(entry, rx, options)
  }
