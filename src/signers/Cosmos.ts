/**
 * Signers of Cosmos, over `cosmjs-types` and `@noble/curves`: payments in every coin of the chain. Each payment names the last height
 * that can have it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { base64Of } from "../data/base64.js"
import type { OnThisEffect } from "../data/effectVersion.js"
import { bytesToHex } from "../data/hex.js"
import { loadPeer } from "../data/loadOnce.js"
import type { SigningFailed } from "../data/SdkError.js"
import * as Units from "../data/Units.js"
import { withPreimage, withRequest } from "./accountKey.js"
import { type Account, type CurveModule, makeAccount } from "./cosmos/accounts.js"
import { addressProblem, validatorProblem } from "./cosmos/address.js"
import { HEIGHT_MARGIN, makeBroadcaster, waitForConfirmations } from "./cosmos/broadcaster.js"
import { describeGrant } from "./cosmos/grantTexts.js"
import { chainOf } from "./cosmos/networks.js"
import { prepare, type SignerContext } from "./cosmos/payments.js"
import type { CompleteTransaction, Message } from "./cosmos/protobuf.js"
import { type AccountNumbers, readAccountNumbers, readHeight } from "./cosmos/reading.js"
import * as Sequences from "./cosmos/sequences.js"
import type { CosmosClient, CosmosFrom, CosmosSigner, CosmosTransaction } from "./cosmos/Types.js"
import type { Cosignature, Prepared, ReadError, Signed, SignerError } from "./Signer.js"
import {
  assembleSigner,
  makeCosign,
  type Outbound,
  refuseNull,
  type SignerDefinition,
  toSent
} from "./SignerDefinition.js"
import { catchMalformedAnswer, invalidArgument, loadNetworkRow, trySigning } from "./signerChecks.js"

export { addressProblem } from "./cosmos/address.js"
export type * from "./cosmos/Types.js"

/** Blocks in which a payment can be from the newest on: about three minutes. */
const VALID_BLOCKS = 30n

/** A payment with its place in the account's, signed. */
interface SignedPayment extends Signed {
  readonly transaction: CompleteTransaction
}

/** What pays by grants of other accounts, which most accounts never do. */
const loadGrants = /*#__PURE__*/ loadPeer("cosmjs-types", () => import("./cosmos/grants.js"))

/** The message of a transaction. What encodes staking or grants is loaded with the first such message. */
const encodeMessage = async (
  { protobuf }: SignerContext,
  transaction: CosmosTransaction
): Promise<Message> => {
  const { grant, onBehalfOf, staking } = transaction
  if (staking !== undefined) return (await import("./cosmos/stakingMessages.js")).encodeStaking(transaction)
  return grant === undefined && onBehalfOf === undefined
    ? protobuf.encodePayment(transaction)
    : (await import("./cosmos/grantMessages.js")).encodeGranted(transaction)
}

const signTransaction = (
  context: SignerContext,
  curve: CurveModule,
  account: Account,
  transaction: CompleteTransaction
): Effect.Effect<SignedPayment, SigningFailed> =>
  trySigning(async (request) => {
    const { chain, protobuf, publicKey } = context
    const message = await encodeMessage(context, transaction)
    const parts = protobuf.encodeParts(message, transaction, publicKey, chain)
    const hash = protobuf.hashToSign(parts, chain, transaction.accountNumber)
    const signature = await curve.signVerified(hash, withRequest(account, request).sign, publicKey)
    return { ...protobuf.attachSignature(parts, signature), transaction }
  }, transaction)

/** Signs a payment of an account with several keys, of which this is one. What encodes it is loaded with the first such payment. */
const cosignTransaction = (
  { chain, publicKey }: SignerContext,
  curve: CurveModule,
  account: Account,
  transaction: CosmosTransaction
): Effect.Effect<Cosignature, SigningFailed> =>
  trySigning(async (request) => {
    const { documentBytesOf, hashDocument } = await import("./cosmos/multisig.js")
    const document = documentBytesOf(transaction, chain)
    const { sign } = withRequest(account, withPreimage(request, document))
    return { signature: base64Of(await curve.signVerified(hashDocument(document), sign, publicKey)) }
  }, transaction)

/** The account's number and sequence, and the last height for a payment that is made now. */
const readChainState = ({
  address,
  chain,
  rpc
}: SignerContext): Effect.Effect<AccountNumbers & Pick<CompleteTransaction, "timeoutHeight">, ReadError> =>
  Effect.flatMap(
    Effect.all([readAccountNumbers(rpc, address), readHeight(rpc, chain)], { concurrency: "unbounded" }),
    ([numbers, height]) =>
      numbers === undefined
        ? Effect.fail(invalidArgument("sign", `the chain has no account ${address} yet`))
        : Effect.succeed({ ...numbers, timeoutHeight: height + VALID_BLOCKS })
  )

