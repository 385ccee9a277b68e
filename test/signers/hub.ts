/**
 * A node of the Cosmos Hub for signers: it reads transactions byte by byte, by a reader of its own, and takes those that are whole,
 * signed by their account, in its sequence, and paid for.
 */
import { createHash } from "node:crypto"
import {
  createMultisigThresholdPubkey,
  encodeSecp256k1Pubkey,
  makeSignDoc,
  pubkeyToAddress,
  serializeSignDoc
} from "@cosmjs/amino"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { endpoints } from "../../src/chains/Cosmos.js"
import { NodeError } from "../../src/data/SdkError.js"
import type { CosmosSimulationClient } from "../../src/signers/simulate.js"
import type { CosmosStakingClient } from "../../src/signers/staking.js"
import { make } from "../../src/transport/Client.js"
import type { TransportService } from "../../src/wire/Transport.js"

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()

/** The fields of a message of protocol buffers: numbers and bytes, in their order. */
const fieldsOf = (bytes: Uint8Array): Array<readonly [field: number, value: bigint | Uint8Array]> => {
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]
      if (byte === undefined) throw new Error("it ends in a number")
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
  }
  const out: Array<readonly [number, bigint | Uint8Array]> = []
  while (at < bytes.length) {
    const tag = Number(varint())
    if ((tag & 7) === 0) out.push([tag >> 3, varint()])
    else if ((tag & 7) === 2) {
      const length = Number(varint())
      out.push([tag >> 3, bytes.slice(at, at + length)])
      at += length
    } else throw new Error(`wire type ${tag & 7}`)
  }
  return out
}

/** The values of a message by their fields, of which there must be no others. */
const messageOf = (bytes: Uint8Array | undefined, known: ReadonlyArray<number>) => {
  const fields = fieldsOf(bytes ?? new Uint8Array())
  const stranger = fields.find(([field]) => !known.includes(field))
  if (stranger !== undefined) throw new Error(`field ${stranger[0]} was not asked for`)
  const all = (field: number): ReadonlyArray<Uint8Array> =>
    fields.flatMap(([of, value]) => (of === field && typeof value !== "bigint" ? [value] : []))
  const number = (field: number): bigint => {
    const value = fields.find(([of]) => of === field)?.[1] ?? 0n
    if (typeof value !== "bigint") throw new Error(`field ${field} is no number`)
    return value
  }
  return {
    all,
    number,
    one: (field: number) => all(field)[0],
    text: (field: number) => Buffer.from(all(field)[0] ?? []).toString()
  }
}

const coinsOf = (coins: ReadonlyArray<Uint8Array>) =>
  coins.map((bytes) => {
    const coin = messageOf(bytes, [1, 2])
    return { denom: coin.text(1), amount: BigInt(coin.text(2)) }
  })

/** The fields of messages with the account, another validator, the receiver, and the coins. */
const messageFields: Readonly<
  Record<string, { readonly from: 1; readonly source?: 2; readonly to: 2 | 3; readonly coins?: 3 | 4 }>
> = {
  "/cosmos.bank.v1beta1.MsgSend": { from: 1, to: 2, coins: 3 },
  "/cosmos.staking.v1beta1.MsgDelegate": { from: 1, to: 2, coins: 3 },
  "/cosmos.staking.v1beta1.MsgUndelegate": { from: 1, to: 2, coins: 3 },
  "/cosmos.staking.v1beta1.MsgBeginRedelegate": { from: 1, source: 2, to: 3, coins: 4 },
  "/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward": { from: 1, to: 2 }
}

/** The parties and coins of a message with these fields; none of one without them. */
const readParties = (
  fields: (typeof messageFields)[string] | undefined,
  value: Uint8Array | undefined
): {
  readonly from: string
  readonly to: string
  readonly source: string | undefined
  readonly coins: ReturnType<typeof coinsOf>
  readonly owner?: string
  readonly expires?: bigint | undefined
  readonly recipients?: ReadonlyArray<string>
} => {
  if (fields === undefined) return { from: "", to: "", source: undefined, coins: [] }
  const sent = messageOf(value, Object.values(fields))
  return {
    from: sent.text(fields.from),
    to: sent.text(fields.to),
    source: fields.source === undefined ? undefined : sent.text(fields.source),
    coins: fields.coins === undefined ? [] : coinsOf(sent.all(fields.coins))
  }
}

