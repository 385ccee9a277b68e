/**
 * `@ton/sandbox`, TON's own emulator with the code of its validators, as a chain in a process of its own.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { forwardRequest, parseBody, withRealClock } from "../Loopback.js"
import { SandboxError } from "../SandboxError.js"
import { requireProgram } from "./binaries.js"
import * as keys from "./keys.js"
import * as Process from "./Process.js"
import { makeAsk } from "./Utxo.js"

/**
 * The options of a node. With `blockTime` (seconds) a block is made at that interval, otherwise one per message.
 * `testnet` marks addresses as such.
 *
 * @since 0.1.0
 * @category models
 */
export interface TonSandboxOptions {
  readonly blockTime?: number
  readonly testnet?: boolean
}

/**
 * The emulator's refusal, with TON Center's message and code.
 *
 * @since 0.1.0
 * @category models
 */
export class Declined {
  constructor(
    readonly message: string,
    readonly code: number
  ) {}
}

/**
 * Calls the process, and decodes its answer. Waits while the process is frozen.
 *
 * @since 0.1.0
 * @category models
 */
export type AskEmulator = <A, I>(
  schema: Schema.Schema<A, I>,
  operation: string,
  ...args: ReadonlyArray<unknown>
) => Effect.Effect<A | Declined, SandboxError>

/**
 * A chain of TON. `accounts` are wallets (v4 r2) with 1,000 TON each. `fund` transfers `amount` (a decimal string, in
 * whole TON) from a treasury in a block of its own, and yields the hash (base64) of the transaction that received it. A
 * restart begins at genesis. `ask` calls the emulator's operations; `TonCenter.ts` has TON's API.
 *
 * @since 0.1.0
 * @category models
 */
export interface TonSandboxNode extends Process.NodeProcess, Pick<Process.ChainNode, "height" | "mine"> {
  readonly accounts: ReadonlyArray<keys.Account>
  readonly fund: (address: string, amount: string) => Effect.Effect<string, SandboxError>
  readonly ask: AskEmulator
}

/**
 * The emulator has accounts and messages, but no blocks, so this script makes them. Each block of the masterchain comes
 * with one of the only shard. A block's hash covers its content, and each state of an account is stored with its
 * height. One operation runs at a time.
 */
