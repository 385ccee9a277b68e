/**
 * Signers of Tezos, over `@taquito/local-forging` and `@noble/curves`: payments in XTZ and in tokens (FA1.2 and FA2). Operations are
 * made here, and read back before they are signed.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Micheline } from "../chains/Tezos.js"
import { isRecord } from "../data/untrusted.js"
import { hexToBytes, bytesToHex } from "../data/hex.js"
import { memoizeSuccess, loadPeer } from "../data/loadOnce.js"
import { InvalidKey, NonceTaken } from "../data/SdkError.js"
import {
  assemble,
  type FromMnemonic,
  invalidKey,
  madeFromNothing,
  type Parts,
  reveal,
  rowOf,
  type Signed,
  type SignerError,
  sentOf,
  signing
} from "./Signer.js"
import { textOf } from "./tezos/address.js"
import { contentsOf } from "./tezos/contents.js"
import type { Account } from "./tezos/curve.js"
import { type Place, prepare } from "./tezos/payments.js"
import { handed, landed, over } from "./tezos/reading.js"
import type { TezosClient, TezosFrom, TezosSigner, TezosTransaction } from "./tezos/Types.js"
import { detailsOf } from "./tezos/tokens.js"

export { addressProblem } from "./tezos/address.js"
export type * from "./tezos/Types.js"

type Curve = typeof import("./tezos/curve.js")

/** What throws, or is none, is a key that is invalid: whatever a library says of it is not repeated. */
const ofKey = (reason: string, account: () => Account | undefined): Effect.Effect<Account, InvalidKey> =>
  Effect.flatMap(Effect.try({ try: account, catch: () => new InvalidKey({ reason }) }), (made) =>
    made === undefined ? invalidKey(reason) : Effect.succeed(made)
  )

const ofPrivateKey = (curve: Curve, given: string): Effect.Effect<Account, InvalidKey> => {
  if (/^(edesk|spesk|p2esk)/.test(given))
    return invalidKey("it is encrypted: decrypt it with the wallet that made it")
  const digits = given.replace(/^0x/, "")
  return ofKey("a private key of Tezos is edsk, spsk, or 32 bytes as 64 hexadecimal digits", () =>
    /^[0-9a-f]{64}$/i.test(digits) ? curve.accountOfSeed(hexToBytes(digits)) : curve.accountOfText(given)
  )
}

const ofMnemonic = (curve: Curve, from: FromMnemonic) =>
  Effect.flatMap(
    loadPeer("@scure/bip39", () => Promise.all([import("./keys/phrase.js"), import("./keys/slip10.js")])),
    ([{ keyOf }, { ed25519 }]) =>
      Effect.map(
        keyOf(from, { standard: (index) => `m/44'/1729'/${index}'/0'` }, ed25519),
        curve.accountOfSeed
      )
  )

const accountOf = (curve: Curve, from: TezosFrom): Effect.Effect<Account, SignerError> => {
  if (!isRecord(from as unknown)) return madeFromNothing
  if ("mnemonic" in from) return ofMnemonic(curve, from)
  if ("privateKey" in from) return ofPrivateKey(curve, reveal(from.privateKey))
  const { publicKey, sign } = from
  return typeof sign === "function"
    ? ofKey("a public key of Tezos is edpk or sppk", () => curve.accountOfPublic(String(publicKey), sign))
    : invalidKey("must have mnemonic, privateKey, or sign with publicKey")
}

/** The watermark of operations of accounts. */
const OPERATION = "03"

const signed = (place: Place, curve: Curve, transaction: TezosTransaction) =>
  signing(async (): Promise<Signed> => {
    const bytes = await place.forged(transaction.branch, contentsOf(transaction))
    const signature = await place.account.signatureOf(curve.hashOf(hexToBytes(`${OPERATION}${bytes}`)))
    const raw = `${bytes}${bytesToHex(signature)}`
    return { raw, hash: textOf("operation", curve.hashOf(hexToBytes(raw))) }
  })