const timeOf = (bytes: Uint8Array | undefined): bigint | undefined =>
  bytes === undefined ? undefined : messageOf(bytes, [1]).number(1)

/** What a message says about grants: what is allowed to whom, or taken back, or done for whom. */
const readGrant = (type: string, value: Uint8Array | undefined) => {
  const one = (bytes: Uint8Array | undefined, ...fields: ReadonlyArray<number>) => messageOf(bytes, fields)
  switch (type) {
    case "/cosmos.authz.v1beta1.MsgExec": {
      const exec = one(value, 1, 2)
      const [any, ...others] = exec.all(2)
      const inner = one(any, 1, 2)
      const send = one(inner.one(2), 1, 2, 3)
      if (others.length > 0 || inner.text(1) !== "/cosmos.bank.v1beta1.MsgSend")
        throw new Error("it executes something else than a payment")
      return { from: exec.text(1), to: send.text(2), coins: coinsOf(send.all(3)), owner: send.text(1) }
    }
    case "/cosmos.feegrant.v1beta1.MsgGrantAllowance": {
      const grant = one(value, 1, 2, 3)
      const any = one(grant.one(3), 1, 2)
      if (any.text(1) !== "/cosmos.feegrant.v1beta1.BasicAllowance") throw new Error(any.text(1))
      const basic = one(any.one(2), 1, 2)
      const coins = coinsOf(basic.all(1))
      return { from: grant.text(1), to: grant.text(2), coins, expires: timeOf(basic.one(2)) }
    }
    case "/cosmos.authz.v1beta1.MsgGrant": {
      const whole = one(value, 1, 2, 3)
      const grant = one(whole.one(3), 1, 2)
      const any = one(grant.one(1), 1, 2)
      if (any.text(1) !== "/cosmos.bank.v1beta1.SendAuthorization") throw new Error(any.text(1))
      const limit = one(any.one(2), 1, 2)
      return {
        from: whole.text(1),
        to: whole.text(2),
        coins: coinsOf(limit.all(1)),
        expires: timeOf(grant.one(2)),
        recipients: limit.all(2).map((bytes) => Buffer.from(bytes).toString())
      }
    }
    case "/cosmos.feegrant.v1beta1.MsgRevokeAllowance":
    case "/cosmos.authz.v1beta1.MsgRevoke": {
      const revoke = one(value, 1, 2, ...(type.endsWith("MsgRevoke") ? [3] : []))
      if (type.endsWith("MsgRevoke") && revoke.text(3) !== "/cosmos.bank.v1beta1.MsgSend")
        throw new Error("it revokes something else than payments")
      return { from: revoke.text(1), to: revoke.text(2), coins: [] }
    }
    default:
      return undefined
  }
}

/** Which of the keys of an account have signed what a transaction has, in what mode, and their signatures. */
const readMulti = (
  key: Uint8Array | undefined,
  info: Uint8Array | undefined,
  signatures: ReadonlyArray<Uint8Array>
) => {
  const known = messageOf(key, [1, 2])
  const keys = known.all(2).map((bytes) => {
    const any = messageOf(bytes, [1, 2])
    if (any.text(1) !== "/cosmos.crypto.secp256k1.PubKey") throw new Error(any.text(1))
    return messageOf(any.one(2), [1]).one(1) ?? new Uint8Array()
  })
  const multi = messageOf(info, [1, 2])
  const array = messageOf(multi.one(1), [1, 2])
  const bytes = array.one(2) ?? new Uint8Array()
  const bits = [...bytes].flatMap((byte) => [...byte.toString(2).padStart(8, "0")].map((bit) => bit === "1"))
  const extra = Number(array.number(1))
  const size = extra === 0 ? bits.length : bits.length - 8 + extra
  return {
    threshold: Number(known.number(1)),
    keys,
    bits: bits.slice(0, size),
    spare: bits.slice(size),
    modes: multi.all(2).map((each) => messageOf(messageOf(each, [1]).one(1), [1]).number(1)),
    signatures: signatures.length === 1 ? messageOf(signatures[0], [1]).all(1) : []
  }
}

type Multi = ReturnType<typeof readMulti>

