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
  makeRecordings,
  RecordedRefusal,
  type RecordedRequest,
  type Recording
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
const ZERO_HASH = Buffer.alloc(32).toString("base64")

type Workchain = -1 | 0

const hashesOf = ({ hashes }: Block, workchain: Workchain) => (workchain === -1 ? hashes["-1"] : hashes["0"])

const toBlockId = (block: Block, workchain: Workchain = -1): BlockIdExt => {
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

/** Stands for the hash of the whole chain's state, which the emulator does not have. */
const stateHash = (block: Block): string => hashesOf(block, -1).file

const toRawBlockId = (block: Block) => {
  const { file, root } = hashesOf(block, -1)
  return { workchain: -1, shard: SHARD_HEX, seqno: block.seqno, root_hash: root, file_hash: file }
}

const transactionId = ({ hash, lt }: { readonly hash: string; readonly lt: string }) => ({
  "@type": "internal.transactionId",
  lt,
  hash
})

const toExtraCurrencies = (extra: typeof Extra.Type) =>
  extra.map((one) => ({ "@type": "extraCurrency", ...one }))

const toMessageData = ({ body, init, text: words }: typeof Message.Type): MessageData =>
  words === undefined
    ? { "@type": "msg.dataRaw", body, init_state: init }
    : { "@type": "msg.dataText", text: Buffer.from(words).toString("base64") }

const toMessage = (message: typeof Message.Type) => ({
  hash: message.hash,
  value: message.value,
  extra_currencies: toExtraCurrencies(message.extra),
  fwd_fee: message.fwdFee,
  ihr_fee: message.ihrFee,
  created_lt: message.createdLt,
  body_hash: message.bodyHash,
  msg_data: toMessageData(message)
})

const toExtMessage = (message: typeof Message.Type) => ({
  "@type": "ext.message",
  ...toMessage(message),
  source: message.source,
  destination: message.destination,
  ...(message.text === undefined ? {} : { message: message.text })
})

const toRawMessage = (message: typeof Message.Type) => ({
  "@type": "raw.message",
  ...toMessage(message),
  source: toAccountAddress(message.source),
  destination: toAccountAddress(message.destination)
})

const toAccountAddress = (address: string) => ({ "@type": "accountAddress", account_address: address })

const toCommonFields = (transaction: Transaction) => ({
  address: toAccountAddress(transaction.address),
  utime: transaction.time,
  data: transaction.data,
  transaction_id: transactionId(transaction),
  fee: transaction.fee,
  storage_fee: transaction.storageFee,
  other_fee: transaction.otherFee
})

const toExtTransaction = (transaction: Transaction) => ({
  "@type": "ext.transaction",
  ...toCommonFields(transaction),
  account: transaction.account,
  ...(transaction.received === undefined ? {} : { in_msg: toExtMessage(transaction.received) }),
  out_msgs: transaction.sent.map(toExtMessage)
})

const toRawTransaction = (transaction: Transaction) => ({
  "@type": "raw.transaction",
  ...toCommonFields(transaction),
  ...(transaction.received === undefined ? {} : { in_msg: toRawMessage(transaction.received) }),
  out_msgs: transaction.sent.map(toRawMessage)
})

const toTvmStackEntry = (item: Item): TvmStackEntry => {
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
        tuple: { "@type": "tvm.tuple", elements: item.elements.map(toTvmStackEntry) }
      }
    case "list":
      return {
        "@type": "tvm.stackEntryList",
        list: { "@type": "tvm.list", elements: item.elements.map(toTvmStackEntry) }
      }
    case "unsupported":
      return { "@type": "tvm.stackEntryUnsupported" }
  }
}