/** A message as wallets sign it: packed as text of Michelson, so that it is no operation. */
const messageOf = (message: string | Uint8Array): Uint8Array => {
  const text = new TextEncoder()
  const bytes = typeof message === "string" ? text.encode(message) : message
  const whole = Uint8Array.of(...text.encode("Tezos Signed Message: "), ...bytes)
  return hexToBytes(`0501${whole.length.toString(16).padStart(8, "0")}${bytesToHex(whole)}`)
}

/** A payment that may not be in a block yet. */
interface Out {
  readonly hash: string
  readonly transaction: TezosTransaction
}

/** The last payment of an account. Bakers take one at a time of an account, and would put another one into its place. */
const lane = (place: Place) => {
  let last: Out | undefined
  return {
    /** Waits until it is in a block, or in none ever. */
    free: Effect.suspend(() => (last === undefined ? Effect.void : over(place, last.transaction))),
    /** Hands over the next one, which was prepared after it. */
    follow: <E extends { readonly _tag: string }>(next: Out, hand: Effect.Effect<void, E>) =>
      Effect.suspend((): Effect.Effect<void, E | NonceTaken> => {
        const before = last
        const { counter } = next.transaction
        if (before !== undefined && before.hash !== next.hash && counter <= before.transaction.counter)
          return Effect.fail(new NonceTaken({ address: place.account.address, nonce: Number(counter) }))
        last = next
        return Effect.tapError(hand, ({ _tag }) =>
          Effect.sync(() => {
            if (_tag !== "BroadcastUnclear") last = before
          })
        )
      })
  }
}

const handing = (
  place: Place,
  curve: Curve,
  { follow }: ReturnType<typeof lane>
): Required<Pick<Parts<TezosTransaction>, "hand" | "handAgain">> => ({
  hand: (prepared, leaves) =>
    Effect.gen(function* () {
      const { transaction } = prepared
      const made = yield* signed(place, curve, transaction)
      const out = { ...made, prepared }
      leaves(out)
      yield* follow({ hash: made.hash, transaction }, handed(place, transaction, made))
      return sentOf(out)
    }),
  handAgain: (out) => handed(place, out.prepared.transaction, out, true)
})

const signerOf = (place: Place, curve: Curve): TezosSigner => {
  const { account, network } = place
  const own = lane(place)
  return {
    ...assemble<TezosTransaction>({
      network,
      address: account.address,
      sign: (transaction) => signed(place, curve, transaction),
      signMessage: (message) =>
        Effect.map(
          signing(() => account.signatureOf(curve.hashOf(messageOf(message)))),
          account.signatureText
        ),
      // its fee is a part of that of the preview, which has what is burned, too
      terms: ({ amount, from, to, token }) => ({ amount, from, to, token }),
      prepare: (payment) => Effect.zipRight(own.free, prepare(place, payment)),
      ...handing(place, curve, own),
      wait: (sent, confirmations) => landed(place, sent, confirmations),
      turn: Effect.unsafeMakeSemaphore(1).withPermits(1)
    }),
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
export const make = (client: TezosClient, from: TezosFrom): Effect.Effect<TezosSigner, SignerError> =>
  Effect.gen(function* () {
    const { network, nodes, rpc } = client
    const row = yield* rowOf(network, ["tezos"])
    const [{ forged, packed }, curve] = yield* loadPeer("@taquito/local-forging @noble/curves", () =>
      Promise.all([import("./tezos/taquito.js"), import("./tezos/curve.js")])
    )
    const account = yield* accountOf(curve, from)
    const expressionOf = (value: Micheline) => textOf("expression", curve.hashOf(hexToBytes(packed(value))))
    const known = new Map<string, ReturnType<Place["detailsOf"]>>()
    const detailsKept = (token: string) => {
      const found = known.get(token) ?? memoizeSuccess(detailsOf(rpc, token, expressionOf))
      known.set(token, found)
      return found
    }
    return signerOf({ network, nodes, rpc, row, account, forged, detailsOf: detailsKept }, curve)
  })
