/**
 * A wallet of TON as nodes show it: what is sent to it is read by @ton/core, verified by tweetnacl, and refused as the contract refuses
 * it.
 */
import {
  Address,
  beginCell,
  Cell,
  type CommonMessageInfoInternal,
  comment,
  Dictionary,
  loadMessage,
  loadMessageRelaxed,
  loadOutList,
  type Message,
  type MessageRelaxed,
  storeTransaction,
  type Transaction,
  type TransactionComputeVm
} from "@ton/core"
import { WalletContractV4, WalletContractV5R1 } from "@ton/ton"
import * as Effect from "effect/Effect"
import nacl from "tweetnacl"
import { NodeError, RequestRejected } from "../../src/data/SdkError.js"
import type { TonCalls } from "../../src/signers/Ton.js"

export const boc = (cell: Cell): string => cell.toBoc().toString("base64")

export const lost = (): NodeError =>
  new NodeError({ url: "http://node", call: "sendBocReturnHash", kind: "connect", reason: "reset" })

const refused = (message: string): RequestRejected =>
  new RequestRejected({
    url: "http://node",
    call: "sendBocReturnHash",
    status: 500,
    messages: [message],
    body: ""
  })

/** The wallet of a key. */
export const walletOf = (publicKey: Uint8Array, version: "v4" | "v5", networkGlobalId = -239) =>
  version === "v4"
    ? WalletContractV4.create({ workchain: 0, publicKey: Buffer.from(publicKey) })
    : WalletContractV5R1.create({ publicKey: Buffer.from(publicKey), walletId: { networkGlobalId } })

/** What a message from outside says, field by field, and whether the key has signed it. */
export const orderIn = (body: Cell, version: "v4" | "v5", publicKey: Uint8Array) => {
  const slice = body.beginParse()
  const signed = beginCell()
  const [signature, rest] =
    version === "v4"
      ? [slice.loadBuffer(64), slice]
      : (() => {
          const head = slice.loadBits(slice.remainingBits - 512)
          const tail = slice.loadBuffer(64)
          for (const ref of body.refs) signed.storeRef(ref)
          return [tail, signed.storeBits(head).endCell().beginParse()] as const
        })()
  const cell = rest.asCell()
  const isSigned = nacl.sign.detached.verify(
    new Uint8Array(cell.hash()),
    new Uint8Array(signature),
    new Uint8Array(publicKey)
  )
  if (version === "v5") {
    const [opcode, walletId, validUntil, seqno] = [
      rest.loadUint(32),
      rest.loadInt(32),
      rest.loadUint(32),
      rest.loadUint(32)
    ]
    const actions = loadOutList(rest.loadMaybeRef()?.beginParse() ?? new Cell().beginParse())
    const sends = actions.map((each) =>
      each.type === "sendMsg" ? { mode: each.mode as number, message: each.outMsg } : undefined
    )
    const hasMore = rest.loadBit()
    return {
      isSigned,
      opcode,
      walletId,
      validUntil,
      seqno,
      sends,
      isWhole: !hasMore && rest.remainingBits === 0
    }
  }
  const [walletId, validUntil, seqno, opcode] = [
    rest.loadInt(32),
    rest.loadUint(32),
    rest.loadUint(32),
    rest.loadUint(8)
  ]
  const sends: Array<{ readonly mode: number; readonly message: MessageRelaxed }> = []
  while (rest.remainingRefs > 0)
    sends.push({ mode: rest.loadUint(8), message: loadMessageRelaxed(rest.loadRef().beginParse()) })
  return { isSigned, opcode, walletId, validUntil, seqno, sends, isWhole: rest.remainingBits === 0 }
}

export const internalOf = ({ info }: Message | MessageRelaxed): CommonMessageInfoInternal => {
  if (info.type !== "internal" || !Address.isAddress(info.src ?? Address.parseRaw(`0:${"0".repeat(64)}`)))
    throw new Error("it is no message between contracts")
  return info as CommonMessageInfoInternal
}

const zeros = { coins: 0n }

/** That a contract has run, with its code of the end. */
export const ran = (exitCode: number): TransactionComputeVm => ({
  type: "vm",
  success: exitCode === 0,
  messageStateUsed: false,
  accountActivated: false,
  gasFees: 0n,
  gasUsed: 1n,
  gasLimit: 1n,
  mode: 0,
  exitCode,
  vmSteps: 1,
  vmInitStateHash: 0n,
  vmFinalStateHash: 0n
})

/** What a transaction of a wallet does, where it does not send what it was told. */
interface Deed {
  readonly skipped?: number
  readonly exitCode?: number
  readonly created?: number
  readonly description?: Transaction["description"]
}