const isWhole = (value: unknown): boolean => typeof value === "bigint" && value >= 0n

/** Why a transaction cannot be one of this chain; undefined if it can. */
const findProblem = ({ network }: SignerContext, transaction: CosmosTransaction): string | undefined => {
  const { amount, fee, gas, grant, staking, to } = transaction
  const problem = staking === undefined ? addressProblem(to, network) : stakingProblem(network, to, staking)
  if (problem !== undefined) return `its ${staking === undefined ? "receiver" : "validator"} ${problem}`
  const granted = grantProblem(network, transaction)
  if (granted !== undefined) return granted
  const isWithoutAmount = staking?.action === "claim" || grant?.action === "revoke"
  return [amount, fee, gas].every(isWhole) && (amount > 0n || isWithoutAmount)
    ? undefined
    : "amount, fee and gas must be bigints, and the amount above zero"
}

const isOneOf = (value: unknown, ...all: ReadonlyArray<string>): boolean =>
  typeof value === "string" && all.includes(value)

/** Why what a transaction does by grants, or what it grants, is nothing that the chain has; undefined if it is. */
const grantProblem = (
  network: string,
  { feeGranter, from, grant, onBehalfOf, staking }: CosmosTransaction
): string | undefined => {
  for (const [name, other] of Object.entries({ feeGranter, onBehalfOf })) {
    const problem = other === undefined ? undefined : addressProblem(other, network)
    if (problem !== undefined) return `its ${name} ${problem}`
    if (other === from) return `its ${name} is the account itself`
  }
  if ([grant, onBehalfOf, staking].filter((each) => each !== undefined).length > 1)
    return "it may have one of grant, onBehalfOf and staking"
  if (grant === undefined) return undefined
  const { action, expires = 1, kind, recipients = [] } = grant
  const isRight =
    isOneOf(action, "grant", "revoke") &&
    isOneOf(kind, "fees", "payments") &&
    Number.isSafeInteger(expires) &&
    expires > 0 &&
    recipients.every((each) => addressProblem(each, network) === undefined)
  return isRight ? undefined : "its grant is { action, kind, expires, recipients }: prepareGrant makes it"
}

/** Whether a preview lists what a payment takes: its coins, or its tokens. */
const listsPayment = (
  { chain, row }: SignerContext,
  { outgoing, transaction: { amount, denom, fee } }: Prepared<CosmosTransaction>
): boolean => {
  if (denom !== chain.denom) return outgoing[0]?.token === denom && outgoing[0].units === amount
  const coins = outgoing.map((line) => Option.getOrUndefined(Units.parse(line.amount, row.decimals)) ?? 0n)
  return coins.reduce((sum, each) => sum + each, 0n) === amount + fee
}

/** Whether a preview says whose coins and fee a transaction pays, and what it grants. */
const isAsPreviewed = (context: SignerContext, prepared: Prepared<CosmosTransaction>): boolean => {
  const { outgoing, transaction, warnings } = prepared
  const { feeGranter, grant, onBehalfOf, staking } = transaction
  if (outgoing[0]?.from !== onBehalfOf || outgoing.at(-1)?.from !== feeGranter) return false
  if (grant !== undefined) return warnings.includes(describeGrant(transaction, context))
  return staking !== undefined || listsPayment(context, prepared)
}

/** Why the validators of a transaction are none; undefined if they are. */
const stakingProblem = (
  network: string,
  to: string,
  { action, from }: NonNullable<CosmosTransaction["staking"]>
): string | undefined =>
  validatorProblem(to, network) ??
  (action === "redelegate"
    ? validatorProblem(String(from), network)
    : from === undefined
      ? undefined
      : "has from, which redelegate takes alone")

/** Signs a transaction that the caller made. Missing fields get their current values. */
const signOwnTransaction =
  (context: SignerContext, curve: CurveModule, account: Account) => (transaction: CosmosTransaction) =>
    Effect.flatMap(readChainState(context), (start) =>
      Effect.map(
        signTransaction(context, curve, account, {
          ...start,
          ...transaction,
          to: transaction.to.toLowerCase()
        }),
        ({ hash, raw }) => ({ hash, raw })
      )
    )