const HOST_SCRIPT = `
const { createHash } = require("node:crypto")
const { createRequire } = require("node:module")
const { createServer } = require("node:http")
const [, port, file, given] = process.argv
const { blockTime, publicKeys, testnet } = JSON.parse(given)
const load = createRequire(file)
const { Blockchain, SmartContract } = load(file)
const core = load("@ton/core")
const wallets = load("@ton/ton")
const { Address, Cell, Dictionary, beginCell } = core

const NANO = 1000000000n
const NOTHING = Buffer.alloc(32).toString("base64")

class Decline extends Error {
  constructor(message, code) {
    super(message)
    this.code = code
  }
}

const boc = (cell) => cell.toBoc().toString("base64")
const sha256 = (...parts) => createHash("sha256").update(JSON.stringify(parts)).digest("base64")
const hashOf = (number) => Buffer.from(number.toString(16).padStart(64, "0"), "hex").toString("base64")
const friendly = (address, bounceable = true) => address.toString({ testOnly: testnet, bounceable })
const named = (address) => (Address.isAddress(address) ? friendly(address) : "")

const addressOf = (text) => {
  try {
    const address = Address.parse(String(text))
    if (address.hash.length === 32) return address
  } catch {}
  throw new Decline("Incorrect address", 416)
}

const cellOf = (text, what) => {
  try {
    return Cell.fromBase64(String(text))
  } catch {
    throw new Decline("Cannot parse " + what + ": it is no bag of cells in base64", 422)
  }
}

/** The known wallets by their code, with the position of the sequence number in their messages. */
const key = Buffer.alloc(32)
const known = new Map(
  [
    ["wallet v1 r1", wallets.WalletContractV1R1],
    ["wallet v1 r2", wallets.WalletContractV1R2],
    ["wallet v1 r3", wallets.WalletContractV1R3],
    ["wallet v2 r1", wallets.WalletContractV2R1],
    ["wallet v2 r2", wallets.WalletContractV2R2],
    ["wallet v3 r1", wallets.WalletContractV3R1],
    ["wallet v3 r2", wallets.WalletContractV3R2],
    ["wallet v4 r2", wallets.WalletContractV4],
    ["wallet v5 beta", wallets.WalletContractV5Beta],
    ["wallet v5 r1", wallets.WalletContractV5R1]
  ].map(([name, contract]) => [
    contract.create({ workchain: 0, publicKey: key }).init.code.hash().toString("hex"),
    name
  ])
)

const walletOf = (code, data) => {
  const type = code && data && known.get(code.hash().toString("hex"))
  if (!type) return undefined
  const slice = data.beginParse()
  if (type === "wallet v5 r1") {
    const isSignatureAllowed = slice.loadBit()
    return { type, isSignatureAllowed, seqno: slice.loadUint(32), walletId: slice.loadInt(32) }
  }
  if (type === "wallet v5 beta") return { type, seqno: slice.skip(1).loadUint(32) }
  const seqno = slice.loadUint(32)
  return type < "wallet v3" ? { type, seqno } : { type, seqno, walletId: slice.loadUint(32) }
}

const now = () => Math.max(Math.floor(Date.now() / 1000), blocks.at(-1)?.time ?? 0)

const messageOf = (cell) => {
  const { body, info, init } = core.loadMessage(cell.beginParse())
  const isInternal = info.type === "internal"
  const slice = body.beginParse()
  let text
  try {
    if (slice.remainingBits >= 32 && slice.loadUint(32) === 0) text = slice.loadStringTail()
  } catch {}
  return {
    hash: cell.hash().toString("base64"),
    source: named(info.src),
    destination: named(info.dest),
    value: String(isInternal ? info.value.coins : 0n),
    extra: isInternal && info.value.other ? extrasOf(info.value.other) : [],
    fwdFee: String(isInternal ? info.forwardFee : 0n),
    ihrFee: String(isInternal ? info.ihrFee : 0n),
    createdLt: String(info.type === "external-in" ? 0n : info.createdLt),
    bodyHash: body.hash().toString("base64"),
    body: boc(body),
    init: init ? boc(beginCell().store(core.storeStateInit(init)).endCell()) : "",
    text
  }
}

const extrasOf = (other) => [...other].map(([id, amount]) => ({ id, amount: String(amount) }))

/** Messages are read from the transaction's cells, since encoding them again could change their hash. */
const messagesOf = (raw) => {
  const slice = raw.refs[0].beginParse()
  const received = slice.loadBit() ? slice.loadRef() : undefined
  const sent = slice.loadDict(Dictionary.Keys.Uint(15), Dictionary.Values.Cell())
  return { received: received && messageOf(received), sent: sent.values().map(messageOf) }
}

const transactionOf = (transaction, seqno) => {
  const { description, inMessage, lt, now: time, raw, totalFees } = transaction
  const address = inMessage.info.dest
  const { received, sent } = messagesOf(raw)
  const forwarded = sent.reduce((sum, { fwdFee, ihrFee }) => sum + BigInt(fwdFee) + BigInt(ihrFee), 0n)
  const storage = description.storagePhase?.storageFeesCollected ?? 0n
  const fee = totalFees.coins + forwarded
  return {
    seqno,
    workchain: address.workChain,
    account: address.toRawString(),
    address: friendly(address),
    lt: String(lt),
    hash: raw.hash().toString("base64"),
    time,
    data: boc(raw),
    fee: String(fee),
    storageFee: String(storage),
    otherFee: String(fee - storage),
    received,
    sent
  }
}

const blocks = []
/** Transactions by account, oldest first. */
const histories = new Map()
/** States by account, with their heights, oldest first. */
const states = new Map()

const keep = async (address, seqno) => {
  const { account } = await blockchain.getContract(address)
  const raw = address.toRawString()
  const of = states.get(raw) ?? []
  states.set(raw, of)
  if (of.at(-1)?.seqno === seqno) of.pop()
  of.push({ seqno, cell: beginCell().store(core.storeShardAccount(account)).endCell() })
}

const commit = async (results) => {
  const seqno = blocks.length
  const previous = blocks.at(-1)
  const transactions = results.map((result) => transactionOf(result, seqno))
  const startLt = previous ? String(BigInt(previous.endLt) + 1n) : "0"
  const endLt = String(blockchain.lt > BigInt(startLt) ? blockchain.lt : BigInt(startLt) + 1n)
  const time = Math.max(now(), ...transactions.map((transaction) => transaction.time))
  const hashes = (workchain) => {
    const inside = transactions.filter((one) => one.workchain === workchain).map(({ hash }) => hash)
    const root = sha256(testnet, workchain, seqno, time, startLt, endLt, previous?.hashes[workchain], inside)
    return { root, file: sha256("file", root) }
  }
  blocks.push({ seqno, time, startLt, endLt, transactions, hashes: { "-1": hashes(-1), 0: hashes(0) } })
  for (const [i, transaction] of transactions.entries()) {
    const of = histories.get(transaction.account) ?? []
    histories.set(transaction.account, of)
    of.push(transaction)
    await keep(results[i].inMessage.info.dest, seqno)
  }
}

const blockAt = (seqno) => {
  const block = seqno === undefined ? blocks.at(-1) : blocks[Number(seqno)]
  if (block === undefined) throw new Decline("LITE_SERVER_NOTREADY: block " + seqno + " is not applied", 500)
  return block
}

/** The state of an account at a block, by default the newest. */
const shardAccountAt = (address, seqno) => {
  const at = blockAt(seqno).seqno
  const cell = states.get(address.toRawString())?.findLast((state) => state.seqno <= at)?.cell
  return cell ?? beginCell().store(core.storeShardAccount(SmartContract.empty(blockchain, address).account)).endCell()
}

const accountAt = (text, seqno) => {
  const address = addressOf(text)
  const cell = shardAccountAt(address, seqno)
  const { account, lastTransactionHash, lastTransactionLt } = core.loadShardAccount(cell.beginParse())
  const state = account?.storage.state
  const { code, data } = state?.type === "active" ? state.state : {}
  const other = account?.storage.balance.other
  return {
    address: friendly(address),
    balance: String(account?.storage.balance.coins ?? 0n),
    extra: other ? extrasOf(other) : [],
    state: state?.type === "active" || state?.type === "frozen" ? state.type : "uninitialized",
    code: code ? boc(code) : "",
    data: data ? boc(data) : "",
    frozenHash: state?.type === "frozen" ? hashOf(state.stateHash) : "",
    lt: String(lastTransactionLt),
    hash: lastTransactionLt === 0n ? NOTHING : hashOf(lastTransactionHash),
    cell: boc(cell),
    wallet: walletOf(code, data),
    seqno: blockAt(seqno).seqno
  }
}

const externalOf = (cell) => {
  let message
  try {
    message = core.loadMessage(cell.beginParse())
  } catch {}
  if (message?.info.type !== "external-in")
    throw new Decline("Cannot parse boc: it is no external message to a contract", 422)
  return message
}

const send = async (message, options) => {
  blockchain.now = now()
  try {
    return (await blockchain.sendMessage(message, options)).transactions
  } catch (error) {
    const { exitCode } = error
    const why = String(error.error ?? error.message) + (exitCode === undefined ? "" : ": exitcode=" + exitCode)
    throw new Decline("LITE_SERVER_UNKNOWN: cannot apply external message to current state : " + why, 500)
  }
}

/** Runs an operation and undoes it. */
const dry = async (run) => {
  const before = blockchain.snapshot()
  try {
    return await run()
  } finally {
    await blockchain.loadFrom(before)
  }
}

let waiting = []
const accept = async (text) => {
  const cell = cellOf(text, "boc")
  const message = externalOf(cell)
  if (blockTime === undefined) await commit(await send(message))
  else {
    await dry(() => send(message))
    waiting.push(message)
  }
  return { hash: cell.hash().toString("base64"), norm: normal(message).hash().toString("base64") }
}

/**
 * The normalized form of a message, which is the same for all of the same content: no sender, no fee, and the body in a
 * cell of its own.
 */
const normal = ({ body, info: { dest } }) =>
  beginCell().storeUint(2, 2).storeUint(0, 2).storeAddress(dest).storeCoins(0).storeBit(0).storeBit(1).storeRef(body).endCell()

const feesOf = ({ description, totalFees }) => {
  const storage = description.storagePhase?.storageFeesCollected ?? 0n
  const gas = description.computePhase?.gasFees ?? 0n
  const { totalActionFees = 0n, totalFwdFees = 0n } = description.actionPhase ?? {}
  const paid = totalFees.coins - storage - gas - (totalActionFees ?? 0n)
  return {
    inFwdFee: Number(paid > 0n ? paid : 0n),
    storageFee: Number(storage),
    gasFee: Number(gas),
    fwdFee: Number(totalFwdFees ?? 0n)
  }
}

const partsOf = ({ address, body, init_code: code, init_data: data }) => ({
  to: addressOf(address),
  body: cellOf(body, "body"),
  ...(code && data ? { init: { code: cellOf(code, "init_code"), data: cellOf(data, "init_data") } } : {})
})

const numberOf = (value) => {
  try {
    const text = String(value)
    return text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text)
  } catch {
    throw new Decline("Cannot parse stack: " + JSON.stringify(value) + " is no number", 422)
  }
}

/** An entry of a stack, in the old form or in the form with names. */
const argumentOf = (entry) => {
  const [kind, value] = Array.isArray(entry) ? entry : [entry?.["@type"], entry]
  const cell = () => cellOf(value?.bytes ?? value?.cell?.bytes ?? value?.slice?.bytes ?? value, "stack")
  const items = () => (value?.elements ?? value?.tuple?.elements ?? value?.list?.elements ?? []).map(argumentOf)
  switch (String(kind).replace("tvm.stackEntry", "").replace("tvm.", "").toLowerCase()) {
    case "num":
    case "number":
    case "int":
      return { type: "int", value: numberOf(value?.number?.number ?? value) }
    case "cell":
      return { type: "cell", cell: cell() }
    case "slice":
      return { type: "slice", cell: cell() }
    case "builder":
      return { type: "builder", cell: cell() }
    case "tuple":
      return { type: "tuple", items: items() }
    case "list":
      return items().reduceRight((rest, item) => ({ type: "tuple", items: [item, rest] }), { type: "null" })
    case "null":
      return { type: "null" }
  }
  throw new Decline("Cannot parse stack: there is no entry of the kind " + JSON.stringify(kind), 422)
}

const treeOf = (cell) => {
  const length = cell.bits.length
  const bits = beginCell().storeBits(cell.bits)
  if (length % 8 > 0) bits.storeUint(0, 8 - (length % 8))
  const b64 = bits.endCell().beginParse().loadBuffer(Math.ceil(length / 8)).toString("base64")
  return { data: { b64, len: length }, refs: cell.refs.map(treeOf), special: cell.isExotic }
}

const resultOf = (item) => {
  switch (item.type) {
    case "int":
      return { kind: "number", number: String(item.value) }
    case "cell":
    case "slice":
      return { kind: item.type, bytes: boc(item.cell), object: treeOf(item.cell) }
    case "tuple":
      return { kind: "tuple", elements: item.items.map(resultOf) }
    case "null":
      return { kind: "list", elements: [] }
  }
  return { kind: "unsupported" }
}

const get = async (text, method, stack, seqno) => {
  const address = addressOf(text)
  const { lt, hash, state } = accountAt(text, seqno)
  const block = blockAt(seqno)
  const at = { seqno: block.seqno, lt, hash }
  const items = (stack ?? []).map(argumentOf)
  if (state !== "active") return { ...at, exitCode: -13, gasUsed: 0, stack: [] }
  const contract = new SmartContract(core.loadShardAccount(shardAccountAt(address, seqno).beginParse()), blockchain)
  const selector = Number.isInteger(Number(method)) ? Number(method) : String(method)
  try {
    const result = await contract.get(selector, items, { now: block.time })
    return { ...at, exitCode: result.exitCode, gasUsed: Number(result.gasUsed), stack: result.stack.map(resultOf) }
  } catch (error) {
    if (error.exitCode === undefined) throw error
    return { ...at, exitCode: error.exitCode, gasUsed: Number(error.gasUsed), stack: [] }
  }
}

const lookup = ({ lt, seqno, unixtime }) => {
  if (seqno !== undefined) return blockAt(seqno)
  const found =
    lt !== undefined
      ? blocks.find((block) => BigInt(block.endLt) >= BigInt(lt))
      : blocks.findLast((block) => block.time <= Number(unixtime))
  if (found === undefined) throw new Decline("LITE_SERVER_UNKNOWN: cannot find block: not in db", 500)
  return found
}

const history = (text, { hash, limit, lt, toLt }) => {
  const all = histories.get(addressOf(text).toRawString()) ?? []
  if (lt !== undefined && !all.some((one) => one.lt === lt && (hash === undefined || one.hash === hash)))
    throw new Decline("LITE_SERVER_UNKNOWN: cannot locate transaction in block with specified logical time", 500)
  const wanted = all.filter(
    (one) => (lt === undefined || BigInt(one.lt) <= BigInt(lt)) && (toLt === undefined || BigInt(one.lt) > BigInt(toLt))
  )
  const newest = wanted.toReversed()
  return { transactions: newest.slice(0, limit), previous: newest[limit] }
}

const locate = (by, source, destination, createdLt) => {
  const [from, to] = [addressOf(source), addressOf(destination)].map((address) => friendly(address))
  const isIt = (message) =>
    message !== undefined && message.source === from && message.destination === to && message.createdLt === createdLt
  const found = blocks
    .flatMap(({ transactions }) => transactions)
    .find(({ received, sent }) => (by === "receiver" ? isIt(received) : sent.some(isIt)))
  if (found === undefined) throw new Decline("cannot find transaction of that message", 404)
  return found
}

const treasuryHas = async (value) => {
  const contract = await blockchain.getContract(treasury.address)
  if (contract.balance < value + NANO) contract.balance = value + 1000000n * NANO
}

const pay = async (to, value, init) => {
  await treasuryHas(value)
  blockchain.now = now()
  return (await treasury.send({ to, value, bounce: false, init })).transactions
}

const isTo = (address) => (transaction) => transaction.inMessage.info.dest.equals(address)

/** The configuration maps numbers to cells. */
const configAt = (id) => {
  const { config } = blockchain
  if (id === undefined) return boc(config)
  const cell = Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), config).get(Number(id))
  if (cell === undefined) throw new Decline("LITE_SERVER_UNKNOWN: cannot find config param " + id, 404)
  return boc(cell)
}

const addressForms = (text) => {
  const address = addressOf(text)
  const forms = (bounceable) => ({
    b64: address.toString({ testOnly: testnet, bounceable, urlSafe: false }),
    b64url: friendly(address, bounceable)
  })
  const given = Address.isFriendly(text) ? Address.parseFriendly(text) : undefined
  return {
    raw: address.toRawString(),
    bounceable: forms(true),
    nonBounceable: forms(false),
    given:
      given === undefined ? "raw_form" : given.isBounceable ? "friendly_bounceable" : "friendly_non_bounceable",
    testOnly: given?.isTestOnly ?? false
  }
}

let blockchain
let treasury
let accounts = []

const operations = {
  head: () => blocks.at(-1),
  block: (seqno) => blockAt(seqno),
  lookup,
  account: accountAt,
  accounts: () => accounts,
  address: addressForms,
  history,
  locate,
  get,
  send: accept,
  sendParts: (parts) => accept(boc(beginCell().store(core.storeMessage(core.external(partsOf(parts)))).endCell())),
  estimate: async (parts, ignoreChksig) => {
    const [source] = await dry(() => send(core.external(partsOf(parts)), { ignoreChksig }))
    return { source: feesOf(source), destinations: source.children.map(feesOf) }
  },
  config: configAt,
  mine: async (count) => {
    for (let i = 0; i < count; i++) await commit([])
  },
  fund: async (text, value) => {
    const address = addressOf(text)
    const transactions = await pay(address, BigInt(value))
    await commit(transactions)
    return transactions.find(isTo(address)).raw.hash().toString("base64")
  }
}

const start = async () => {
  blockchain = await Blockchain.create({ config: "default" })
  blockchain.verbosity = { ...blockchain.verbosity, print: false, vmLogs: "none" }
  blockchain.now = now()
  treasury = await blockchain.treasury("effect-chains sandbox")
  await commit([])
  await keep(treasury.address, 0)
  const all = []
  for (const publicKey of publicKeys) {
    const wallet = wallets.WalletContractV4.create({ workchain: 0, publicKey: Buffer.from(publicKey, "hex") })
    accounts.push(friendly(wallet.address, false))
    all.push(...(await pay(wallet.address, 1000n * NANO, wallet.init)))
  }
  await commit(all)
}

let turn = start()
const next = (run) => {
  const done = turn.then(run)
  turn = done.catch(() => {})
  return done
}
const tick = async () => {
  const messages = waiting
  waiting = []
  const all = []
  for (const message of messages) all.push(...(await send(message).catch(() => [])))
  await commit(all)
}
if (blockTime !== undefined) turn.then(() => setInterval(() => next(tick), blockTime * 1000))

/** JSON has null for missing values. */
const answer = ({ method, params }) =>
  next(() => operations[method](...params.map((each) => each ?? undefined))).then(
    (result) => ({ result: { said: result } }),
    (error) => ({ result: { declined: error.message, code: error.code ?? 500 } })
  )

createServer((request, response) => {
  const chunks = []
  request.on("data", (chunk) => chunks.push(chunk))
  request.on("end", async () => response.end(JSON.stringify(await answer(JSON.parse(Buffer.concat(chunks))))))
}).listen(Number(port), "127.0.0.1")
`

