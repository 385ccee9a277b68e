/**
 * A node of Algorand for signers: it reads transactions byte by byte, by a reader of its own, and takes those that have just the fields of
 * a payment, are signed by their account, and can be paid.
 */
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import nacl from "tweetnacl"
import { algodEndpoints } from "../../src/chains/Algorand.js"
import { NodeError } from "../../src/data/SdkError.js"
import type { AlgorandClient } from "../../src/signers/Algorand.js"
import type { AlgorandSimulationClient } from "../../src/signers/simulate.js"
import { make } from "../../src/transport/Client.js"
import type { TransportService } from "../../src/wire/Transport.js"

type Value = bigint | string | Uint8Array | Map<string, Value> | ReadonlyArray<Value>

/** The first map of MessagePack in bytes, where its values are, and where it ends. The forms are those that the chain has: the shortest ones, names in their order. */
const mapOf = (bytes: Uint8Array) => {
  let at = 0
  const spans = new Map<string, Uint8Array>()
  /** The same inside of the transaction, each with its name. */
  const fields = new Map<string, Uint8Array>()
  const taken = (length: number): Uint8Array => {
    at += length
    return bytes.slice(at - length, at)
  }
  const number = (length: number): bigint => BigInt(`0x${Buffer.from(taken(length)).toString("hex")}`)
  const read = (depth: number): Value => {
    const kind = bytes[at++] ?? 0
    if (kind < 0x80) return BigInt(kind)
    if (kind >= 0xa0 && kind < 0xc0) return Buffer.from(taken(kind & 31)).toString()
    if (kind === 0xc4) return taken(bytes[at++] ?? 0)
    if (kind === 0xc5) return taken(Number(number(2)))
    if ((kind & 0xf0) === 0x90) return Array.from({ length: kind & 15 }, () => read(depth + 1))
    if (kind >= 0xcc && kind <= 0xcf) return number(2 ** (kind - 0xcc))
    if ((kind & 0xf0) !== 0x80) throw new Error(`byte 0x${kind.toString(16)} at ${at}`)
    const map = new Map<string, Value>()
    for (let left = kind & 15; left > 0; left--) {
      const named = at
      const name = read(depth + 1)
      if (typeof name !== "string") throw new Error("a name that is no text")
      const last = [...map.keys()].at(-1) ?? ""
      if (name <= last) throw new Error(`${name} stands behind ${last}`)
      const start = at
      map.set(name, read(depth + 1))
      if (depth === 0) spans.set(name, bytes.slice(start, at))
      if (depth === 1) fields.set(name, bytes.slice(named, at))
    }
    return map
  }
  const map = read(0)
  if (!(map instanceof Map)) throw new Error("it is no map")
  return { map, spans, fields, length: at }
}

const base32 = (bytes: Uint8Array): string => {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("")
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five.padEnd(5, "0"), 2)])
    .join("")
}

const hashOf = (bytes: Uint8Array): Uint8Array => createHash("sha512-256").update(bytes).digest()

/** The address of 32 bytes. */
export const addressOf = (own: Uint8Array): string =>
  base32(Uint8Array.of(...own, ...hashOf(own).subarray(28)))

const FIELDS = {
  pay: ["amt", "fee", "fv", "gen", "gh", "grp", "lv", "lx", "note", "rcv", "snd", "type"],
  axfer: ["aamt", "arcv", "fee", "fv", "gen", "gh", "grp", "lv", "lx", "note", "snd", "type", "xaid"]
}

/** Whether a key has signed for an address, or enough of the members whose keys are hashed in it. */
const isSignedBy = (given: Value | undefined, message: Uint8Array, sender: Uint8Array): boolean => {
  if (given instanceof Uint8Array) return nacl.sign.detached.verify(message, given, sender)
  if (!(given instanceof Map)) return false
  const [members, threshold, version] = [given.get("subsig"), given.get("thr"), given.get("v")]
  if (!Array.isArray(members) || typeof threshold !== "bigint" || version !== 1n) return false
  const keys: ReadonlyArray<Uint8Array> = members.map((member: Map<string, Uint8Array>) => {
    const key = member.get("pk")
    if (key === undefined) throw new Error("a member without a key")
    return key
  })
  const own = hashOf(
    Buffer.concat([Buffer.from("MultisigAddr"), Uint8Array.of(1, Number(threshold)), ...keys])
  )
  const signatures = members.map((member: Map<string, Uint8Array>) => member.get("s"))
  const isRight = (signature: Uint8Array | undefined, i: number): boolean =>
    signature === undefined || nacl.sign.detached.verify(message, signature, keys[i] ?? new Uint8Array())
  return (
    Buffer.from(own).equals(sender) &&
    signatures.every(isRight) &&
    BigInt(signatures.filter((each) => each !== undefined).length) >= threshold
  )
}