/** What is wrong with the frame of several signatures, which a node also looks at in trials; undefined if nothing is. */
const multiProblem = ({ bits, keys, modes, signatures, spare, threshold }: Multi, from: string) => {
  const signing = keys.filter((_, i) => bits[i])
  const pubkey = createMultisigThresholdPubkey(keys.map(encodeSecp256k1Pubkey), threshold, true)
  if (pubkeyToAddress(pubkey, "cosmos") !== from) return "pubKey does not match signer address"
  const isWhole =
    bits.length === keys.length &&
    spare.every((bit) => !bit) &&
    signing.length >= threshold &&
    signatures.length === signing.length &&
    signatures.every(({ length }) => length === 64) &&
    modes.length === signing.length
  return isWhole && modes.every((mode) => mode === 127n) ? undefined : "invalid number of signatures"
}

/** What a transaction says. Whatever a payment has no use for is an error. */
export const readTx = (raw: string) => {
  const bytes = new Uint8Array(Buffer.from(raw, "base64"))
  const tx = messageOf(bytes, [1, 2, 3])
  const body = messageOf(tx.one(1), [1, 2, 3])
  const info = messageOf(tx.one(2), [1, 2])
  const signer = messageOf(info.one(1), [1, 2, 3])
  const modeInfo = messageOf(signer.one(2), [1, 2])
  const fee = messageOf(info.one(2), [1, 2, 4])
  const key = messageOf(signer.one(1), [1, 2])
  const [any, ...others] = body.all(1)
  const message = messageOf(any, [1, 2])
  const fields = messageFields[message.text(1)]
  const granted = readGrant(message.text(1), message.one(2))
  const isMulti = key.text(1) === "/cosmos.crypto.multisig.LegacyAminoPubKey"
  const mode = isMulti ? 1n : messageOf(modeInfo.one(1), [1]).number(1)
  if (fields === undefined && granted === undefined) throw new Error(`nobody was to send ${message.text(1)}`)
  if (others.length > 0 || info.all(1).length !== 1 || mode !== 1n)
    throw new Error("not one message, or signer")
  return {
    hash: Buffer.from(sha256(bytes)).toString("hex").toUpperCase(),
    types: [message.text(1), key.text(1)],
    ...readParties(fields, message.one(2)),
    ...granted,
    granter: fee.text(4) === "" ? undefined : fee.text(4),
    memo: body.text(2),
    timeoutHeight: body.number(3),
    publicKey: isMulti ? new Uint8Array() : (messageOf(key.one(2), [1]).one(1) ?? new Uint8Array()),
    multi: isMulti ? readMulti(key.one(2), modeInfo.one(2), tx.all(3)) : undefined,
    sequence: signer.number(3),
    fee: coinsOf(fee.all(1)),
    gas: fee.number(2),
    signatures: tx.all(3),
    bodyBytes: tx.one(1) ?? new Uint8Array(),
    authInfoBytes: tx.one(2) ?? new Uint8Array()
  }
}

type Tx = ReturnType<typeof readTx>

const varint = (value: bigint): ReadonlyArray<number> =>
  value < 128n ? [Number(value)] : [Number(value & 127n) | 128, ...varint(value >> 7n)]
const part = (field: number, bytes: Uint8Array): ReadonlyArray<number> => [
  (field << 3) | 2,
  ...varint(BigInt(bytes.length)),
  ...bytes
]

/** Coins as amino JSON has them. */
const toCoins = (coins: Tx["coins"]) => coins.map(({ amount, denom }) => ({ denom, amount: String(amount) }))

/** Whether the members that a payment names have signed it, by the document that cosmjs makes of it. */
const isSignedByMembers = (tx: Tx, multi: Multi, accountNumber: bigint, chainId: string): boolean => {
  const { coins, fee, from, gas, memo, sequence, timeoutHeight, to } = tx
  const hash = sha256(
    serializeSignDoc(
      makeSignDoc(
        [
          {
            type: "cosmos-sdk/MsgSend",
            value: { from_address: from, to_address: to, amount: toCoins(coins) }
          }
        ],
        { amount: toCoins(fee), gas: String(gas) },
        chainId,
        memo,
        Number(accountNumber),
        Number(sequence),
        timeoutHeight
      )
    )
  )
  const signing = multi.keys.filter((_, i) => multi.bits[i])
  return (
    multiProblem(multi, from) === undefined &&
    signing.every((key, i) => {
      const signature = multi.signatures[i] ?? new Uint8Array()
      return secp256k1.verify(signature, hash, key, { prehash: false, lowS: true })
    })
  )
}

