/** Whole transactions of signers of Solana: bytes as others make them, and what nodes may say of them. */
import { describe, expect, it } from "@effect/vitest"
import * as kit from "@solana/kit"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { decodeBase58 } from "../../src/chains/internal/base58.js"
import { make, type SolanaCalls, type SolanaRequest } from "../../src/signers/Solana.js"
import { parseLookupTable, parseNonce } from "../../src/signers/solana/layout.js"
import { readWire } from "../../src/signers/solana/wire.js"
import { runs } from "../properties.js"
import { blockhash, makeCluster, type State, system } from "./cluster.js"
import { runWithTime } from "./runWithTime.js"
import { web3 } from "./solanaVectors.js"

const { addresses } = web3
const tableProgram = "AddressLookupTab1e1111111111111111111111111"
const computeBudget = "ComputeBudget111111111111111111111111111111"
const context = { slot: 100n }

const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, "base64"))

const little = (amount: bigint): ReadonlyArray<number> => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(amount)
  return [...bytes]
}

const tableData = (listed: ReadonlyArray<string>): Uint8Array =>
  Uint8Array.of(
    ...[1, 0, 0, 0],
    ...little(2n ** 64n - 1n),
    ...new Uint8Array(44),
    ...listed.flatMap((each) => [...decodeBase58(each)])
  )

const nonceData = (authority: string, value: string): Uint8Array =>
  Uint8Array.of(1, 0, 0, 0, 1, 0, 0, 0, ...decodeBase58(authority), ...decodeBase58(value), ...little(5_000n))

const accounts: Readonly<Record<string, State>> = {
  [addresses.me]: { lamports: 10_000_000_000n },
  [addresses.relayer]: { lamports: 10_000_000_000n },
  [addresses.table]: { lamports: 1n, owner: tableProgram, data: tableData(addresses.inTable) },
  [addresses.nonce]: { lamports: 1_447_680n, data: nonceData(addresses.me, addresses.blockhash) }
}

/** A cluster on which a trial takes these lamports from the account, and the fee. */
const clusterWith = (takes: bigint, changed: Partial<SolanaCalls> = {}, states = accounts) =>
  makeCluster(states, {
    simulateTransaction: (_, { accounts: wanted } = {}) =>
      Effect.succeed({
        context,
        value: {
          err: null,
          unitsConsumed: 450n,
          accounts: (wanted?.addresses ?? []).map((address) => ({
            lamports: (states[address]?.lamports ?? 0n) - (address === addresses.me ? takes : 0n),
            owner: states[address]?.owner ?? system,
            data: [Buffer.from(states[address]?.data ?? []).toString("base64"), "base64"]
          }))
        }
      }),
    ...changed
  })

const seed = (byte: number): string =>
  Buffer.from(Uint8Array.of(...new Uint8Array(32).fill(byte), ...decodeBase58(addresses.me))).toString("hex")

const privateKey = JSON.stringify([...Buffer.from(seed(7), "hex")])

const made = (cluster = clusterWith(0n)) => make(cluster.client(), { privateKey })

const reasonOf = (request: SolanaRequest, cluster = clusterWith(0n)) =>
  Effect.gen(function* () {
    const signer = yield* made(cluster)
    const error = yield* Effect.flip(signer.prepareTransaction(request))
    return error._tag === "InvalidArgument" ? error.reason : error._tag
  })

const compile = (
  version: 0 | 1,
  instructions: ReadonlyArray<kit.Instruction>,
  config: kit.V1TransactionConfig = {}
): Uint8Array => {
  const lifetime = { blockhash: kit.blockhash(addresses.blockhash), lastValidBlockHeight: 1n }
  const payer = kit.address(addresses.me)
  const message =
    version === 0
      ? kit.setTransactionMessageFeePayer(payer, kit.createTransactionMessage({ version: 0 }))
      : kit.setTransactionMessageConfig(
          config,
          kit.setTransactionMessageFeePayer(payer, kit.createTransactionMessage({ version: 1 }))
        )
  return Uint8Array.from(
    kit
      .getTransactionEncoder()
      .encode(
        kit.compileTransaction(
          kit.appendTransactionMessageInstructions(
            instructions,
            kit.setTransactionMessageLifetimeUsingBlockhash(lifetime, message)
          )
        )
      )
  )
}

const instruction = (program: string, data: ReadonlyArray<number>): kit.Instruction => ({
  programAddress: kit.address(program),
  data: Uint8Array.from(data)
})

