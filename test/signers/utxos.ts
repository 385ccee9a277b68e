/**
 * A chain of unspent outputs as its nodes show it: what is sent to it is read and verified by bitcoinjs-lib, and refused as nodes refuse
 * it.
 */
import { createHash } from "node:crypto"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { payments, script as scripts, Transaction } from "bitcoinjs-lib"
import * as Effect from "effect/Effect"
import { verifySchnorr } from "tiny-secp256k1"
import { NodeError, RpcError } from "../../src/data/SdkError.js"
import type { BitcoinCalls, Utxo } from "../../src/signers/Bitcoin.js"
import type { ReadError } from "../../src/signers/Signer.js"

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

interface Output {
  readonly script: Uint8Array
  readonly value: bigint
  readonly confirmations: number
  readonly coinbase: boolean
}

const rpcError = (code: number, rpcMessage: string): RpcError =>
  new RpcError({ url: "http://node", method: "sendrawtransaction", code, rpcMessage })

export const lost = (): NodeError =>
  new NodeError({ url: "http://node", call: "sendrawtransaction", kind: "connect", reason: "reset" })

/** Whether the key of Taproot's output has signed an input, by the hash that bitcoinjs-lib computes over all outputs that are spent. */
const isSignedTaproot = (tx: Transaction, at: number, spent: ReadonlyArray<Output>): boolean => {
  const [signature, ...rest] = tx.ins[at]?.witness ?? []
  if (signature?.length !== 64 || rest.length > 0) return false
  const digest = tx.hashForWitnessV1(
    at,
    spent.map(({ script }) => script),
    spent.map(({ value }) => value),
    Transaction.SIGHASH_DEFAULT
  )
  return verifySchnorr(digest, spent[at]?.script.subarray(2) ?? new Uint8Array(32), signature)
}

/** Whether as many keys as the script of an input asks for have signed it, in the order of the script. */
const isSignedByMany = (tx: Transaction, at: number, { script, value }: Output): boolean => {
  const witness = tx.ins[at]?.witness ?? []
  const [witnessScript, empty] = [witness.at(-1), witness[0]]
  if (witnessScript === undefined || empty?.length !== 0) return false
  const redeem = payments.p2ms({ output: witnessScript })
  const program = payments.p2wsh({ redeem })
  const nested = payments.p2sh({ redeem: program })
  const input = hex(tx.ins[at]?.script ?? new Uint8Array())
  const isPaid =
    script[0] === 0xa9
      ? hex(nested.output ?? script.slice(1)) === hex(script) &&
        input === `22${hex(program.output ?? script)}`
      : hex(program.output ?? script.slice(1)) === hex(script) && input === ""
  const digest = tx.hashForWitnessV0(at, witnessScript, value, Transaction.SIGHASH_ALL)
  const keys = [...(redeem.pubkeys ?? [])]
  const signatures = witness.slice(1, -1)
  return (
    isPaid &&
    signatures.length === redeem.m &&
    signatures.every((each) => {
      const { hashType, signature } = scripts.signature.decode(each)
      const isOf = (key: Uint8Array) =>
        secp256k1.verify(signature, digest, key, { prehash: false, lowS: true })
      const place = keys.findIndex(isOf)
      keys.splice(0, place + 1)
      return hashType === Transaction.SIGHASH_ALL && place >= 0
    })
  )
}

