/**
 * Links to the pages of a block explorer, for people. Nothing is asked: the explorers of networks are a table, which is loaded with the
 * first link.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Config } from "../config/Config.js"
import type { ExplorerPage, explorers } from "../data/explorers.js"
import { loadOnce } from "../data/loadOnce.js"
import type * as Network from "../data/Network.js"
import {
  type Aborted,
  InvalidArgument,
  kindOf,
  type LoadError,
  NotSupportedForNetwork
} from "../data/SdkError.js"

type Table = typeof explorers

/**
 * The networks whose explorer has a kind of pages.
 *
 * @since 0.1.0
 * @category types
 */
export type ExplorerNetwork<P extends ExplorerPage = ExplorerPage> = {
  readonly [N in keyof Table]: Table[N] extends string | { readonly [K in P]: string } ? N : never
}[keyof Table]

/**
 * The errors of a link. On networks whose explorer has all kinds of pages, `NotSupportedForNetwork` is not among them.
 *
 * @since 0.1.0
 * @category errors
 */
export type ExplorerError<
  N extends Network.AnyNetwork = Network.Network,
  P extends ExplorerPage = ExplorerPage
> = InvalidArgument | LoadError | Aborted | (N extends ExplorerNetwork<P> ? never : NotSupportedForNetwork)

/**
 * Links to a block explorer.
 *
 * @since 0.1.0
 * @category models
 */
export interface ExplorerService<N extends Network.AnyNetwork = Network.Network> {
  /** The page of a transaction. */
  readonly tx: (hash: string) => Effect.Effect<string, ExplorerError<N, "tx">>
  /** The page of an account or a contract. */
  readonly address: (address: string) => Effect.Effect<string, ExplorerError<N, "address">>
  /** The page of a block, by its height or its hash. */
  readonly block: (block: number | bigint | string) => Effect.Effect<string, ExplorerError<N, "block">>
  /** The page of a token, by the address of its contract, or by what the chain has in its place (`USDC-G…` on Stellar). */
  readonly token: (token: string) => Effect.Effect<string, ExplorerError<N, "token">>
}

/**
 * Links to a block explorer, as a service.
 *
 * @since 0.1.0
 * @category services
 */
export class Explorer extends /*#__PURE__*/ Context.Tag("effect-chains/services/Explorer")<
  Explorer,
  ExplorerService
>() {}

const loadTable = /*#__PURE__*/ loadOnce(
  () => import("../data/explorers.js"),
  ({ explorerUrlOf }) => Effect.succeed(explorerUrlOf)
)

/** The text to look up: one word, so that text from outside cannot lead to another page of the site. */
const word = /^[^\s\p{Cc}/?#\\]{1,200}$/u

const textOf = (page: ExplorerPage, value: unknown): Effect.Effect<string, InvalidArgument> => {
  const isNumber = page === "block" && (typeof value === "bigint" || Number.isSafeInteger(value))
  const text = isNumber ? String(value) : value
  return typeof text === "string" && word.test(text) && !/^\.+$/.test(text) && !text.startsWith("-")
    ? Effect.succeed(text)
    : Effect.fail(
        new InvalidArgument({
          call: `explorer.${page}`,
          reason: `must be ${page === "block" ? "a height or " : ""}text without blanks and slashes, not ${kindOf(value)}`
        })
      )
}

/**
 * Makes the service for the network of the client.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<ExplorerService, never, Config> = Effect.map(Config, ({ info, network }) => {
  const link =
    (page: ExplorerPage) =>
    (value: number | bigint | string): Effect.Effect<string, ExplorerError> =>
      Effect.flatMap(textOf(page, value), (text) =>
        Effect.flatMap(loadTable, (pageOf) => {
          const url = pageOf({ info, network }, page, text)
          return url === undefined
            ? Effect.fail(new NotSupportedForNetwork({ network, feature: "explorer" }))
            : Effect.succeed(url)
        })
      )
  return { tx: link("tx"), address: link("address"), block: link("block"), token: link("token") }
})

/**
 * The service as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Explorer, never, Config> = /*#__PURE__*/ Layer.effect(Explorer, make)
