/** How transactions of Tron are sent, looked up and waited for. */
import * as Effect from "effect/Effect"
import { makeOutcomeCheck, pollUntilConfirmed } from "../../chains/internal/Confirmation.js"
import { hexToBytes } from "../../data/hex.js"
import { describeRevertData } from "../../data/revert.js"
import { TransactionDropped } from "../../data/SdkError.js"
import type { Broadcaster, TransactionStatus } from "../broadcast.js"
import { makeMalformedError, parseWhole, withAgreement } from "../evidence.js"
import type { ReadError, SubmitError } from "../Signer.js"
import type { TronCalls, TronClient, TronTransaction } from "./Types.js"

/** Milliseconds from the newest block on in which a transaction can get into one. */
export const VALID_MS = 60_000n

/** The latest time that there is, in milliseconds since 1970. */
const MAX_TIME = 8_640_000_000_000_000n

/** The id of the newest block, its time in milliseconds since 1970, and its height. */
interface NewestBlock {
  readonly blockID: string
  readonly time: bigint
  readonly height: bigint
}

/** Reads the newest block. Transactions expire some time after it, so two nodes have to report about the same time if there are two. */
export const readNewestBlock = (rpc: TronCalls): Effect.Effect<NewestBlock, ReadError> =>
  Effect.flatMap(
    withAgreement(rpc.getNowBlock(), (one, other) => {
      const difference =
        (one.block_header.raw_data.timestamp ?? 0n) - (other.block_header.raw_data.timestamp ?? 0n)
      return difference <= VALID_MS && -difference <= VALID_MS
    }),
    ({ block_header, blockID }): Effect.Effect<NewestBlock, ReadError> => {
      // the first block has neither
      const time = parseWhole(block_header?.raw_data?.timestamp ?? 0n)
      const height = parseWhole(block_header?.raw_data?.number ?? 0n)
      return typeof blockID === "string" &&
        /^[0-9a-f]{64}$/i.test(blockID) &&
        time !== undefined &&
        time <= MAX_TIME &&
        height !== undefined
        ? Effect.succeed({ blockID, time, height })
        : Effect.fail(makeMalformedError("getNowBlock", "the newest block has no id, no time or no height"))
    }
  )

/** The milliseconds until nodes show a transaction that one of them has accepted: two blocks. */
const PROPAGATION_MS = 8_000

/** Milliseconds after its end in which blocks of other nodes may still have a transaction. */
export const CLOCK_MARGIN_MS = 30_000n

/** Looks up a transaction: a node has it, in a block or in its mempool, or no block can have it any more. */
const lookUpTransaction = (
  rpc: TronCalls,
  hash: string,
  { expiration }: TronTransaction
): Effect.Effect<TransactionStatus, ReadError | TransactionDropped> =>
  Effect.gen(function* () {
    // the time is read first: a transaction that is missing after it expired stays missing
    const { timestamp = 0n } = (yield* rpc.getNowBlock()).block_header.raw_data
    if ((yield* rpc.getTransactionById(hash)).txID !== undefined) return "known"
    const waiting = yield* Effect.orElseSucceed(rpc.getTransactionFromPending(hash), () => undefined)
    if (waiting?.txID !== undefined) return "known"
    return expiration === undefined || timestamp <= expiration + CLOCK_MARGIN_MS
      ? "absent"
      : yield* new TransactionDropped({
          hash,
          reason: `blocks could have it until ${new Date(Number(expiration)).toISOString()}, and none has`
        })
  })

export const makeBroadcaster = (
  { nodes, rpc }: Pick<TronClient, "nodes" | "rpc">,
  transaction: TronTransaction
): Broadcaster => ({
  nodes,
  propagationMs: PROPAGATION_MS,
  broadcast: ({ raw }) => rpc.broadcastHex(raw),
  lookUp: (hash) => lookUpTransaction(rpc, hash, transaction)
})

export type TransactionInfo = Effect.Effect.Success<ReturnType<TronCalls["getTransactionInfoById"]>>

/** The message of a node. Most write its bytes as hexadecimal digits. */
const decodeMessage = (message: string): string =>
  /^(?:[\da-f]{2}){2,}$/i.test(message) ? new TextDecoder().decode(hexToBytes(message)) : message

/** Results of contracts that are no failure. `DEFAULT` stands at transactions that run none. */
const doneResults: ReadonlyArray<string | undefined> = [undefined, "SUCCESS", "DEFAULT"]

/** Why a transaction in a block did nothing; undefined if it did what it should. */
export const findFailure = ({
  contractResult,
  receipt,
  resMessage,
  result
}: TransactionInfo): { readonly reason: string; readonly data?: string } | undefined => {
  if (result !== "FAILED" && doneResults.includes(receipt?.result)) return undefined
  const data = contractResult?.[0] ? `0x${contractResult[0]}` : undefined
  const reason =
    (data === undefined ? undefined : describeRevertData(data)) ??
    (resMessage ? decodeMessage(resMessage) : (receipt?.result ?? "it was refused"))
  return data === undefined ? { reason } : { reason, data }
}

const checkOutcome = makeOutcomeCheck<TransactionInfo>(findFailure)

/** Waits until a transaction is deep enough in the chain. One that failed in its block is a failure. */
export const waitForConfirmations = (
  rpc: TronCalls,
  hash: string,
  confirmations: number
): Effect.Effect<unknown, SubmitError> =>
  pollUntilConfirmed(
    hash,
    { confirmations, pollingInterval: 3_000 },
    Effect.flatMap(rpc.getTransactionInfoById(hash), (info) =>
      info.blockNumber === undefined
        ? Effect.succeed(undefined)
        : Effect.map(rpc.getNowBlock(), ({ block_header: { raw_data } }) => ({
            transaction: info,
            confirmations: Number((raw_data.number ?? 0n) - (info.blockNumber ?? 0n)) + 1
          }))
    ),
    checkOutcome
  )