/** Whether a transaction is signed for an account of the chain, by the key that it names. */
export const isSigned = (tx: Tx, accountNumber: bigint, chainId = "cosmoshub-4"): boolean => {
  if (tx.multi !== undefined) return isSignedByMembers(tx, tx.multi, accountNumber, chainId)
  const document = Uint8Array.from([
    ...part(1, tx.bodyBytes),
    ...part(2, tx.authInfoBytes),
    ...part(3, new TextEncoder().encode(chainId)),
    ...(accountNumber === 0n ? [] : [4 << 3, ...varint(accountNumber)])
  ])
  const [signature = new Uint8Array()] = tx.signatures
  return (
    tx.signatures.length === 1 &&
    secp256k1.verify(signature, sha256(document), tx.publicKey, { prehash: false, lowS: true })
  )
}

export interface Account {
  readonly number?: bigint
  sequence?: bigint
  readonly type?: string
  readonly coins: Record<string, bigint>
  /** What the chain shows of its key after its first payment. */
  pubKey?: object
}

interface Answer {
  readonly status: number
  readonly json: object
}

const ok = (json: object): Answer => ({ status: 200, json })
const missing = (message: string): Answer => ({ status: 404, json: { code: 5, message, details: [] } })
const failed = (message: string): Answer => ({ status: 500, json: { code: 2, message, details: [] } })

/** Keys of several members as nodes tell them. */
const toPubKey = ({ keys, threshold }: Pick<Multi, "keys" | "threshold">) => ({
  "@type": "/cosmos.crypto.multisig.LegacyAminoPubKey",
  threshold,
  public_keys: keys.map((key) => ({
    "@type": "/cosmos.crypto.secp256k1.PubKey",
    key: Buffer.from(key).toString("base64")
  }))
})

/** A payment as nodes tell it. */
const toJson = ({ coins, fee, from, gas, granter = "", memo, sequence, timeoutHeight, to, types }: Tx) => ({
  body: {
    messages: [{ "@type": types[0], from_address: from, to_address: to, amount: toCoins(coins) }],
    memo,
    timeout_height: String(timeoutHeight),
    extension_options: [],
    non_critical_extension_options: []
  },
  auth_info: {
    signer_infos: [{ mode_info: {}, sequence: String(sequence) }],
    fee: { amount: toCoins(fee), gas_limit: String(gas), payer: "", granter }
  },
  signatures: []
})

/** The chain. A test changes its fields; `lost` says of a broadcast that its answer gets lost, before or after it was taken. */
export class Hub {
  chainId = "cosmoshub-4"
  height = 100n
  config = "0.005uatom,0.1ibc/AB"
  market: string | undefined = "0.01"
  gas = 100_000n
  memo = "256"
  /** Whether events of messages have their number, what happens in them besides, and what comes back of a fee. */
  areNumbered = true
  happens: ReadonlyArray<object> = []
  returned = ""
  /** The least fee that the pool takes. */
  least = 0n
  lost: (tx: Tx) => "before" | "after" | undefined = () => undefined
  readonly metadata: Record<string, object> = {}
  /** The validators, and what accounts have delegated to them and earned there, by the account and the validator. */
  readonly validators: Record<string, object> = {}
  readonly delegated: Record<string, bigint> = {}
  readonly rewards: Record<string, string> = {}
  /** What accounts have granted others: by the granter and the grantee, as nodes tell it. */
  readonly allowances: Record<string, object> = {}
  readonly authorizations: Record<
    string,
    { readonly authorization: object; readonly expiration: string | null }
  > = {}
  bondDenom = "uatom"
  unbonding = "1814400s"
  withdrawal: string | undefined
  /** All broadcasts, and what is in the pool and in blocks. */
  readonly came: Array<string> = []
  readonly pool = new Map<string, Tx>()
  readonly blocks = new Map<
    string,
    { readonly tx: Tx; readonly height: bigint; readonly code: number; readonly log?: string }
  >()

  constructor(readonly accounts: Record<string, Account>) {}

  /** Makes a block of what the pool has. */
  mine(code = 0): void {
    this.height++
    for (const [hash, tx] of this.pool) {
      this.blocks.set(hash, { tx, height: this.height, code })
      if (code === 0) this.applyGrant(tx)
      const account = this.accounts[tx.from]
      if (account === undefined) continue
      account.sequence = tx.sequence + 1n
      if (tx.multi !== undefined) account.pubKey = toPubKey(tx.multi)
    }
    this.pool.clear()
  }