/** The hash of a transaction as if it were in no group, from which the group has its id. */
const hashWithoutGroup = (fields: ReadonlyMap<string, Uint8Array>): Uint8Array => {
  const others = [...fields].filter(([name]) => name !== "grp").map(([, bytes]) => bytes)
  return hashOf(Buffer.concat([Buffer.from("TX"), Uint8Array.of(0x80 | others.length), ...others]))
}

/** The id of a group: a map with one list of hashes. */
const groupOf = (hashes: ReadonlyArray<Uint8Array>): string => {
  const list = hashes.flatMap((hash) => [Uint8Array.of(0xc4, 32), hash])
  const head = Buffer.concat([
    Uint8Array.of(0x81, 0xa6),
    Buffer.from("txlist"),
    Uint8Array.of(0x90 | hashes.length)
  ])
  return Buffer.from(hashOf(Buffer.concat([Buffer.from("TG"), head, ...list]))).toString("base64")
}

const bytesOf = (raw: string | Uint8Array): Uint8Array =>
  typeof raw === "string" ? new Uint8Array(Buffer.from(raw, "base64")) : raw

/** What the transactions of a group say, one behind the other. One that is alone has no group. */
export const readGroup = (raw: string | Uint8Array) => {
  const txs: Array<ReturnType<typeof readFirst>> = []
  for (let rest = bytesOf(raw); rest.length > 0; rest = rest.slice(Number(txs.at(-1)?.size)))
    txs.push(readFirst(rest))
  const group = txs.length === 1 ? "" : groupOf(txs.map(({ ungrouped }) => ungrouped))
  if (txs.some((tx) => tx.group !== group)) throw new Error("incomplete group, or one with another id")
  return txs
}

/** What a transaction says that is alone. */
export const readTx = (raw: string | Uint8Array) => {
  const [tx, ...others] = readGroup(raw)
  if (tx === undefined || others.length > 0) throw new Error("it is no single transaction")
  return tx
}

/** What the first transaction says. A field that a payment has no use for is an error: one that closes the account, say. */
const readFirst = (bytes: Uint8Array) => {
  const { fields, length, map, spans } = mapOf(bytes)
  const names = [...map.keys()].join()
  if (!["sig,txn", "msig,txn", "sgnr,sig,txn"].includes(names)) throw new Error(`it has ${names}`)
  const txn = map.get("txn")
  if (!(txn instanceof Map)) throw new Error("it is not signed")
  const isPay = txn.get("type") === "pay"
  const stranger = [...txn.keys()].find((name) => !FIELDS[isPay ? "pay" : "axfer"].includes(name))
  if (stranger !== undefined) throw new Error(`${stranger} was not asked for`)
  const number = (name: string): bigint => {
    const value = txn.get(name) ?? 0n
    if (typeof value !== "bigint") throw new Error(`${name} is no number`)
    return value
  }
  const blob = (name: string): Uint8Array => {
    const value = txn.get(name) ?? new Uint8Array()
    if (!(value instanceof Uint8Array)) throw new Error(`${name} is no bytes`)
    return value
  }
  const signer = map.get("sgnr")
  const message = Uint8Array.of(84, 88, ...(spans.get("txn") ?? []))
  return {
    id: base32(hashOf(message)),
    type: txn.get("type"),
    from: addressOf(blob("snd")),
    to: addressOf(blob(isPay ? "rcv" : "arcv")),
    amount: number(isPay ? "amt" : "aamt"),
    token: isPay ? undefined : String(number("xaid")),
    fee: number("fee"),
    memo: Buffer.from(blob("note")).toString(),
    firstValid: number("fv"),
    lastValid: number("lv"),
    lease: Buffer.from(blob("lx")).toString("base64"),
    genesis: [txn.get("gen"), Buffer.from(blob("gh")).toString("base64")],
    size: BigInt(length),
    group: Buffer.from(blob("grp")).toString("base64"),
    ungrouped: hashWithoutGroup(fields),
    by: signer instanceof Uint8Array ? addressOf(signer) : addressOf(blob("snd")),
    isSigned: isSignedBy(
      map.get("sig") ?? map.get("msig"),
      message,
      signer instanceof Uint8Array ? signer : blob("snd")
    )
  }
}

