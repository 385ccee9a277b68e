import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Batch from "../Batch.js"
import * as Coalesce from "../Coalesce.js"
import * as Quorum from "../Quorum.js"
import type { ResolvedConfig } from "../services/Config.js"
import { CallOptions, type CallOptionsShape, type TransportService } from "../Transport.js"

/** The nodes that a configuration names: archive nodes for what needs them, if there are any. */
const configured = ({ nodes = [] }: ResolvedConfig, archive: boolean): ReadonlyArray<string> => {
  const archives = nodes.filter(({ type }) => type === "ARCHIVE")
  return (archive && archives.length > 0 ? archives : nodes).map(({ url }) => url)
}

/** What stands between the calls of a client and its nodes, where calls share requests or are sent several times. */
export const layers = (
  inner: TransportService,
  config: ResolvedConfig
): Effect.Effect<TransportService, never, Scope.Scope> =>
  Effect.gen(function* () {
    const batching = yield* Batch.make(inner, config)
    const coalescing = yield* Coalesce.make(batching, config.coalesce)
    const urlsOf = inner.nodeUrls ?? ((archive) => Effect.succeed(configured(config, archive)))
    const quorum = Quorum.make(coalescing, urlsOf, config.timeout)
    /** Most calls have nothing to do with most of this, and do not pay for it. */
    const layerOf = (options: CallOptionsShape): TransportService =>
      options.quorum !== undefined
        ? quorum
        : (options.coalesce ?? config.coalesce)
          ? coalescing
          : (options.batch ?? config.batch ?? false) !== false
            ? batching
            : inner
    return {
      nodeUrl: (archive) => inner.nodeUrl(archive),
      send: (call) =>
        call.repeat === "read"
          ? Effect.flatMap(CallOptions, (options) => layerOf(options).send(call))
          : coalescing.send(call)
    }
  })