/** Whether the key that the input names has signed it, by the hash that bitcoinjs-lib computes. */
const isSigned = (tx: Transaction, at: number, spent: ReadonlyArray<Output>): boolean => {
  const [input, output] = [tx.ins[at], spent[at]]
  if (input === undefined || output === undefined) return false
  const { script, value } = output
  if (script[0] === 0x51) return isSignedTaproot(tx, at, spent)
  if ((input.witness.at(-1)?.at(-1) ?? 0) === 0xae) return isSignedByMany(tx, at, output)
  const isInHash = script[0] === 0xa9
  const isWitness = script[0] === 0 || isInHash
  const [signature, publicKey] = isWitness ? input.witness : (scripts.decompile(input.script) ?? [])
  if (!(signature instanceof Uint8Array) || !(publicKey instanceof Uint8Array)) return false
  const bare = payments.p2pkh({ pubkey: publicKey })
  const witness = payments.p2wpkh({ pubkey: publicKey })
  // what a script hash is of stands in the input, and nothing else does
  if (isInHash && hex(input.script) !== `16${hex(witness.output ?? new Uint8Array())}`) return false
  const own = isInHash ? payments.p2sh({ redeem: witness }).output : isWitness ? witness.output : bare.output
  if (bare.output === undefined || own === undefined || hex(own) !== hex(script)) return false
  const decoded = scripts.signature.decode(signature)
  const digest = isWitness
    ? tx.hashForWitnessV0(at, bare.output, value, decoded.hashType)
    : tx.hashForSignature(at, script, decoded.hashType)
  return (
    decoded.hashType === Transaction.SIGHASH_ALL &&
    secp256k1.verify(decoded.signature, digest, publicKey, { prehash: false, lowS: true })
  )
}

/** How a node takes the next transaction that it is sent. */
export type Fate = "taken" | "refused" | "priced" | "lost" | "arrived" | "swallowed"

