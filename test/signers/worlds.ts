/**
 * Families as payments meet them: a node of each that is honest unless a test changes its answers, an account with coins, and a reader of what
 * is broadcast that is none of the signers'.
 */
import { ed25519 } from "@noble/curves/ed25519.js"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { blake2b } from "@noble/hashes/blake2.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { getCompiledTransactionMessageDecoder } from "@solana/kit"
import { Transaction as StellarTransaction, StrKey } from "@stellar/stellar-base"
import { Cell, loadMessage } from "@ton/core"
import { address as addresses, payments, Transaction } from "bitcoinjs-lib"
import * as Effect from "effect/Effect"
import { utils } from "tronweb"
import nacl from "tweetnacl"
import { keccak256, parseTransaction, recoverTransactionAddress, type TransactionSerialized } from "viem"
import { decode, hashes, verifySignature } from "xrpl"
import { encodeBase58 } from "../../src/chains/internal/base58.js"
import type { Network } from "../../src/data/Network.js"
import { isRecord } from "../../src/data/untrusted.js"
import { splitTransaction } from "../../src/sandbox/recorded/checks/Tron.js"
import * as Algorand from "../../src/signers/Algorand.js"
import * as Bitcoin from "../../src/signers/Bitcoin.js"
import * as Cosmos from "../../src/signers/Cosmos.js"
import * as Evm from "../../src/signers/Evm.js"
import type { Account, KeyScheme, Signer, WithPolicy } from "../../src/signers/Signer.js"
import * as Solana from "../../src/signers/Solana.js"
import * as Stellar from "../../src/signers/Stellar.js"
import * as Tezos from "../../src/signers/Tezos.js"
import * as Ton from "../../src/signers/Ton.js"
import * as Tron from "../../src/signers/Tron.js"
import * as Xrp from "../../src/signers/Xrp.js"
import { Algod, readTx as readAlgorand } from "./algod.js"
import { makeCluster } from "./cluster.js"
import { evmCalls, tezosCalls, tronCalls } from "./honestCalls.js"
import { makeLedger as horizon, passphrase } from "./horizon.js"
import { Hub, readTx as readCosmos } from "./hub.js"
import { pkh, raw as readTezos } from "./operations.js"
import { makeLedger as rippled } from "./rippled.js"
import { makeChain } from "./utxos.js"
import { internalOf, makeWallet, orderIn } from "./wallets.js"

/** What bytes do that were broadcast. `coins` is the most that leaves the account by them, with the fee. */
export interface Paid {
  readonly isSigned: boolean
  readonly isToReceiver: boolean
  readonly amount: bigint
  readonly coins: bigint
  readonly hash?: string
  /** Whether every honest node refuses them. */
  readonly isRefused?: boolean
}

/** A node with an account. `tick` is what happens on the chain while time passes. */
export interface Opened {
  readonly rpc: object
  readonly read: (raw: string) => Paid | Promise<Paid>
  readonly tick?: () => void
  readonly more?: object
}

export type From = (({ readonly privateKey: string } | { readonly account: Account }) & WithPolicy) & object

export interface World {
  readonly name: string
  readonly network: Network
  readonly scheme: KeyScheme
  readonly privateKey: string
  readonly to: string
  /** Somebody else, whom a policy may name. */
  readonly other: string
  readonly token?: string
  /** The most that is paid for a payment without a `maxFee`, in the smallest unit of the coin. */
  readonly most: bigint
  readonly least: bigint
  readonly broadcast: string
  readonly rawOf: (given: unknown) => string
  readonly open: () => Promise<Opened>
  readonly make: (rpc: never, from: never) => Effect.Effect<Signer<never>, unknown>
}

export const secret = Uint8Array.from(Buffer.from("9f".repeat(32), "hex"))
const hexKey = Buffer.from(secret).toString("hex")
const ed = nacl.sign.keyPair.fromSeed(secret)