const Answer = Schema.Union(
  Schema.Struct({ declined: Schema.String, code: Schema.Number }),
  Schema.Struct({ said: Schema.optional(Schema.Unknown) })
)

const makeChainError = (message: string): SandboxError => new SandboxError({ reason: "chain", message })

const NAME = "ton-sandbox"

/** Calls the emulator's operations over HTTP. */
const makeAskEmulator =
  (url: () => string): AskEmulator =>
  (schema, operation, ...args) =>
    Effect.gen(function* () {
      const body = Buffer.from(JSON.stringify({ method: operation, params: args }))
      const received = { method: "POST", path: "/", headers: { "content-type": "application/json" }, body }
      const { body: text } = yield* forwardRequest(url(), received, { reuse: false })
      const result: unknown = Object(parseBody(text)).result
      const unreadable = (error: unknown) =>
        makeChainError(`${NAME} answered ${operation} with ${String(error)}`)
      const answer = yield* Effect.mapError(Schema.decodeUnknown(Answer)(result), unreadable)
      return "declined" in answer
        ? new Declined(answer.declined, answer.code)
        : yield* Effect.mapError(Schema.decodeUnknown(schema)(answer.said), unreadable)
    })

const failWhereDeclined = <A>(
  said: Effect.Effect<A | Declined, SandboxError>
): Effect.Effect<A, SandboxError> =>
  Effect.flatMap(said, (value) =>
    value instanceof Declined ? makeChainError(`${NAME}: ${value.message}`) : Effect.succeed(value)
  )