type Tx = ReturnType<typeof readFirst>

export interface Account {
  amount: bigint
  readonly least?: bigint
  readonly by?: string
  readonly assets?: Readonly<Record<string, { readonly amount: bigint; readonly isFrozen?: boolean }>>
}

interface Answer {
  readonly status: number
  readonly json: object
}

const ok = (json: object): Answer => ({ status: 200, json })
const refused = (message: string, status = 400): Answer => ({ status, json: { message } })

/** The chain. A test changes its fields; `lost` says of a broadcast that its answer gets lost, before or after it was taken. */
export class Algod {
  round = 1_000n
  genesis = ["mainnet-v1.0", "wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8="]
  /** The fee of a byte, and the least of a transaction. */
  fee = 0n
  least = 1_000n
  poolError = ""
  lost: (tx: Tx) => "before" | "after" | undefined = () => undefined
  readonly assets: Record<string, object> = {}
  /** All broadcasts, and what is in the pool and in blocks. */
  readonly came: Array<string> = []
  /** All that was to be simulated. */
  readonly tried: Array<Readonly<Record<string, unknown>>> = []
  readonly pool = new Map<string, Tx>()
  readonly blocks = new Map<string, bigint>()
  private readonly leases = new Set<string>()

  constructor(readonly accounts: Record<string, Account>) {}

  /** Makes a block of what the pool has. */
  mine(): void {
    this.round++
    for (const id of this.pool.keys()) this.blocks.set(id, this.round)
    this.pool.clear()
  }

  /** Why a transaction gets into no block; undefined if it may. */
  private refusal(tx: Tx): string | undefined {
    const dead = this.round + 1n > tx.lastValid || this.round + 1n < tx.firstValid
    if (dead)
      return `TransactionPool.Remember: txn dead: round ${this.round + 1n} outside of ${tx.firstValid}--${tx.lastValid}`
    if (!tx.isSigned || tx.by !== (this.accounts[tx.from]?.by ?? tx.from))
      return "TransactionPool.Remember: At least one signature didn't pass verification"
    if (tx.genesis.join() !== this.genesis.join()) return "genesis hash mismatch"
    if (this.leases.has(`${tx.from} ${tx.lease}`))
      return `TransactionPool.Remember: transaction ${tx.id} using an overlapping lease (${tx.from})`
    // where the chain is full, each pays for its own bytes
    return tx.fee < this.fee * tx.size ? "fee is below threshold" : undefined
  }

  private taken(bytes: Uint8Array): Answer {
    const txs = readGroup(bytes)
    const refusal = txs.map((tx) => this.refusal(tx)).find((each) => each !== undefined)
    if (refusal !== undefined) return refused(refusal)
    // one of a group may pay for all
    const fees = txs.reduce((sum, { fee }) => sum + fee, 0n)
    if (fees < this.least * BigInt(txs.length)) return refused("fee is below threshold")
    for (const tx of txs) {
      this.leases.add(`${tx.from} ${tx.lease}`)
      this.pool.set(tx.id, tx)
    }
    return ok({ txId: txs[0]?.id })
  }

  private holding(address: string, asset: string): Answer {
    const found = this.accounts[address]?.assets?.[asset]
    return found === undefined
      ? refused("account asset info not found", 404)
      : ok({
          round: this.round,
          "asset-holding": {
            amount: found.amount,
            "asset-id": BigInt(asset),
            "is-frozen": found.isFrozen === true
          }
        })
  }

  private pending(id: string): Answer {
    const round = this.blocks.get(id)
    if (round !== undefined) return ok({ "pool-error": "", "confirmed-round": round, txn: {} })
    return this.pool.has(id) || this.poolError !== ""
      ? ok({ "pool-error": this.poolError, txn: {} })
      : refused(
          "could not find the transaction in the transaction pool or in the last 1000 confirmed rounds",
          404
        )
  }

