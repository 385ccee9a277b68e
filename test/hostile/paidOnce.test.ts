/**
 * Payments of all families over one to three nodes that take them and then say something else, once or always: an account pays at most
 * once, nothing that was paid is told as unpaid, and what is unclear goes out again as the same bytes.
 */
import { createHash } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import { HDKey } from "@scure/bip32"
import { mnemonicToSeedSync } from "@scure/bip39"
import { Keypair } from "@stellar/stellar-base"
import { encodeOpHash } from "@taquito/utils"
import { Address } from "@ton/core"
import * as bitcoinjs from "bitcoinjs-lib"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as TestContext from "effect/TestContext"
import nacl from "tweetnacl"
import { keccak256, parseTransaction } from "viem"
import { encodeBase58 } from "../../src/chains/internal/base58.js"
import {
  BroadcastUnclear,
  CallTimeout,
  NodeError,
  RequestRejected,
  RpcError
} from "../../src/data/SdkError.js"
import * as Algorand from "../../src/signers/Algorand.js"
import * as Bitcoin from "../../src/signers/Bitcoin.js"
import * as Cosmos from "../../src/signers/Cosmos.js"
import { encodeBech32 } from "../../src/signers/cosmos/address.js"
import * as Evm from "../../src/signers/Evm.js"
import type { NodesOf, ReadError, Sent } from "../../src/signers/Signer.js"
import * as Solana from "../../src/signers/Solana.js"
import * as Stellar from "../../src/signers/Stellar.js"
import * as Tezos from "../../src/signers/Tezos.js"
import * as Ton from "../../src/signers/Ton.js"
import * as Tron from "../../src/signers/Tron.js"
import * as Xrp from "../../src/signers/Xrp.js"
import { CallOptions } from "../../src/wire/Transport.js"
import { Algod, addressOf } from "../signers/algod.js"
import { makeCluster } from "../signers/cluster.js"
import { makeLedger as horizon } from "../signers/horizon.js"
import { Hub } from "../signers/hub.js"
import { tezosConstants } from "../signers/parameters.js"
import { makeLedger as rippled } from "../signers/rippled.js"
import { runWithTime } from "../signers/runWithTime.js"
import { makeChain } from "../signers/utxos.js"
import { makeWallet } from "../signers/wallets.js"
import { someOf } from "./times.js"

const words = `${"abandon ".repeat(11)}about`
const seed = new Uint8Array(32).fill(1)
const { publicKey } = nacl.sign.keyPair.fromSeed(seed)
const solanaTo = encodeBase58(new Uint8Array(32).fill(2))
const xrpAddress = "rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v3"
const xrpTo = "rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe"
const url = "http://node.example"

/** Lies for each family. */
const RUNS = someOf(25)

/** What nodes have said of transactions, whether or not they took them. None of it is in the code that it is to mislead. */
const sayings: ReadonlyArray<string> = [
  "nonce too low",
  "nonce too low: next nonce 8, tx nonce 7",
  "invalid nonce",
  "replacement transaction underpriced",
  "could not replace existing tx",
  "transaction underpriced",
  "already known",
  "known transaction: 0xab",
  "ALREADY_EXISTS: already known",
  "already in block",
  "AlreadyProcessed",
  "This transaction has already been processed",
  "Blockhash not found",
  "transaction already in ledger",
  "using an overlapping lease",
  "DUP_TRANSACTION_ERROR: Dup transaction.",
  "SERVER_BUSY",
  "TAPOS_ERROR",
  "tefPAST_SEQ: This sequence number has already passed.",
  "tefALREADY: The exact transaction was already in this ledger.",
  "tefMAX_LEDGER: Ledger sequence too high.",
  "telINSUF_FEE_P: Fee insufficient.",
  "temREDUNDANT",
  "tx_bad_seq",
  "tx_insufficient_balance",
  "tx_too_late",
  "sdk 19: tx already in mempool",
  "sdk 32: account sequence mismatch, expected 9, got 3: incorrect account sequence",
  "sdk 13: insufficient fees",
  "sdk 5: insufficient funds",
  "proto.024-PtTALLiN.contract.counter_in_the_past",
  "proto.024-PtTALLiN.contract.counter_in_the_future",
  "prefilter.fees_too_low",
  "duplicate message",
  "exitcode=33",
  "exitcode=133",
  "external message was not accepted",
  "bad-txns-inputs-missingorspent",
  "txn-mempool-conflict",
  "txn-already-in-mempool",
  "Transaction already in block chain",
  "insufficient fee, rejecting replacement",
  "min relay fee not met",
  "insufficient funds for gas * price + value",
  "insufficient funds",
  "internal error",
  "context deadline exceeded",
  "execution aborted (timeout = 5s)",
  "limit exceeded",
  "unknown error",
  "server error",
  "method handler crashed",
  "rate limit exceeded"
]

