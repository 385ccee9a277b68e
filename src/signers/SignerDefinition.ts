/**
 * What a chain family implements, and the signer that is made of it: previews are kept, and bytes that were sent can be sent again.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import { leftOf } from "../data/eitherValues.js"
import {
  BroadcastUnclear,
  type InvalidArgument,
  type PolicyDenied,
  reasonOf,
  type SigningFailed
} from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import type {
  ContractCall,
  Cosignature,
  Cosigner,
  Outgoing,
  Payment,
  Policy,
  PolicyRequest,
  Prepared,
  SendOptions,
  Sent,
  Signed,
  Signer,
  Staking,
  SubmitError,
  WithPolicy
} from "./Signer.js"
import {
  CurrentRequest,
  catchMalformedAnswer,
  invalidArgument,
  privateProblem,
  speedProblem
} from "./signerChecks.js"

/**
 * What a transaction pays, as its preview has to show it.
 *
 * @since 0.1.0
 * @category models
 */
export interface PaymentTerms extends Pick<Prepared<unknown>, "from" | "to" | "amount"> {
  readonly token: string | undefined
  /** Absent if the preview's fee is more than the transaction's own. */
  readonly fee?: bigint
  /** What may leave the account, as `outgoing` has it, if the transaction names that besides its amount. */
  readonly spent?: string
  /** Absent if it stakes nothing. */
  readonly staking?: Staking
}

/**
 * A payment that is being broadcast. Its preview has the transaction as it was signed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Outbound<out Tx> extends Sent<Tx>, Signed {}

/**
 * A payment that nodes have taken, with its bytes where they may have to be sent again.
 *
 * @since 0.1.0
 * @category models
 */
export interface Accepted<out Tx> extends Sent<Tx>, Partial<Pick<Signed, "raw">> {}

/**
 * A payment that nodes have taken, without its bytes.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toSent = <Tx>({ hash, prepared }: Sent<Tx>): Sent<Tx> => ({ hash, prepared })

/**
 * What a chain family implements for its signers. `broadcast` signs a prepared payment and sends it to nodes, and calls `beforeBroadcast`
 * right before that. `rebroadcast` sends the same bytes again, and `waitForConfirmations` waits until the payment is deep enough in the
 * chain. `runExclusive` runs one payment at a time, if payments depend on earlier ones. `readTerms` and `isAsPreviewed` compare a
 * transaction with its preview, so that only what was shown is signed.
 *
 * @since 0.1.0
 * @category models
 */
export interface SignerDefinition<in out Tx>
  extends Pick<Signer<Tx>, "network" | "address" | "sign" | "signMessage" | "prepare"> {
  readonly broadcast: (
    prepared: Prepared<Tx>,
    beforeBroadcast: (out: Outbound<Tx>) => void
  ) => Effect.Effect<Accepted<Tx>, SubmitError>
  /** Absent if another program broadcasts payments. */
  readonly rebroadcast?: (out: Outbound<Tx>) => Effect.Effect<unknown, SubmitError>
  readonly waitForConfirmations: (
    sent: Accepted<Tx>,
    confirmations: number
  ) => Effect.Effect<unknown, SubmitError>
  readonly runExclusive?: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
  /** Whether a payment depends on no other one, and need not wait for them. */
  readonly isIndependent?: (transaction: Tx) => boolean
  readonly readTerms?: (transaction: Tx) => PaymentTerms
  readonly isAsPreviewed?: (prepared: Prepared<Tx>) => boolean
  /** The contract that a transaction calls, if it calls one. */
  readonly readCall?: (transaction: Tx) => ContractCall | undefined
  /** All that a transaction calls, where it may call several; undefined if it is a payment. */
  readonly readCalls?: (transaction: Tx) => ReadonlyArray<ContractCall> | undefined
  /** Why a transaction cannot be encoded, if it cannot: its bytes are invalid. */
  readonly findProblem?: (transaction: Tx) => string | undefined
  /** Whether payments can be sent to a node that keeps them private. */
  readonly hasPrivateClient?: boolean
}

