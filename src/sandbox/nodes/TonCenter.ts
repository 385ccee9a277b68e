/**
 * The API of TON Center, version 2, over the state of an emulator.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import {
  type BlockIdExt,
  endpoints,
  type MessageData,
  type StackEntry,
  type TvmStackEntry
} from "../../chains/Ton.js"
import {
  type Answers,
  type RecordedRequest,
  type Recording,
  Refused,
  recordingsOf
} from "../recorded/Recording.js"
import type { SandboxError } from "../SandboxError.js"
import { type AskEmulator, Declined } from "./TonSandbox.js"

const text = Schema.String
const number = Schema.Number
const Hashes = Schema.Struct({ root: text, file: text })
const Extra = Schema.Array(Schema.Struct({ id: number, amount: text }))

const Message = Schema.Struct({
  hash: text,
  source: text,
  destination: text,
  value: text,
  extra: Extra,
  fwdFee: text,
  ihrFee: text,
  createdLt: text,
  bodyHash: text,
  body: text,
  init: text,
  text: Schema.optional(text)
})

const Transaction = Schema.Struct({
  seqno: number,
  workchain: number,
  account: text,
  address: text,
  lt: text,
  hash: text,
  time: number,
  data: text,
  fee: text,
  storageFee: text,
  otherFee: text,
  received: Schema.optional(Message),
  sent: Schema.Array(Message)
})
type Transaction = typeof Transaction.Type

const Block = Schema.Struct({
  seqno: number,
  time: number,
  startLt: text,
  endLt: text,
  transactions: Schema.Array(Transaction),
  hashes: Schema.Struct({ "-1": Hashes, 0: Hashes })
})
type Block = typeof Block.Type

const Wallet = Schema.Struct({
  type: text,
  seqno: number,
  walletId: Schema.optional(number),
  isSignatureAllowed: Schema.optional(Schema.Boolean)
})

const Account = Schema.Struct({
  address: text,
  balance: text,
  extra: Extra,
  state: Schema.Literal("active", "frozen", "uninitialized"),
  code: text,
  data: text,
  frozenHash: text,
  lt: text,
  hash: text,
  cell: text,
  wallet: Schema.optional(Wallet),
  seqno: number
})
type Account = typeof Account.Type

const Forms = Schema.Struct({ b64: text, b64url: text })
const AddressForms = Schema.Struct({
  raw: text,
  bounceable: Forms,
  nonBounceable: Forms,
  given: Schema.Literal("raw_form", "friendly_bounceable", "friendly_non_bounceable"),
  testOnly: Schema.Boolean
})

interface Tree {
  readonly data: { readonly b64: string; readonly len: number }
  readonly refs: ReadonlyArray<Tree>
  readonly special: boolean
}
const Tree: Schema.Schema<Tree> = Schema.Struct({
  data: Schema.Struct({ b64: text, len: number }),
  refs: Schema.Array(Schema.suspend(() => Tree)),
  special: Schema.Boolean
})

type Item =
  | { readonly kind: "number"; readonly number: string }
  | { readonly kind: "cell" | "slice"; readonly bytes: string; readonly object: Tree }
  | { readonly kind: "tuple" | "list"; readonly elements: ReadonlyArray<Item> }
  | { readonly kind: "unsupported" }
const Item: Schema.Schema<Item> = Schema.Union(
  Schema.Struct({ kind: Schema.Literal("number"), number: text }),
  Schema.Struct({ kind: Schema.Literal("cell", "slice"), bytes: text, object: Tree }),
  Schema.Struct({
    kind: Schema.Literal("tuple", "list"),
    elements: Schema.Array(Schema.suspend(() => Item))
  }),
  Schema.Struct({ kind: Schema.Literal("unsupported") })
)

const Run = Schema.Struct({
  seqno: number,
  lt: text,
  hash: text,
  exitCode: number,
  gasUsed: number,
  stack: Schema.Array(Item)
})

const Fees = Schema.Struct({ inFwdFee: number, storageFee: number, gasFee: number, fwdFee: number })
const Estimate = Schema.Struct({ source: Fees, destinations: Schema.Array(Fees) })
const Sent = Schema.Struct({ hash: text, norm: text })
const History = Schema.Struct({
  transactions: Schema.Array(Transaction),
  previous: Schema.optional(Transaction)
})

/** The only shard, as a number and in hexadecimal. */
const SHARD = "-9223372036854775808"
const SHARD_HEX = "8000000000000000"
const NOTHING = Buffer.alloc(32).toString("base64")