type Kind = "rpc" | "rest" | "network" | "late"

/** An error as a node or its client makes it of such words. */
const errorOf = (kind: Kind, code: number, said: string): ReadError => {
  if (kind === "rpc") return new RpcError({ method: "send", code, rpcMessage: said, url })
  if (kind === "rest")
    return new RequestRejected({
      call: "send",
      status: 400 + (Math.abs(code) % 100),
      messages: [said],
      body: said,
      url
    })
  return kind === "late"
    ? new CallTimeout({ call: "send", timeout: 1 })
    : new NodeError({ kind: "network", call: "send", url, reason: said })
}

const error: fc.Arbitrary<ReadError> = fc
  .tuple(
    fc.constantFrom<Kind>("rpc", "rpc", "rest", "rest", "network", "late"),
    fc.oneof(fc.constantFrom(-32_000, -32_003, -32_603, -26, -25, -27, 19, 3), fc.integer()),
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...sayings) }, fc.string({ maxLength: 60 }))
  )
  .map(([kind, code, said]) => errorOf(kind, code, said))

/** Nodes that take what they get, of which some say something else then, the first time or always. */
interface Lies {
  readonly nodes: ReadonlyArray<"honest" | "once" | "always">
  readonly error: ReadError
}

const lies: fc.Arbitrary<Lies> = fc.record({
  nodes: fc.array(fc.constantFrom("honest", "once", "always", "always"), { minLength: 1, maxLength: 3 }),
  error
})

/** A family's chain: what an account has paid there, as one who looks at the chain alone would count it. */
interface World {
  readonly calls: object
  readonly broadcast: string
  readonly paid: () => number
  /** A block comes. */
  readonly next?: () => void
}

/** What is used of a signer, whatever its family. */
interface Payer {
  readonly send: (payment: {
    readonly to: string
    readonly amount: bigint
  }) => Effect.Effect<Sent<unknown>, { readonly _tag: string }>
  readonly submit: (unclear: BroadcastUnclear) => Effect.Effect<Sent<unknown>, { readonly _tag: string }>
}

interface Family {
  readonly name: string
  readonly to: string
  readonly amount?: bigint
  readonly world: () => World
  /** Its calls are those of its own world. */
  readonly signer: (client: NodesOf & { readonly rpc: never }) => Effect.Effect<Payer, unknown>
}