describe("transactions of @solana/web3.js", () => {
  it.effect("are previewed and signed as web3.js reads and signs them", () =>
    Effect.gen(function* () {
      for (const [given, vector, takes] of [
        [web3.legacy.unsigned, web3.legacy, 605_001n + 5n],
        [web3.legacy.message, web3.legacy, 605_001n + 5n],
        [web3.v0.unsigned, web3.v0, 6n],
        [web3.nonce.unsigned, web3.nonce, 5_000n + 7n]
      ] as const) {
        const fee = BigInt(vector.fee)
        const cluster = clusterWith(takes)
        const signer = yield* made(cluster)
        const prepared = yield* signer.prepareTransaction({ transaction: given })
        expect(prepared).toMatchObject({ amount: takes - fee, fee })
        const { wire } = prepared.transaction
        expect(wire?.signers).toEqual(vector.signers)
        expect(new Set(wire?.writable)).toEqual(new Set(vector.writable))
        yield* signer.submit(prepared)
        expect(cluster.sent).toEqual([vector.signed])
        // what is signed already is signed again
        expect((yield* signer.sign(prepared.transaction)).raw).toBe(vector.signed)
      }
    })
  )

  it.effect("are told apart by what they are valid by", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const cluster = clusterWith(6n, {
        isBlockhashValid: () => Effect.succeed({ context: { slot: 77n }, value: true }),
        getLatestBlockhash: (config) =>
          Effect.sync(() => {
            asked.push(config)
            return { context, value: { blockhash: addresses.to, lastValidBlockHeight: 240n } }
          })
      })
      const signer = yield* made(cluster)
      const dated = yield* signer.prepareTransaction({ transaction: web3.v0.unsigned })
      expect(dated.transaction).toMatchObject({ blockhash: addresses.blockhash, lastValidBlockHeight: 240n })
      // a node that is behind would name a block that is too early
      expect(asked).toEqual([{ commitment: "confirmed", minContextSlot: 77n }])
      const { nonce, blockhash } = (yield* signer.prepareTransaction({ transaction: web3.nonce.unsigned }))
        .transaction
      expect([nonce, blockhash]).toEqual([
        { account: addresses.nonce, value: addresses.blockhash },
        undefined
      ])
    })
  )

  it.effect("lack signatures, are too old, or have a nonce that was used", () =>
    Effect.gen(function* () {
      expect(yield* reasonOf({ transaction: web3.v0.bare })).toMatch(
        new RegExp(`^it lacks the signature of ${addresses.relayer}: `)
      )
      const old = clusterWith(6n, { isBlockhashValid: () => Effect.succeed({ context, value: false }) })
      expect(yield* reasonOf({ transaction: web3.v0.unsigned }, old)).toMatch(
        /is too old, or of another network: /
      )
      const used = clusterWith(
        7n,
        { isBlockhashValid: () => Effect.succeed({ context, value: false }) },
        { ...accounts, [addresses.nonce]: { lamports: 1n, data: nonceData(addresses.me, addresses.to) } }
      )
      expect(yield* reasonOf({ transaction: web3.nonce.unsigned }, used)).toContain(
        `and the nonce account ${addresses.nonce} has another value`
      )
    })
  )

  it.effect("make nonce accounts with the same instructions", () =>
    Effect.gen(function* () {
      const signer = yield* made(clusterWith(1_447_680n + 5_000n))
      const prepared = yield* signer.prepareNonceAccount()
      expect(prepared.nonceAccount).toBe(web3.create.address)
      const { instructions } = readWire(bytesOf(prepared.transaction.wire?.encoded ?? ""))
      expect(
        instructions
          .filter(({ program }) => program === system)
          .map(({ data }) => Buffer.from(data).toString("hex"))
      ).toEqual(web3.create.data)
    })
  )
})

describe("instructions", () => {
  it.effect("that are equal become two transactions, even while the chain has one blockhash", () =>
    Effect.gen(function* () {
      let asked = 0
      const cluster = clusterWith(5_000n, {
        // two for each preview, and the third time that the second preview asks there is a new one
        getLatestBlockhash: () =>
          Effect.sync(() => ({
            context,
            value: { blockhash: blockhash(asked++ < 5 ? 0 : 1), lastValidBlockHeight: 240n }
          }))
      })
      const signer = yield* made(cluster)
      const memo = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"
      const prepare = signer.prepareTransaction({
        instructions: [{ program: memo, data: Uint8Array.of(65) }]
      })
      const first = yield* prepare
      const second = yield* yield* runWithTime(prepare, 100)
      expect([first, second].map(({ transaction }) => transaction.blockhash)).toEqual([
        blockhash(0),
        blockhash(1)
      ])
      const sent = [yield* signer.submit(first), yield* signer.submit(second)]
      expect(new Set(sent.map(({ hash }) => hash)).size).toBe(2)
      // none of them is sent as another one than it was shown
      expect(cluster.sent.map((raw) => readWire(bytesOf(raw)).lifetime)).toEqual([blockhash(0), blockhash(1)])
    })
  )
})