/** The public key of the account, as accounts elsewhere name it. */
export const publicKeyOf = (scheme: KeyScheme, key = secret): string =>
  Buffer.from(scheme === "ed25519" ? ed25519.getPublicKey(key) : secp256k1.getPublicKey(key)).toString("hex")

const field = (name: string) => (given: unknown) => String(isRecord(given) ? given[name] : undefined)

const addressOf = <A extends { readonly address: string }>(
  made: Effect.Effect<A, unknown>
): Promise<string> => Effect.runPromise(Effect.map(Effect.orDie(made), ({ address }) => address))

const isVerified = (signature: Uint8Array, message: Uint8Array, publicKey = ed.publicKey): boolean =>
  nacl.sign.detached.verify(Uint8Array.from(message), Uint8Array.from(signature), Uint8Array.from(publicKey))

const evmTo = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const usdc = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
const gwei = 10n ** 9n

const openEvm = async (token?: string): Promise<Opened> => {
  const sent = new Map<string, string>()
  const rpc: Evm.EvmCalls = {
    ...evmCalls(),
    getTransactionByHash: (hash) =>
      Effect.sync(() => (sent.has(hash) ? ({ hash, blockNumber: null } as never) : null)),
    getTransactionCount: () => Effect.sync(() => 7n + BigInt(sent.size)),
    sendRawTransaction: (raw) =>
      Effect.sync(() => {
        const hash = keccak256(raw as `0x${string}`)
        sent.set(hash, raw)
        return hash
      })
  }
  const address = await addressOf(Evm.make({ network: "ethereum-mainnet", rpc }, { privateKey: hexKey }))
  const read = async (raw: string): Promise<Paid> => {
    const serialized = raw as TransactionSerialized
    const { chainId, data, gas = 0n, maxFeePerGas = 0n, to, value = 0n } = parseTransaction(serialized)
    const from = await recoverTransactionAddress({ serializedTransaction: serialized })
    const call = /^0xa9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/i.exec(data ?? "")
    const isCall = call?.[1] === evmTo.slice(2).toLowerCase() && to?.toLowerCase() === token?.toLowerCase()
    return {
      isSigned: from === address && chainId === 1,
      isToReceiver: token === undefined ? to?.toLowerCase() === evmTo.toLowerCase() && !data : isCall,
      amount: token === undefined ? value : BigInt(`0x${call?.[2]}`),
      coins: value + gas * maxFeePerGas,
      hash: keccak256(serialized)
    }
  }
  return { rpc, read }
}

const evm = (token?: string): World => ({
  name: token === undefined ? "Ethereum" : "tokens of Ethereum",
  network: "ethereum-mainnet",
  scheme: "secp256k1",
  privateKey: hexKey,
  to: evmTo,
  other: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
  ...(token === undefined ? {} : { token }),
  most: (token === undefined ? 300_000n : 1_000_000n) * 50n * gwei,
  least: 1n,
  broadcast: "sendRawTransaction",
  rawOf: String,
  open: () => openEvm(token),
  make: (rpc, from) => Evm.make({ network: "ethereum-mainnet", rpc }, from) as never
})

const bitcoinTo = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"

