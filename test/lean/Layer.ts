import { dual } from "effect/Function"
import type * as Original from "effect/Layer"
import { as } from "../../src/lean/cast.js"
import * as Machine from "../../src/lean/fiberRuntime.js"
import { type AnyTag, mergeServices, Services } from "../../src/lean/services.js"

type Build = Machine.Effect<Services>

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

const made = (tag: AnyTag, effect: Machine.Effect): Layer =>
  new Layer(Machine.map(effect, (service) => new Services(new Map([[tag.key, service]]))))

export const succeed: typeof Original.succeed = /*#__PURE__*/ as((tag: AnyTag, service: unknown) =>
  made(tag, Machine.succeed(service))
)
export const sync: typeof Original.sync = /*#__PURE__*/ as((tag: AnyTag, service: () => unknown) =>
  made(tag, Machine.sync(service))
)
export const effect: typeof Original.effect = /*#__PURE__*/ as(made)
export const scoped: typeof Original.scoped = /*#__PURE__*/ as(made)

const provided = (self: Layer, dependencies: Layer, isMerged: boolean): Layer =>
  new Layer(
    Machine.flatMap(dependencies.build, (services) =>
      Machine.map(Machine.provide(self.build, services), (own) =>
        isMerged ? mergeServices(services, own) : own
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
  (effect: Machine.Effect) => new Layer(Machine.map(effect, () => new Services(new Map())))
)

export const mergeAll: typeof Original.mergeAll = /*#__PURE__*/ as((...layers: ReadonlyArray<Layer>) =>
  layers.reduce(
    (all, layer) =>
      new Layer(
        Machine.flatMap(all.build, (services) =>
          Machine.map(layer.build, (more) => mergeServices(services, more))
        )
      )
  )
)

/** Failures are defects. */
export const dying = (self: Machine.Effect): Machine.Effect =>
  Machine.catchCause(self, (cause) =>
    cause._tag === "Fail" ? Machine.die(cause.error) : Machine.failCause(cause)
  )
export const orDie: typeof Original.orDie = /*#__PURE__*/ as(
  (layer: Layer) => new Layer(as(dying(layer.build)))
)
export const build: typeof Original.build = /*#__PURE__*/ as((layer: Layer) => layer.build)