describe("bytes from elsewhere", () => {
  it.effect("are signed as they were read, or not at all, wherever one of them is another one", () =>
    Effect.gen(function* () {
      const signer = yield* made(clusterWith(0n))
      const samples = [web3.legacy.unsigned, web3.v0.unsigned, web3.nonce.unsigned].map(bytesOf)
      let signed = 0
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(
            fc.constantFrom(...samples),
            fc.nat(),
            fc.integer({ min: 1, max: 255 }),
            async (sample, at, change) => {
              const bytes = sample.slice()
              bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ change
              const ended = await Effect.runPromise(
                Effect.either(
                  Effect.flatMap(signer.prepareTransaction({ transaction: bytes }), ({ transaction }) =>
                    signer.sign(transaction)
                  )
                )
              )
              if (ended._tag === "Left") {
                expect(["InvalidArgument", "FeeOverCap"]).toContain(ended.left._tag)
                return
              }
              signed++
              const [given, sent] = [bytes, bytesOf(ended.right.raw)].map(
                (each) => kit.getTransactionDecoder().decode(each).messageBytes
              )
              expect(sent).toEqual(given)
            }
          ),
          { numRuns: runs(300) }
        )
      )
      expect(signed).toBeGreaterThan(0)
    })
  )

  it.effect("cost what their version and their programs say", () =>
    Effect.sync(() => {
      const feeOf = (bytes: Uint8Array) => readWire(bytes).fee
      const ed25519 = "Ed25519SigVerify111111111111111111111111111"
      const price = instruction(computeBudget, [3, ...little(1_000_000n)])
      const limit = instruction(computeBudget, [2, 16, 39, 0, 0])
      const memo = instruction("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr", [65])
      expect(feeOf(compile(0, [memo]))).toBe(5_000n)
      expect(feeOf(compile(0, [price, memo, memo]))).toBe(5_000n + 400_000n)
      expect(feeOf(compile(0, [price, limit, memo, memo]))).toBe(5_000n + 10_000n)
      // no transaction gets more units
      expect(feeOf(compile(0, [price, ...Array.from({ length: 9 }, () => memo)]))).toBe(5_000n + 1_400_000n)
      expect(feeOf(compile(0, [memo, instruction(ed25519, [3, 0])]))).toBe(20_000n)
      expect(feeOf(compile(1, [memo], { priorityFeeLamports: 77n }))).toBe(5_077n)
      // of version 1 it is no instruction that sets the fee
      expect(feeOf(compile(1, [price, memo]))).toBe(5_000n)
    })
  )

  it.effect("are no transaction of Solana in many ways", () =>
    Effect.gen(function* () {
      const whole = bytesOf(web3.legacy.unsigned)
      for (const transaction of [
        whole.subarray(0, -1),
        Uint8Array.of(...whole, 0),
        whole.subarray(1),
        new Uint8Array(),
        new Uint8Array(2_000)
      ])
        expect(yield* reasonOf({ transaction })).toBe(
          "its bytes are no transaction of Solana, and no message of one"
        )
      expect(yield* reasonOf({ transaction: compile(1, []).subarray(0, 60) })).toMatch(
        /^it is of version 1, /
      )
      for (const transaction of ["", "?", web3.legacy.unsigned.slice(0, -1), 7 as never])
        expect(yield* reasonOf({ transaction })).toMatch(/^(transaction is the bytes|its bytes are no) /)
    })
  )
})

describe("answers about a transaction", () => {
  it.effect("are errors of the node, in whatever form they are none", () =>
    Effect.gen(function* () {
      const request: SolanaRequest = { transaction: web3.v0.unsigned }
      const wrong: ReadonlyArray<unknown> = [null, undefined, 7, "text", {}, { context, value: [7] }]
      for (const call of [
        "getMultipleAccounts",
        "isBlockhashValid",
        "getLatestBlockhash",
        "simulateTransaction"
      ] as const)
        for (const answer of wrong) {
          const signer = yield* made(clusterWith(0n, { [call]: () => Effect.succeed(answer) }))
          const error = yield* Effect.flip(signer.prepareTransaction(request))
          expect(["NodeError", "InvalidArgument"], `${call} ${String(answer)}`).toContain(error._tag)
        }
    })
  )

  it.effect("are parsed as what they are", () =>
    Effect.sync(() => {
      const state = { lamports: 1n, owner: tableProgram, data: tableData(addresses.inTable) }
      expect(parseLookupTable(state, 5n)).toEqual({ addresses: addresses.inTable })
      const grown = Uint8Array.from(state.data)
      grown.set(little(5n), 12)
      grown[20] = 2
      expect(parseLookupTable({ ...state, data: grown }, 5n)).toEqual({
        addresses: addresses.inTable.slice(0, 2)
      })
      expect(parseLookupTable({ ...state, data: grown }, 6n)).toEqual({ addresses: addresses.inTable })
      const nonce = { lamports: 1n, owner: system, data: nonceData(addresses.me, addresses.blockhash) }
      expect(parseNonce(nonce)).toEqual({ authority: addresses.me, value: addresses.blockhash })
      for (const other of [
        { ...nonce, owner: tableProgram },
        { ...nonce, data: nonce.data.subarray(1) },
        { ...nonce, data: nonce.data.map((byte, at) => (at === 0 ? 0 : byte)) },
        { ...nonce, data: nonce.data.map((byte, at) => (at === 4 ? 0 : byte)) },
        undefined
      ])
        expect(parseNonce(other)).toBeUndefined()
    })
  )
})
