/** Previews of transactions with blobs (EIP-4844). Loaded with the first of them. */
import * as Effect from "effect/Effect"
import { hexBytes } from "../../data/bytes.js"
import { isRecord } from "../../data/untrusted.js"
import { parseQuantity } from "../evidence.js"
import type { Prepared, PrepareError, ReadError } from "../Signer.js"
import { checkBytes, invalidArgument } from "../signerChecks.js"
import { computeVersionedHash } from "./blobEnvelope.js"
import { prepareTransaction, type SignerContext } from "./payments.js"
import type { BlobRequest, EvmBlob, EvmTransaction, Kzg } from "./Types.js"

/** The name of the call in errors. */
const CALL = "prepareBlobs"

/** 4,096 numbers of 32 bytes. */
const BLOB_BYTES = 131_072

/** The most blobs of a transaction (EIP-7594). */
const MAX_BLOBS = 6

/** The cells of a blob, each of which has a proof. */
const CELLS = 128

/** How many bytes commitments and proofs have. */
const POINT_BYTES = 48

/** The price of blobs grows by an eighth from one block to the next at most, so that six full ones double it. */
const PRICE_FACTOR = 2n

/** Computes what nodes verify a blob by. Throws if the library does not take it. */
const toBlob = (kzg: Kzg, given: string | Uint8Array, at: number): EvmBlob => {
  const data = hexBytes(given, `blobs[${at}]`, BLOB_BYTES)
  const [, proofs] = kzg.computeCellsAndProofs(data)
  if (!Array.isArray(proofs) || proofs.length !== CELLS)
    throw new Error(`computeCellsAndProofs of kzg must give ${CELLS} proofs, one for each cell`)
  return {
    data,
    commitment: hexBytes(kzg.blobToKzgCommitment(data).toLowerCase(), "the commitment", POINT_BYTES),
    proofs: proofs.map((proof, i) => hexBytes(String(proof).toLowerCase(), `the proof ${i}`, POINT_BYTES))
  }
}

/** What is wrong with a request; undefined if nothing is. */
const findProblem = (request: BlobRequest): string | undefined => {
  if (!isRecord(request)) return "it takes { to, blobs, kzg }"
  const { blobs, kzg, to } = request
  if (to === undefined) return "to is missing: blobs are for an account or a contract"
  if (!Array.isArray(blobs) || blobs.length === 0 || blobs.length > MAX_BLOBS)
    return `blobs must be a list of 1 to ${MAX_BLOBS} blobs of ${BLOB_BYTES} bytes`
  return typeof kzg?.blobToKzgCommitment === "function" && typeof kzg.computeCellsAndProofs === "function"
    ? undefined
    : "kzg must have blobToKzgCommitment and computeCellsAndProofs, as libraries for EIP-7594 have"
}

/** The highest price of a blob's gas. */
const readPrice = ({ network, rpc }: SignerContext): Effect.Effect<bigint, ReadError> =>
  Effect.flatMap(
    rpc.feeHistory(1, "latest", []),
    ({ baseFeePerBlobGas }): Effect.Effect<bigint, ReadError> => {
      // the last one is that of the next block
      const next = Array.isArray(baseFeePerBlobGas) ? baseFeePerBlobGas.at(-1) : undefined
      return next === undefined
        ? Effect.fail(invalidArgument(CALL, `nodes of ${network} know no price of blobs`))
        : Effect.map(parseQuantity("eth_feeHistory", next), (price) => price * PRICE_FACTOR)
    }
  )

/** The preview of a transaction with blobs. */
export const prepareBlobs = (
  context: SignerContext,
  request: BlobRequest
): Effect.Effect<Prepared<EvmTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const problem = findProblem(request)
    if (problem !== undefined) return yield* invalidArgument(CALL, problem)
    const { blobs: given, kzg, ...rest } = request
    const blobs = yield* checkBytes(CALL, () => given.map((blob, at) => toBlob(kzg, blob, at)))
    const maxFeePerBlobGas = yield* readPrice(context)
    const prepared = yield* prepareTransaction(context, rest, {
      blobs,
      maxFeePerBlobGas,
      versionedHashes: blobs.map(({ commitment }) => computeVersionedHash(commitment))
    })
    return {
      ...prepared,
      warnings: [
        ...prepared.warnings,
        "Nodes keep its blobs for about 18 days. While it waits for a block, the account can send nothing without blobs."
      ]
    }
  })