const bitcoin: World = {
  name: "Bitcoin",
  network: "bitcoin-mainnet",
  scheme: "secp256k1",
  privateKey: hexKey,
  to: bitcoinTo,
  other: "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
  most: 1_000_000n,
  least: 10_000n,
  broadcast: "sendRawTransaction",
  rawOf: String,
  open: async () => {
    const chain = makeChain(0.00002)
    const { output: script = new Uint8Array() } = payments.p2wpkh({ pubkey: secp256k1.getPublicKey(secret) })
    const values = new Map(
      [10n ** 10n, 10n ** 9n, 10n ** 8n].map((value) => {
        const { txid, vout } = chain.fund(script, value)
        return [`${txid}:${vout}`, value]
      })
    )
    const own = Buffer.from(script).toString("hex")
    const toScript = Buffer.from(addresses.toOutputScript(bitcoinTo)).toString("hex")
    const read = (raw: string): Paid => {
      const tx = Transaction.fromHex(raw)
      const spent = tx.ins.map(({ hash, index }) => {
        const key = `${Buffer.from(hash).reverse().toString("hex")}:${index}`
        return values.get(key) ?? 0n
      })
      const isSigned = tx.ins.every(({ witness }, at) => {
        const [signature = new Uint8Array(), key = new Uint8Array()] = witness
        const bare = payments.p2pkh({ pubkey: key }).output ?? new Uint8Array()
        const digest = tx.hashForWitnessV0(at, bare, spent[at] ?? 0n, signature.at(-1) ?? 0)
        return secp256k1.verify(signature.slice(0, -1), digest, secp256k1.getPublicKey(secret), {
          prehash: false,
          format: "der"
        })
      })
      const outs = tx.outs.map(({ script: each, value }) => ({
        value,
        to: Buffer.from(each).toString("hex")
      }))
      const sumOf = (to: string) => outs.reduce((sum, out) => (out.to === to ? sum + out.value : sum), 0n)
      // what is change of one payment is an output that the next one spends
      for (const [vout, { to, value }] of outs.entries())
        if (to === own) values.set(`${tx.getId()}:${vout}`, value)
      return {
        isSigned,
        isToReceiver: outs.every(({ to }) => to === own || to === toScript),
        amount: sumOf(toScript),
        coins: spent.reduce((sum, value) => sum + value, 0n) - sumOf(own),
        hash: tx.getId(),
        isRefused: !isSigned && !chain.sent.some((each) => each.getId() === tx.getId())
      }
    }
    return { rpc: chain.rpc, read, more: { utxos: () => chain.listed(script) } }
  },
  make: (rpc, from) => Bitcoin.make({ network: "bitcoin-mainnet", rpc }, from) as never
}

const solanaTo = "5tzFkiKscXHK5ZXCGbXZxdw7gTjjD1mBwuoFbhUvuAi9"
const solanaKey = `[${[...secret, ...ed.publicKey].join()}]`
const budget = "ComputeBudget111111111111111111111111111111"

/** What a transaction of Solana says, by kit's decoder of messages. */
const readSolana = (raw: string): Paid => {
  const bytes = new Uint8Array(Buffer.from(raw, "base64"))
  const message = getCompiledTransactionMessageDecoder().decode(bytes.slice(65))
  const { instructions, staticAccounts } = message as unknown as {
    readonly staticAccounts: ReadonlyArray<string>
    readonly instructions: ReadonlyArray<{
      readonly programAddressIndex: number
      readonly accountIndices?: ReadonlyArray<number>
      readonly data?: Uint8Array
    }>
  }
  const own = encodeBase58(ed.publicKey)
  let [amount, limit, price, isToReceiver] = [0n, 200_000n, 0n, true]
  for (const { accountIndices = [], data = new Uint8Array(), programAddressIndex } of instructions) {
    const program = staticAccounts[programAddressIndex]
    const view = Buffer.from(data)
    const [from, to] = accountIndices.map((at) => staticAccounts[at])
    if (program === budget && view[0] === 2) limit = BigInt(view.readUInt32LE(1))
    else if (program === budget && view[0] === 3) price = view.readBigUInt64LE(1)
    else if (program === "11111111111111111111111111111111" && view.readUInt32LE(0) === 2) {
      amount += view.readBigUInt64LE(4)
      isToReceiver &&= from === own && to === solanaTo
    } else isToReceiver = false
  }
  return {
    isSigned: bytes[0] === 1 && staticAccounts[0] === own && isVerified(bytes.slice(1, 65), bytes.slice(65)),
    isToReceiver,
    amount,
    coins: amount + 5_000n + (limit * price + 999_999n) / 1_000_000n,
    hash: encodeBase58(bytes.slice(1, 65))
  }
}