/** The calls of a world whose nodes say something else than they do, until they `confess`. */
const lying = ({ broadcast, calls }: World, { error, nodes }: Lies) => {
  const left = nodes.map((how) => (how === "honest" ? 0 : how === "once" ? 1 : Number.POSITIVE_INFINITY))
  const honest: (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, ReadError> = Reflect.get(
    calls,
    broadcast
  )
  const told = (...args: ReadonlyArray<unknown>) =>
    Effect.flatMap(CallOptions, ({ node = 0 }) => {
      const at = Number(node)
      const isLie = (left[at] ?? 0) > 0
      left[at] = (left[at] ?? 0) - 1
      return isLie ? Effect.zipRight(Effect.ignore(honest(...args)), Effect.fail(error)) : honest(...args)
    })
  return {
    rpc: new Proxy(calls, { get: (own, name) => (name === broadcast ? told : Reflect.get(own, name)) }),
    confess: () => left.fill(0)
  }
}

const evm = (): World => {
  const from = "0x9858effd232b4033e47d90003d41ec34ecaeda94"
  const there = new Map<number, string>()
  let mined = 7
  const calls: Partial<Evm.EvmCalls> = {
    estimateGas: () => Effect.succeed(21_000n),
    feeHistory: () => Effect.succeed({ baseFeePerGas: ["0x1"] }),
    gasPrice: () => Effect.succeed(1n),
    getBalance: () => Effect.succeed(10n ** 20n),
    getCode: () => Effect.succeed("0x"),
    getBlockByNumber: (_, full) =>
      Effect.sync(() => ({
        number: "0x64",
        transactions: [...there]
          .filter(([nonce]) => full === true && nonce < mined)
          .map(([nonce, hash]) => ({ hash, from, nonce: `0x${nonce.toString(16)}` }))
      })),
    getTransactionByHash: (hash) => Effect.sync(() => ([...there.values()].includes(hash) ? {} : null)),
    getTransactionCount: (_, block) =>
      Effect.sync(() => BigInt(block === "pending" ? 7 + there.size : block === "0x64" ? mined : 7)),
    sendRawTransaction: (raw) =>
      Effect.suspend(() => {
        const { nonce = 0 } = parseTransaction(raw as `0x${string}`)
        if (there.has(nonce)) return Effect.fail(errorOf("rpc", -32_000, "nonce too low"))
        there.set(nonce, keccak256(raw as `0x${string}`))
        return Effect.succeed("0x")
      })
  }
  const next = () => {
    mined = 7 + there.size
  }
  return { calls, broadcast: "sendRawTransaction", paid: () => there.size, next }
}

/** A chain whose index knows the outputs of the account. */
const bitcoin = (): World & { readonly listed: () => ReadonlyArray<Bitcoin.Utxo> } => {
  const { output = new Uint8Array() } = bitcoinjs.payments.p2wpkh({
    pubkey: bitcoinKey.publicKey ?? new Uint8Array()
  })
  const { fund, listed, rpc, sent } = makeChain()
  for (let at = 0; at < 4; at++) fund(output, 100_000n)
  return {
    calls: { ...rpc, listed: () => listed(output) },
    broadcast: "sendRawTransaction",
    paid: () => sent.length,
    listed: () => listed(output)
  }
}
const bitcoinKey = HDKey.fromMasterSeed(mnemonicToSeedSync(words)).derive("m/84'/0'/0'/0/0")

const solana = (): World => {
  const sent = new Set<string>()
  const rich = { lamports: 10n ** 12n }
  const accounts = { [encodeBase58(publicKey)]: rich, [solanaTo]: rich }
  const { client } = makeCluster(accounts, {
    sendTransaction: (raw) => Effect.sync(() => String(sent.add(raw).size)),
    getSignatureStatuses: ([signature = ""]) =>
      Effect.sync(() => {
        const isThere = [...sent].some(
          (raw) => encodeBase58(new Uint8Array(Buffer.from(raw, "base64").subarray(1, 65))) === signature
        )
        return { context: { slot: 100n }, value: [isThere ? { err: null } : null] }
      })
  })
  return { calls: client().rpc, broadcast: "sendTransaction", paid: () => sent.size }
}

/** The id of a transaction: the hash of its first field, behind its tag and its length. */
const tronIdOf = (raw: string): string => {
  const bytes = Buffer.from(raw, "hex")
  const isLong = (bytes[1] ?? 0) > 127
  const length = ((bytes[1] ?? 0) & 127) + (isLong ? (bytes[2] ?? 0) * 128 : 0)
  const start = isLong ? 3 : 2
  return createHash("sha256")
    .update(bytes.subarray(start, start + length))
    .digest("hex")
}

const tron = (): World => {
  const from = "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH"
  const there = new Set<string>()
  const calls: Partial<Tron.TronCalls> = {
    broadcastHex: (raw) =>
      Effect.suspend(() => {
        const txID = tronIdOf(raw)
        return there.size === there.add(txID).size
          ? Effect.fail(errorOf("rest", 0, "DUP_TRANSACTION_ERROR: Dup transaction."))
          : Effect.succeed({ result: true })
      }),
    getAccount: (of) => Effect.succeed({ address: of, balance: of === from ? 10n ** 9n : 0n }),
    getAccountResources: () => Effect.succeed({ freeNetLimit: 600n, freeNetUsed: 0n }),
    getChainParameters: () =>
      Effect.succeed({
        chainParameter: [
          "getTransactionFee",
          "getEnergyFee",
          "getMemoFee",
          "getCreateAccountFee",
          "getCreateNewAccountFeeInSystemContract"
        ].map((key) => ({ key, value: 1_000n }))
      }),
    getNowBlock: () =>
      Effect.succeed({
        blockID: `0000000003a1b2c3${"d4e5f60718293a4b".repeat(3)}`,
        block_header: { raw_data: { number: 60_928_707n, timestamp: 1_700_000_000_000n } }
      }),
    getTransactionById: (txID) => Effect.sync(() => (there.has(txID) ? { txID } : {})),
    getTransactionFromPending: () => Effect.succeed({})
  }
  return { calls, broadcast: "broadcastHex", paid: () => there.size }
}

const tezos = (): World => {
  const there = new Set<string>()
  const calls: Partial<Tezos.TezosCalls> = {
    getBlockHeader: () =>
      Effect.succeed({
        level: 1_000,
        hash: "BLpcXF8ADJbGuyUKNv7TypXRd5rqnoPn3PMqJLNBeRSr4VFeUuK",
        chain_id: "NetXdQprcVkpaWU"
      }),
    getConstants: () => Effect.succeed(tezosConstants),
    getContractBalance: () => Effect.succeed("10000000"),
    getContractCounter: () => Effect.succeed("41"),
    getContractManagerKey: () => Effect.succeed("edpk"),
    getOperationHashes: () => Effect.succeed([[], [], [], []]),
    getPendingOperations: () => Effect.sync(() => ({ validated: [...there].map((hash) => ({ hash })) })),
    injectOperation: ({ operationBytes }) =>
      Effect.suspend(() => {
        const hash = encodeOpHash(operationBytes)
        return there.size === 1 && !there.has(hash)
          ? Effect.fail(errorOf("rest", 0, "proto.024-PtTALLiN.contract.counter_in_the_past"))
          : Effect.succeed([...there.add(hash)].join())
      }),
    simulateOperation: ({ operation }) =>
      Effect.succeed({
        contents: operation.contents.map(() => ({
          metadata: { operation_result: { status: "applied", consumed_milligas: "168500" } }
        }))
      })
  }
  return { calls, broadcast: "injectOperation", paid: () => there.size }
}

const ton = (): World => {
  const { chain, rpc } = makeWallet({ publicKey, seqno: 3 })
  return { calls: rpc, broadcast: "sendBocReturnHash", paid: () => (chain.seqno ?? 3) - 3 }
}

const stellarKey = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 7))
const stellarTo = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 8))
const stellar = (): World => {
  const to = stellarTo.publicKey()
  const { accounts, rpc } = horizon({
    [stellarKey.publicKey()]: { balance: 100_000_000n, sequence: 41n },
    [to]: { balance: 10_000_000n }
  })
  return {
    calls: rpc,
    broadcast: "submitTransaction",
    paid: () => Number(accounts.get(to)?.balance ?? 0n) - 10_000_000
  }
}