export const makeChain = (rate = 0.00012) => {
  const outputs = new Map<string, Output>()
  const spent = new Set<string>()
  const known = new Map<string, Transaction>()
  const mempool = new Set<string>()
  const sent: Array<Transaction> = []
  const fates: Array<Fate> = []
  let funded = 0

  const fund = (
    script: Uint8Array,
    value: bigint,
    { coinbase = false, confirmations = 200 }: { coinbase?: boolean; confirmations?: number } = {}
  ): Utxo => {
    const before = new Transaction()
    before.addInput(
      createHash("sha256").update(String(funded++)).digest(),
      0,
      0xffffffff,
      Buffer.from([0x51])
    )
    before.addOutput(Buffer.from([0x6a]), 7n)
    before.addOutput(script, value)
    known.set(before.getId(), before)
    outputs.set(`${before.getId()}:1`, { script, value, confirmations, coinbase })
    return { txid: before.getId(), vout: 1, amount: value }
  }

  const accept = (raw: string): Effect.Effect<string, ReadError> => {
    const tx = Transaction.fromHex(raw)
    const keys = tx.ins.map(({ hash, index }) => `${hex(Uint8Array.from(hash).reverse())}:${index}`)
    if (known.has(tx.getId())) return Effect.succeed(tx.getId())
    const found = keys.flatMap((key) => outputs.get(key) ?? [])
    if (found.length < keys.length || keys.some((key) => spent.has(key)))
      return Effect.fail(rpcError(-25, "bad-txns-inputs-missingorspent"))
    if (!keys.every((_, at) => isSigned(tx, at, found)))
      return Effect.fail(rpcError(-26, "mandatory-script-verify-flag-failed"))
    const fee = [...found, ...tx.outs.map(({ value }) => ({ value: -value }))].reduce(
      (sum, { value }) => sum + value,
      0n
    )
    // in whole units, as nodes compare: 0.00368 times 100,000 is more than 368 in floating point
    if (fee * 1_000n < BigInt(tx.virtualSize()) * BigInt(Math.round(rate * 1e8)))
      return Effect.fail(rpcError(-26, "min relay fee not met"))
    for (const key of keys) spent.add(key)
    for (const [vout, { script, value }] of tx.outs.entries())
      outputs.set(`${tx.getId()}:${vout}`, { script, value, confirmations: 0, coinbase: false })
    known.set(tx.getId(), tx)
    mempool.add(tx.getId())
    sent.push(tx)
    return Effect.succeed(tx.getId())
  }

  const rpc: BitcoinCalls = {
    estimateSmartFee: () => Effect.succeed({ feerate: rate, blocks: 6 }),
    getMempoolInfo: () => Effect.succeed({ mempoolminfee: 0.00001 }),
    // what is replaced is replaced at real nodes: test/nodes/bitcoinReplacements.test.ts
    getMempoolEntry: () => Effect.fail(rpcError(-5, "Transaction not in mempool")),
    getNetworkInfo: () => Effect.succeed({ incrementalfee: 0.00001 }),
    getRawTransaction: (txid) => {
      const tx = known.get(txid)
      return tx === undefined ? Effect.fail(rpcError(-5, "No such transaction")) : Effect.succeed(tx.toHex())
    },
    getTxOut: (txid, vout) => {
      const output = outputs.get(`${txid}:${vout}`)
      return Effect.succeed(
        output === undefined || spent.has(`${txid}:${vout}`)
          ? null
          : {
              ...output,
              value: Number(output.value) / 1e8,
              scriptPubKey: { hex: hex(output.script) }
            }
      )
    },
    sendRawTransaction: (raw) =>
      Effect.suspend(() => {
        const fate = fates.shift() ?? "taken"
        if (fate === "refused") return Effect.fail(rpcError(-26, "txn-mempool-conflict"))
        if (fate === "priced") return Effect.fail(rpcError(-26, "mempool min fee not met"))
        if (fate === "lost") return Effect.fail(lost())
        if (fate === "swallowed") return Effect.succeed(Transaction.fromHex(raw).getId())
        return fate === "arrived" ? Effect.zipRight(accept(raw), Effect.fail(lost())) : accept(raw)
      }),
    waitForTransaction: (txid) => Effect.succeed({ txid })
  }

  return {
    rpc,
    sent,
    fund,
    /** How the next transactions are taken. */
    meet: (...next: ReadonlyArray<Fate>) => fates.push(...next),
    /** From now on all are taken so, until the nodes take them again. */
    insist: (fate: Fate | undefined) =>
      fates.splice(0, fates.length, ...(fate === undefined ? [] : new Array<Fate>(1_000).fill(fate))),
    /** What an index lists for a script: outputs of blocks that it does not know to be spent. */
    listed: (script: Uint8Array): ReadonlyArray<Utxo> =>
      [...outputs].flatMap(([key, output]) => {
        const [txid = "", vout] = key.split(":")
        return output.confirmations > 0 && hex(output.script) === hex(script)
          ? [{ txid, vout: Number(vout), amount: output.value }]
          : []
      }),
    /** What an index lists that has outputs without a block, too. */
    listedWithWaiting: (script: Uint8Array): ReadonlyArray<Utxo> =>
      [...outputs].flatMap(([key, output]) => {
        const [txid = "", vout] = key.split(":")
        return !spent.has(key) && hex(output.script) === hex(script)
          ? [{ txid, vout: Number(vout), amount: output.value }]
          : []
      }),
    /** Whether a script was ever paid, whether its outputs are spent or not. */
    wasPaid: (script: Uint8Array): boolean =>
      [...outputs.values()].some((output) => hex(output.script) === hex(script)),
    /** Someone else spends an output. */
    steal: ({ txid, vout }: Utxo) => spent.add(`${txid}:${vout}`),
    /** The nodes lose what waits for a block. */
    evict: () => {
      for (const txid of mempool) {
        for (const { hash, index } of known.get(txid)?.ins ?? [])
          spent.delete(`${hex(Uint8Array.from(hash).reverse())}:${index}`)
        for (const vout of known.get(txid)?.outs.keys() ?? []) outputs.delete(`${txid}:${vout}`)
        known.delete(txid)
      }
      mempool.clear()
    },
    /** What waits for a block gets into one. */
    mine: () => {
      for (const [key, output] of outputs)
        outputs.set(key, { ...output, confirmations: output.confirmations + 1 })
      mempool.clear()
    }
  }
}
