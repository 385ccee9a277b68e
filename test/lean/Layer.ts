import * as Context from "effect/Context"
import { dual } from "effect/Function"
import type * as Original from "effect/Layer"
import * as Micro from "effect/Micro"
import { as } from "../../src/lean/micro.js"

type Services = Context.Context<never>
type Build = Micro.Micro<Services, unknown, Micro.MicroScope>

/** Layers as tests compose them: services that are made in a scope. */
class Layer {
  readonly build: Build
  constructor(build: Build) {
    this.build = build
  }
  pipe(...steps: ReadonlyArray<(layer: unknown) => unknown>): unknown {
    return steps.reduce<unknown>((layer, step) => step(layer), this)
  }
}

export type { Layer }

export const isLayer: typeof Original.isLayer = /*#__PURE__*/ as((u: unknown) => u instanceof Layer)

const made = (tag: never, effect: Micro.Micro<never, unknown, Micro.MicroScope>): Layer =>
  new Layer(Micro.map(effect, (service) => Context.make(tag, service)))

export const succeed: typeof Original.succeed = /*#__PURE__*/ as(
  (tag: never, service: never) => new Layer(Micro.succeed(Context.make(tag, service)))
)
export const sync: typeof Original.sync = /*#__PURE__*/ as((tag: never, make: () => never) =>
  made(tag, Micro.sync(make))
)
export const effect: typeof Original.effect = /*#__PURE__*/ as(made)
export const scoped: typeof Original.scoped = /*#__PURE__*/ as(made)

const provided = (self: Layer, dependencies: Layer, isMerged: boolean): Layer =>
  new Layer(
    Micro.flatMap(dependencies.build, (services) =>
      Micro.map(
        Micro.updateContext(self.build, (context) => Context.merge(context, services)),
        (own) => (isMerged ? Context.merge(services, own) : own)
      )
    )
  )

export const provide: typeof Original.provide = /*#__PURE__*/ as(
  dual(2, (self: Layer, dependencies: Layer) => provided(self, dependencies, false))
)
export const provideMerge: typeof Original.provideMerge = /*#__PURE__*/ as(
  dual(2, (self: Layer, dependencies: Layer) => provided(self, dependencies, true))
)
export const scopedDiscard: typeof Original.scopedDiscard = /*#__PURE__*/ as(
  (effect: Micro.Micro<unknown, unknown, Micro.MicroScope>) => new Layer(Micro.as(effect, Context.empty()))
)

export const mergeAll: typeof Original.mergeAll = /*#__PURE__*/ as((...layers: ReadonlyArray<Layer>) =>
  layers.reduce(
    (all, layer) => new Layer(Micro.zipWith(all.build, layer.build, (a, b) => Context.merge(a, b)))
  )
)
export const orDie: typeof Original.orDie = /*#__PURE__*/ as(
  (layer: Layer) => new Layer(Micro.orDie(layer.build))
)
export const build: typeof Original.build = /*#__PURE__*/ as((layer: Layer) => layer.build)