const solana: World = {
  name: "Solana",
  network: "solana-mainnet",
  scheme: "ed25519",
  privateKey: solanaKey,
  to: solanaTo,
  other: "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk",
  most: 1_000_000n,
  least: 1n,
  broadcast: "sendTransaction",
  rawOf: String,
  open: async () => {
    const known = new Set<string>()
    const own = encodeBase58(ed.publicKey)
    const { client } = makeCluster(
      { [own]: { lamports: 10n ** 14n }, [solanaTo]: { lamports: 10n ** 9n } },
      {
        getRecentPrioritizationFees: () => Effect.succeed([{ prioritizationFee: 20_000n }]),
        getSignatureStatuses: ([signature = ""]) =>
          Effect.sync(() => ({
            context: { slot: 100n },
            value: [known.has(signature) ? ({ confirmationStatus: "processed", err: null } as never) : null]
          })),
        sendTransaction: (raw) =>
          Effect.sync(() => {
            const hash = encodeBase58(new Uint8Array(Buffer.from(raw, "base64")).slice(1, 65))
            known.add(hash)
            return hash
          })
      }
    )
    return { rpc: client().rpc, read: readSolana }
  },
  make: (rpc, from) => Solana.make({ network: "solana-mainnet", rpc }, from) as never
}

const tronTo = "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"
const usdt = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"

const openTron = async (token?: string): Promise<Opened> => {
  const known = new Set<string>()
  const idOf = (whole: string): string =>
    Buffer.from(sha256(Buffer.from(splitTransaction(whole).raw, "hex"))).toString("hex")
  const found = (id: string) => Effect.sync(() => (known.has(id) ? { txID: id } : {}))
  const rpc: Tron.TronCalls = {
    ...tronCalls(),
    broadcastHex: (whole) => Effect.sync(() => ({ result: known.add(idOf(whole)).size > 0 })),
    getNowBlock: () =>
      Effect.succeed({
        blockID: `0000000003a1b2c3${"d4e5f60718293a4b".repeat(3)}`,
        block_header: { raw_data: { number: 60_928_707n, timestamp: 0n } }
      }),
    getTransactionById: found,
    getTransactionFromPending: found,
    getTransactionInfoById: () => Effect.succeed({})
  }
  const address = await addressOf(Tron.make({ network: "tron-mainnet", rpc }, { privateKey: hexKey }))
  const read = (whole: string): Paid => {
    const { raw, signatures } = splitTransaction(whole)
    const hash = idOf(whole)
    const type = token === undefined ? "TransferContract" : "TriggerSmartContract"
    const { contract, fee_limit = 0 } = utils.deserializeTx.deserializeTransaction(type, raw)
    const { value } = contract[0].parameter
    const call = /^a9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/i.exec(String(value.data))
    const isCall =
      utils.address.fromHex(String(value.contract_address)) === token &&
      utils.address.fromHex(`41${call?.[1]}`) === tronTo &&
      BigInt(value.call_value ?? 0) === 0n
    return {
      isSigned:
        contract.length === 1 &&
        utils.address.fromHex(utils.crypto.ecRecover(hash, signatures[0] ?? "")) === address,
      isToReceiver: token === undefined ? utils.address.fromHex(value.to_address) === tronTo : isCall,
      amount: token === undefined ? BigInt(value.amount) : BigInt(`0x${call?.[2]}`),
      // what bytes and new accounts cost is not in them
      coins: BigInt(fee_limit) + (token === undefined ? BigInt(value.amount) : 0n),
      hash
    }
  }
  return { rpc, read }
}

