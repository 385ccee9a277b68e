/**
 * `effect-chains send`: sends a payment, after a preview and a confirmation.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as Network from "../data/Network.js"
import * as Units from "../data/Units.js"
import type {
  FromMnemonic,
  FromPrivateKey,
  Outgoing,
  Prepared,
  Sent,
  Signer,
  SignerError
} from "../signers/Signer.js"
import { askConfirmation } from "./Confirmation.js"
import { type AnyClient, type ConnectionOptions, connect, findNetwork, networkInfo } from "./Connection.js"
import { CommandError, makeInputError } from "./Failure.js"
import { type KeyOptions, readKey } from "./Key.js"
import { findLink } from "./Links.js"
import { escapeControls, formatFields, formatJson, printNote, printResult, withTone } from "./Output.js"

/** The signer of a family, with any kind of transactions. */
interface SignerModule {
  readonly make: (
    client: AnyClient,
    from: FromMnemonic | FromPrivateKey
  ) => Effect.Effect<Signer<unknown>, SignerError>
}

/** The signers by family. They check the family too (`rowOf`). */
const signerModules: { readonly [F in Network.FamilyId]?: () => Promise<unknown> } = {
  evm: () => import("../signers/Evm.js"),
  "evm-beacon": () => import("../signers/Evm.js"),
  "evm-native": () => import("../signers/Evm.js"),
  zksync: () => import("../signers/Evm.js"),
  utxo: () => import("../signers/Bitcoin.js"),
  "utxo-estimatefee": () => import("../signers/Bitcoin.js"),
  doge: () => import("../signers/Bitcoin.js"),
  solana: () => import("../signers/Solana.js"),
  tron: () => import("../signers/Tron.js"),
  xrp: () => import("../signers/Xrp.js"),
  stellar: () => import("../signers/Stellar.js"),
  "algorand-algod": () => import("../signers/Algorand.js"),
  cosmos: () => import("../signers/Cosmos.js"),
  tezos: () => import("../signers/Tezos.js"),
  ton: () => import("../signers/Ton.js")
}

const makeSigner = (client: AnyClient, from: FromMnemonic | FromPrivateKey) => {
  const load = signerModules[networkInfo(client.network).family]
  if (load === undefined)
    return Effect.fail(makeInputError(`${client.network} has no signer: "docs/signers.md" has those that do`))
  return Effect.flatMap(
    Effect.tryPromise({
      try: load,
      catch: (error) =>
        new CommandError({ exit: "lacking", message: `The signer cannot be loaded: ${String(error)}` })
    }),
    // each module makes signers for clients of its family, which the record's type does not say
    (module) => (module as SignerModule).make(client, from)
  )
}

/** A preview for scripts, without the bytes of the transaction. */
const toJsonPreview = ({
  amount,
  change,
  fee,
  from,
  network,
  outgoing,
  to,
  token,
  warnings
}: Prepared<unknown>) => ({
  network,
  from,
  to,
  ...(token === undefined ? {} : { token }),
  amount,
  fee,
  ...(change === undefined ? {} : { change }),
  outgoing,
  warnings
})

/** An amount that leaves the account. The id identifies a token, since its symbol is only its own claim. */
const formatOutgoing = ({ amount, asset, decimals, symbol, token, units }: Outgoing): string =>
  token === undefined
    ? `${amount} ${asset}`
    : `${amount} of ${asset}${symbol === undefined ? "" : `, which calls itself ${symbol}`} (${units} of its smallest unit, with ${decimals} decimals)`

const formatPreview = ({ fee, from, network, outgoing, to, warnings }: Prepared<unknown>): string => {
  const { decimals, symbol } = networkInfo(network)
  return formatFields([
    ["network", network],
    ["from", escapeControls(from)],
    ["to", escapeControls(to)],
    ["fee, at most", `${Units.format(fee, decimals)} ${symbol}`],
    ...outgoing.map(
      (each) => ["leaves the account", withTone("strong", escapeControls(formatOutgoing(each)))] as const
    ),
    ...warnings.map((warning) => ["careful", withTone("careful", escapeControls(warning))] as const)
  ])
}

const makeDeclined = (message: string): CommandError => new CommandError({ exit: "declined", message })

/** A private key has this form on most chains. No address or amount of a chain with a signer has it. */
const isPrivateKey = (text: string): boolean => /^(?:0x)?[0-9a-f]{64}$/i.test(text)

/** Asks for a confirmation, and fails without one. */
const requireConsent: Effect.Effect<void, CommandError> = Effect.flatMap(
  Effect.suspend(() => askConfirmation("Send it?")),
  (isConfirmed) =>
    isConfirmed
      ? Effect.void
      : makeDeclined(
          isConfirmed === undefined
            ? "Nothing was sent: there is no terminal to ask at, and --yes was not given"
            : "Nothing was sent"
        )
)

/** Prints the hash for a script, and the explorer's link for a person. */
const printSent = (client: AnyClient, { hash, prepared }: Sent<unknown>, json: boolean) =>
  Effect.gen(function* () {
    const explorer = yield* findLink(client, "tx", hash)
    if (explorer !== undefined && !json) yield* printNote(escapeControls(explorer))
    const link = explorer === undefined ? {} : { explorer }
    yield* printResult(json, { hash, ...link, ...toJsonPreview(prepared) }, (result) => result.hash)
  })

/**
 * Shows the preview of a payment, asks, and signs and sends exactly that payment. Without a terminal it needs `yes`.
 * With `preview` nothing is signed.
 *
 * @since 0.1.0
 * @category operations
 */
export const run = (
  options: ConnectionOptions &
    KeyOptions & {
      readonly network: string
      readonly to: string
      readonly amount: string
      readonly token: Option.Option<string>
      readonly memo: Option.Option<string>
      readonly maxFee: Option.Option<string>
      readonly confirmations: Option.Option<number>
      readonly preview: boolean
      readonly yes: boolean
    }
): Effect.Effect<void, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const { amount, to } = options
    if (isPrivateKey(to) || isPrivateKey(amount))
      return yield* makeInputError(
        "An argument looks like a private key, and other programs may have read it: use another key, and give it as EFFECT_CHAINS_PRIVATE_KEY or --key-file"
      )
    yield* findNetwork(options.network, options)
    const from = yield* readKey(options)
    const client = yield* connect(options.network, options)
    const signer = yield* makeSigner(client, from)
    const given = Object.entries({ token: options.token, memo: options.memo, maxFee: options.maxFee })
    const more = Object.fromEntries(
      given.flatMap(([name, value]) => (Option.isSome(value) ? [[name, value.value]] : []))
    )
    const prepared = yield* signer.prepare({ to, amount, ...more })
    if (options.preview)
      return yield* printResult(options.json, toJsonPreview(prepared), () => formatPreview(prepared))
    // results go to standard output, so the preview goes to standard error
    yield* printNote(
      options.json ? formatJson({ preview: toJsonPreview(prepared) }) : formatPreview(prepared)
    )
    if (!options.yes) yield* requireConsent
    const confirmations = Option.getOrUndefined(options.confirmations)
    const sent = yield* signer.submit(prepared, confirmations === undefined ? {} : { confirmations })
    yield* printSent(client, sent, options.json)
  })