const toHexadecimal = (decimal: string): string => {
  const value = BigInt(decimal)
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`
}

const toStackEntry = (item: Item): StackEntry => {
  switch (item.kind) {
    case "number":
      return ["num", toHexadecimal(item.number)]
    case "cell":
    case "slice":
      return [item.kind, { bytes: item.bytes, object: item.object }]
    case "tuple":
    case "list":
      return [item.kind, { "@type": `tvm.${item.kind}`, elements: item.elements.map(toTvmStackEntry) }]
    case "unsupported":
      return ["unsupported", "unsupported"]
  }
}

const toFees = ({ fwdFee, gasFee, inFwdFee, storageFee }: typeof Fees.Type) => ({
  "@type": "fees",
  in_fwd_fee: inFwdFee,
  storage_fee: storageFee,
  gas_fee: gasFee,
  fwd_fee: fwdFee
})

const ok = <A>(result: A) => ({ ok: true as const, result, "@extra": `${Date.now() / 1000}:0:0` })

const makeRefusal = (message: string, code: number): RecordedRefusal =>
  new RecordedRefusal({ ok: false, error: message, code }, code)

const readParameter = ({ get }: RecordedRequest, name: string): string | undefined => {
  const value = get(name)
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined
}

/** Fails with a refusal, which becomes the answer. */
type Refusable<A> = Effect.Effect<A, SandboxError | RecordedRefusal>

const requireParameter = (request: RecordedRequest, name: string): Refusable<string> => {
  const value = readParameter(request, name)
  return value === undefined || value === ""
    ? Effect.fail(makeRefusal(`${name} is missing`, 422))
    : Effect.succeed(value)
}

/** An optional whole number. */
const readWholeNumber = (
  request: RecordedRequest,
  ...names: ReadonlyArray<string>
): Refusable<string | undefined> => {
  const value = names.map((name) => readParameter(request, name)).find((one) => one !== undefined)
  return value === undefined || /^\d{1,20}$/.test(value)
    ? Effect.succeed(value)
    : Effect.fail(makeRefusal(`failed to parse ${names[0]}: ${value} is no whole number from 0`, 422))
}

/** The workchain of a block: one of the two chains, in the only shard. */
const readWorkchain = (request: RecordedRequest): Refusable<Workchain> =>
  Effect.gen(function* () {
    const workchain = yield* requireParameter(request, "workchain")
    const shard = yield* requireParameter(request, "shard")
    if (workchain !== "-1" && workchain !== "0")
      return yield* Effect.fail(makeRefusal(`LITE_SERVER_UNKNOWN: cannot find workchain ${workchain}`, 500))
    // as a JSON number it may have lost its last digits
    if (shard.toLowerCase() !== SHARD_HEX && Math.abs(Number(shard)) !== 2 ** 63)
      return yield* Effect.fail(
        makeRefusal(`LITE_SERVER_UNKNOWN: cannot find shard ${shard}: the only one is ${SHARD}`, 500)
      )
    return workchain === "-1" ? -1 : 0
  })

const LIMIT = 1000

const toAnswer = <A>(said: Refusable<A>): Effect.Effect<A | RecordedRefusal, SandboxError> =>
  Effect.catchAll(said, (error) =>
    error instanceof RecordedRefusal ? Effect.succeed(error) : Effect.fail(error)
  )

/** The emulator's operations, with the types of this module. */
const makeOperations = (ask: AskEmulator) => {
  const askDecoded = <A, I>(
    schema: Schema.Schema<A, I>,
    operation: string,
    ...args: ReadonlyArray<unknown>
  ) =>
    Effect.flatMap(
      ask(schema, operation, ...args),
      (said): Refusable<A> =>
        said instanceof Declined ? Effect.fail(makeRefusal(said.message, said.code)) : Effect.succeed(said)
    )
  const readBlock = (seqno?: string | number) => askDecoded(Block, "block", seqno)
  const readRequestedBlock = (request: RecordedRequest) =>
    Effect.flatMap(readWholeNumber(request, "seqno"), readBlock)
  return {
    askDecoded,
    readBlock,
    readRequestedBlock,
    /** The block of a chain at the request's height, and its transactions. */
    findBlock: (request: RecordedRequest) =>
      Effect.gen(function* () {
        const workchain = yield* readWorkchain(request)
        yield* requireParameter(request, "seqno")
        const found = yield* readRequestedBlock(request)
        const id = toBlockId(found, workchain)
        const [root, file] = [readParameter(request, "root_hash"), readParameter(request, "file_hash")]
        if ((root ?? id.root_hash) !== id.root_hash || (file ?? id.file_hash) !== id.file_hash)
          return yield* Effect.fail(makeRefusal("LITE_SERVER_UNKNOWN: block is not in db", 500))
        const transactions = found.transactions.filter((one) => one.workchain === workchain)
        return { found, id, workchain, transactions }
      }),
    readAccount: (request: RecordedRequest) =>
      Effect.gen(function* () {
        const address = yield* requireParameter(request, "address")
        return yield* askDecoded(Account, "account", address, yield* readWholeNumber(request, "seqno"))
      }),
    readForms: (request: RecordedRequest) =>
      Effect.flatMap(requireParameter(request, "address"), (address) =>
        askDecoded(AddressForms, "address", address)
      ),
    readHistory: (request: RecordedRequest) =>
      Effect.gen(function* () {
        const address = yield* requireParameter(request, "address")
        const lt = yield* readWholeNumber(request, "lt")
        const toLt = yield* readWholeNumber(request, "to_lt")
        const limit = Number((yield* readWholeNumber(request, "limit")) ?? 10)
        const hash = readParameter(request, "hash")
        const base64 =
          hash === undefined
            ? undefined
            : Buffer.from(hash, /^[0-9a-fA-F]{64}$/.test(hash) ? "hex" : "base64").toString("base64")
        return yield* askDecoded(History, "history", address, {
          lt,
          toLt: toLt === "0" ? undefined : toLt,
          hash: base64,
          limit: Math.min(limit, LIMIT)
        })
      }),
    locateTransaction: (request: RecordedRequest, by: "receiver" | "sender") =>
      Effect.gen(function* () {
        const source = yield* requireParameter(request, "source")
        const destination = yield* requireParameter(request, "destination")
        const lt = yield* requireParameter(request, "created_lt")
        return yield* askDecoded(Transaction, "locate", by, source, destination, lt)
      }),
    runMethod: (request: RecordedRequest) =>
      Effect.gen(function* () {
        const address = yield* requireParameter(request, "address")
        const method = yield* requireParameter(request, "method")
        const stack = request.get("stack") ?? []
        const seqno = yield* readWholeNumber(request, "seqno")
        return yield* askDecoded(Run, "get", address, method, stack, seqno)
      }),
    broadcast: (request: RecordedRequest) =>
      Effect.flatMap(requireParameter(request, "boc"), (boc) => askDecoded(Sent, "send", boc))
  }
}

type Operations = ReturnType<typeof makeOperations>

const readBlockParts = (request: RecordedRequest): Refusable<Readonly<Record<string, string | undefined>>> =>
  Effect.gen(function* () {
    const address = yield* requireParameter(request, "address")
    const body = yield* requireParameter(request, "body")
    return {
      address,
      body,
      init_code: readParameter(request, "init_code"),
      init_data: readParameter(request, "init_data")
    }
  })

const toAccountState = (account: Pick<Account, "balance" | "extra" | "hash" | "lt">, block: Block) => ({
  balance: account.balance,
  extra_currencies: toExtraCurrencies(account.extra),
  last_transaction_id: transactionId(account),
  block_id: toBlockId(block),
  sync_utime: block.time
})

const TYPES = { "3": "wallet.v3.accountState", "4": "wallet.v4.accountState" } as const

/** The state of a contract by its name in TON Center's library. */
const toContractState = ({ code, data, frozenHash, state, wallet }: Account) => {
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

const toWalletInformation = ({ balance, hash, lt, state, wallet }: Account) => ({
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

/** The transactions after a position in a block, and whether the list is complete. */
const takeTransactions = (
  request: RecordedRequest,
  transactions: ReadonlyArray<Transaction>
): Refusable<{
  readonly req_count: number
  readonly incomplete: boolean
  readonly part: ReadonlyArray<Transaction>
}> =>
  Effect.gen(function* () {
    const count = Number((yield* readWholeNumber(request, "count")) ?? 40)
    const after = yield* readWholeNumber(request, "after_lt")
    const rest = transactions.filter(({ lt }) => after === undefined || BigInt(lt) > BigInt(after))
    return { req_count: count, incomplete: rest.length > count, part: rest.slice(0, count) }
  })

const toBlockHeader = (
  block: Block,
  previous: Block | undefined,
  workchain: Workchain,
  { testnet }: RecordedRequest
) => ({
  "@type": "blocks.header",
  id: toBlockId(block, workchain),
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
  prev_blocks: previous === undefined ? [] : [toBlockId(previous, workchain)]
})

/** An answer in TON Center's envelope. */
const answerWith = <A, B>(said: Refusable<A>, shape: (value: A) => B) =>
  toAnswer(Effect.map(said, (value) => ok(shape(value))))

const accountMethods = ({ readAccount, readForms, readRequestedBlock }: Operations) =>
  ({
    getAddressInformation: (request) =>
      answerWith(
        Effect.all([readAccount(request), readRequestedBlock(request)]),
        ([{ code, data, frozenHash, state, ...rest }, block]) => ({
          "@type": "raw.fullAccountState",
          ...toAccountState(rest, block),
          code,
          data,
          frozen_hash: frozenHash,
          state
        })
      ),
    getExtendedAddressInformation: (request) =>
      answerWith(Effect.all([readAccount(request), readRequestedBlock(request)]), ([found, block]) => ({
        "@type": "fullAccountState",
        address: toAccountAddress(found.address),
        ...toAccountState(found, block),
        ...toContractState(found)
      })),
    getWalletInformation: (request) => answerWith(readAccount(request), toWalletInformation),
    getShardAccountCell: (request) =>
      answerWith(readAccount(request), ({ cell }) => ({ "@type": "tvm.cell", bytes: cell })),
    getAddressBalance: (request) => answerWith(readAccount(request), ({ balance }) => balance),
    getAddressState: (request) => answerWith(readAccount(request), ({ state }) => state),
    packAddress: (request) => answerWith(readForms(request), ({ bounceable }) => bounceable.b64url),
    unpackAddress: (request) => answerWith(readForms(request), ({ raw }) => raw),
    detectAddress: (request) =>
      answerWith(readForms(request), ({ bounceable, given: form, nonBounceable, raw, testOnly }) => {
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

const historyMethods = ({ locateTransaction, readHistory }: Operations) =>
  ({
    getTransactions: (request) =>
      answerWith(readHistory(request), ({ transactions }) => transactions.map(toExtTransaction)),
    getTransactionsStd: (request) =>
      answerWith(readHistory(request), ({ previous, transactions }) => ({
        "@type": "raw.transactions",
        transactions: transactions.map(toRawTransaction),
        previous_transaction_id: transactionId(previous ?? { lt: "0", hash: ZERO_HASH })
      })),
    tryLocateTx: (request) => answerWith(locateTransaction(request, "receiver"), toExtTransaction),
    tryLocateResultTx: (request) => answerWith(locateTransaction(request, "receiver"), toExtTransaction),
    tryLocateSourceTx: (request) => answerWith(locateTransaction(request, "sender"), toExtTransaction)
  }) satisfies Answers<typeof endpoints>

const contractMethods = ({ askDecoded, broadcast, readBlock, runMethod }: Operations) =>
  ({
    runGetMethod: (request) =>
      answerWith(
        Effect.flatMap(runMethod(request), (found) =>
          Effect.all([Effect.succeed(found), readBlock(found.seqno)])
        ),
        ([{ exitCode, gasUsed, stack, ...last }, at]) => ({
          "@type": "smc.runResult",
          gas_used: gasUsed,
          stack: stack.map(toStackEntry),
          exit_code: exitCode,
          block_id: toBlockId(at),
          last_transaction_id: transactionId(last)
        })
      ),
    runGetMethodStd: (request) =>
      answerWith(runMethod(request), ({ exitCode, gasUsed, stack }) => ({
        "@type": "smc.runResult",
        gas_used: gasUsed,
        stack: stack.map(toTvmStackEntry),
        exit_code: exitCode
      })),
    sendBoc: (request) => answerWith(broadcast(request), () => ({ "@type": "ok" })),
    sendBocReturnHash: (request) =>
      answerWith(broadcast(request), ({ hash, norm }) => ({
        "@type": "raw.extMessageInfo",
        hash,
        hash_norm: norm
      })),
    sendQuery: (request) =>
      answerWith(
        Effect.flatMap(readBlockParts(request), (parts) => askDecoded(Sent, "sendParts", parts)),
        () => ({ "@type": "ok" })
      ),
    estimateFee: (request) =>
      answerWith(
        Effect.flatMap(readBlockParts(request), (parts) =>
          askDecoded(Estimate, "estimate", parts, readParameter(request, "ignore_chksig") !== "false")
        ),
        ({ destinations, source }) => ({
          "@type": "query.fees",
          source_fees: toFees(source),
          destination_fees: destinations.map(toFees)
        })
      )
  }) satisfies Answers<typeof endpoints>

const makeShardsMethod = ({ readBlock }: Operations) =>
  ((request) =>
    answerWith(Effect.flatMap(requireParameter(request, "seqno"), readBlock), (found) => ({
      "@type": "blocks.shards",
      shards: [toBlockId(found, 0)]
    }))) satisfies Answers<typeof endpoints>["getShards"]

const lookUpBlock = ({ askDecoded }: Operations, request: RecordedRequest) =>
  Effect.gen(function* () {
    const workchain = yield* readWorkchain(request)
    const [seqno, lt, unixtime] = yield* Effect.all(
      ["seqno", "lt", "unixtime"].map((name) => readWholeNumber(request, name))
    )
    if ((seqno ?? lt ?? unixtime) === undefined)
      return yield* Effect.fail(makeRefusal("seqno, lt or unixtime should be defined", 422))
    return toBlockId(yield* askDecoded(Block, "lookup", { seqno, lt, unixtime }), workchain)
  })

const chainMethods = (operations: Operations) => {
  const { findBlock, readBlock } = operations
  return {
    getMasterchainInfo: () =>
      answerWith(Effect.all([readBlock(), readBlock(0)]), ([last, first]) => ({
        "@type": "blocks.masterchainInfo",
        last: toBlockId(last),
        state_root_hash: stateHash(last),
        init: toBlockId(first)
      })),
    getConsensusBlock: () =>
      answerWith(readBlock(), ({ seqno, time }) => ({
        "@type": "ext.blocks.consensusBlock",
        consensus_block: seqno,
        timestamp: time
      })),
    lookupBlock: (request) => answerWith(lookUpBlock(operations, request), (id) => id),
    getShards: makeShardsMethod(operations),
    shards: makeShardsMethod(operations),
    getBlockHeader: (request) =>
      answerWith(
        Effect.gen(function* () {
          const { found, workchain } = yield* findBlock(request)
          const previous = found.seqno === 0 ? undefined : yield* readBlock(found.seqno - 1)
          return toBlockHeader(found, previous, workchain, request)
        }),
        (header) => header
      ),
    getOutMsqQueueSizes: () =>
      answerWith(readBlock(), (last) => ({
        "@type": "blocks.outMsgQueueSizes",
        // a block has all messages that follow from its own
        shards: ([-1, 0] as const).map((workchain) => ({
          "@type": "blocks.outMsgQueueSize",
          id: toBlockId(last, workchain),
          size: 0
        })),
        ext_msg_queue_size_limit: 8000
      }))
  } satisfies Answers<typeof endpoints>
}

const blockMethods = ({ findBlock }: Operations) => {
  const content = (request: RecordedRequest) =>
    Effect.gen(function* () {
      const { id, transactions } = yield* findBlock(request)
      return { id, ...(yield* takeTransactions(request, transactions)) }
    })
  return {
    getBlockTransactions: (request) =>
      answerWith(content(request), ({ part, ...rest }) => ({
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
      answerWith(content(request), ({ part, ...rest }) => ({
        "@type": "blocks.transactionsExt",
        ...rest,
        transactions: part.map((one) => ({
          ...toRawTransaction(one),
          "@type": "raw.transactionExt",
          account: one.account
        }))
      }))
  } satisfies Answers<typeof endpoints>
}

/** The configuration never changes, so a height is only checked for existence. */
const configMethods = ({ askDecoded, readRequestedBlock }: Operations) => {
  const config = (request: RecordedRequest, id?: string) =>
    answerWith(Effect.zipRight(readRequestedBlock(request), askDecoded(text, "config", id)), (bytes) => ({
      "@type": "configInfo",
      config: { "@type": "tvm.cell", bytes }
    }))
  return {
    getConfigParam: (request) =>
      Effect.gen(function* () {
        const id = readParameter(request, "config_id") ?? (yield* requireParameter(request, "param"))
        return /^-?\d{1,10}$/.test(id)
          ? yield* config(request, id)
          : makeRefusal(`failed to parse config_id: ${id} is no whole number`, 422)
      }).pipe(toAnswer),
    getConfigAll: (request) => config(request)
  } satisfies Answers<typeof endpoints>
}

/** The parts of TON API that clients call before they use a node, and its ways to send. */
const tonApiMethods = ({ askDecoded, broadcast, readBlock }: Operations) =>
  ({
    getRawMasterchainInfo: () =>
      Effect.gen(function* () {
        const last = yield* readBlock()
        const { file_hash, root_hash } = toRawBlockId(yield* readBlock(0))
        return {
          last: toRawBlockId(last),
          state_root_hash: stateHash(last),
          init: { workchain: -1, root_hash, file_hash }
        }
      }).pipe(toAnswer),
    getRawTime: () => Effect.map(readBlock(), ({ time }) => ({ time })).pipe(toAnswer),
    sendRawMessage: (request) =>
      Effect.gen(function* () {
        yield* askDecoded(Sent, "send", yield* requireParameter(request, "body"))
        return { code: 1 }
      }).pipe(toAnswer),
    sendBlockchainMessage: (request) => Effect.as(broadcast(request), undefined).pipe(toAnswer),
    getAccountSeqno: (request) =>
      Effect.gen(function* () {
        const address = yield* requireParameter(request, "accountId")
        const { wallet } = yield* askDecoded(Account, "account", address)
        return wallet === undefined ? makeRefusal("account is not a wallet", 400) : { seqno: wallet.seqno }
      }).pipe(toAnswer)
  }) satisfies Answers<typeof endpoints>

const methodOf = ({ path = "" }: Recording): string => path.slice(1)

/** The same calls by the name of their method. All others get recordings. */
const makeJsonRpc = (classic: ReadonlyArray<Recording>): Recording => ({
  verb: "POST",
  path: "/jsonRPC",
  answer: (request: RecordedRequest) => {
    const method = request.text("method", "")
    const found = classic.find((recording) => methodOf(recording) === method)
    if (typeof found?.answer !== "function") return undefined
    const tail = { jsonrpc: "2.0", id: String(request.get("id") ?? "") }
    // the parameters' names are fields of the request too
    const params: unknown = request.get("params")
    const inner = { ...request, get: (name: string | number) => Reflect.get(Object(params), name) }
    const said: Effect.Effect<unknown, SandboxError> = found.answer(inner)
    return Effect.map(said, (value) =>
      value instanceof RecordedRefusal
        ? new RecordedRefusal({ ...Object(value.body), ...tail }, value.status)
        : { ...Object(value), ...tail }
    )
  }
})

/**
 * The answers of TON Center from the state of an emulator: each method at its path, by GET and by POST, and at
 * `/jsonRPC`. There is one shard, and each of its blocks has a block of the masterchain. TON API has the newest block,
 * the time, a wallet's number and the ways to send.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeTonCenterRecordings = (ask: AskEmulator): ReadonlyArray<Recording> => {
  const operations = makeOperations(ask)
  const classic = makeRecordings(endpoints, {
    ...accountMethods(operations),
    ...historyMethods(operations),
    ...contractMethods(operations),
    ...chainMethods(operations),
    ...blockMethods(operations),
    ...configMethods(operations)
  })
  return [
    ...classic,
    ...classic.flatMap((recording) =>
      recording.verb === "GET" ? { ...recording, verb: "POST" as const } : []
    ),
    makeJsonRpc(classic),
    ...makeRecordings(endpoints, tonApiMethods(operations))
  ]
}
