import * as Effect from "effect/Effect"
import {
  type Account,
  type AccountConfig,
  type Commitment,
  type CommitmentConfig,
  classify,
  endpoints,
  type KeyedAccount,
  type Pubkey,
  type Signature,
  type WithContext
} from "../chains/Solana.js"
import { dialectOf, group, specOf } from "../data/Endpoint.js"
import type { RpcCallError } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import { bigintIntegers } from "../wire/bigintIntegers.js"
import type { Follower, FollowerContext, SubscriptionDeclaration, SubscriptionTable } from "./declaration.js"
import type {
  BlockSubscription,
  BlockUpdate,
  ProgramSubscription,
  SignatureResult,
  SignatureSubscription,
  SlotInfo,
  SlotUpdate,
  SolanaBlockFilter,
  SolanaLogsFilter,
  SolanaSubscriptions,
  TransactionLogs,
  Vote
} from "./Subscription.js"

const { getAccountInfo, getSignatureStatuses } = endpoints

/** The reads that fill gaps. */
const gapReads = group(dialectOf(endpoints), { getAccountInfo, getSignatureStatuses })

/** Reads the value of a notification with its slot; throws if `isValue` refuses it. */
const decodeInContext =
  (isValue: (value: unknown) => boolean) =>
  <A>(notified: unknown): WithContext<A> => {
    if (!isRecord(notified) || !isRecord(notified.context) || typeof notified.context.slot !== "bigint") {
      throw new Error("a notification without slot")
    }
    if (!isValue(notified.value)) throw new Error("a notification without the value that it is for")
    // the fields of the value stay as the node sent them
    return notified as unknown as WithContext<A>
  }

/** The content of an account, to be compared: integers are bigint, which JSON lacks. */
const serializeAccount = (account: Account | null): string => bigintIntegers.stringify(account)

type AccountItem = WithContext<Account | null>

const makeAccountFollower = (
  { client }: FollowerContext,
  pubkey: Pubkey,
  config: Omit<AccountConfig, "minContextSlot"> = {}
): Follower<AccountItem> => {
  const rpc = client(gapReads)
  let last: AccountItem | undefined
  /** Leaves out old states, which a node repeats if it is behind the previous one. */
  let isResuming = false
  const report = (item: AccountItem): ReadonlyArray<AccountItem> => {
    last = item
    return [item]
  }
  const hasChanged = (item: AccountItem): boolean =>
    last === undefined ||
    (item.context.slot >= last.context.slot && serializeAccount(item.value) !== serializeAccount(last.value))
  return {
    handle: (event) => {
      if (event._tag === "Item") {
        const { item } = event
        return Effect.sync(() => {
          if (isResuming && !hasChanged(item)) return []
          isResuming = false
          return report(item)
        })
      }
      if (event._tag !== "Connected" || event.isFirst) return Effect.succeed([])
      return Effect.map(rpc.getAccountInfo(pubkey, config), (item) => {
        isResuming = true
        const isImplausible = last !== undefined && last.context.slot - item.context.slot > MAX_SLOTS_BEHIND
        return isImplausible || hasChanged(item) ? report(item) : []
      })
    }
  }
}

/** The most slots that an honest node is behind another (ten minutes). With a larger gap, the higher slot is made up. */
const MAX_SLOTS_BEHIND = 1_500n

const commitmentDepths: { readonly [C in Commitment]: number } = { processed: 0, confirmed: 1, finalized: 2 }

type SignatureItem = WithContext<SignatureResult>

const makeSignatureFollower = (
  { client }: FollowerContext,
  signature: Signature,
  { commitment = "finalized" }: SignatureSubscription = {}
): Follower<SignatureItem> => {
  const rpc = client(gapReads)
  let isOver = false
  let isReceived = false
  const readStatus: Effect.Effect<ReadonlyArray<SignatureItem>, RpcCallError> = Effect.map(
    rpc.getSignatureStatuses([signature], { searchTransactionHistory: true }),
    ({ context, value }) => {
      const status = value[0] ?? undefined
      // a transaction without a commitment is final: nodes keep commitments only for recent ones
      if (
        status === undefined ||
        commitmentDepths[status.confirmationStatus ?? "finalized"] < commitmentDepths[commitment]
      ) {
        return []
      }
      isOver = true
      return [{ context, value: { err: status.err } }]
    }
  )
  return {
    isOver: () => isOver,
    handle: (event) => {
      if (event._tag !== "Item") return event._tag === "Connected" ? readStatus : Effect.succeed([])
      const { item } = event
      return Effect.sync(() => {
        if (item.value !== "receivedSignature") isOver = true
        else if (isReceived) return []
        else isReceived = true
        return [item]
      })
    }
  }
}

const account: SubscriptionDeclaration<
  [pubkey: Pubkey, config?: Omit<AccountConfig, "minContextSlot">],
  AccountItem