/** A transaction of a wallet, as a bag of cells. */
export const transactionOf = (
  wallet: Address,
  inMessage: Message | undefined,
  place: { readonly lt: bigint; readonly now: number },
  { skipped = 0, exitCode = 0, created, description }: Deed = {}
): string => {
  const messagesCreated = created ?? (skipped + exitCode === 0 ? 1 : 0)
  const transaction: Transaction = {
    address: BigInt(`0x${wallet.hash.toString("hex")}`),
    lt: place.lt,
    prevTransactionHash: 0n,
    prevTransactionLt: 0n,
    now: place.now,
    outMessagesCount: messagesCreated,
    oldStatus: "active",
    endStatus: "active",
    ...(inMessage === undefined ? {} : { inMessage }),
    outMessages: Dictionary.empty(),
    totalFees: zeros,
    stateUpdate: { oldHash: Buffer.alloc(32), newHash: Buffer.alloc(32) },
    description: description ?? {
      type: "generic",
      creditFirst: false,
      aborted: exitCode !== 0,
      destroyed: false,
      computePhase: ran(exitCode),
      ...(exitCode === 0
        ? {
            actionPhase: {
              success: true,
              valid: true,
              noFunds: false,
              statusChange: "unchanged" as const,
              resultCode: 0,
              totalActions: 1,
              specActions: 0,
              skippedActions: skipped,
              messagesCreated,
              actionListHash: 0n,
              totalMessageSize: { bits: 0n, cells: 0n }
            }
          }
        : {})
    },
    raw: new Cell(),
    hash: () => Buffer.alloc(32)
  }
  return boc(beginCell().store(storeTransaction(transaction)).endCell())
}

/** What becomes of the next message that a node is sent. */
export type Fate =
  | "lands"
  | "waits"
  | "lost"
  | "arrives"
  | "duplicate"
  | "skipped"
  | "fails"
  | "refused"
  | Deed

interface Account {
  readonly publicKey: Uint8Array
  readonly version?: "v4" | "v5"
  readonly balance?: bigint
  readonly seqno?: number
  readonly isTest?: boolean
}

const NANO = 1_000_000_000n

/** What TON Center says of a route of TonAPI. */
const missing = new RequestRejected({
  call: "GET /v2/gasless",
  status: 404,
  messages: ["Not Found"],
  body: "",
  url: "http://node.example"
})