const TON_DECIMALS = 9

const toNanotons = (amount: string): Effect.Effect<string, SandboxError> => {
  const [, whole = "", rest = ""] = /^(\d{1,10})(?:\.(\d{1,9}))?$/.exec(amount) ?? []
  const value = BigInt(whole + rest.padEnd(TON_DECIMALS, "0"))
  return value > 0n
    ? Effect.succeed(String(value))
    : new SandboxError({
        reason: "options",
        message: `"${amount}" is not an amount: give a decimal number of TON above 0, with at most 9 digits after the point`
      })
}

const Head = Schema.Struct({ said: Schema.Struct({ seqno: Schema.Number }) })

/**
 * Starts the emulator in a process of its own, and waits until the accounts have their coins. It ends with the scope
 * and with this process. Fails without the package (`binary`), and with its output if it does not come up (`start`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const start = (
  options: TonSandboxOptions = {}
): Effect.Effect<TonSandboxNode, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const file = yield* requireProgram(NAME)
    const { blockTime, testnet = false } = options
    const wallets = keys.makeTonKeys()
    const given = JSON.stringify({
      testnet,
      publicKeys: wallets.map(({ publicKey }) => publicKey),
      ...(blockTime === undefined ? {} : { blockTime })
    })
    // the timeout lets the watchdog detect a process that hangs
    const heightAt = (url: () => string) =>
      makeAsk(
        NAME,
        url
      )("head").pipe(
        Effect.flatMap(Schema.decodeUnknown(Head)),
        Effect.mapBoth({
          onFailure: (error) => makeChainError(`${NAME} did not report its height: ${error.message}`),
          onSuccess: ({ said }) => said.seqno
        })
      )
    const child = yield* Process.make({
      name: NAME,
      command: process.execPath,
      args: (port) => ["-e", HOST_SCRIPT, "--", String(port), file, given],
      ready: (url) =>
        Effect.map(
          heightAt(() => url),
          (height) => height > 0
        )
    })
    const url = (): string => child.url
    const ask = makeAskEmulator(url)
    const addresses = yield* failWhereDeclined(ask(Schema.Array(Schema.String), "accounts"))
    const node: TonSandboxNode = {
      ...child,
      ask,
      accounts: wallets.map(({ privateKey }, i) => ({ address: addresses[i] ?? "", privateKey })),
      height: withRealClock(heightAt(url)),
      mine: (blocks) => withRealClock(Effect.asVoid(failWhereDeclined(ask(Schema.Unknown, "mine", blocks)))),
      fund: (address, amount) =>
        Effect.flatMap(toNanotons(amount), (value) =>
          failWhereDeclined(ask(Schema.String, "fund", address, value))
        ).pipe(withRealClock)
    }
    return node
  }).pipe(withRealClock)