  private applyGrant({ coins, expires, from, recipients = [], to, types: [type = ""] }: Tx): void {
    const key = `${from} ${to}`
    const spend_limit = coins.map(({ amount, denom }) => ({ denom, amount: String(amount) }))
    const expiration = expires === undefined ? null : new Date(Number(expires) * 1_000).toISOString()
    if (type.endsWith(".MsgGrantAllowance"))
      this.allowances[key] = {
        "@type": "/cosmos.feegrant.v1beta1.BasicAllowance",
        ...{ spend_limit, expiration }
      }
    if (type.endsWith(".MsgGrant"))
      this.authorizations[key] = {
        authorization: {
          "@type": "/cosmos.bank.v1beta1.SendAuthorization",
          ...{ spend_limit, allow_list: recipients }
        },
        expiration
      }
    if (type.endsWith(".MsgRevokeAllowance")) delete this.allowances[key]
    if (type.endsWith(".MsgRevoke")) delete this.authorizations[key]
  }

  /** What the chain says of a transaction whose grants are none; undefined if they are there. */
  private grantProblem({ from, granter, owner }: Tx): string | undefined {
    if (granter !== undefined && this.allowances[`${granter} ${from}`] === undefined)
      return "fee-grant not found: not found"
    return owner !== undefined && this.authorizations[`${owner} ${from}`] === undefined
      ? "authorization not found"
      : undefined
  }

  private granted(route: string, query: URLSearchParams): Answer | undefined {
    const [, granter = "", grantee = ""] =
      /^\/cosmos\/feegrant\/v1beta1\/allowance\/(\w+)\/(\w+)$/.exec(route) ?? []
    if (grantee !== "") {
      const allowance = this.allowances[`${granter} ${grantee}`]
      // as nodes say it
      return allowance === undefined
        ? failed("fee-grant not found: not found")
        : ok({ allowance: { granter, grantee, allowance } })
    }
    if (route !== "/cosmos/authz/v1beta1/grants") return undefined
    if (query.get("msg_type_url") !== "/cosmos.bank.v1beta1.MsgSend")
      throw new Error("only payments are asked for")
    const found = this.authorizations[`${query.get("granter")} ${query.get("grantee")}`]
    return found === undefined
      ? missing("authorization not found for cosmos1…")
      : ok({ grants: [found], pagination: null })
  }

  /** The sequence that the pool expects. */
  private next(address: string): bigint {
    const waiting = [...this.pool.values()].filter(({ from }) => from === address)
    return (this.accounts[address]?.sequence ?? 0n) + BigInt(waiting.length)
  }

  private taken(tx: Tx): Answer {
    const { accounts, height, least, pool } = this
    const refused = (code: number, log: string) =>
      ok({ tx_response: { height: "0", txhash: tx.hash, codespace: "sdk", code, raw_log: log } })
    const account = accounts[tx.from]
    if (pool.has(tx.hash) || this.blocks.has(tx.hash)) return refused(19, "")
    if (account === undefined) return refused(9, "unknown address")
    if (tx.timeoutHeight !== 0n && tx.timeoutHeight < height) return refused(30, "tx timeout height")
    const next = this.next(tx.from)
    if (tx.sequence !== next)
      return refused(
        32,
        `account sequence mismatch, expected ${next}, got ${tx.sequence}: incorrect account sequence`
      )
    if (!isSigned(tx, account.number ?? 7n, this.chainId)) return refused(4, "signature verification failed")
    if ((tx.fee[0]?.amount ?? 0n) < least)
      return refused(13, `insufficient fees; got: ${tx.fee[0]?.amount}uatom required: ${least}uatom`)
    const ungranted = this.grantProblem(tx)
    if (ungranted !== undefined) return refused(38, ungranted)
    pool.set(tx.hash, tx)
    return ok({ tx_response: { height: "0", txhash: tx.hash, codespace: "", code: 0, raw_log: "" } })
  }

