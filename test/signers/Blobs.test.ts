/** Transactions with blobs (EIP-4844, EIP-7594): their bytes beside those of viem and ethers, their fee, and what is refused. */
// @covers blobs on libraries: evm
import { describe, expect, it } from "@effect/vitest"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import * as Effect from "effect/Effect"
import { Transaction } from "ethers"
import {
  commitmentsToVersionedHashes,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerializedEIP4844
} from "viem"
import { privateKeyToAccount } from "viem/accounts"
import type { Hex } from "../../src/chains/evm/Types.js"
import { bytesToHex, hexToBytes } from "../../src/data/hex.js"
import { type BlobRequest, type EvmCalls, type EvmFrom, type Kzg, make } from "../../src/signers/Evm.js"

const key = "0x1ab42cc412b618bdea3a599e3c9bae199ebf030895b039e9db1e30dafb12b727"
const address = "0x9858EfFD232B4033E47d90003D41EC34EcaEda94"
const to = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

const BLOB_BYTES = 131_072
const BLOB_GAS = 131_072n
const blobOf = (byte: number): Uint8Array => new Uint8Array(BLOB_BYTES).fill(byte, 0, 9)

/** Points that are none of the curve: the bytes of a transaction do not depend on which they are, and they name their blob. */
const kzg: Kzg = {
  // as some libraries write it
  blobToKzgCommitment: (blob) => `0x${blob.slice(2, 4).repeat(48)}`.toUpperCase().replace("X", "x"),
  computeCellsAndProofs: (blob) => [
    [],
    Array.from({ length: 128 }, (_, i) => `0x${blob.slice(2, 4)}${i.toString(16).padStart(94, "0")}`)
  ]
}

interface Chain extends Partial<EvmCalls> {
  readonly from?: EvmFrom
  readonly balance?: bigint
  readonly price?: unknown
}

/** An account whose next nonce is 7, on a chain on which blobs have this price, and what it has sent and asked. */
const setUp = ({
  balance = 10n ** 18n,
  from = { privateKey: key },
  price = "0x5",
  ...changes
}: Chain = {}) => {
  const sent: Array<TransactionSerializedEIP4844> = []
  const estimated: Array<object> = []
  const rpc: Partial<EvmCalls> = {
    getBalance: () => Effect.succeed(balance),
    getBlockByNumber: () => Effect.succeed({ baseFeePerGas: "0x64" }),
    feeHistory: () =>
      Effect.succeed({
        baseFeePerGas: ["0x64"],
        reward: [["0x1"]],
        ...(price === null ? {} : { baseFeePerBlobGas: ["0x1", price as Hex] })
      }),
    maxPriorityFeePerGas: () => Effect.succeed(1n),
    estimateGas: (call) => {
      estimated.push(call)
      return Effect.succeed(call.data === undefined ? 21_000n : 50_000n)
    },
    getTransactionCount: () => Effect.succeed(7n),
    getTransactionByHash: () => Effect.succeed({}),
    sendRawTransaction: (raw) => {
      sent.push(raw as TransactionSerializedEIP4844)
      return Effect.succeed("0x")
    },
    ...changes
  }
  const client = {
    network: "ethereum-mainnet",
    rpc: new Proxy(rpc, {
      get: (given, name) =>
        Reflect.get(given, name) ??
        (() => {
          throw new Error(`${String(name)} is called, and the test gives no such call`)
        })
    }) as EvmCalls
  } as const
  return Effect.map(make(client, from), (account) => ({ account, estimated, sent }))
}

const request: BlobRequest = { to, kzg, blobs: [blobOf(1), `0x${bytesToHex(blobOf(2))}`] }
const hashes = commitmentsToVersionedHashes({ commitments: [`0x${"01".repeat(48)}`, `0x${"02".repeat(48)}`] })

