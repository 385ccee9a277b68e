/** What a transaction of Cosmos would change: the coins that its events say are spent and received. */
import * as Effect from "effect/Effect"
import type { Simulation as Trial } from "../../chains/cosmos/Types.js"
import { hexToBytes } from "../../data/hex.js"
import { loadPeer } from "../../data/loadOnce.js"
import type { NetworkRow } from "../../data/Network.js"
import { type NodeError, NotSupportedForNetwork, reasonOf } from "../../data/SdkError.js"
import { isRecord } from "../../data/untrusted.js"
import { makeMalformedError, withAgreement } from "../evidence.js"
import type { Prepared, ReadError } from "../Signer.js"
import { checkBytes, invalidArgument } from "../signerChecks.js"
import {
  type Delta,
  failsBecause,
  findUnknownField,
  orRefusal,
  type SimulatedOutcome,
  type SimulateError,
  toChanges
} from "../simulation.js"
import { addressProblem } from "./address.js"
import { type Chain, chainOf } from "./networks.js"
import { toCaipAsset } from "./payments.js"
import type { Message } from "./protobuf.js"
import { findExpectedSequence, readAccountNumbers } from "./reading.js"
import type { CosmosCalls, CosmosTransaction } from "./Types.js"

/**
 * The calls that a simulation needs. Every client of Cosmos has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface CosmosSimulationCalls extends Pick<CosmosCalls, "getAccountDetails"> {
  readonly simulate: (input: {
    readonly tx_bytes: string
  }) => Effect.Effect<{ readonly result: Pick<Trial["result"], "events"> }, ReadError>
}

/**
 * A client of Cosmos, as far as simulations use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface CosmosSimulationClient {
  readonly network: string
  readonly rpc: CosmosSimulationCalls
}

const METHOD = "/cosmos/tx/v1beta1/simulate"

/** Nodes do not look at the key and the signature of a trial, and want a key that is one. */
const ANY_KEY = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"

/** An event: its kind, and its attributes by their names. */
interface Event {
  readonly kind: string
  readonly attributes: ReadonlyMap<string, string>
}

const parseEvent = (event: unknown): Event => {
  if (!isRecord(event) || typeof event.type !== "string" || !Array.isArray(event.attributes))
    throw new TypeError("an event has no kind or no attributes")
  return {
    kind: event.type,
    attributes: new Map(
      event.attributes.map((each: unknown) =>
        isRecord(each) ? [String(each.key), String(each.value ?? "")] : ["", ""]
      )
    )
  }
}

/** The coins of an attribute, such as `5uatom,7ibc/…`. */
const parseCoins = (text: string): ReadonlyArray<{ readonly denom: string; readonly units: bigint }> =>
  text === ""
    ? []
    : text.split(",").map((coin) => {
        const [, digits, denom] = /^(\d{1,78})([a-zA-Z][a-zA-Z0-9/:._-]{2,127})$/.exec(coin) ?? []
        if (digits === undefined || denom === undefined)
          throw new TypeError("an event has no amounts of coins")
        return { denom, units: BigInt(digits) }
      })

/** Who has less or more by an event of a kind. */
const parties: Readonly<Record<string, { readonly whose: string; readonly sign: bigint }>> = {
  coin_spent: { whose: "spender", sign: -1n },
  coin_received: { whose: "receiver", sign: 1n }
}

const readDeltas =
  ({ denom: own }: Chain) =>
  ({ attributes, kind }: Event): ReadonlyArray<Delta> => {
    const party = Object.hasOwn(parties, kind) ? parties[kind] : undefined
    if (party === undefined) return []
    const address = attributes.get(party.whose)
    const amount = attributes.get("amount")
    if (address === undefined || amount === undefined)
      throw new TypeError("an event of coins has no account or no amount")
    return parseCoins(amount).map(({ denom, units }) => ({
      address,
      units: party.sign * units,
      ...(denom === own ? {} : { token: denom })
    }))
  }

/** What the messages of a transaction move, and what its fee does, which is taken before and settled behind them. */
interface Moves {
  readonly ofMessages: ReadonlyArray<Delta>
  readonly ofFee: ReadonlyArray<Delta>
}

/** Reads the events of a trial. Those of messages have their number; on older chains, they begin with the one that names the action. */
const parseMoves = (answer: unknown, chain: Chain): Moves => {
  const result = isRecord(answer) && isRecord(answer.result) ? answer.result : {}
  if (!Array.isArray(result.events)) throw new TypeError("it has no events")
  const events = result.events.map(parseEvent)
  const isNumbered = events.some(({ attributes }) => attributes.has("msg_index"))
  const first = events.findIndex(({ attributes, kind }) => kind === "message" && attributes.has("action"))
  if (first === -1) throw new TypeError("it has no event of a message")
  const isOfMessage = ({ attributes }: Event, at: number): boolean =>
    isNumbered ? attributes.has("msg_index") : at >= first
  return {
    ofMessages: events.filter(isOfMessage).flatMap(readDeltas(chain)),
    ofFee: events.filter((event, at) => !isOfMessage(event, at)).flatMap(readDeltas(chain))
  }
}

