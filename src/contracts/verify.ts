/**
 * Verifies signatures of accounts: those of keys here, those of contracts by nodes of the client's pool.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Hex } from "../chains/evm/Types.js"
import { loadPeer, memoizeSuccess } from "../data/loadOnce.js"
import { isRevert } from "../data/revert.js"
import type { InvalidAddress, InvalidArgument, LoadError, MissingPeer } from "../data/SdkError.js"
import type { TypedDataDefinition } from "../signers/evm/Types.js"
import { checkTypedData } from "../signers/evm/typedData.js"
import type { ReadError } from "../signers/Signer.js"
import { makeAddressCheck, orInvalidArgument } from "./callEncoding.js"
import type { ContractClient } from "./Types.js"

/**
 * A message and the account that shall have signed it (EIP-191).
 *
 * @since 0.1.0
 * @category models
 */
export interface SignedMessage {
  readonly address: string
  readonly message: string | Uint8Array
  readonly signature: string | Uint8Array
}

/**
 * Typed data and the account that shall have signed it (EIP-712).
 *
 * @since 0.1.0
 * @category models
 */
export interface SignedTypedData {
  readonly address: string
  readonly typedData: TypedDataDefinition
  readonly signature: string | Uint8Array
}

/**
 * The errors of verifying a signature. A wrong one is no error.
 *
 * @since 0.1.0
 * @category errors
 */
export type VerifyError = ReadError | InvalidAddress | InvalidArgument | MissingPeer | LoadError

type SignatureModule = typeof import("./signatureCodec.js")

const loadSignatureCodec: Effect.Effect<SignatureModule, MissingPeer> = /*#__PURE__*/ memoizeSuccess(
  /*#__PURE__*/ loadPeer("ox", () => import("./signatureCodec.js"))
)

/** The selector of `isValidSignature(bytes32,bytes)`. Contracts answer with it, padded with zeros. */
const VALID_SIGNATURE_ANSWER = `0x1626ba7e${"0".repeat(56)}`

const verifySignature = (
  client: ContractClient,
  given: { readonly address: string; readonly signature: string | Uint8Array },
  hashOf: (ox: SignatureModule) => Effect.Effect<Hex, InvalidArgument>
): Effect.Effect<boolean, VerifyError> =>
  Effect.gen(function* () {
    const ox = yield* loadSignatureCodec
    const address = yield* Effect.flatMap(makeAddressCheck(client.network), (check) => check(given.address))
    const hash = yield* hashOf(ox)
    const signature = ox.parseSignature(given.signature)
    if (signature === undefined) return false
    if (ox.isSignedByKey(hash, signature, address)) return true
    const isCounterfactual = ox.isCounterfactual(signature)
    const sentCall = client.rpc.call(
      isCounterfactual
        ? { data: ox.encodeUniversalValidation(address, hash, signature) }
        : { to: address, data: ox.encodeIsValidSignature(hash, signature) }
    )
    return yield* sentCall.pipe(
      Effect.map((answer) =>
        isCounterfactual
          ? /^0x0*1$/.test(answer)
          : answer.slice(0, VALID_SIGNATURE_ANSWER.length) === VALID_SIGNATURE_ANSWER
      ),
      // contracts refuse what they do not take for a signature
      Effect.catchTag("RpcError", (error) => (isRevert(error) ? Effect.succeed(false) : Effect.fail(error)))
    )
  })

/**
 * Whether an account has signed a message: by its key, or as its contract says (ERC-1271), also before the contract is deployed
 * (ERC-6492).
 *
 * @since 0.1.0
 * @category operations
 */
export const verifyMessage = (
  client: ContractClient,
  given: SignedMessage
): Effect.Effect<boolean, VerifyError> =>
  verifySignature(client, given, (ox) =>
    orInvalidArgument("verifyMessage", () => ox.hashMessage(given.message))
  )

/**
 * Whether an account has signed typed data (EIP-712): by its key, or as its contract says (ERC-1271), also before the contract is
 * deployed (ERC-6492).
 *
 * @since 0.1.0
 * @category operations
 */
export const verifyTypedData = (
  client: ContractClient,
  given: SignedTypedData
): Effect.Effect<boolean, VerifyError> =>
  verifySignature(client, given, (ox) =>
    orInvalidArgument("verifyTypedData", () => ox.hashTypedData(checkTypedData(given.typedData)))
  )