const tron = (token?: string): World => ({
  name: token === undefined ? "Tron" : "tokens of Tron",
  network: "tron-mainnet",
  scheme: "secp256k1",
  privateKey: hexKey,
  to: tronTo,
  other: usdt,
  ...(token === undefined ? {} : { token }),
  most: token === undefined ? 300n * 10_000n + 30_000_000n : 400n * 10_000n + 500_000n * 1_200n,
  least: 1n,
  broadcast: "broadcastHex",
  rawOf: String,
  open: () => openTron(token),
  make: (rpc, from) => Tron.make({ network: "tron-mainnet", rpc }, from) as never
})

const tonTo = "UQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB5-k"

const ton: World = {
  name: "TON",
  network: "ton-mainnet",
  scheme: "ed25519",
  privateKey: hexKey,
  to: tonTo,
  other: "UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI",
  most: 200_000_000n,
  least: 1n,
  broadcast: "sendBocReturnHash",
  rawOf: field("boc"),
  open: async () => {
    const { chain, mine, rpc } = makeWallet({ publicKey: ed.publicKey, balance: 10n ** 13n, seqno: 3 })
    const read = (boc: string): Paid => {
      const order = orderIn(loadMessage(Cell.fromBase64(boc).beginParse()).body, "v5", ed.publicKey)
      const [send, ...others] = order.sends
      if (send === undefined || others.length > 0) throw new Error("it is not one payment")
      const { dest, value } = internalOf(send.message)
      return {
        isSigned: order.isSigned && order.isWhole,
        // fees are paid beside the amount: with other modes, the rest of the account would go
        isToReceiver: dest.toRawString() === `0:${"07".repeat(32)}` && (send.mode & ~3) === 0,
        amount: value.coins,
        coins: value.coins
      }
    }
    const tick = () => {
      chain.time += 30
      mine()
    }
    return { rpc, read, tick }
  },
  make: (rpc, from) => Ton.make({ network: "ton-mainnet", rpc }, from) as never
}

const xrpTo = "rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe"

const xrp: World = {
  name: "the XRP Ledger",
  network: "ripple-mainnet",
  scheme: "secp256k1",
  privateKey: hexKey,
  to: xrpTo,
  other: "rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v3",
  most: 100_000n,
  least: 1n,
  broadcast: "submit",
  rawOf: String,
  open: async () => {
    const address = await addressOf(
      Xrp.make({ network: "ripple-mainnet", rpc: rippled({}, []).rpc }, { privateKey: hexKey })
    )
    const ledger = rippled({
      [address]: { balance: 10n ** 14n, sequence: 7 },
      [xrpTo]: { balance: 10n ** 8n }
    })
    const read = (blob: string): Paid => {
      const payment = decode(blob)
      const amount = typeof payment.Amount === "string" ? BigInt(payment.Amount) : -1n
      return {
        isSigned: verifySignature(blob) && payment.Account === address,
        isToReceiver:
          payment.TransactionType === "Payment" &&
          payment.Destination === xrpTo &&
          payment.SendMax === undefined,
        amount,
        coins: amount + BigInt(String(payment.Fee)),
        hash: hashes.hashSignedTx(blob)
      }
    }
    return { rpc: ledger.rpc, read, tick: () => ledger.at.seq++ }
  },
  make: (rpc, from) => Xrp.make({ network: "ripple-mainnet", rpc }, from) as never
}

const stellarTo = "GBRPYHIL2CI3FNQ4BXLFMNDLFJUNPU2HY3ZMFSHONUCEOASW7QC7OX2H"
const stellarSeed = StrKey.encodeEd25519SecretSeed(Buffer.from(secret))