> = {
  method: "accountSubscribe",
  unsubscribe: "accountUnsubscribe",
  arity: 2,
  params: (pubkey, config = {}) => [checkText(pubkey, "the account"), config],
  decode: decodeInContext((value) => value === null || isRecord(value)),
  makeFollower: makeAccountFollower
}

const logs: SubscriptionDeclaration<
  [filter?: SolanaLogsFilter, config?: CommitmentConfig],
  WithContext<TransactionLogs>
> = {
  method: "logsSubscribe",
  unsubscribe: "logsUnsubscribe",
  arity: 2,
  params: (filter = "all", config = {}) => [filter, config],
  decode: decodeInContext((value) => isRecord(value) && Array.isArray(value.logs))
}

const program: SubscriptionDeclaration<
  [programId: Pubkey, config?: ProgramSubscription],
  WithContext<KeyedAccount>
> = {
  method: "programSubscribe",
  unsubscribe: "programUnsubscribe",
  arity: 2,
  params: (programId, config = {}) => [checkText(programId, "the program"), config],
  decode: decodeInContext((value) => isRecord(value) && isRecord(value.account))
}

const signature: SubscriptionDeclaration<
  [signature: Signature, config?: SignatureSubscription],
  SignatureItem
> = {
  method: "signatureSubscribe",
  unsubscribe: "signatureUnsubscribe",
  arity: 2,
  params: (id, config = {}) => [checkText(id, "the signature"), config],
  decode: decodeInContext((value) => value === "receivedSignature" || isRecord(value)),
  makeFollower: makeSignatureFollower
}

const slot: SubscriptionDeclaration<[], SlotInfo> = {
  method: "slotSubscribe",
  unsubscribe: "slotUnsubscribe",
  arity: 0,
  params: () => [],
  decode: (value) => {
    const { parent, root, slot } = isRecord(value) ? value : {}
    if (typeof parent !== "bigint" || typeof root !== "bigint" || typeof slot !== "bigint") {
      throw new Error("a slot without numbers")
    }
    return { parent, root, slot }
  }
}

const root: SubscriptionDeclaration<[], bigint> = {
  method: "rootSubscribe",
  unsubscribe: "rootUnsubscribe",
  arity: 0,
  params: () => [],
  decode: (value) => {
    if (typeof value !== "bigint") throw new Error("a root that is no number")
    return value
  }
}

const block: SubscriptionDeclaration<
  [filter?: SolanaBlockFilter, config?: BlockSubscription],
  WithContext<BlockUpdate>
> = {
  method: "blockSubscribe",
  unsubscribe: "blockUnsubscribe",
  arity: 2,
  params: (filter = "all", config = {}) => [filter, config],
  decode: decodeInContext((value) => isRecord(value) && typeof value.slot === "bigint")
}

const vote: SubscriptionDeclaration<[], Vote> = {
  method: "voteSubscribe",
  unsubscribe: "voteUnsubscribe",
  arity: 0,
  params: () => [],
  decode: (value) => {
    if (!isRecord(value) || typeof value.votePubkey !== "string" || !Array.isArray(value.slots)) {
      throw new Error("a vote without voter or slots")
    }
    // the fields stay as the node sent them
    return value as unknown as Vote
  }
}

const slotsUpdates: SubscriptionDeclaration<[], SlotUpdate> = {
  method: "slotsUpdatesSubscribe",
  unsubscribe: "slotsUpdatesUnsubscribe",
  arity: 0,
  params: () => [],
  decode: (value) => {
    if (!isRecord(value) || typeof value.type !== "string" || typeof value.slot !== "bigint") {
      throw new Error("news of a slot without its number or their kind")
    }
    // the fields stay as the node sent them
    return value as unknown as SlotUpdate
  }
}

/** The paths of numbers in a block of a notification. */
const blockNumberPaths = (specOf(endpoints.getBlock)?.numbers ?? [])
  .filter((path) => !path.startsWith("**"))
  .map((path) => `params.result.value.block.${path}`)

const checkText = (value: unknown, what: string): string => {
  if (typeof value === "string" && value !== "") return value
  throw new Error(`${what} must be Base58`)
}

/** Validators serve sockets at the port after the one of their calls, unless a hostname hides it. */
const withNextPort = (url: string): string => {
  const at = new URL(url)
  if (at.port !== "") at.port = String(Number(at.port) + 1)
  return at.href.replace(/\/$/, "")
}

/** The subscriptions of Solana. */
export const table: SubscriptionTable = {
  declarations: { account, logs, program, signature, slot, root, block, vote, slotsUpdates } satisfies {
    readonly [K in keyof SolanaSubscriptions]: unknown
  },
  ping: "getHealth",
  integers: bigintIntegers,
  numbers: [
    ...(dialectOf(endpoints).numbers ?? []),
    "params.result.value.err.InstructionError.[]",
    ...blockNumberPaths
  ],
  classify,
  toSocketUrl: withNextPort
}