type Chain = -1 | 0

const hashesOf = ({ hashes }: Block, workchain: Chain) => (workchain === -1 ? hashes["-1"] : hashes["0"])

const idOf = (block: Block, workchain: Chain = -1): BlockIdExt => {
  const { file, root } = hashesOf(block, workchain)
  return {
    "@type": "ton.blockIdExt",
    workchain,
    shard: SHARD,
    seqno: block.seqno,
    root_hash: root,
    file_hash: file
  }
}

/** In place of the hash of the whole chain's state, which the emulator has not. */
const stateHash = (block: Block): string => hashesOf(block, -1).file

const rawId = (block: Block) => {
  const { file, root } = hashesOf(block, -1)
  return { workchain: -1, shard: SHARD_HEX, seqno: block.seqno, root_hash: root, file_hash: file }
}

const transactionId = ({ hash, lt }: { readonly hash: string; readonly lt: string }) => ({
  "@type": "internal.transactionId",
  lt,
  hash
})

const extrasOf = (extra: typeof Extra.Type) => extra.map((one) => ({ "@type": "extraCurrency", ...one }))

const dataOf = ({ body, init, text: words }: typeof Message.Type): MessageData =>
  words === undefined
    ? { "@type": "msg.dataRaw", body, init_state: init }
    : { "@type": "msg.dataText", text: Buffer.from(words).toString("base64") }

const messageOf = (message: typeof Message.Type) => ({
  hash: message.hash,
  value: message.value,
  extra_currencies: extrasOf(message.extra),
  fwd_fee: message.fwdFee,
  ihr_fee: message.ihrFee,
  created_lt: message.createdLt,
  body_hash: message.bodyHash,
  msg_data: dataOf(message)
})

const extMessage = (message: typeof Message.Type) => ({
  "@type": "ext.message",
  ...messageOf(message),
  source: message.source,
  destination: message.destination,
  ...(message.text === undefined ? {} : { message: message.text })
})

const rawMessage = (message: typeof Message.Type) => ({
  "@type": "raw.message",
  ...messageOf(message),
  source: accountAddress(message.source),
  destination: accountAddress(message.destination)
})

const accountAddress = (address: string) => ({ "@type": "accountAddress", account_address: address })

const common = (transaction: Transaction) => ({
  address: accountAddress(transaction.address),
  utime: transaction.time,
  data: transaction.data,
  transaction_id: transactionId(transaction),
  fee: transaction.fee,
  storage_fee: transaction.storageFee,
  other_fee: transaction.otherFee
})

const extTransaction = (transaction: Transaction) => ({
  "@type": "ext.transaction",
  ...common(transaction),
  account: transaction.account,
  ...(transaction.received === undefined ? {} : { in_msg: extMessage(transaction.received) }),
  out_msgs: transaction.sent.map(extMessage)
})

const rawTransaction = (transaction: Transaction) => ({
  "@type": "raw.transaction",
  ...common(transaction),
  ...(transaction.received === undefined ? {} : { in_msg: rawMessage(transaction.received) }),
  out_msgs: transaction.sent.map(rawMessage)
})

const named = (item: Item): TvmStackEntry => {
  switch (item.kind) {
    case "number":
      return {
        "@type": "tvm.stackEntryNumber",
        number: { "@type": "tvm.numberDecimal", number: item.number }
      }
    case "cell":
      return { "@type": "tvm.stackEntryCell", cell: { "@type": "tvm.cell", bytes: item.bytes } }
    case "slice":
      return { "@type": "tvm.stackEntrySlice", slice: { "@type": "tvm.slice", bytes: item.bytes } }
    case "tuple":
      return {
        "@type": "tvm.stackEntryTuple",
        tuple: { "@type": "tvm.tuple", elements: item.elements.map(named) }
      }
    case "list":
      return {
        "@type": "tvm.stackEntryList",
        list: { "@type": "tvm.list", elements: item.elements.map(named) }
      }
    case "unsupported":
      return { "@type": "tvm.stackEntryUnsupported" }
  }
}