  private account(address: string): Answer {
    const account = this.accounts[address]
    if (account === undefined) return missing(`account ${address} not found`)
    const type = account.type ?? "/cosmos.auth.v1beta1.BaseAccount"
    const base = {
      address,
      pub_key: account.pubKey ?? null,
      account_number: String(account.number ?? 7n),
      sequence: String(account.sequence ?? 0n)
    }
    const isVesting = type.startsWith("/cosmos.vesting.")
    return ok({
      account: /\.BaseAccount$/.test(type)
        ? { "@type": type, ...base }
        : isVesting
          ? { "@type": type, base_vesting_account: { base_account: base, end_time: "0" } }
          : { "@type": type, base_account: base, name: "gov", permissions: [] }
    })
  }

  private tx(hash: string): Answer {
    const found = this.blocks.get(hash)
    return found === undefined
      ? missing(`tx not found: ${hash}`)
      : ok({
          tx: toJson(found.tx),
          tx_response: {
            height: String(found.height),
            txhash: hash,
            codespace: found.code === 0 ? "" : "sdk",
            code: found.code,
            raw_log: found.log ?? (found.code === 0 ? "" : "out of gas in location: block")
          }
        })
  }

  /** The transaction of blocks that has a sequence of an account. */
  private search(query: string): Answer {
    const [, address = "", sequence] = /^tx\.acc_seq='(\w+)\/(\d+)'$/.exec(query) ?? []
    if (sequence === undefined) throw new Error(`nobody should look for ${query}`)
    const found = [...this.blocks].filter(
      ([, { tx }]) => tx.from === address && tx.sequence === BigInt(sequence)
    )
    return ok({ txs: [], tx_responses: found.map(([txhash]) => ({ txhash })), total: String(found.length) })
  }

  private simulated(raw: string): Answer {
    const tx = readTx(raw)
    const next = this.next(tx.from)
    const problem =
      this.grantProblem(tx) ?? (tx.multi === undefined ? undefined : multiProblem(tx.multi, tx.from))
    if (problem !== undefined) return failed(problem)
    return tx.sequence === next
      ? ok({
          gas_info: { gas_wanted: "0", gas_used: String(this.gas) },
          result: { data: "", log: "", events: this.events(tx) }
        })
      : failed(
          `account sequence mismatch, expected ${next}, got ${tx.sequence}: incorrect account sequence [cosmos/auth] with gas used: '1'`
        )
  }

  /** What a trial says of coins: the fee before the message, and what a market of fees gives back behind it. */
  private events(tx: Tx): ReadonlyArray<object> {
    const event = (type: string, attributes: Readonly<Record<string, string>>, isOfMessage = true) => ({
      type,
      attributes: Object.entries({
        ...attributes,
        ...(isOfMessage && this.areNumbered ? { msg_index: "0" } : {})
      }).map(([key, value]) => ({ key, value, index: true }))
    })
    const moved = (from: string, to: string, amount: string, isOfMessage = true) => [
      event("coin_spent", { spender: from, amount }, isOfMessage),
      event("coin_received", { receiver: to, amount }, isOfMessage)
    ]
    const textOf = (coins: Tx["coins"]): string =>
      coins.map(({ amount, denom }) => `${amount}${denom}`).join()
    const collector = "cosmos17xpfvakm2amg962yls6f84z3kell8c5lserqta"
    return [
      ...moved(tx.from, collector, textOf(tx.fee), false),
      event("tx", { fee: textOf(tx.fee), fee_payer: tx.from }, false),
      event("message", { action: tx.types[0] ?? "", sender: tx.from }),
      ...moved(tx.from, tx.to, textOf(tx.coins)),
      ...this.happens,
      ...(this.returned === "" ? [] : moved(collector, tx.from, this.returned, false))
    ]
  }

  private staking(route: string): Answer | undefined {
    if (route === "/cosmos/staking/v1beta1/params")
      return ok({ params: { bond_denom: this.bondDenom, unbonding_time: this.unbonding } })
    const [, validator, delegator] =
      /^\/cosmos\/staking\/v1beta1\/validators\/(\w+)(?:\/delegations\/(\w+))?$/.exec(route) ?? []
    if (validator !== undefined && delegator !== undefined) {
      const amount = this.delegated[`${delegator} ${validator}`]
      return amount === undefined
        ? missing(`delegation with delegator ${delegator} not found for validator ${validator}`)
        : ok({
            delegation_response: {
              delegation: { delegator_address: delegator, validator_address: validator, shares: "1" },
              balance: { denom: this.bondDenom, amount: String(amount) }
            }
          })
    }
    if (validator !== undefined) {
      const found = this.validators[validator]
      return found === undefined
        ? missing(`validator ${validator} not found`)
        : ok({ validator: { operator_address: validator, ...found } })
    }
    const [, owner = "", of = ""] =
      /^\/cosmos\/distribution\/v1beta1\/delegators\/(\w+)\/rewards\/(\w+)$/.exec(route) ?? []
    if (of !== "") {
      const amount = this.rewards[`${owner} ${of}`]
      return ok({ rewards: amount === undefined ? [] : [{ denom: "uatom", amount }] })
    }
    const [, named] =
      /^\/cosmos\/distribution\/v1beta1\/delegators\/(\w+)\/withdraw_address$/.exec(route) ?? []
    return named === undefined ? undefined : ok({ withdraw_address: this.withdrawal ?? named })
  }

