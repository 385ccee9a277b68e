/** The layers of sweeps, for all families. */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as WorkflowEngine from "@effect/workflow/WorkflowEngine"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SdkError } from "effect-chains"
import * as DurableTransactions from "../durable/DurableTransactions.js"
import type { isDead } from "../durable/deadWorkflows.js"
import type { OrderId } from "../durable/Order.js"
import type { TurnTiming } from "../durable/turns.js"
import type { Services } from "../engine.js"
import * as Ledger from "../Ledger.js"
import type { SweepOrder } from "./Order.js"
import {
  makeExecute,
  makeRecovery,
  type SweepAccount,
  type SweepFamily,
  type SweepResult,
  sweepAccountOf,
  type Tagged,
  withGasAccounts
} from "./sweepWorkflow.js"

/** The errors with which a family's transactions and sweeps end, besides its own. */
type Shared = SdkError.InvalidArgument | SdkError.SigningFailed

type Id<O extends SweepOrder> = Pick<O, "network" | "from">

/**
 * What the layers need of a family. `Self` is its service, `Transactions` that of the transactions of its sweeps, and `Account` an account of
 * a runner.
 */
export interface SweepParts<
  Self,
  Transactions,
  Account,
  Tx,
  O extends SweepOrder,
  OI,
  T extends OrderId,
  C,
  E extends Tagged,
  F extends Tagged,
  I
> extends Pick<
    SweepFamily<Tx, O, T, C, E | Shared, E | F | Shared, I>,
    "toOrder" | "outcome" | "sweepError" | "sweepOutcome" | "accountOf"
  > {
  /** The name under which one of all runners recovers sweeps. */
  readonly name: string
  readonly service: Context.Tag<
    Self,
    DurableTransactions.DurableTransactions<O, SweepResult<C>, E | F | Shared>
  >
  readonly transactions: Context.Tag<Transactions, DurableTransactions.DurableTransactions<T, C, E | Shared>>
  readonly workflow: DurableTransactions.OrderWorkflow<O, SweepResult<C>, E | F | Shared> &
    Parameters<typeof isDead>[0]
  readonly order: DurableTransactions.TransactionFamily<O, OI, never, never>["order"]
  readonly digestOf: (order: O) => string
  /** The id of an execution, which depends on network, address and key alone. */
  readonly executionId: (id: Id<O>, key: string) => Effect.Effect<string>
  /** The network and the address of an account, and what sweeps need of it. */
  readonly toSweepAccount: (account: Account) => SweepAccount<Tx> & { readonly id: Id<O> }
  readonly timing: TurnTiming
}

/** Makes the layers of a family: of a process that submits sweeps and runs none, and of a runner with these accounts. */
export const makeSweeps = <
  Self,
  Transactions,
  Account,
  Tx,
  O extends SweepOrder,
  OI,
  T extends OrderId,
  C,
  E extends Tagged,
  F extends Tagged,
  I
>(
  parts: SweepParts<Self, Transactions, Account, Tx, O, OI, T, C, E, F, I>
): {
  readonly layerClient: Layer.Layer<Self, never, SqlClient.SqlClient | WorkflowEngine.WorkflowEngine>
  readonly layer: <E2, R>(
    accounts: Effect.Effect<ReadonlyArray<Account>, E2, R>,
    policy?: Partial<TurnTiming>
  ) => Layer.Layer<Self, E2, R | Transactions | Services>
} => {
  const { accountOf, executionId, name, service, timing, toSweepAccount, transactions, workflow } = parts
  const family = { ...parts, outcome: parts.sweepOutcome, accountOf: sweepAccountOf(accountOf) }
  return {
    layerClient: DurableTransactions.makeLayerClient(service, family),
    layer: (accounts, policy = {}) =>
      Layer.unwrapEffect(
        Effect.gen(function* () {
          const all = (yield* accounts).map((each) => {
            const account = toSweepAccount(each)
            return { ...account, account: accountOf(account.id) }
          })
          const ids = all.map(({ id }) => id)
          const ledger = Ledger.make(yield* SqlClient.SqlClient)
          const settings = { ...timing, ...policy }
          const sweepFamily: SweepFamily<Tx, O, T, C, E | Shared, E | F | Shared, I> = {
            ...parts,
            findAccount: DurableTransactions.makeFindQueue(accountOf, DurableTransactions.toQueueMap(all)),
            transactions: yield* transactions
          }
          const queues = DurableTransactions.toQueueMap(ids.map((id) => ({ account: family.accountOf(id) })))
          return DurableTransactions.makeLayer(service, family, {
            name,
            queues,
            execute: makeExecute(sweepFamily, ledger, settings),
            recovery: makeRecovery(sweepFamily, workflow, executionId, ids, ledger, settings.suspendAfter),
            wrap: withGasAccounts(family.accountOf, queues)
          })
        })
      )
  }
}