/** The problem of the option `confirmations`. It is checked before anything is sent, so that nobody pays again after a failed wait. */
export const waitProblem = ({ confirmations = 1 }: SendOptions): string | undefined =>
  Number.isSafeInteger(confirmations) && confirmations >= 1
    ? undefined
    : "confirmations must be a whole number of at least 1"

const PAYMENT_EXPECTED = "a payment is { to, amount }"

const UNKNOWN_BROADCAST =
  "this signer has not sent these bytes, or knows by now what came of them: look for the hash, and hand raw to nodes by rpc if it has to go out again"

/** Runs a check of what a caller has handed over. Fields that are missing there may throw where they are read. */
const findProblemOf = (check: () => string | undefined): string | undefined => {
  try {
    return check()
  } catch (error) {
    return `it is not what prepare has made: ${reasonOf(error)}`
  }
}

/** Why a transaction cannot be one of an account; undefined if it can. */
const findForeignTransaction = <Tx>(
  { address, findProblem, readTerms }: SignerDefinition<Tx>,
  transaction: Tx
): string | undefined => {
  if (!isRecord(transaction)) return "a transaction is what prepare has made"
  return findProblemOf(() => {
    const from = readTerms === undefined ? address : readTerms(transaction).from
    return from === address
      ? findProblem?.(transaction)
      : `it is paid by ${from}, and this signer is ${address}`
  })
}

/** A message is text or bytes. Bytes as hexadecimal digits are text like any other. */
const isMessage = (message: unknown): boolean => typeof message === "string" || message instanceof Uint8Array

/** Whether two transactions do the same with what an account stakes, or nothing. */
const isSameStaking = (one: Staking | undefined, other: Staking | undefined): boolean =>
  one?.action === other?.action &&
  one?.amount === other?.amount &&
  one?.from === other?.from &&
  one?.resource === other?.resource &&
  one?.stakeAccount === other?.stakeAccount

const PREVIEW_MISMATCH = "its transaction is another one than that of its preview"

/** Whether a preview shows what its transaction pays. */
const matchesTerms = (
  { amount, fee, outgoing, staking, to, token }: Prepared<unknown>,
  said: PaymentTerms
): boolean => {
  const isSpent = (each: Outgoing) => each.token === token && each.amount === said.spent
  return (
    said.to === to &&
    said.amount === amount &&
    said.token === token &&
    isSameStaking(said.staking, staking) &&
    (said.fee ?? fee) === fee &&
    (said.spent === undefined || outgoing.some(isSpent))
  )
}

/** Why a preview is not signed; undefined if it is. */
const findPreviewMismatch = <Tx>(
  definition: SignerDefinition<Tx>,
  prepared: Prepared<Tx>
): string | undefined => {
  if (!isRecord(prepared) || !Array.isArray(prepared.outgoing)) return "it takes what prepare has made"
  const { address, isAsPreviewed, network, readTerms } = definition
  const { from, network: wanted, transaction } = prepared
  if (from !== address || wanted !== network)
    return `it was prepared for ${from} on ${wanted}, and this signer is ${address} on ${network}`
  const problem = findForeignTransaction(definition, transaction)
  if (problem !== undefined) return problem
  return findProblemOf(() => {
    if (isAsPreviewed?.(prepared) === false) return PREVIEW_MISMATCH
    return readTerms === undefined || matchesTerms(prepared, readTerms(transaction))
      ? undefined
      : PREVIEW_MISMATCH
  })
}

/** How many payments with an unclear outcome are remembered. */
const MAX_UNCLEAR = 1_024