/** A chain with the wallet of a key. Whatever else is asked for is not there, or what a test gives. */
export const makeWallet = (account: Account, given: Partial<TonCalls> = {}) => {
  const { balance = 10n * NANO, publicKey, version = "v5" } = account
  const wallet = walletOf(publicKey, version, account.isTest === true ? -3 : -239)
  const raw = wallet.address.toRawString()
  const chain = { balance, seqno: account.seqno, time: 1_000, head: 5 }
  const sent: Array<string> = []
  const asked: Array<string> = []
  const waiting: Array<Message> = []
  const history: Array<{ data: string; utime: number; transaction_id: { lt: string; hash: string } }> = []
  const fates: Array<Fate> = []

  const dataNow = (): Cell => {
    const slice = wallet.init.data.beginParse()
    const flags = version === "v5" ? slice.loadBits(1) : undefined
    slice.skip(32)
    const builder = beginCell()
    if (flags !== undefined) builder.storeBits(flags)
    return builder
      .storeUint(chain.seqno ?? 0, 32)
      .storeSlice(slice)
      .endCell()
  }

  /** A message as a relay's wallet hands it on, with coins. */
  const toRelayed = ({ body, init }: Message): Message => ({
    info: {
      type: "internal",
      ihrDisabled: true,
      bounce: true,
      bounced: false,
      src: Address.parseRaw(`0:${"09".repeat(32)}`),
      dest: wallet.address,
      value: { coins: NANO },
      ihrFee: 0n,
      forwardFee: 0n,
      createdLt: 0n,
      createdAt: chain.time
    },
    ...(init === undefined ? {} : { init }),
    body
  })

  const land = (given: Message, how: Deed = {}, isRelayed = false) => {
    const message = isRelayed ? toRelayed(given) : given
    // the relay's coins for what the wallet sends
    if (isRelayed) chain.balance += NANO
    const lt = BigInt(history.length + 1)
    const { sends } = orderIn(message.body, version, publicKey)
    for (const each of sends)
      if (each !== undefined && Object.keys(how).length === 0)
        chain.balance -= internalOf(each.message).value.coins
    chain.seqno = (chain.seqno ?? 0) + 1
    chain.head++
    history.unshift({
      data: transactionOf(wallet.address, message, { lt, now: chain.time }, how),
      utime: chain.time,
      transaction_id: { lt: String(lt), hash: "h" }
    })
  }

  const problemOf = (message: Message): string | undefined => {
    const { isSigned, seqno, validUntil } = orderIn(message.body, version, publicKey)
    if (chain.seqno === undefined && message.init == null) return "exitcode=-13"
    if (!isSigned) return "exitcode=135"
    if (seqno !== (chain.seqno ?? 0)) return version === "v5" ? "exitcode=133" : "exitcode=33"
    return validUntil <= chain.time ? "exitcode=136" : undefined
  }

  const accept = (text: string, isRelayed = false): Effect.Effect<unknown, RequestRejected | NodeError> => {
    const fate = fates.shift() ?? "lands"
    sent.push(text)
    if (fate === "lost") return Effect.fail(lost())
    const message = loadMessage(Cell.fromBase64(text).beginParse())
    const problem = problemOf(message)
    if (fate === "refused") return Effect.fail(refused("external message was not accepted"))
    if (fate === "duplicate") return Effect.fail(refused("duplicate message"))
    if (problem !== undefined)
      return Effect.fail(refused(`cannot apply external message to current state : ${problem}`))
    if (fate === "waits") waiting.push(message)
    else if (typeof fate === "object") land(message, fate, isRelayed)
    else
      land(message, fate === "skipped" ? { skipped: 1 } : fate === "fails" ? { exitCode: 40 } : {}, isRelayed)
    return fate === "arrives" ? Effect.fail(lost()) : Effect.succeed({})
  }

  const rpc: TonCalls = {
    estimateFee: () =>
      Effect.succeed({
        result: {
          source_fees: { in_fwd_fee: 600_000, storage_fee: 1_000, gas_fee: 1_999_000, fwd_fee: 400_000 }
        }
      }),
    gaslessConfig: () => Effect.fail(missing),
    gaslessEstimate: () => Effect.fail(missing),
    gaslessSend: ({ boc: text }) =>
      Effect.suspend(() => accept(Buffer.from(text, "hex").toString("base64"), true)),
    getAccount: () => Effect.fail(refused("404")),
    getAddressInformation: (address) =>
      Effect.sync(() => {
        asked.push(address)
        const isOwn = address === raw && chain.seqno !== undefined
        return {
          result: {
            balance: address === raw ? String(chain.balance) : 0,
            code: isOwn ? boc(wallet.init.code) : "",
            data: isOwn ? boc(dataNow()) : "",
            state: isOwn ? "active" : "uninitialized",
            sync_utime: chain.time,
            last_transaction_id: { lt: String(history.length), hash: "h" }
          }
        }
      }),
    getMasterchainInfo: () => Effect.sync(() => ({ result: { last: { seqno: chain.head++ } } })),
    getTransactions: ({ limit = 10, lt }) =>
      Effect.sync(() => ({
        result: history
          .filter(({ transaction_id }) => lt === undefined || BigInt(transaction_id.lt) <= BigInt(lt))
          .slice(0, limit)
      })),
    runGetMethod: ({ method }) =>
      Effect.fail(refused(`${method} is asked for, and the test gives no answer`)),
    sendBocReturnHash: ({ boc: text }) => Effect.suspend(() => accept(text)),
    ...given
  }
  return {
    rpc,
    wallet,
    chain,
    sent,
    asked,
    /** What becomes of the next messages. */
    meet: (...next: ReadonlyArray<Fate>) => fates.push(...next),
    /** From now on all are taken so, until the nodes take them again. */
    insist: (fate: Fate | undefined) =>
      fates.splice(0, fates.length, ...(fate === undefined ? [] : new Array<Fate>(1_000).fill(fate))),
    /** What waits for a block gets into one. */
    mine: () => {
      for (const message of waiting.splice(0)) land(message)
    },
    /** What waits for a block is too late. */
    expire: () => {
      waiting.splice(0)
      chain.time += 1_000
    },
    /** It is the last second of what waits for a block. */
    linger: () => {
      for (const { body } of waiting) chain.time = orderIn(body, version, publicKey).validUntil
    },
    /** Someone else has used the number. */
    takeOver: () => {
      waiting.splice(0)
      chain.seqno = (chain.seqno ?? 0) + 1
      chain.time += 1_000
    }
  }
}

/** A token, by what its contracts answer. */
export const jettonCalls = (
  master: Address,
  { content, holder, owner, balance }: { content: Cell; holder: Address; owner: Address; balance: bigint }
): TonCalls["runGetMethod"] => {
  const slice = (address: Address) =>
    ["cell", { bytes: boc(beginCell().storeAddress(address).endCell()) }] as const
  return ({ address, method, stack }) => {
    const answer = (entries: ReadonlyArray<readonly [string, unknown]>, exit_code = 0) =>
      Effect.succeed({ result: { exit_code, stack: entries } })
    if (method !== "get_wallet_address" && stack.length > 0) throw new Error(`${method} has no arguments`)
    if (method === "get_jetton_data" && address === master.toRawString())
      return answer([
        ["num", "0x1000"],
        ["num", "-0x1"],
        slice(owner),
        ["cell", { bytes: boc(content) }],
        ["cell", { bytes: boc(comment("code")) }]
      ])
    if (method === "get_wallet_address" && address === master.toRawString()) {
      const [kind, bytes] = stack[0] ?? []
      if (kind !== "tvm.Slice" || typeof bytes !== "string") throw new Error("it is asked for an owner")
      const asked = Cell.fromBase64(bytes).beginParse().loadAddress()
      if (!asked.equals(owner)) throw new Error("it is asked for the account's own")
      return answer([slice(holder)])
    }
    if (method === "get_wallet_data" && address === holder.toRawString())
      return answer([
        ["num", `0x${balance.toString(16)}`],
        slice(owner),
        slice(master),
        ["cell", { bytes: boc(content) }]
      ])
    // no contract, or none with that method
    return answer([], address.startsWith("0:c") ? 11 : -13)
  }
}