  /** The answer to a request for a path without the prefix of all. */
  answer(path: string, body: unknown): Answer {
    const raw = typeof body === "string" && body !== "" ? JSON.parse(body).tx_bytes : ""
    const { pathname, searchParams } = new URL(path, "http://node.example")
    const route = pathname.replace("/api/", "/")
    const last = decodeURIComponent(route.split("/").at(-1) ?? "")
    if (route === "/cosmos/tx/v1beta1/txs")
      return raw === "" ? this.search(searchParams.get("query") ?? "") : this.taken(readTx(raw))
    if (route === "/cosmos/tx/v1beta1/simulate") return this.simulated(raw)
    if (route.startsWith("/cosmos/tx/v1beta1/txs/")) return this.tx(last)
    if (route.startsWith("/cosmos/auth/v1beta1/accounts/")) return this.account(last)
    if (route === "/cosmos/auth/v1beta1/params") return ok({ params: { max_memo_characters: this.memo } })
    if (route === "/cosmos/base/node/v1beta1/config") return ok({ minimum_gas_price: this.config })
    if (route === "/cosmos/base/tendermint/v1beta1/blocks/latest")
      return ok({ block: { header: { chain_id: this.chainId, height: String(this.height) } } })
    if (route.startsWith("/feemarket/v1/gas_price/"))
      return this.market === undefined
        ? { status: 501, json: { code: 12, message: "Not Implemented", details: [] } }
        : ok({ price: { denom: last, amount: this.market } })
    const granted = this.granted(route, searchParams)
    if (granted !== undefined) return granted
    const staked = this.staking(route)
    if (staked !== undefined) return staked
    const metadata = /^\/cosmos\/bank\/v1beta1\/denoms_metadata\/(.+)$/.exec(route)?.[1]
    if (metadata !== undefined) {
      const found = this.metadata[decodeURIComponent(metadata)]
      return found === undefined ? missing(`client metadata for denom ${metadata}`) : ok({ metadata: found })
    }
    const [, owner = ""] = /^\/cosmos\/bank\/v1beta1\/spendable_balances\/(\w+)\/by_denom$/.exec(route) ?? []
    const denom = searchParams.get("denom") ?? ""
    if (owner !== "")
      return ok({ balance: { denom, amount: String(this.accounts[owner]?.coins[denom] ?? 0n) } })
    throw new Error(`nobody was to ask for ${path}`)
  }

  /** A client of this node, with all that lies between calls and answers but the network. */
  client(): CosmosStakingClient & CosmosSimulationClient {
    const failure = (label: string) =>
      new NodeError({ kind: "network", call: label, url: "https://node.example", reason: "socket hang up" })
    const transport: TransportService = {
      nodeUrl: () => Effect.succeed("https://node.example"),
      send: (call) =>
        Effect.suspend(() => {
          const isBroadcast = call.verb === "POST" && call.path.endsWith("/txs")
          const raw = isBroadcast ? JSON.parse(String(call.body)).tx_bytes : undefined
          if (isBroadcast) this.came.push(raw)
          const lost = isBroadcast ? this.lost(readTx(raw)) : undefined
          if (lost === "before") return Effect.fail(failure(call.path))
          const { json, status } = this.answer(call.path, call.body)
          if (lost === "after") return Effect.fail(failure(call.path))
          const read = call.decode({ text: JSON.stringify(json), status, url: "https://node.example" })
          return Either.isLeft(read) ? Effect.fail(read.left.error) : Effect.succeed(read.right)
        })
    }
    return {
      network: "cosmos-mainnet",
      rpc: make(endpoints, transport, { archive: false, batchArchive: false })
    }
  }
}
