/**
 * The entry of a node, as configurations and definitions of networks have it.
 *
 * @since 0.1.0
 */

/**
 * How many requests may be sent: so many a second, and at most `burst` of them at once (default: those of a second).
 *
 * @since 0.1.0
 * @category models
 */
export interface Limit {
  readonly requestsPerSecond: number
  readonly burst?: number
}

/**
 * The other urls of a node whose chain has several servers, each as it is called: `jsonRpcUrl` beside the HTTP API of Tron, Casper and
 * Avalanche, `beaconUrl` of an Ethereum node's consensus client, `rosettaUrl` of Cosmos, `waspUrl` of IOTA, `tonCenterUrl` of TON and
 * `graphqlUrl` of Sui's indexers. Without them everything is under the node's `url`.
 *
 * @since 0.1.0
 * @category models
 */
export interface ServerUrls {
  readonly jsonRpcUrl?: string
  readonly beaconUrl?: string
  readonly rosettaUrl?: string
  readonly waspUrl?: string
  readonly tonCenterUrl?: string
  readonly graphqlUrl?: string
}

/**
 * A node of the user's own. `type` is `"normal"` (or 0) by default; `"archive"` (or 1) nodes hold historical state.
 * User info in `url` is sent as an Authorization header; the API key goes to this node only if `sendApiKey` is set. Requests to it
 * keep to `quota`, for which the client needs the option `quota`, too.
 *
 * @since 0.1.0
 * @category models
 */
export interface NodeEntry extends ServerUrls {
  readonly url: string
  readonly wsUrl?: string
  readonly type?: "normal" | "archive" | 0 | 1
  readonly weight?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly sendApiKey?: boolean
  readonly quota?: Limit
}