const makeSequences = (context: SignerContext): Sequences.Sequences<SignedPayment> =>
  Sequences.make({
    address: context.address,
    isExpired: (payment, now) => payment.timeoutHeight + HEIGHT_MARGIN < now.timeoutHeight - VALID_BLOCKS,
    makeBroadcaster: ({ transaction }) => makeBroadcaster(context, transaction)
  })

const toOutbound = (
  prepared: Prepared<CosmosTransaction>,
  { hash, raw, transaction }: SignedPayment
): Outbound<CosmosTransaction> => ({ hash, raw, prepared: { ...prepared, transaction } })

const makeBroadcastParts = (
  context: SignerContext,
  curve: CurveModule,
  account: Account
): Pick<SignerDefinition<CosmosTransaction>, "broadcast" | "rebroadcast"> => {
  const sequences = makeSequences(context)
  return {
    broadcast: (prepared, beforeBroadcast) => {
      const { transaction } = prepared
      return Effect.map(
        sequences.send(
          readChainState(context),
          (start) => signTransaction(context, curve, account, { ...transaction, ...start }),
          (out) => beforeBroadcast(toOutbound(prepared, out))
        ),
        (out) => toSent(toOutbound(prepared, out))
      )
    },
    rebroadcast: ({ hash, prepared: { transaction }, raw }) => {
      const { accountNumber = 0n, sequence = 0n, timeoutHeight = 0n } = transaction
      return sequences.rebroadcast({
        hash,
        raw,
        transaction: { ...transaction, accountNumber, sequence, timeoutHeight }
      })
    }
  }
}

/**
 * Makes a signer of Cosmos from a mnemonic (`m/44'/118'/0'/0/index`), a private key (32 bytes as hexadecimal), or a public key and a
 * function that signs. Its fees are paid in the chain's coin. Make one signer per account and process: it keeps the account's
 * sequence.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  client: CosmosClient,
  from: OnThisEffect<CosmosFrom>
): Effect.Effect<CosmosSigner, SignerError> =>
  Effect.gen(function* () {
    const { network, nodes, rpc } = client
    const row = yield* loadNetworkRow(network, ["cosmos"])
    const chain = chainOf(network)
    if (chain === undefined)
      return yield* invalidArgument("signer", `${network} has no chain id that is known here`)
    const [curve, protobuf] = yield* loadPeer("cosmjs-types @noble/curves", () =>
      Promise.all([import("./cosmos/curve.js"), import("./cosmos/protobuf.js")])
    )
    const account = yield* makeAccount(curve, from)
    const { publicKey } = account
    const address = curve.addressOf(publicKey, chain.prefix)
    const context: SignerContext = { network, nodes, rpc, row, chain, protobuf, address, publicKey }
    const readTerms = ({ amount, denom, fee, from, staking, to }: CosmosTransaction) => {
      const token = denom === chain.denom ? undefined : denom
      if (staking === undefined) return { amount, fee, from, to, token }
      const spent = staking.action === "delegate" ? amount : 0n
      return { amount: spent, fee, from, to, token, staking: { ...staking, amount } }
    }
    const signer = assembleSigner<CosmosTransaction>(
      {
        network,
        address,
        sign: signOwnTransaction(context, curve, account),
        signMessage: (message) =>
          Effect.map(
            trySigning((request) =>
              curve.signVerified(
                curve.hashMessage(message, address),
                withRequest(account, request).sign,
                publicKey
              )
            ),
            base64Of
          ),
        readTerms,
        findProblem: (transaction) => findProblem(context, transaction),
        isAsPreviewed: (prepared) => isAsPreviewed(context, prepared),
        prepare: (payment) => prepare(context, payment),
        ...makeBroadcastParts(context, curve, account),
        waitForConfirmations: ({ hash, prepared: { transaction } }, confirmations) =>
          waitForConfirmations(context, hash, transaction, confirmations)
      },
      from
    )
    return refuseNull<CosmosSigner>({
      ...signer,
      publicKey: bytesToHex(publicKey),
      cosign: makeCosign<CosmosTransaction>({
        network,
        address,
        policy: from.policy,
        readTerms,
        isAsPreviewed: (prepared) => isAsPreviewed(context, prepared),
        sign: (transaction) => cosignTransaction(context, curve, account, transaction)
      }),
      prepareGranted: (payment) =>
        catchMalformedAnswer(
          Effect.flatMap(loadGrants, (grants) => grants.prepareGranted(context, payment)),
          "prepareGranted"
        ),
      prepareGrant: (request) =>
        catchMalformedAnswer(
          Effect.flatMap(loadGrants, (grants) => grants.prepareGrant(context, request)),
          "prepareGrant"
        )
    })
  })
