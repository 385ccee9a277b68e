import * as Provider from "effect4/ConfigProvider"
import * as Effect from "effect4/Effect"
import { dual } from "effect4/Function"
import * as Layers from "effect4/Layer"

export * from "effect4/Layer"
export {
  build as toRuntime,
  effect as scoped,
  effectContext as scopedContext,
  effectDiscard as scopedDiscard,
  unwrap as unwrapEffect
} from "effect4/Layer"

/** The provider is a reference, whose module has the layer. */
export const setConfigProvider = (provider: Provider.ConfigProvider): Layers.Layer<never> =>
  Provider.layer(provider)

const mapLayerError = <A, E, R, E2>(
  self: Layers.Layer<A, E, R>,
  f: (error: E) => E2
): Layers.Layer<A, E2, R> => Layers.catch(self, (error) => Layers.effectContext(Effect.fail(f(error))))

export const mapError: {
  <E, E2>(f: (error: E) => E2): <A, R>(self: Layers.Layer<A, E, R>) => Layers.Layer<A, E2, R>
  <A, E, R, E2>(self: Layers.Layer<A, E, R>, f: (error: E) => E2): Layers.Layer<A, E2, R>
} = dual(2, mapLayerError)