/** What two nodes have to agree on: what moves by the messages. The price of gas may differ from one block to the next. */
const outlineOf = ({ ofMessages }: Moves): string =>
  JSON.stringify(ofMessages.map(({ address, token, units }) => [address, token, String(units)]))

/** The message of a preview, whose fields may come from anywhere. */
const encodeMessage = (
  { protobuf, staking }: Encoders,
  { from, transaction }: Prepared<CosmosTransaction>,
  network: string
): Effect.Effect<Message, SimulateError> => {
  const { amount, fee, gas, to } = transaction
  const problem = [amount, fee, gas].some((each) => typeof each !== "bigint" || each < 0n)
    ? "amount, fee and gas of its transaction must be bigint"
    : (addressProblem(from, network) ??
      (transaction.staking === undefined ? addressProblem(to, network) : undefined))
  return problem === undefined
    ? checkBytes("simulate", () =>
        transaction.staking === undefined
          ? protobuf.encodePayment(transaction)
          : staking.encodeStaking(transaction)
      )
    : Effect.fail(invalidArgument("simulate", problem))
}

interface Encoders {
  readonly protobuf: typeof import("./protobuf.js")
  readonly staking: typeof import("./stakingMessages.js")
}

const loadEncoders = /*#__PURE__*/ loadPeer("cosmjs-types", () =>
  Promise.all([import("./protobuf.js"), import("./stakingMessages.js")])
)

/** Tries a transaction behind those of the account that no block has yet. */
const tryMessage = (
  { rpc }: CosmosSimulationClient,
  chain: Chain,
  encode: (sequence: bigint) => string,
  sequence: bigint
) => {
  const tried = (at: bigint) =>
    withAgreement(
      rpc.simulate({ tx_bytes: encode(at) }),
      (one, other) => outlineOf(parseMoves(one, chain)) === outlineOf(parseMoves(other, chain))
    )
  return Effect.catchAll(tried(sequence), (error) => {
    const expected = findExpectedSequence(error)
    return expected === undefined || expected <= sequence ? Effect.fail(error) : tried(expected)
  })
}

const FIELDS = [
  ...(["from", "to", "denom", "amount", "staking", "fee", "gas", "memo"] as const),
  ...(["accountNumber", "sequence", "timeoutHeight"] as const)
]

/** Simulates a prepared transaction of Cosmos. */
export const simulate = (
  client: CosmosSimulationClient,
  row: NetworkRow,
  prepared: Prepared<CosmosTransaction>
): Effect.Effect<SimulatedOutcome, SimulateError> =>
  Effect.gen(function* () {
    const { network, rpc } = client
    const { from, to, transaction } = prepared
    const chain = chainOf(network)
    if (chain === undefined) return yield* new NotSupportedForNetwork({ network, feature: "simulation" })
    const problem = findUnknownField(transaction, FIELDS)
    if (problem !== undefined) return yield* invalidArgument("simulate", problem)
    const [protobuf, staking] = yield* loadEncoders
    const message = yield* encodeMessage({ protobuf, staking }, prepared, network)
    const numbers = yield* readAccountNumbers(rpc, from)
    if (numbers === undefined) return failsBecause(`the chain has no account ${from}`, METHOD)
    const encode = (sequence: bigint): string => {
      const trial = { ...transaction, sequence, timeoutHeight: 0n }
      const parts = protobuf.encodeParts(message, trial, hexToBytes(ANY_KEY), chain)
      return protobuf.attachSignature(parts, new Uint8Array()).raw
    }
    const answer = yield* orRefusal(
      tryMessage(client, chain, encode, transaction.sequence ?? numbers.sequence),
      METHOD,
      [405, 501]
    )
    if ("refusal" in answer) return failsBecause(answer.refusal, METHOD)
    const { ofFee, ofMessages } = yield* Effect.try({
      try: () => parseMoves(answer, chain),
      catch: (error): NodeError => makeMalformedError(METHOD, reasonOf(error))
    })
    const own = ofFee.filter(({ address }) => address === from)
    const fees = own.filter(({ token }) => token === undefined)
    const fee = fees.reduce((sum, { units }) => sum - units, 0n)
    // fees are paid in the chain's own coin: what else goes on the way is no fee
    const deltas = [...ofMessages, ...own.filter(({ token }) => token !== undefined)]
    return {
      succeeds: true,
      changes: toChanges(deltas, row, prepared, (denom) => toCaipAsset(chain, denom)),
      approvals: [],
      warnings: [],
      method: METHOD,
      ...(transaction.staking === undefined ? { receiver: to } : {}),
      ...(fees.length === 0 ? {} : { fee })
    }
  })