const xrp = (): World => {
  const { accounts, rpc } = rippled({
    [xrpAddress]: { balance: 100_000_000n, sequence: 7 },
    [xrpTo]: { balance: 10_000_000n }
  })
  return {
    calls: rpc,
    broadcast: "submit",
    paid: () => Number(accounts.get(xrpTo)?.balance ?? 0n) - 10_000_000
  }
}

const cosmosTo = encodeBech32("cosmos", new Uint8Array(20).fill(7))
const cosmos = (): World => {
  const hub = new Hub({
    cosmos19rl4cm2hmr8afy4kldpxz3fka4jguq0auqdal4: { sequence: 3n, coins: { uatom: 10_000_000n } },
    [cosmosTo]: { coins: {} }
  })
  return {
    calls: hub.client().rpc,
    broadcast: "broadcastTx",
    paid: () => hub.pool.size + hub.blocks.size,
    next: () => hub.mine()
  }
}

const algorandTo = addressOf(new Uint8Array(32).fill(7))
const algorand = (): World => {
  const own = addressOf(publicKey)
  const node = new Algod({ [own]: { amount: 10_000_000n }, [algorandTo]: { amount: 2_000_000n } })
  return {
    calls: node.client().rpc,
    broadcast: "broadcastTransaction",
    paid: () => node.pool.size + node.blocks.size,
    next: () => node.mine()
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

const families: ReadonlyArray<Family> = [
  {
    name: "EVM chains",
    to: "0x00000000000000000000000000000000000000aa",
    world: evm,
    signer: ({ nodes, rpc }) => Evm.make({ network: "ethereum-mainnet", nodes, rpc }, { mnemonic: words })
  },
  {
    name: "Bitcoin",
    to: "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
    amount: 20_000n,
    world: bitcoin,
    signer: ({ nodes, rpc }) =>
      Bitcoin.make(
        { network: "bitcoin-mainnet", nodes, rpc },
        { mnemonic: words, utxos: Reflect.get(rpc, "listed") }
      )
  },
  {
    name: "Solana",
    to: solanaTo,
    world: solana,
    signer: ({ nodes, rpc }) =>
      Solana.make({ network: "solana-mainnet", nodes, rpc }, { privateKey: encodeBase58(seed) })
  },
  {
    name: "Tron",
    to: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
    world: tron,
    signer: ({ nodes, rpc }) => Tron.make({ network: "tron-mainnet", nodes, rpc }, { mnemonic: words })
  },
  {
    name: "Tezos",
    to: "tz1burnburnburnburnburnburnburjAYjjX",
    world: tezos,
    signer: ({ nodes, rpc }) => Tezos.make({ network: "tezos-mainnet", nodes, rpc }, { mnemonic: words })
  },
  {
    name: "TON",
    to: new Address(0, Buffer.alloc(32, 7)).toString(),
    world: ton,
    signer: ({ nodes, rpc }) => Ton.make({ network: "ton-mainnet", nodes, rpc }, { privateKey: hex(seed) })
  },
  {
    name: "Stellar",
    to: stellarTo.publicKey(),
    world: stellar,
    signer: ({ nodes, rpc }) =>
      Stellar.make({ network: "stellar-mainnet", nodes, rpc }, { privateKey: stellarKey.secret() })
  },
  {
    name: "the XRP Ledger",
    to: xrpTo,
    world: xrp,
    signer: ({ nodes, rpc }) => Xrp.make({ network: "ripple-mainnet", nodes, rpc }, { mnemonic: words })
  },
  {
    name: "Cosmos",
    to: cosmosTo,
    world: cosmos,
    signer: ({ nodes, rpc }) => Cosmos.make({ network: "cosmos-mainnet", nodes, rpc }, { mnemonic: words })
  },
  {
    name: "Algorand",
    to: algorandTo,
    world: algorand,
    signer: ({ nodes, rpc }) =>
      Algorand.make({ network: "algorand-mainnet-algod", nodes, rpc }, { privateKey: hex(seed) })
  }
]

describe.each(families)("a payment of $name", ({ amount = 1n, signer, to, world }) => {
  it("is made once at most, and never told as unpaid where it was made, whatever nodes say", async () => {
    const program = (given: Lies) =>
      Effect.gen(function* () {
        const chain = world()
        const { confess, rpc } = lying(chain, given)
        const nodes = () => given.nodes.map(() => ({ failed: false }))
        const account = yield* signer({ nodes, rpc: rpc as never })
        const outcome = yield* runWithTime(account.send({ to, amount }), 500, (tick) => {
          if (tick % 8 === 7) chain.next?.()
        })
        expect(chain.paid()).toBe(1)
        if (Either.isRight(outcome)) return
        const { left: unclear } = outcome
        if (!(unclear instanceof BroadcastUnclear)) throw unclear
        // what is unclear goes out again as what it was
        confess()
        expect(yield* runWithTime(account.submit(unclear), 500, () => chain.next?.())).toMatchObject({
          right: { hash: unclear.hash }
        })
        expect(chain.paid()).toBe(1)
      }).pipe(Effect.provide(TestContext.TestContext))
    await fc.assert(
      fc.asyncProperty(lies, (given) => Effect.runPromise(program(given))),
      { numRuns: RUNS }
    )
  })
})
