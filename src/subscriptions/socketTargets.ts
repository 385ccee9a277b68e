import * as Effect from "effect/Effect"
import type { Pool } from "../balancer/Pool.js"
import type { ResolvedConfig, ResolvedNode } from "../config/Config.js"
import { makeHeaders } from "../config/headers.js"
import { monotonic } from "../http/service.js"

/** The place of a node's sockets. */
export interface SocketTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** The places where sockets can be, and their losses. */
export interface SocketTargets {
  /** All of them, the best first. */
  readonly ranked: Effect.Effect<ReadonlyArray<SocketTarget>>
  /** A socket was lost: others are preferred for a while, and longer every time. */
  readonly recordLoss: (url: string) => Effect.Effect<void>
  /** A socket has lasted: earlier losses are forgotten. */
  readonly forgetLosses: (url: string) => Effect.Effect<void>
  /** Counts the losses at a url, so that a subscription that starts after a loss does not get the lost socket. */
  readonly countLosses: (url: string) => number
}

/** How long a node is the last choice after its socket was lost, longer each time (milliseconds). */
const penaltyMs = (count: number): number => Math.min(60_000, 1_000 * 2 ** count)

const toSocketTarget = (
  config: ResolvedConfig,
  node: ResolvedNode,
  socketUrl: (url: string) => string = (url) => url
): SocketTarget => {
  const url = node.socket?.url ?? socketUrl(node.url.replace(/^http/i, "ws"))
  const { "content-type": _, ...headers } = {
    ...makeHeaders(config, url.replace(/^ws/, "http"), { body: false, sendApiKey: node.sendApiKey }),
    ...(node.socket?.headers ?? node.headers)
  }
  return { url, headers }
}

/** The places of a pool's nodes. */
export const makeSocketTargets = (
  config: ResolvedConfig,
  pool: () => Pool,
  socketUrl?: (url: string) => string
): SocketTargets => {
  const losses = new Map<string, { readonly count: number; readonly until: number }>()
  const lossCounts = new Map<string, number>()
  const countLosses = (url: string): number => lossCounts.get(url) ?? 0
  return {
    ranked: Effect.clockWith((clock) => {
      const now = monotonic(clock)
      const { active, nodes } = pool()
      const rankOf = (node: Pool["nodes"][number], i: number, url: string): number => {
        const penaltyLeftMs = Math.max(0, (losses.get(url)?.until ?? now) - now)
        const typeRank = node.failed ? 3 : node.type === "ARCHIVE" ? 2 : active[node.type] === i ? 0 : 1
        return penaltyLeftMs * 10 + typeRank
      }
      const all = nodes.map((node, i) => {
        const target = toSocketTarget(config, node, socketUrl)
        return { place: target, rank: rankOf(node, i, target.url) }
      })
      return Effect.succeed(all.sort((a, b) => a.rank - b.rank).map(({ place }) => place))
    }),
    recordLoss: (url) =>
      Effect.clockWith((clock) => {
        lossCounts.set(url, countLosses(url) + 1)
        const count = (losses.get(url)?.count ?? -1) + 1
        losses.set(url, { count, until: monotonic(clock) + penaltyMs(count) })
        return Effect.void
      }),
    forgetLosses: (url) => Effect.sync(() => void losses.delete(url)),
    countLosses
  }
}