/** Whether a payment may still arrive after its broadcast ended like this, an interruption included. */
const canStillArrive = (exit: Exit.Exit<unknown, SubmitError>): boolean => {
  if (Exit.isSuccess(exit)) return false
  const error = Cause.failureOrCause(exit.cause)
  return (
    Either.isRight(error) ||
    leftOf(error)._tag === "BroadcastUnclear" ||
    leftOf(error)._tag === "TransactionNotConfirmed"
  )
}

/**
 * Broadcasts each payment once. A payment with an unclear outcome is broadcast again as the same bytes, and is not signed a second time.
 */
const makeOutbox = <Tx>(
  { broadcast, rebroadcast }: Pick<SignerDefinition<Tx>, "broadcast" | "rebroadcast">,
  authorize: (prepared: Prepared<Tx>, signing: ReturnType<typeof broadcast>) => ReturnType<typeof broadcast>
) => {
  /** By their hashes, with the transactions that they were made of. */
  const unclear = new Map<string, { readonly by: Tx; readonly out: Outbound<Tx> }>()
  const rememberUnclear = (by: Tx, out: Outbound<Tx>): void => {
    unclear.set(out.hash, { by, out })
    // a map lists its oldest key first
    for (const oldest of unclear.keys()) {
      if (unclear.size <= MAX_UNCLEAR) break
      unclear.delete(oldest)
    }
  }
  const sendFirst = (prepared: Prepared<Tx>): Effect.Effect<Accepted<Tx>, SubmitError> =>
    Effect.suspend(() => {
      let out: Outbound<Tx> | undefined
      const sendOnce = authorize(
        prepared,
        Effect.catchIf(
          catchMalformedAnswer(
            broadcast(prepared, (outbound) => {
              out = outbound
            }),
            "submit"
          ),
          // once the bytes may have left, whoever cannot read an answer does not know what came of them
          (error) => error._tag === "NodeError" && error.kind === "malformed" && out !== undefined,
          (error) =>
            Effect.fail(
              new BroadcastUnclear({ hash: out?.hash ?? "", raw: out?.raw ?? "", reason: error.message })
            )
        )
      )
      return Effect.onExit(sendOnce, (exit) =>
        Effect.sync(() => {
          if (out !== undefined && canStillArrive(exit)) rememberUnclear(prepared.transaction, out)
        })
      )
    })
  return {
    /** The preview of an unclear payment, by its error. */
    findPrepared: ({ hash }: BroadcastUnclear): Prepared<Tx> | undefined => unclear.get(hash)?.out.prepared,
    /** Broadcasts a prepared payment, or its earlier bytes if there are any. */
    broadcastOnce: (prepared: Prepared<Tx>): Effect.Effect<Accepted<Tx>, SubmitError> =>
      Effect.suspend(() => {
        const { transaction } = prepared
        const before = [...unclear.values()].find(
          ({ by, out }) => by === transaction || out.prepared.transaction === transaction
        )
        if (before === undefined || rebroadcast === undefined) return sendFirst(prepared)
        const { out } = before
        return rebroadcast(out).pipe(
          Effect.onExit((exit) =>
            Effect.sync(() => {
              if (!canStillArrive(exit)) unclear.delete(out.hash)
            })
          ),
          Effect.as(out)
        )
      })
  }
}

/** Freezes a value and all in it. Bytes cannot be frozen. */
const freeze = <A>(value: A): A => {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value))
    return value
  Object.freeze(value)
  Object.values(value).forEach(freeze)
  return value
}

/**
 * Runs what signs if the policy of a signer allows it. What is to be signed is frozen: a policy may ask somebody, and whoever holds the request
 * meanwhile cannot make another one of it.
 *
 * @since 0.1.0
 * @category operations
 */
export const authorizeBy = <A, E>(
  policy: Policy | undefined,
  request: PolicyRequest,
  signing: Effect.Effect<A, E>
): Effect.Effect<A, E | PolicyDenied> =>
  Effect.suspend(() => {
    const frozen = policy === undefined ? request : freeze(request)
    const signingRequested = Effect.provideService(signing, CurrentRequest, frozen)
    return policy === undefined ? signingRequested : policy.authorize(frozen, signingRequested)
  })