describe("transactions with blobs", () => {
  it.effect("are those of viem and ethers, byte by byte, and name their blobs", () =>
    Effect.gen(function* () {
      for (const from of [
        { privateKey: key },
        { viem: privateKeyToAccount(key) },
        { address, sign: (hash: Hex) => privateKeyToAccount(key).sign({ hash }) }
      ] as const) {
        const { account, estimated, sent } = yield* setUp({ from })
        const prepared = yield* account.prepareBlobs({ ...request, data: "0x1234", value: 3n })
        const { hash } = yield* account.submit(prepared)
        const [raw = "0x03"] = sent
        const theirs = Transaction.from(raw)
        expect(theirs.serialized).toBe(raw)
        expect(theirs).toMatchObject({
          hash,
          from: address,
          blobWrapperVersion: 1,
          nonce: 7,
          value: 3n,
          data: "0x1234",
          maxFeePerBlobGas: 10n,
          blobVersionedHashes: hashes
        })
        expect(theirs.blobs?.map(({ commitment, data }) => [data, commitment])).toEqual([
          [`0x${bytesToHex(blobOf(1))}`, `0x${"01".repeat(48)}`],
          [`0x${bytesToHex(blobOf(2))}`, `0x${"02".repeat(48)}`]
        ])
        // what blocks have, and the key has signed
        theirs.blobs = null
        const inBlocks = theirs.serialized as TransactionSerializedEIP4844
        expect(keccak256(inBlocks)).toBe(hash)
        const { r: _, s: __, yParity: ___, ...fields } = parseTransaction(inBlocks)
        expect(yield* Effect.promise(() => privateKeyToAccount(key).signTransaction(fields))).toBe(inBlocks)
        expect(
          yield* Effect.promise(() => recoverTransactionAddress({ serializedTransaction: inBlocks }))
        ).toBe(address)
        // contracts that read the hashes run in the trial as they will in a block
        expect(estimated).toEqual([
          expect.objectContaining({ blobVersionedHashes: hashes, maxFeePerBlobGas: "0xa" })
        ])
      }
    })
  )

  it.effect("show what blobs cost at most, which the cap and the balance have to allow", () =>
    Effect.gen(function* () {
      const { account } = yield* setUp()
      const prepared = yield* account.prepareBlobs(request)
      // twice the price of the next block
      const fee = 21_000n * (2n * 100n + 1n) + 2n * BLOB_GAS * 10n
      expect(prepared).toMatchObject({ to, amount: 0n, fee, outgoing: [{ asset: "ETH" }] })
      expect(prepared.outgoing[0]?.amount).toBe("0.00000000000684244")
      expect(prepared.warnings).toContainEqual(expect.stringMatching(/about 18 days/))
      expect(yield* Effect.flip(account.prepareBlobs({ ...request, maxFee: fee - 1n }))).toMatchObject({
        _tag: "FeeOverCap"
      })
      expect(yield* account.prepareBlobs({ ...request, maxFee: fee })).toMatchObject({ fee })
      const poor = yield* setUp({ balance: fee - 1n })
      expect(yield* Effect.flip(poor.account.prepareBlobs(request))).toMatchObject({
        _tag: "InsufficientFunds"
      })
      // a node alone decides nothing: without maxFee a price of 10 ether is one too many
      const lied = yield* setUp({ balance: 10n ** 30n, price: `0x${(10n ** 19n).toString(16)}` })
      expect(yield* Effect.flip(lied.account.prepareBlobs(request))).toMatchObject({ _tag: "FeeOverCap" })
    })
  )

  it.effect("are signed as they were shown alone", () =>
    Effect.gen(function* () {
      const { account, sent } = yield* setUp()
      const prepared = yield* account.prepareBlobs(request)
      const { transaction } = prepared
      const [first] = transaction.blobs ?? []
      if (first === undefined) throw new Error("it has blobs")
      for (const changed of [
        { maxFeePerBlobGas: 11n },
        { blobs: [first, first, first] },
        { gas: transaction.gas + 1n }
      ])
        expect(
          yield* Effect.flip(account.submit({ ...prepared, transaction: { ...transaction, ...changed } }))
        ).toMatchObject({ _tag: "InvalidArgument", call: "submit" })
      expect(sent).toEqual([])
    })
  )

  it.effect("are replaced with twice their prices, blobs and all, as nodes want it", () =>
    Effect.gen(function* () {
      const { account, sent } = yield* setUp()
      const { hash } = yield* account.submit(yield* account.prepareBlobs(request))
      const faster = yield* account.speedUp(hash, { maxFee: "0.1" })
      const cancelled = yield* account.cancel(faster.hash, { maxFee: "0.1" })
      const [before, after, last] = sent.map((raw) => Transaction.from(raw))
      expect([after?.maxFeePerGas, after?.maxPriorityFeePerGas, after?.maxFeePerBlobGas]).toEqual([
        402n,
        2n,
        20n
      ])
      expect([last?.to, last?.maxFeePerBlobGas, last?.nonce]).toEqual([address, 40n, 7])
      for (const each of [after, last]) expect(each?.blobs).toEqual(before?.blobs)
      expect(cancelled.prepared.fee).toBe(21_000n * 804n + 2n * BLOB_GAS * 40n)
      expect(cancelled.prepared.outgoing[0]?.amount).toBe("0.00000000002736976")
    })
  )

  it.effect("are shown to those who sign by the hashes of their blobs", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const { account } = yield* setUp({
        from: {
          account: {
            scheme: "secp256k1",
            publicKey: bytesToHex(secp256k1.getPublicKey(hexToBytes(key.slice(2)))),
            sign: async (asked) => {
              seen.push(asked)
              throw new Error("not today")
            }
          }
        }
      })
      const prepared = yield* account.prepareBlobs(request)
      expect(yield* Effect.flip(account.submit(prepared))).toMatchObject({ _tag: "SigningFailed" })
      expect(seen).toEqual([
        expect.objectContaining({
          prepared: expect.objectContaining({
            transaction: expect.objectContaining({ blobVersionedHashes: hashes, nonce: 7 })
          })
        })
      ])
      expect(
        JSON.stringify(seen, (_, value) => (typeof value === "bigint" ? String(value) : value)).length
      ).toBeLessThan(5_000)
    })
  )

  it.effect("are refused where they cannot be any", () =>
    Effect.gen(function* () {
      const { account, sent } = yield* setUp()
      const refuse = (given: unknown) => Effect.flip(account.prepareBlobs(given as BlobRequest))
      const cases: ReadonlyArray<readonly [unknown, RegExp]> = [
        [undefined, /it takes \{ to, blobs, kzg \}/],
        [{ ...request, to: undefined }, /to is missing/],
        [{ ...request, blobs: [] }, /1 to 6 blobs of 131072 bytes/],
        [{ ...request, blobs: Array.from({ length: 7 }, () => blobOf(1)) }, /1 to 6 blobs/],
        [{ ...request, blobs: "0x" }, /1 to 6 blobs/],
        [{ ...request, blobs: [new Uint8Array(5)] }, /blobs\[0\]/],
        [{ ...request, blobs: [blobOf(1), "0x12"] }, /blobs\[1\]/],
        [{ ...request, kzg: undefined }, /kzg must have blobToKzgCommitment/],
        [{ ...request, kzg: { ...kzg, computeCellsAndProofs: undefined } }, /kzg must have/],
        [{ ...request, kzg: { ...kzg, computeCellsAndProofs: () => [[], []] } }, /must give 128 proofs/],
        [{ ...request, kzg: { ...kzg, blobToKzgCommitment: () => "0x12" } }, /the commitment/],
        [
          {
            ...request,
            kzg: {
              ...kzg,
              blobToKzgCommitment: () => {
                throw new Error("no number of the curve")
              }
            }
          },
          /no number of the curve/
        ]
      ]
      for (const [given, reason] of cases) {
        const refused = yield* refuse(given)
        expect(refused, String(reason)).toMatchObject({ _tag: "InvalidArgument", call: "prepareBlobs" })
        expect(refused.message).toMatch(reason)
      }
      for (const price of [null, "five", -1]) {
        const without = yield* setUp({ price })
        const refused = yield* Effect.flip(without.account.prepareBlobs(request))
        expect(refused, String(price)).toMatchObject(
          price === null
            ? { _tag: "InvalidArgument", reason: expect.stringContaining("no price of blobs") }
            : { _tag: "NodeError", kind: "malformed" }
        )
      }
      const wallet = yield* setUp({
        from: { eip1193: { request: async ({ method }) => (method === "eth_chainId" ? "0x1" : [address]) } }
      })
      const prepared = yield* wallet.account.prepareBlobs(request)
      expect(yield* Effect.flip(wallet.account.submit(prepared))).toMatchObject({
        _tag: "InvalidArgument",
        reason: "a wallet of a page sends no blobs"
      })
      expect(sent).toEqual([])
    })
  )

  it.effect("are from one blob to six", () =>
    Effect.gen(function* () {
      for (const count of [1, 6]) {
        const { account, sent } = yield* setUp()
        const blobs = Array.from({ length: count }, (_, i) => blobOf(i + 1))
        const { hash } = yield* account.submit(yield* account.prepareBlobs({ ...request, blobs }))
        const theirs = Transaction.from(sent[0] ?? "0x")
        expect([theirs.serialized, theirs.hash, theirs.blobs?.length]).toEqual([sent[0], hash, count])
      }
    })
  )
})