const stellar: World = {
  name: "Stellar",
  network: "stellar-mainnet",
  scheme: "ed25519",
  privateKey: stellarSeed,
  to: stellarTo,
  other: "GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN",
  most: 1_000_000n,
  least: 1n,
  broadcast: "submitTransaction",
  rawOf: field("tx"),
  open: async () => {
    const own = StrKey.encodeEd25519PublicKey(Buffer.from(ed.publicKey))
    const ledger = horizon({ [own]: { balance: 10n ** 14n }, [stellarTo]: { balance: 10n ** 8n } })
    const read = (xdr: string): Paid => {
      const tx = new StellarTransaction(xdr, passphrase)
      const [operation, ...others] = tx.operations
      const [signature] = tx.signatures
      if (operation?.type !== "payment" && operation?.type !== "createAccount")
        throw new Error("it is no payment")
      const text = operation.type === "payment" ? operation.amount : operation.startingBalance
      const amount = BigInt(text.replace(".", ""))
      return {
        isSigned:
          tx.source === own &&
          tx.signatures.length === 1 &&
          isVerified(Uint8Array.from(signature?.signature() ?? []), Uint8Array.from(tx.hash())),
        isToReceiver:
          operation.destination === stellarTo &&
          others.length === 0 &&
          operation.source === undefined &&
          (operation.type !== "payment" || operation.asset.isNative()),
        amount,
        coins: amount + BigInt(tx.fee),
        hash: tx.hash().toString("hex")
      }
    }
    const tick = () => {
      ledger.at.sequence++
      ledger.at.time += 30
    }
    return { rpc: ledger.rpc, read, tick }
  },
  make: (rpc, from) => Stellar.make({ network: "stellar-mainnet", rpc }, from) as never
}

const tezosTo = "tz1burnburnburnburnburnburnburjAYjjX"

const tezos: World = {
  name: "Tezos",
  network: "tezos-mainnet",
  scheme: "ed25519",
  privateKey: hexKey,
  to: tezosTo,
  other: "tz1VQA4RP4fLjEEMW2FR4pE9kAg5abb5h5GL",
  most: 5_000n + 600n * 1_000n,
  least: 1n,
  broadcast: "injectOperation",
  rawOf: field("operationBytes"),
  open: async () => {
    const known = new Set<string>()
    const chain = { level: 1_000, counter: 41n }
    const hash = "BLockGenesisGenesisGenesisGenesisGenesisf79b5d1CoW2"
    const base = tezosCalls()
    const rpc: Tezos.TezosCalls = {
      ...base,
      getBlockHeader: () => Effect.sync(() => ({ level: chain.level, hash, chain_id: "NetXdQprcVkpaWU" })),
      getContractBalance: () => Effect.succeed("100000000000000"),
      getContractCounter: () => Effect.sync(() => String(chain.counter)),
      getOperationHashes: () => Effect.sync(() => [[], [], [], [...known]]),
      getOperationList: () => Effect.succeed([]),
      getPendingOperations: () =>
        Effect.sync(() => ({ validated: [...known].map((each) => ({ hash: each })), applied: [] })),
      injectOperation: ({ operationBytes }) =>
        Effect.sync(() => {
          chain.counter += readTezos(operationBytes).reveal === undefined ? 1n : 2n
          const digest = blake2b(Buffer.from(operationBytes, "hex"), { dkLen: 32 })
          const id = encodeOperation(digest)
          known.add(id)
          return id
        })
    }
    const read = (whole: string): Paid => {
      const { payment, rest, reveal } = readTezos(whole)
      const bytes = Buffer.from(whole, "hex")
      const message = blake2b(Uint8Array.of(3, ...bytes.subarray(0, -64)), { dkLen: 32 })
      const parts = [payment, ...(reveal === undefined ? [] : [reveal])]
      const fee = parts.reduce((sum, each) => sum + each.fee + each.storageLimit * 250n, 0n)
      return {
        isSigned: isVerified(bytes.subarray(-64), message),
        isToReceiver:
          rest === "" && payment.destination === `00${pkh(tezosTo)}` && payment.parameters === "00",
        amount: payment.amount,
        coins: payment.amount + fee,
        hash: encodeOperation(blake2b(bytes, { dkLen: 32 }))
      }
    }
    return { rpc, read, tick: () => chain.level++ }
  },
  make: (rpc, from) => Tezos.make({ network: "tezos-mainnet", rpc }, from) as never
}