  /** What becomes of a transaction without a signature, which is JSON. A test says what is in its group besides. */
  private simulated(body: string): Answer {
    const request = JSON.parse(body)
    this.tried.push(request)
    const [{ txns }] = request["txn-groups"]
    const [{ txn }] = txns
    const { aamt = 0, amt = 0, arcv, fee, snd, xaid = 0 } = txn
    const own = this.accounts[snd]
    const asset = String(xaid)
    const failure =
      own === undefined || own.amount < BigInt(amt) + BigInt(fee)
        ? "overspend"
        : arcv !== undefined && this.accounts[arcv]?.assets?.[asset] === undefined
          ? `receiver error: must optin, asset ${asset} missing from ${arcv}`
          : (own.assets?.[asset]?.amount ?? 0n) < BigInt(aamt)
            ? "underflow on subtracting"
            : undefined
    const result = { "txn-result": { "pool-error": "", txn: { txn } }, "fees-paid": fee }
    return ok({
      version: 2,
      "last-round": this.round,
      "eval-overrides": { "allow-empty-signatures": true },
      "txn-groups": [
        {
          "txn-results": [result],
          ...(failure === undefined ? {} : { "failed-at": [0], "failure-message": failure })
        }
      ]
    })
  }

  answer(path: string, body: unknown): Answer {
    const { pathname, searchParams } = new URL(path, "http://node.example")
    const [, , kind = "", one = "", two = "", three = ""] = pathname.split("/")
    if (pathname === "/v2/transactions" && body instanceof Uint8Array) return this.taken(body)
    if (pathname === "/v2/transactions/params")
      return ok({
        fee: this.fee,
        "min-fee": this.least,
        "genesis-id": this.genesis[0],
        "genesis-hash": this.genesis[1],
        "last-round": this.round,
        "consensus-version": "future"
      })
    if (pathname === "/v2/transactions/simulate") return this.simulated(String(body))
    if (pathname === "/v2/status") return ok({ "last-round": this.round })
    if (kind === "transactions" && one === "pending") return this.pending(two)
    if (kind === "assets") {
      const asset = this.assets[one]
      return asset === undefined
        ? refused("asset does not exist", 404)
        : ok({ index: BigInt(one), params: asset })
    }
    if (kind === "accounts" && two === "assets") return this.holding(one, three)
    if (kind === "accounts" && two === "" && searchParams.get("exclude") === "all") {
      const { amount, by, least = 100_000n } = this.accounts[one] ?? { amount: 0n }
      return ok({
        address: one,
        amount,
        "min-balance": least,
        ...(by === undefined ? {} : { "auth-addr": by })
      })
    }
    throw new Error(`nobody was to ask for ${path}`)
  }

  /** A client of this node, with all that lies between calls and answers but the network. */
  client(): AlgorandClient & AlgorandSimulationClient {
    const url = "https://node.example"
    const failure = (call: string) => new NodeError({ kind: "network", call, url, reason: "socket hang up" })
    const transport: TransportService = {
      nodeUrl: () => Effect.succeed(url),
      send: (call) =>
        Effect.suspend(() => {
          const bytes = call.body instanceof Uint8Array ? call.body : undefined
          if (bytes !== undefined) this.came.push(Buffer.from(bytes).toString("base64"))
          const [first] = bytes === undefined ? [] : readGroup(bytes)
          const lost = first === undefined ? undefined : this.lost(first)
          if (lost === "before") return Effect.fail(failure(call.label))
          const { json, status } = this.answer(call.path, call.body)
          if (lost === "after") return Effect.fail(failure(call.label))
          const read = call.decode({ text: jsonOf(json), status, url })
          return Either.isLeft(read) ? Effect.fail(read.left.error) : Effect.succeed(read.right)
        })
    }
    return {
      network: "algorand-mainnet-algod",
      rpc: make(algodEndpoints, transport, { archive: false, batchArchive: false })
    }
  }
}

/** JSON as the node writes it: its integers have all of their digits. */
export const jsonOf = (json: object): string =>
  JSON.stringify(json, (_, value: unknown) => (typeof value === "bigint" ? `#${value}#` : value)).replace(
    /"#(\d+)#"/g,
    "$1"
  )