/** The account that a request is for. */
type RequestAccount = Pick<PolicyRequest, "network" | "address">

/**
 * Runs what signs a message, if the message is one and the policy of a signer allows it.
 *
 * @since 0.1.0
 * @category operations
 */
export const authorizeMessage = <A, E>(
  policy: Policy | undefined,
  { address, network }: RequestAccount,
  given: string | Uint8Array,
  signing: (message: string | Uint8Array) => Effect.Effect<A, E>
): Effect.Effect<A, E | PolicyDenied | InvalidArgument> => {
  // bytes cannot be frozen: the policy, and what signs, each have their own
  const copy = () => (given instanceof Uint8Array ? given.slice() : given)
  return isMessage(given)
    ? authorizeBy(policy, { network, address, kind: "message", message: copy() }, signing(copy()))
    : Effect.fail(invalidArgument("signMessage", "a message must be text or a Uint8Array"))
}

/**
 * Makes a signer from its definition. It refuses previews for another account or network, and transactions that differ from their
 * preview. What it signs, its policy has allowed before.
 *
 * @since 0.1.0
 * @category constructors
 */
export const assembleSigner = <Tx>(definition: SignerDefinition<Tx>, { policy }: WithPolicy): Signer<Tx> => {
  const {
    address,
    network,
    hasPrivateClient = false,
    isIndependent = () => false,
    readCall,
    readCalls,
    sign,
    signMessage,
    runExclusive = (effect) => effect,
    waitForConfirmations
  } = definition
  const account = { network, address }
  const { findPrepared, broadcastOnce } = makeOutbox(definition, (prepared, signing) => {
    // the call of a payment in tokens was compared with its preview
    const isCall = prepared.token === undefined
    const calls = isCall ? readCalls?.(prepared.transaction) : undefined
    const call = isCall ? (readCall?.(prepared.transaction) ?? calls?.[0]) : undefined
    return authorizeBy(
      policy,
      {
        ...account,
        kind: "payment",
        prepared,
        ...(call === undefined ? {} : { call }),
        ...(calls === undefined ? {} : { calls })
      },
      signing
    )
  })
  const prepare = (payment: Payment) =>
    catchMalformedAnswer(
      Effect.suspend(() => {
        const problem = speedProblem(payment.speed) ?? privateProblem(payment.private, hasPrivateClient)
        return problem === undefined
          ? definition.prepare(payment)
          : Effect.fail(invalidArgument("prepare", problem))
      })
    )
  const sendAndWait = <E>(
    sending: Effect.Effect<Accepted<Tx>, E>,
    { confirmations }: SendOptions
  ): Effect.Effect<Sent<Tx>, E | SubmitError> =>
    Effect.flatMap(sending, (accepted) =>
      confirmations === undefined
        ? Effect.succeed(toSent(accepted))
        : Effect.as(
            catchMalformedAnswer(waitForConfirmations(accepted, confirmations), "waitForConfirmations"),
            toSent(accepted)
          )
    )
  const prepareAndSend = (payment: Payment & SendOptions) => {
    const problem = isRecord(payment) ? waitProblem(payment) : PAYMENT_EXPECTED
    return problem === undefined
      ? sendAndWait(runExclusive(Effect.flatMap(prepare(payment), broadcastOnce)), payment)
      : Effect.fail(invalidArgument("send", problem))
  }
  return {
    network,
    address,
    sign: (transaction) => {
      const problem = findForeignTransaction(definition, transaction)
      return problem === undefined
        ? authorizeBy(policy, { ...account, kind: "transaction", transaction }, sign(transaction))
        : Effect.fail(invalidArgument("sign", problem))
    },
    signMessage: (given) => authorizeMessage(policy, account, given, signMessage),
    prepare: (payment) =>
      isRecord(payment)
        ? runExclusive(prepare(payment))
        : Effect.fail(invalidArgument("prepare", PAYMENT_EXPECTED)),
    submit: (given, options = {}) => {
      const prepared = given instanceof BroadcastUnclear ? findPrepared(given) : given
      if (prepared === undefined) return Effect.fail(invalidArgument("submit", UNKNOWN_BROADCAST))
      const problem = findPreviewMismatch(definition, prepared) ?? waitProblem(options)
      return problem === undefined
        ? sendAndWait(
            isIndependent(prepared.transaction)
              ? broadcastOnce(prepared)
              : runExclusive(broadcastOnce(prepared)),
            options
          )
        : Effect.fail(invalidArgument("submit", problem))
    },
    send: prepareAndSend,
    sendToken: prepareAndSend
  }
}