const hexadecimal = (decimal: string): string => {
  const value = BigInt(decimal)
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`
}

const legacy = (item: Item): StackEntry => {
  switch (item.kind) {
    case "number":
      return ["num", hexadecimal(item.number)]
    case "cell":
    case "slice":
      return [item.kind, { bytes: item.bytes, object: item.object }]
    case "tuple":
    case "list":
      return [item.kind, { "@type": `tvm.${item.kind}`, elements: item.elements.map(named) }]
    case "unsupported":
      return ["unsupported", "unsupported"]
  }
}

const feesOf = ({ fwdFee, gasFee, inFwdFee, storageFee }: typeof Fees.Type) => ({
  "@type": "fees",
  in_fwd_fee: inFwdFee,
  storage_fee: storageFee,
  gas_fee: gasFee,
  fwd_fee: fwdFee
})

const ok = <A>(result: A) => ({ ok: true as const, result, "@extra": `${Date.now() / 1000}:0:0` })

const refused = (message: string, code: number): Refused =>
  new Refused({ ok: false, error: message, code }, code)

/** A parameter that is there, as text. */
const given = ({ get }: RecordedRequest, name: string): string | undefined => {
  const value = get(name)
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined
}

/** A refusal on its way: it ends as the answer. */
type Said<A> = Effect.Effect<A, SandboxError | Refused>

const required = (request: RecordedRequest, name: string): Said<string> => {
  const value = given(request, name)
  return value === undefined || value === ""
    ? Effect.fail(refused(`${name} is missing`, 422))
    : Effect.succeed(value)
}

/** A whole number that is there, or was not asked for. */
const whole = (request: RecordedRequest, ...names: ReadonlyArray<string>): Said<string | undefined> => {
  const value = names.map((name) => given(request, name)).find((one) => one !== undefined)
  return value === undefined || /^\d{1,20}$/.test(value)
    ? Effect.succeed(value)
    : Effect.fail(refused(`failed to parse ${names[0]}: ${value} is no whole number from 0`, 422))
}

/** The place of a block: one of the two chains, in the only shard. */
const chainOf = (request: RecordedRequest): Said<Chain> =>
  Effect.gen(function* () {
    const workchain = yield* required(request, "workchain")
    const shard = yield* required(request, "shard")
    if (workchain !== "-1" && workchain !== "0")
      return yield* Effect.fail(refused(`LITE_SERVER_UNKNOWN: cannot find workchain ${workchain}`, 500))
    // as a number of JSON it may have lost its last digits
    if (shard.toLowerCase() !== SHARD_HEX && Math.abs(Number(shard)) !== 2 ** 63)
      return yield* Effect.fail(
        refused(`LITE_SERVER_UNKNOWN: cannot find shard ${shard}: the only one is ${SHARD}`, 500)
      )
    return workchain === "-1" ? -1 : 0
  })

const LIMIT = 1000

/** The refusal as the answer. */
const answer = <A>(said: Said<A>): Effect.Effect<A | Refused, SandboxError> =>
  Effect.catchAll(said, (error) => (error instanceof Refused ? Effect.succeed(error) : Effect.fail(error)))

/** The emulator's operations, in the types of this module. */
const operationsOf = (ask: AskEmulator) => {
  const asked = <A, I>(schema: Schema.Schema<A, I>, operation: string, ...args: ReadonlyArray<unknown>) =>
    Effect.flatMap(
      ask(schema, operation, ...args),
      (said): Said<A> =>
        said instanceof Declined ? Effect.fail(refused(said.message, said.code)) : Effect.succeed(said)
    )
  const block = (seqno?: string | number) => asked(Block, "block", seqno)
  const blockOf = (request: RecordedRequest) => Effect.flatMap(whole(request, "seqno"), block)
  return {
    asked,
    block,
    blockOf,
    /** The block of a chain that a request names by its height, and its transactions. */
    placed: (request: RecordedRequest) =>
      Effect.gen(function* () {
        const workchain = yield* chainOf(request)
        yield* required(request, "seqno")
        const found = yield* blockOf(request)
        const id = idOf(found, workchain)
        const [root, file] = [given(request, "root_hash"), given(request, "file_hash")]
        if ((root ?? id.root_hash) !== id.root_hash || (file ?? id.file_hash) !== id.file_hash)
          return yield* Effect.fail(refused("LITE_SERVER_UNKNOWN: block is not in db", 500))
        const transactions = found.transactions.filter((one) => one.workchain === workchain)
        return { found, id, workchain, transactions }
      }),
    account: (request: RecordedRequest) =>
      Effect.gen(function* () {
        const address = yield* required(request, "address")
        return yield* asked(Account, "account", address, yield* whole(request, "seqno"))
      }),
    forms: (request: RecordedRequest) =>
      Effect.flatMap(required(request, "address"), (address) => asked(AddressForms, "address", address)),
    history: (request: RecordedRequest) =>
      Effect.gen(function* () {
        const address = yield* required(request, "address")
        const lt = yield* whole(request, "lt")
        const toLt = yield* whole(request, "to_lt")
        const limit = Number((yield* whole(request, "limit")) ?? 10)
        const hash = given(request, "hash")
        const base64 =
          hash === undefined
            ? undefined
            : Buffer.from(hash, /^[0-9a-fA-F]{64}$/.test(hash) ? "hex" : "base64").toString("base64")
        return yield* asked(History, "history", address, {
          lt,
          toLt: toLt === "0" ? undefined : toLt,
          hash: base64,
          limit: Math.min(limit, LIMIT)
        })
      }),
    located: (request: RecordedRequest, by: "receiver" | "sender") =>
      Effect.gen(function* () {
        const source = yield* required(request, "source")
        const destination = yield* required(request, "destination")
        const lt = yield* required(request, "created_lt")
        return yield* asked(Transaction, "locate", by, source, destination, lt)
      }),
    run: (request: RecordedRequest) =>
      Effect.gen(function* () {
        const address = yield* required(request, "address")
        const method = yield* required(request, "method")
        const stack = request.get("stack") ?? []
        const seqno = yield* whole(request, "seqno")
        return yield* asked(Run, "get", address, method, stack, seqno)
      }),
    sent: (request: RecordedRequest) =>
      Effect.flatMap(required(request, "boc"), (boc) => asked(Sent, "send", boc))
  }
}

type Operations = ReturnType<typeof operationsOf>

const partsOf = (request: RecordedRequest): Said<Readonly<Record<string, string | undefined>>> =>
  Effect.gen(function* () {
    const address = yield* required(request, "address")
    const body = yield* required(request, "body")
    return { address, body, init_code: given(request, "init_code"), init_data: given(request, "init_data") }
  })

const stateOf = (account: Pick<Account, "balance" | "extra" | "hash" | "lt">, block: Block) => ({
  balance: account.balance,
  extra_currencies: extrasOf(account.extra),
  last_transaction_id: transactionId(account),
  block_id: idOf(block),
  sync_utime: block.time
})

const TYPES = { "3": "wallet.v3.accountState", "4": "wallet.v4.accountState" } as const

/** The state of a contract under the name that TON Center's library has for it. */
const contractOf = ({ code, data, frozenHash, state, wallet }: Account) => {
  const [, version = "", revision = "0"] = /^wallet v(\d) r(\d)$/.exec(wallet?.type ?? "") ?? []
  if (wallet?.walletId !== undefined && (version === "3" || version === "4"))
    return {
      revision: Number(revision),
      account_state: { "@type": TYPES[version], wallet_id: wallet.walletId, seqno: wallet.seqno }
    }
  return {
    revision: 0,
    account_state:
      state === "active"
        ? { "@type": "raw.accountState" as const, code, data, frozen_hash: frozenHash }
        : { "@type": "uninited.accountState" as const, frozen_hash: frozenHash }
  }
}

const walletOf = ({ balance, hash, lt, state, wallet }: Account) => ({
  "@type": "ext.accounts.walletInformation",
  wallet: wallet !== undefined,
  balance,
  account_state: state,
  last_transaction_id: transactionId({ hash, lt }),
  ...(wallet === undefined
    ? {}
    : {
        wallet_type: wallet.type,
        seqno: wallet.seqno,
        ...(wallet.walletId === undefined ? {} : { wallet_id: wallet.walletId }),
        ...(wallet.isSignatureAllowed === undefined
          ? {}
          : { is_signature_allowed: wallet.isSignatureAllowed })
      })
})

/** Transactions of a block behind a place in it, and whether these are all. */
const partOf = (
  request: RecordedRequest,
  transactions: ReadonlyArray<Transaction>
): Said<{
  readonly req_count: number
  readonly incomplete: boolean
  readonly part: ReadonlyArray<Transaction>
}> =>
  Effect.gen(function* () {
    const count = Number((yield* whole(request, "count")) ?? 40)
    const after = yield* whole(request, "after_lt")
    const rest = transactions.filter(({ lt }) => after === undefined || BigInt(lt) > BigInt(after))
    return { req_count: count, incomplete: rest.length > count, part: rest.slice(0, count) }
  })

const headerOf = (
  block: Block,
  previous: Block | undefined,
  workchain: Chain,
  { testnet }: RecordedRequest
) => ({
  "@type": "blocks.header",
  id: idOf(block, workchain),
  global_id: testnet ? -3 : -239,
  version: 0,
  after_merge: false,
  after_split: false,
  before_split: false,
  want_merge: false,
  want_split: false,
  validator_list_hash_short: 0,
  catchain_seqno: 0,
  min_ref_mc_seqno: previous?.seqno ?? 0,
  is_key_block: false,
  prev_key_block_seqno: 0,
  start_lt: block.startLt,
  end_lt: block.endLt,
  gen_utime: block.time,
  prev_blocks: previous === undefined ? [] : [idOf(previous, workchain)]
})

/** An answer as TON Center wraps it. */
const tell = <A, B>(said: Said<A>, shape: (value: A) => B) =>
  answer(Effect.map(said, (value) => ok(shape(value))))

const ofAccounts = ({ account, blockOf, forms }: Operations) =>
  ({
    getAddressInformation: (request) =>
      tell(
        Effect.all([account(request), blockOf(request)]),
        ([{ code, data, frozenHash, state, ...rest }, block]) => ({
          "@type": "raw.fullAccountState",
          ...stateOf(rest, block),
          code,
          data,
          frozen_hash: frozenHash,
          state
        })
      ),
    getExtendedAddressInformation: (request) =>
      tell(Effect.all([account(request), blockOf(request)]), ([found, block]) => ({
        "@type": "fullAccountState",
        address: accountAddress(found.address),
        ...stateOf(found, block),
        ...contractOf(found)
      })),
    getWalletInformation: (request) => tell(account(request), walletOf),
    getShardAccountCell: (request) =>
      tell(account(request), ({ cell }) => ({ "@type": "tvm.cell", bytes: cell })),
    getAddressBalance: (request) => tell(account(request), ({ balance }) => balance),
    getAddressState: (request) => tell(account(request), ({ state }) => state),
    packAddress: (request) => tell(forms(request), ({ bounceable }) => bounceable.b64url),
    unpackAddress: (request) => tell(forms(request), ({ raw }) => raw),
    detectAddress: (request) =>
      tell(forms(request), ({ bounceable, given: form, nonBounceable, raw, testOnly }) => {
        const variant = { "@type": "ext.utils.detectedAddressVariant" }
        return {
          "@type": "ext.utils.detectedAddress",
          raw_form: raw,
          bounceable: { ...variant, ...bounceable },
          non_bounceable: { ...variant, ...nonBounceable },
          given_type: form,
          test_only: testOnly
        }
      })
  }) satisfies Answers<typeof endpoints>

const ofHistories = ({ history, located }: Operations) =>
  ({
    getTransactions: (request) =>
      tell(history(request), ({ transactions }) => transactions.map(extTransaction)),
    getTransactionsStd: (request) =>
      tell(history(request), ({ previous, transactions }) => ({
        "@type": "raw.transactions",
        transactions: transactions.map(rawTransaction),
        previous_transaction_id: transactionId(previous ?? { lt: "0", hash: NOTHING })
      })),
    tryLocateTx: (request) => tell(located(request, "receiver"), extTransaction),
    tryLocateResultTx: (request) => tell(located(request, "receiver"), extTransaction),
    tryLocateSourceTx: (request) => tell(located(request, "sender"), extTransaction)
  }) satisfies Answers<typeof endpoints>

const ofContracts = ({ asked, block, run, sent }: Operations) =>
  ({
    runGetMethod: (request) =>
      tell(
        Effect.flatMap(run(request), (found) => Effect.all([Effect.succeed(found), block(found.seqno)])),
        ([{ exitCode, gasUsed, stack, ...last }, at]) => ({
          "@type": "smc.runResult",
          gas_used: gasUsed,
          stack: stack.map(legacy),
          exit_code: exitCode,
          block_id: idOf(at),
          last_transaction_id: transactionId(last)
        })
      ),
    runGetMethodStd: (request) =>
      tell(run(request), ({ exitCode, gasUsed, stack }) => ({
        "@type": "smc.runResult",
        gas_used: gasUsed,
        stack: stack.map(named),
        exit_code: exitCode
      })),
    sendBoc: (request) => tell(sent(request), () => ({ "@type": "ok" })),
    sendBocReturnHash: (request) =>
      tell(sent(request), ({ hash, norm }) => ({ "@type": "raw.extMessageInfo", hash, hash_norm: norm })),
    sendQuery: (request) =>
      tell(
        Effect.flatMap(partsOf(request), (parts) => asked(Sent, "sendParts", parts)),
        () => ({ "@type": "ok" })
      ),
    estimateFee: (request) =>
      tell(
        Effect.flatMap(partsOf(request), (parts) =>
          asked(Estimate, "estimate", parts, given(request, "ignore_chksig") !== "false")
        ),
        ({ destinations, source }) => ({
          "@type": "query.fees",
          source_fees: feesOf(source),
          destination_fees: destinations.map(feesOf)
        })
      )
  }) satisfies Answers<typeof endpoints>

const shardsOf = ({ block }: Operations) =>
  ((request) =>
    tell(Effect.flatMap(required(request, "seqno"), block), (found) => ({
      "@type": "blocks.shards",
      shards: [idOf(found, 0)]
    }))) satisfies Answers<typeof endpoints>["getShards"]

const looked = ({ asked }: Operations, request: RecordedRequest) =>
  Effect.gen(function* () {
    const workchain = yield* chainOf(request)
    const [seqno, lt, unixtime] = yield* Effect.all(
      ["seqno", "lt", "unixtime"].map((name) => whole(request, name))
    )
    if ((seqno ?? lt ?? unixtime) === undefined)
      return yield* Effect.fail(refused("seqno, lt or unixtime should be defined", 422))
    return idOf(yield* asked(Block, "lookup", { seqno, lt, unixtime }), workchain)
  })

const ofChain = (operations: Operations) => {
  const { block, placed } = operations
  return {
    getMasterchainInfo: () =>
      tell(Effect.all([block(), block(0)]), ([last, first]) => ({
        "@type": "blocks.masterchainInfo",
        last: idOf(last),
        state_root_hash: stateHash(last),
        init: idOf(first)
      })),
    getConsensusBlock: () =>
      tell(block(), ({ seqno, time }) => ({
        "@type": "ext.blocks.consensusBlock",
        consensus_block: seqno,
        timestamp: time
      })),
    lookupBlock: (request) => tell(looked(operations, request), (id) => id),
    getShards: shardsOf(operations),
    shards: shardsOf(operations),
    getBlockHeader: (request) =>
      tell(
        Effect.gen(function* () {
          const { found, workchain } = yield* placed(request)
          const previous = found.seqno === 0 ? undefined : yield* block(found.seqno - 1)
          return headerOf(found, previous, workchain, request)
        }),
        (header) => header
      ),
    getOutMsqQueueSizes: () =>
      tell(block(), (last) => ({
        "@type": "blocks.outMsgQueueSizes",
        // a block has all messages that follow from its own
        shards: ([-1, 0] as const).map((workchain) => ({
          "@type": "blocks.outMsgQueueSize",
          id: idOf(last, workchain),
          size: 0
        })),
        ext_msg_queue_size_limit: 8000
      }))
  } satisfies Answers<typeof endpoints>
}

const ofBlocks = ({ placed }: Operations) => {
  const content = (request: RecordedRequest) =>
    Effect.gen(function* () {
      const { id, transactions } = yield* placed(request)
      return { id, ...(yield* partOf(request, transactions)) }
    })
  return {
    getBlockTransactions: (request) =>
      tell(content(request), ({ part, ...rest }) => ({
        "@type": "blocks.transactions",
        ...rest,
        transactions: part.map(({ account, hash, lt }) => ({
          "@type": "blocks.shortTxId",
          mode: 135,
          account,
          lt,
          hash
        }))
      })),
    getBlockTransactionsExt: (request) =>
      tell(content(request), ({ part, ...rest }) => ({
        "@type": "blocks.transactionsExt",
        ...rest,
        transactions: part.map((one) => ({
          ...rawTransaction(one),
          "@type": "raw.transactionExt",
          account: one.account
        }))
      }))
  } satisfies Answers<typeof endpoints>
}

/** The configuration never changes: a height only has to be there. */
const ofConfig = ({ asked, blockOf }: Operations) => {
  const config = (request: RecordedRequest, id?: string) =>
    tell(Effect.zipRight(blockOf(request), asked(text, "config", id)), (bytes) => ({
      "@type": "configInfo",
      config: { "@type": "tvm.cell", bytes }
    }))
  return {
    getConfigParam: (request) =>
      Effect.gen(function* () {
        const id = given(request, "config_id") ?? (yield* required(request, "param"))
        return /^-?\d{1,10}$/.test(id)
          ? yield* config(request, id)
          : refused(`failed to parse config_id: ${id} is no whole number`, 422)
      }).pipe(answer),
    getConfigAll: (request) => config(request)
  } satisfies Answers<typeof endpoints>
}

/** What clients ask the other API of TON for before they use a node, and its ways to send. */
const ofTonApi = ({ asked, block, sent }: Operations) =>
  ({
    getRawMasterchainInfo: () =>
      Effect.gen(function* () {
        const last = yield* block()
        const { file_hash, root_hash } = rawId(yield* block(0))
        return {
          last: rawId(last),
          state_root_hash: stateHash(last),
          init: { workchain: -1, root_hash, file_hash }
        }
      }).pipe(answer),
    getRawTime: () => Effect.map(block(), ({ time }) => ({ time })).pipe(answer),
    sendRawMessage: (request) =>
      Effect.gen(function* () {
        yield* asked(Sent, "send", yield* required(request, "body"))
        return { code: 1 }
      }).pipe(answer),
    sendBlockchainMessage: (request) => Effect.as(sent(request), undefined).pipe(answer),
    getAccountSeqno: (request) =>
      Effect.gen(function* () {
        const address = yield* required(request, "accountId")
        const { wallet } = yield* asked(Account, "account", address)
        return wallet === undefined ? refused("account is not a wallet", 400) : { seqno: wallet.seqno }
      }).pipe(answer)
  }) satisfies Answers<typeof endpoints>

const methodOf = ({ path = "" }: Recording): string => path.slice(1)

/** The same calls by the name of their method. What is none of them is left to the recordings. */
const jsonRpc = (classic: ReadonlyArray<Recording>): Recording => ({
  verb: "POST",
  path: "/jsonRPC",
  answer: (request: RecordedRequest) => {
    const method = request.text("method", "")
    const found = classic.find((recording) => methodOf(recording) === method)
    if (typeof found?.answer !== "function") return undefined
    const tail = { jsonrpc: "2.0", id: String(request.get("id") ?? "") }
    // the parameters have names that stand in the request too
    const params: unknown = request.get("params")
    const inner = { ...request, get: (name: string | number) => Reflect.get(Object(params), name) }
    const said: Effect.Effect<unknown, SandboxError> = found.answer(inner)
    return Effect.map(said, (value) =>
      value instanceof Refused
        ? new Refused({ ...Object(value.body), ...tail }, value.status)
        : { ...Object(value), ...tail }
    )
  }
})

/**
 * The answers of TON Center from the state of an emulator: each method at its path, by GET and by POST, and at `/jsonRPC`. It has
 * one shard, of which each block has a block of the masterchain. Of TON API it has the newest block, the time, a wallet's
 * number and the ways to send.
 *
 * @since 0.1.0
 * @category constructors
 */
export const answers = (ask: AskEmulator): ReadonlyArray<Recording> => {
  const operations = operationsOf(ask)
  const classic = recordingsOf(endpoints, {
    ...ofAccounts(operations),
    ...ofHistories(operations),
    ...ofContracts(operations),
    ...ofChain(operations),
    ...ofBlocks(operations),
    ...ofConfig(operations)
  })
  return [
    ...classic,
    ...classic.flatMap((recording) =>
      recording.verb === "GET" ? { ...recording, verb: "POST" as const } : []
    ),
    jsonRpc(classic),
    ...recordingsOf(endpoints, ofTonApi(operations))
  ]
}
