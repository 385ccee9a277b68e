/** What is known of a token before a payment: its decimals, and the name that it claims. */
import * as Effect from "effect/Effect"
import { loadOnce } from "../data/loadOnce.js"
import type { NetworkRow } from "../data/Network.js"
import type { InvalidArgument, LoadError } from "../data/SdkError.js"
import * as Units from "../data/Units.js"
import { parseWhole } from "./evidence.js"
import type { Outgoing, Payment, ReadError } from "./Signer.js"
import { invalidArgument } from "./signerChecks.js"

/** The most decimals: those of one byte, as in the standards (ERC-20, SPL, ASA). */
const MAX_DECIMALS = 255n

/** Parses decimals of a node or a caller: a whole number from 0 to 255. Undefined for anything else, also for `null`, `""` and `"0x"`. */
export const parseDecimals = (value: unknown): number | undefined => {
  const decimals = parseWhole(value)
  return decimals === undefined || decimals > MAX_DECIMALS ? undefined : Number(decimals)
}

/** A symbol that is safe to show: only letters, digits and `.$-+`, so that none can imitate another one or a line of text. */
const isPlausibleSymbol = (symbol: unknown): symbol is string =>
  typeof symbol === "string" && /^[A-Za-z0-9.$+-]{1,11}$/.test(symbol)

/** Symbols that people take for the same one. */
const normalizeSymbol = (symbol: string): string => symbol.replace(/[^A-Za-z0-9]/g, "").toUpperCase()

/** A token of a payment, and how to read its details from nodes if it is not a known one. */
export interface TokenQuery {
  readonly row: NetworkRow
  /** As in `token` of the payment, and in the table of known tokens. */
  readonly token: string
  /** Its CAIP-19 id. */
  readonly asset: string
  /** The caller's decimals. */
  readonly decimals: Payment["decimals"]
  readonly fromChain: {
    /** The details from nodes, on which two agree if there are two. */
    readonly decimals: Effect.Effect<unknown, ReadError>
    readonly symbol: Effect.Effect<unknown, ReadError>
  }
}

/** A token as its preview shows it. */
export interface TokenFacts extends Pick<Outgoing, "asset" | "symbol"> {
  /** Undefined if nobody knows them. */
  readonly decimals: number | undefined
  /** What errors call it: the symbol of a known token, and the id of any other. */
  readonly name: string
  readonly warnings: ReadonlyArray<string>
}

const loadKnownTokens = /*#__PURE__*/ loadOnce(
  () => import("./knownTokens.js"),
  ({ knownTokens }) => Effect.succeed(knownTokens)
)

const decimalsProblem = (decimals: unknown): string | undefined =>
  decimals === undefined || (typeof decimals === "number" && parseDecimals(decimals) !== undefined)
    ? undefined
    : "decimals must be a whole number from 0 to 255"

/** The errors of finding out what a token is. */
export type TokenFactsError = ReadError | LoadError

/** What a token is: by the table of known ones, by its caller, or else by nodes. */
export const readTokenFacts = ({
  asset,
  decimals: given,
  row,
  token,
  fromChain
}: TokenQuery): Effect.Effect<TokenFacts, TokenFactsError> =>
  Effect.gen(function* () {
    const problem = decimalsProblem(given)
    if (problem !== undefined) return yield* invalidArgument("prepare", problem)
    const all = yield* loadKnownTokens
    const known = all[row.id]?.[token]
    if (known !== undefined) {
      const [symbol, decimals] = known
      if (given !== undefined && given !== decimals)
        return yield* invalidArgument(
          "prepare",
          `${symbol} (${token}) has ${decimals} decimals, and not ${given}`
        )
      return { asset, symbol, decimals, name: symbol, warnings: [] }
    }
    const [decimals, claimed] = yield* Effect.all(
      [
        given === undefined ? Effect.map(fromChain.decimals, parseDecimals) : Effect.succeed(given),
        Effect.orElseSucceed(fromChain.symbol, () => undefined)
      ],
      { concurrency: "unbounded" }
    )
    if (!isPlausibleSymbol(claimed)) return { asset, decimals, name: asset, warnings: [] }
    const impersonated = [
      row.symbol,
      ...Object.values(all).flatMap((tokens) => Object.values(tokens).map(([symbol]) => symbol))
    ].find((symbol) => normalizeSymbol(symbol) === normalizeSymbol(claimed))
    return {
      asset,
      symbol: claimed,
      decimals,
      name: asset,
      warnings:
        impersonated === undefined
          ? []
          : [
              `The token calls itself ${claimed}, which is the symbol of ${impersonated === row.symbol ? `${row.id}'s own coin` : "a known token"}, and it is another one: ${token}.`
            ]
    }
  })

/** The same for a family whose payments need the decimals. */
export const readFactsWithDecimals = (
  query: TokenQuery
): Effect.Effect<TokenFacts & { readonly decimals: number }, TokenFactsError> =>
  Effect.flatMap(
    readTokenFacts(query),
    ({ decimals, ...facts }): Effect.Effect<TokenFacts & { readonly decimals: number }, InvalidArgument> =>
      decimals === undefined
        ? Effect.fail(
            invalidArgument(
              "prepare",
              `${query.token} tells no decimals: it is no token, or decimals of the payment have to say them`
            )
          )
        : Effect.succeed({ ...facts, decimals })
  )

/** The line of a token that leaves the account. Without decimals its amount is in the smallest unit. */
export const toOutgoing = (
  token: string,
  units: bigint,
  { asset, decimals = 0, symbol }: Pick<TokenFacts, "asset" | "symbol" | "decimals">
): Outgoing => ({
  asset,
  token,
  ...(symbol === undefined ? {} : { symbol }),
  amount: Units.format(units, decimals),
  units,
  decimals
})
