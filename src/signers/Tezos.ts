/**
 * Signers of Tezos, over `@taquito/local-forging` and `@noble/curves`: payments in XTZ and in tokens (FA1.2 and FA2). Operations are
 * made here, and read back before they are signed.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Micheline } from "../chains/Tezos.js"
import type { OnThisEffect } from "../data/effectVersion.js"
import { bytesToHex, hexToBytes } from "../data/hex.js"
import { loadPeer, memoizeSuccess } from "../data/loadOnce.js"
import { InvalidKey, NonceTaken } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import { ed25519Library, ignoreRequest, makeAccountKey } from "./accountKey.js"
import type { FromMnemonic, Signed, SignerError, WithPolicy } from "./Signer.js"
import { assembleSigner, refuseNull, type SignerDefinition, toSent } from "./SignerDefinition.js"
import { invalidKey, loadNetworkRow, missingKeySource, reveal, trySigning } from "./signerChecks.js"
import { encodeWithPrefix } from "./tezos/address.js"
import { makeContents } from "./tezos/contents.js"
import type { Account } from "./tezos/curve.js"
import { prepare, type SignerContext } from "./tezos/payments.js"
import { broadcastOperation, waitForConfirmations, waitUntilOver } from "./tezos/reading.js"
import type { TezosClient, TezosFrom, TezosSigner, TezosTransaction } from "./tezos/Types.js"
import { readTokenDetails } from "./tezos/tokens.js"

export { addressProblem } from "./tezos/address.js"
export type * from "./tezos/Types.js"

type CurveModule = typeof import("./tezos/curve.js")

/**
 * Makes an account from a key. A key that throws or is missing is invalid; the library's message is not repeated, since it may contain
 * the key.
 */
const tryMakeAccount = (
  reason: string,
  account: () => Account | undefined
): Effect.Effect<Account, InvalidKey> =>
  Effect.flatMap(Effect.try({ try: account, catch: () => new InvalidKey({ reason }) }), (made) =>
    made === undefined ? invalidKey(reason) : Effect.succeed(made)
  )

const accountFromPrivateKey = (curve: CurveModule, given: string): Effect.Effect<Account, InvalidKey> => {
  if (/^(edesk|spesk|p2esk)/.test(given))
    return invalidKey("it is encrypted: decrypt it with the wallet that made it")
  const digits = given.replace(/^0x/, "")
  return tryMakeAccount("a private key of Tezos is edsk, spsk, or 32 bytes as 64 hexadecimal digits", () =>
    /^[0-9a-f]{64}$/i.test(digits) ? curve.accountFromSeed(hexToBytes(digits)) : curve.accountFromText(given)
  )
}

const accountFromMnemonic = (curve: CurveModule, from: FromMnemonic) =>
  Effect.flatMap(
    loadPeer("@scure/bip39", () => Promise.all([import("./keys/bip39.js"), import("./keys/slip10.js")])),
    ([{ deriveKey }, { deriveEd25519 }]) =>
      Effect.map(
        deriveKey(from, { standard: (index) => `m/44'/1729'/${index}'/0'` }, deriveEd25519),
        curve.accountFromSeed
      )
  )

const makeAccount = (curve: CurveModule, from: TezosFrom): Effect.Effect<Account, SignerError> => {
  if (!isRecord(from as unknown)) return missingKeySource
  if ("mnemonic" in from) return accountFromMnemonic(curve, from)
  if ("privateKey" in from) return accountFromPrivateKey(curve, reveal(from.privateKey))
  if ("account" in from)
    return Effect.map(
      makeAccountKey(from.account, { ed25519: ed25519Library, secp256k1: curve.secp256k1Library }),
      curve.accountFromKey
    )
  const { publicKey, sign } = from
  return typeof sign === "function"
    ? tryMakeAccount("a public key of Tezos is edpk or sppk", () =>
        curve.accountFromPublicKey(String(publicKey), ignoreRequest(sign))
      )
    : invalidKey("must have mnemonic, privateKey, account, or sign with publicKey")
}

/** The watermark of operations of accounts. */
const OPERATION_WATERMARK = "03"

const signTransaction = (context: SignerContext, curve: CurveModule, transaction: TezosTransaction) =>
  trySigning(async (request): Promise<Signed> => {
    const bytes = await context.forge(transaction.branch, makeContents(transaction))
    const signature = await context.account.signHash(
      curve.computeHash(hexToBytes(`${OPERATION_WATERMARK}${bytes}`)),
      request
    )
    const raw = `${bytes}${bytesToHex(signature)}`
    return { raw, hash: encodeWithPrefix("operation", curve.computeHash(hexToBytes(raw))) }
  })