const isCall = (value: unknown): value is (...args: ReadonlyArray<unknown>) => unknown =>
  typeof value === "function"

/**
 * The calls of a signer, none of which takes null: where its fields are read it would throw as an answer in the wrong form does, and a node
 * would be blamed for it.
 *
 * @since 0.1.0
 * @category combinators
 */
export const refuseNull = <S extends object>(signer: S): S =>
  // a call has the type of the one behind it
  Object.fromEntries(
    Object.entries(signer).map(([name, call]: readonly [string, unknown]) => [
      name,
      isCall(call)
        ? (...args: ReadonlyArray<unknown>) =>
            args.includes(null)
              ? Effect.fail(
                  invalidArgument(
                    name,
                    `its argument ${args.indexOf(null) + 1} is null: leave out what there is not`
                  )
                )
              : call(...args)
        : call
    ])
  ) as S

/**
 * What a family implements so that its signers sign for accounts with several members.
 *
 * @since 0.1.0
 * @category models
 */
export interface CosigningDefinition<in out Tx> extends WithPolicy {
  readonly network: string
  readonly address: string
  /** Throws if the transaction is no payment. */
  readonly readTerms: (transaction: Tx) => PaymentTerms
  /** What its terms do not say. */
  readonly isAsPreviewed?: (prepared: Prepared<Tx>) => boolean
  readonly sign: (transaction: Tx) => Effect.Effect<Cosignature, SigningFailed>
}

/**
 * Why what another account pays is not signed; undefined if it is.
 *
 * @since 0.1.0
 * @category conversions
 */
export const findCosigningProblem = <Tx>(
  { address, isAsPreviewed, network, readTerms }: Omit<CosigningDefinition<Tx>, "sign">,
  prepared: Prepared<Tx>
): string | undefined => {
  if (!isRecord(prepared) || !Array.isArray(prepared.outgoing) || !isRecord(prepared.transaction))
    return "it takes the preview of a payment"
  if (prepared.network !== network)
    return `it was prepared for ${prepared.network}, and this signer is ${address} on ${network}`
  try {
    const said = readTerms(prepared.transaction)
    return said.from === prepared.from && matchesTerms(prepared, said) && isAsPreviewed?.(prepared) !== false
      ? undefined
      : PREVIEW_MISMATCH
  } catch (error) {
    return reasonOf(error)
  }
}

/**
 * Makes the function that signs for accounts with several members. It refuses transactions that differ from their preview, and what the
 * policy does not allow.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeCosign =
  <Tx>(definition: CosigningDefinition<Tx>): Cosigner<Tx>["cosign"] =>
  (prepared) =>
    Effect.suspend((): ReturnType<Cosigner<Tx>["cosign"]> => {
      const { address, network, policy, sign } = definition
      const problem = findCosigningProblem(definition, prepared)
      return problem === undefined
        ? authorizeBy(policy, { network, address, kind: "payment", prepared }, sign(prepared.transaction))
        : Effect.fail(invalidArgument("cosign", problem))
    })