/** The hash of an operation: two bytes before it, and a checksum behind it. */
const encodeOperation = (digest: Uint8Array): string => {
  const body = Uint8Array.of(5, 116, ...digest)
  return encodeBase58(Uint8Array.of(...body, ...sha256(sha256(body)).slice(0, 4)))
}

const algorandTo = "HNVCPPGOW2SC2YVDVDICU3YNONSTEFLXDXREHJR2YBEKDC2Z3IUZSC6YGI"

const algorand: World = {
  name: "Algorand",
  network: "algorand-mainnet-algod",
  scheme: "ed25519",
  privateKey: hexKey,
  to: algorandTo,
  other: "GD64YIY3TWGDMCNPP553DZPPR6LDUSFQOIJVFDPPXWEG3FVOJCCDBBHU5A",
  most: 100_000n,
  least: 1n,
  broadcast: "broadcastTransaction",
  rawOf: field("rawtxn"),
  open: async () => {
    const own = await addressOf(Algorand.make(new Algod({}).client(), { privateKey: hexKey }))
    const node = new Algod({ [own]: { amount: 10n ** 14n }, [algorandTo]: { amount: 10n ** 8n } })
    node.fee = 3n
    const read = (raw: string): Paid => {
      const { amount, fee, from, genesis, id, isSigned, to, token } = readAlgorand(raw)
      return {
        isSigned: isSigned && from === own && genesis.join() === node.genesis.join(),
        isToReceiver: to === algorandTo && token === undefined,
        amount,
        coins: amount + fee,
        hash: id
      }
    }
    return { rpc: node.client().rpc, read, tick: () => node.mine() }
  },
  make: (rpc, from) => Algorand.make({ network: "algorand-mainnet-algod", rpc }, from) as never
}

const cosmosTo = "cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh"

const cosmos: World = {
  name: "Cosmos",
  network: "cosmos-mainnet",
  scheme: "secp256k1",
  privateKey: hexKey,
  to: cosmosTo,
  other: "cosmos19rl4cm2hmr8afy4kldpxz3fka4jguq0auqdal4",
  most: 250_000n,
  least: 1n,
  broadcast: "broadcastTx",
  rawOf: field("tx_bytes"),
  open: async () => {
    const own = await addressOf(Cosmos.make(new Hub({}).client(), { privateKey: hexKey }))
    const hub = new Hub({
      [own]: { number: 9n, sequence: 4n, coins: { uatom: 10n ** 14n } },
      [cosmosTo]: { number: 10n, sequence: 4n, coins: { uatom: 10n ** 8n } }
    })
    const read = (raw: string): Paid => {
      const tx = readCosmos(raw)
      const [coin] = tx.coins
      const amount = coin?.amount ?? 0n
      return {
        // for which account and number it is signed may be a lie of the node: then no block can have it
        isSigned: tx.from === own && Buffer.from(tx.publicKey).toString("hex") === publicKeyOf("secp256k1"),
        isToReceiver:
          tx.to === cosmosTo &&
          tx.coins.length === 1 &&
          coin?.denom === "uatom" &&
          tx.types[0]?.endsWith("MsgSend") === true,
        amount,
        coins: amount + (tx.fee[0]?.amount ?? 0n),
        hash: tx.hash
      }
    }
    return { rpc: hub.client().rpc, read, tick: () => hub.mine() }
  },
  make: (rpc, from) => Cosmos.make({ network: "cosmos-mainnet", rpc }, from) as never
}

export const worlds: ReadonlyArray<World> = [
  evm(),
  evm(usdc),
  bitcoin,
  solana,
  tron(),
  tron(usdt),
  ton,
  xrp,
  stellar,
  tezos,
  algorand,
  cosmos
]