/** A message as wallets sign it: packed as a string of Michelson, so that it cannot be an operation. */
const packMessage = (message: string | Uint8Array): Uint8Array => {
  const text = new TextEncoder()
  const bytes = typeof message === "string" ? text.encode(message) : message
  const whole = Uint8Array.of(...text.encode("Tezos Signed Message: "), ...bytes)
  return hexToBytes(`0501${whole.length.toString(16).padStart(8, "0")}${bytesToHex(whole)}`)
}

/** A payment that may not be in a block yet. */
interface SentOperation {
  readonly hash: string
  readonly transaction: TezosTransaction
}

/** The last payment of an account. Bakers accept one operation per account at a time, and a second one could replace it. */
const makeLane = (context: SignerContext) => {
  let last: SentOperation | undefined
  return {
    /** Waits until it is in a block, or can be in none. */
    free: Effect.suspend(() => (last === undefined ? Effect.void : waitUntilOver(context, last.transaction))),
    /** Broadcasts the next payment, which was prepared after it. */
    follow: <E extends { readonly _tag: string }>(next: SentOperation, broadcast: Effect.Effect<void, E>) =>
      Effect.suspend((): Effect.Effect<void, E | NonceTaken> => {
        const before = last
        const { counter } = next.transaction
        if (before !== undefined && before.hash !== next.hash && counter <= before.transaction.counter)
          return Effect.fail(new NonceTaken({ address: context.account.address, nonce: Number(counter) }))
        last = next
        return Effect.tapError(broadcast, ({ _tag }) =>
          Effect.sync(() => {
            if (_tag !== "BroadcastUnclear") last = before
          })
        )
      })
  }
}

const makeBroadcastParts = (
  context: SignerContext,
  curve: CurveModule,
  { follow }: ReturnType<typeof makeLane>
): Required<Pick<SignerDefinition<TezosTransaction>, "broadcast" | "rebroadcast">> => ({
  broadcast: (prepared, beforeBroadcast) =>
    Effect.gen(function* () {
      const { transaction } = prepared
      const made = yield* signTransaction(context, curve, transaction)
      const out = { ...made, prepared }
      beforeBroadcast(out)
      yield* follow({ hash: made.hash, transaction }, broadcastOperation(context, transaction, made))
      return toSent(out)
    }),
  rebroadcast: (out) => broadcastOperation(context, out.prepared.transaction, out, true)
})

const makeSigner = (context: SignerContext, curve: CurveModule, own: WithPolicy): TezosSigner => {
  const { account, network } = context
  const lane = makeLane(context)
  return {
    ...assembleSigner<TezosTransaction>(
      {
        network,
        address: account.address,
        sign: (transaction) => signTransaction(context, curve, transaction),
        signMessage: (message) =>
          Effect.map(
            trySigning((request) => account.signHash(curve.computeHash(packMessage(message)), request)),
            account.formatSignature
          ),
        // the preview's fee is higher: it includes what is burnt
        readTerms: ({ amount, from, staking, to, token }) =>
          staking === undefined
            ? { amount, from, to, token }
            : {
                amount: staking.action === "stake" ? amount : 0n,
                from,
                to,
                token,
                staking: { action: staking.action, amount }
              },
        prepare: (payment) => Effect.zipRight(lane.free, prepare(context, payment)),
        ...makeBroadcastParts(context, curve, lane),
        waitForConfirmations: (sent, confirmations) => waitForConfirmations(context, sent, confirmations),
        runExclusive: Effect.unsafeMakeSemaphore(1).withPermits(1)
      },
      own
    ),
    publicKey: account.publicKey
  }
}

/**
 * Makes a signer of Tezos from a mnemonic (`m/44'/1729'/index'/0'`, SLIP-10), a private key (edsk, spsk, or 32 bytes as hexadecimal), or a
 * public key and a function that signs. Its fees are paid in XTZ. Make one signer per account and process: a payment waits until the one
 * before it is in a block.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  client: TezosClient,
  from: OnThisEffect<TezosFrom>
): Effect.Effect<TezosSigner, SignerError> =>
  Effect.gen(function* () {
    const { network, nodes, rpc } = client
    const row = yield* loadNetworkRow(network, ["tezos"])
    const [{ forgeOperation, packMicheline }, curve] = yield* loadPeer(
      "@taquito/local-forging @noble/curves",
      () => Promise.all([import("./tezos/taquito.js"), import("./tezos/curve.js")])
    )
    const account = yield* makeAccount(curve, from)
    const toExpressionHash = (value: Micheline) =>
      encodeWithPrefix("expression", curve.computeHash(hexToBytes(packMicheline(value))))
    const known = new Map<string, ReturnType<SignerContext["readDetails"]>>()
    const readDetailsOnce = (token: string) => {
      const found = known.get(token) ?? memoizeSuccess(readTokenDetails(rpc, token, toExpressionHash))
      known.set(token, found)
      return found
    }
    return makeSigner(
      { network, nodes, rpc, row, account, forge: forgeOperation, readDetails: readDetailsOnce },
      curve,
      from
    )
  }).pipe(Effect.map(refuseNull))
