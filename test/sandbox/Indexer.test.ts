import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as PubSub from "effect/PubSub"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import * as Indexer from "../../src/sandbox/Indexer.js"
import { makeReader } from "../../src/sandbox/indexer/Evm.js"
import { decodeTransfer, topics } from "../../src/sandbox/indexer/Tokens.js"
import type { Rpc } from "../../src/sandbox/indexer/Utxo.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import { SandboxError } from "../../src/sandbox/SandboxError.js"
import * as Store from "../../src/sandbox/Store.js"
import {
  alice,
  bob,
  callContract,
  carol,
  deployCollection,
  deployForwarder,
  deployFungible,
  deployMultitoken,
  deployReverting,
  makeLoggingCode,
  rpcAt,
  send,
  word
} from "./tokens.js"

const available = Either.isRight(Effect.runSync(Effect.either(Anvil.binary)))
if (!available && process.env.CI !== "true") console.log("left out: indexer of EVM chains (no anvil binary)")
if (!available && process.env.CI === "true") it.effect("has an anvil binary in CI", () => Anvil.binary)

const NETWORK = "ethereum-mainnet"

/** An indexer over a store of its own, which follows the blocks of `source`. */
const following = (source: Indexer.BlockReader) =>
  Effect.gen(function* () {
    const store = yield* Store.make()
    const indexer = yield* Effect.provideService(Indexer.make, Store.Store, store)
    const queue = yield* PubSub.subscribe(indexer.indexed)
    const fresh = yield* indexer.follow(NETWORK, source)
    const rows = <A, I>(row: Schema.Schema<A, I>, sql: string) => store.transact(({ all }) => all(row, sql))
    return { fresh, rows, published: Queue.takeAll(queue) }
  })

interface ModelBlock extends Indexer.BlockId {
  readonly parent: string
  readonly token: string
}

/** Changes of a model chain: `fork` drops so many blocks (all of them where there are fewer) and adds others. */
type Change =
  | { readonly kind: "mine"; readonly blocks: number }
  | { readonly kind: "fork"; readonly depth: number; readonly blocks: number }

const changes = FastCheck.oneof(
  FastCheck.record({
    kind: FastCheck.constant("mine" as const),
    blocks: FastCheck.integer({ min: 0, max: 40 })
  }),
  FastCheck.record({
    kind: FastCheck.constant("fork" as const),
    depth: FastCheck.integer({ min: 1, max: 60 }),
    blocks: FastCheck.integer({ min: 1, max: 60 })
  })
)

/** A chain in memory whose blocks each have one movement, one event and one of few tokens. */
const model = () => {
  let made = 0
  let chain: ReadonlyArray<ModelBlock> = []
  const mine = (blocks: number): void => {
    for (let i = 0; i < blocks; i++) {
      made++
      chain = [
        ...chain,
        {
          block: chain.length,
          hash: `block-${made}`,
          parent: chain.at(-1)?.hash ?? "none",
          token: `token-${made % 7}`
        }
      ]
    }
  }
  mine(1)
  const change = (to: Change): void => {
    if (to.kind === "fork") chain = chain.slice(0, Math.max(0, chain.length - to.depth))
    mine(to.blocks)
  }
  /** Changes that come in the middle of reading, after so many calls. */
  const pending: Array<{ calls: number; readonly change: Change }> = []
  const call = <A>(answer: () => A | undefined): Effect.Effect<A, SandboxError> =>
    Effect.zipRight(
      Effect.yieldNow(),
      Effect.suspend(() => {
        const [next] = pending
        if (next !== undefined && next.calls-- <= 0) {
          pending.shift()
          change(next.change)
        }
        const answered = answer()
        return answered === undefined
          ? new SandboxError({ reason: "chain", message: "no such block" })
          : Effect.succeed(answered)
      })
    )
  const source: Indexer.BlockReader = {
    readHead: call(() => chain.at(-1)),
    readBlock: (height) =>
      Effect.map(
        call(() => chain[height]),
        ({ block, hash, parent, token }) => ({
          block,
          hash,
          parent,
          time: block * 1_000,
          hashes: [`tx-${hash}`],
          movements: [
            {
              kind: "native",
              hash: `tx-${hash}`,
              transactionIndex: 0,
              sender: "a",
              receiver: "b",
              amount: 2n ** 70n + BigInt(block)
            }
          ],
          events: [
            { hash: `tx-${hash}`, transactionIndex: 0, logIndex: 0, address: "c", topics: ["t"], data: "0x" }
          ],
          write: ({ run }, network) =>
            run(
              "INSERT OR IGNORE INTO tokens (network, token, block, kind) VALUES (?, ?, ?, 'fungible')",
              network,
              token,
              block
            )
        })
      )
  }
  return { chain: () => chain, change, pending, source }
}

const BlockRow = Schema.Struct({ block: Schema.Number, hash: Schema.String, parent: Schema.String })
const HashRow = Schema.Struct({ block: Schema.Number, hash: Schema.String })
const AmountRow = Schema.Struct({ block: Schema.Number, hash: Schema.String, amount: Schema.String })
const TokenRow = Schema.Struct({ block: Schema.Number, token: Schema.String })

describe("the follower of chains", () => {
  it.effect.prop(
    "has exactly what the chain has, however it forks, also while it is read",
    [
      FastCheck.array(
        FastCheck.record({
          before: FastCheck.array(changes, { maxLength: 3 }),
          during: FastCheck.array(
            FastCheck.record({ calls: FastCheck.integer({ min: 0, max: 30 }), change: changes }),
            { maxLength: 3 }
          )
        }),
        { minLength: 1, maxLength: 8 }
      )
    ],
    ([rounds]) =>
      Effect.gen(function* () {
        const { chain, change, pending, source } = model()
        const { fresh, published, rows } = yield* following(source)
        const lastPublished = new Map<number, string>()
        const seen: Array<string> = []
        for (const { before, during } of rounds) {
          for (const each of before) change(each)
          pending.push(...during)
          yield* fresh
          // whatever was read is a chain
          const stored = yield* rows(BlockRow, "SELECT block, hash, parent FROM blocks ORDER BY block")
          for (const [i, { block, parent }] of stored.entries()) {
            expect(block).toBe(i)
            expect(parent).toBe(stored[i - 1]?.hash ?? "none")
          }
          pending.length = 0
          yield* fresh
          const model = chain()
          expect(yield* rows(BlockRow, "SELECT block, hash, parent FROM blocks ORDER BY block")).toEqual(
            model.map(({ block, hash, parent }) => ({ block, hash, parent }))
          )
          const expected = model.map(({ block, hash }) => ({ block, hash: `tx-${hash}` }))
          expect(yield* rows(AmountRow, "SELECT block, hash, amount FROM movements ORDER BY block")).toEqual(
            expected.map((row) => ({ ...row, amount: String(2n ** 70n + BigInt(row.block)) }))
          )
          expect(yield* rows(HashRow, "SELECT block, hash FROM events ORDER BY block")).toEqual(expected)
          const first = new Map(model.map(({ block, token }) => [token, block] as const).reverse())
          expect(yield* rows(TokenRow, "SELECT block, token FROM tokens ORDER BY block")).toEqual(
            [...first].map(([token, block]) => ({ block, token })).sort((a, b) => a.block - b.block)
          )
          for (const { block, hash } of yield* published) {
            // what is told of a height is what takes its place from then on, and nothing is told twice
            lastPublished.set(block, hash)
            seen.push(hash)
          }
          for (const { block, hash } of model) expect(lastPublished.get(block)).toBe(hash)
          expect(new Set(seen).size).toBe(seen.length)
        }
      }).pipe(Effect.scoped),
    { fastCheck: { numRuns: 60 } }
  )

  it.effect("finds a fork deep down without reading every block above it", () =>
    Effect.gen(function* () {
      const { chain, change, source } = model()
      change({ kind: "mine", blocks: 2_000 })
      let reads = 0
      const { fresh, rows } = yield* following({
        ...source,
        readBlock: (height) => {
          reads++
          return source.readBlock(height)
        }
      })
      yield* fresh
      change({ kind: "fork", depth: 1_500, blocks: 10 })
      reads = 0
      yield* fresh
      expect(reads).toBeLessThan(60)
      expect(yield* rows(HashRow, "SELECT block, hash FROM blocks ORDER BY block")).toEqual(
        chain().map(({ block, hash }) => ({ block, hash }))
      )
    }).pipe(Effect.scoped)
  )

  it.effect("says so when blocks never follow one another", () =>
    Effect.gen(function* () {
      const { change, source } = model()
      change({ kind: "mine", blocks: 5 })
      const { fresh } = yield* following({
        ...source,
        readBlock: (height) =>
          Effect.map(source.readBlock(height), (block) => ({ ...block, parent: "nobody" }))
      })
      expect((yield* Effect.flip(fresh)).message).toContain("do not follow one another")
    }).pipe(Effect.scoped)
  )
})

const address = (digit: string): string => `0x${digit.repeat(40)}`

describe("logs of tokens", () => {
  const indexed = [word(address("1")), word(address("2"))].map((each) => `0x${each}`)

  it("are read in the form of their standard alone", () => {
    const log = (all: ReadonlyArray<string>, ...words: ReadonlyArray<string>) =>
      decodeTransfer({ topics: all, data: `0x${words.join("")}` })
    const [from = "", to = ""] = indexed
    expect(log([topics.transfer, from, to], word(2n ** 256n - 1n))).toEqual({
      kind: "fungible",
      from: address("1"),
      to: address("2"),
      value: 2n ** 256n - 1n
    })
    expect(log([topics.transfer, from, to, `0x${word(7n)}`])).toMatchObject({ kind: "nft", tokenId: 7n })
    for (const wrong of [
      log([topics.transfer]),
      log([topics.transfer, from, to]),
      log([topics.transfer, from, to], word(1n), word(2n)),
      log([topics.transfer, from, to, `0x${word(7n)}`], word(1n)),
      log([topics.transfer, `0x${"f".repeat(64)}`, to], word(1n)),
      decodeTransfer({ topics: [topics.transfer, from, to], data: "0x12" }),
      log([topics.single, from, from, to], word(1n)),
      log([topics.batch, from, from, to], word(64n), word(2n ** 255n)),
      log([topics.batch, from, from, to], word(64n), word(128n), word(1n), word(5n), word(2n), word(6n)),
      log([topics.batch, from, from, to], word(64n), word(96n), word(2n ** 64n), word(0n)),
      log([topics.batch, from, from, to], word(63n), word(63n)),
      log([])
    ])
      expect(wrong).toBeUndefined()
    expect(
      log([topics.batch, from, from, to], word(64n), word(128n), word(1n), word(5n), word(1n), word(6n))
    ).toMatchObject({ batch: true, items: [{ tokenId: 5n, value: 6n }] })
  })

  it("never make the indexer fail, whatever is in them", () => {
    const hex = FastCheck.hexaString({ maxLength: 400 })
    const topic = FastCheck.oneof(
      FastCheck.constantFrom(...Object.values(topics), ...indexed),
      FastCheck.hexaString({ minLength: 64, maxLength: 64 }).map((digits) => `0x${digits}`)
    )
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(topic, { maxLength: 4 }),
        FastCheck.oneof(
          hex,
          FastCheck.array(FastCheck.bigInt({ min: 0n, max: 300n }), { maxLength: 12 }).map((numbers) =>
            numbers.map(word).join("")
          )
        ),
        (all, data) => {
          const transfer = decodeTransfer({ topics: all, data: `0x${data}` })
          if (transfer?.kind === "multitoken")
            for (const { tokenId, value } of transfer.items) expect(tokenId >= 0n && value >= 0n).toBe(true)
        }
      ),
      { numRuns: 2_000 }
    )
  })
})

const Movement = Schema.Struct({
  kind: Schema.String,
  hash: Schema.String,
  sender: Schema.NullOr(Schema.String),
  receiver: Schema.NullOr(Schema.String),
  amount: Schema.String,
  token: Schema.NullOr(Schema.String),
  token_id: Schema.NullOr(Schema.String)
})
const Token = Schema.Struct({
  token: Schema.String,
  block: Schema.Number,
  kind: Schema.String,
  name: Schema.NullOr(Schema.String),
  symbol: Schema.NullOr(Schema.String),
  decimals: Schema.NullOr(Schema.Number)
})
const Event = Schema.Struct({
  hash: Schema.String,
  address: Schema.String,
  topic_0: Schema.NullOr(Schema.String)
})

/** An anvil and an indexer that follows it. */
const running = (wrap: (rpc: Rpc) => Rpc = (rpc) => rpc) =>
  Effect.gen(function* () {
    const { url } = yield* Anvil.start({ chainId: 1 })
    const rpc = rpcAt(url)
    const { fresh, rows } = yield* following(makeReader(wrap(rpc)))
    const movementsOf = (hash: string) =>
      Effect.map(
        Effect.zipRight(
          fresh,
          rows(
            Movement,
            "SELECT kind, hash, sender, receiver, amount, token, token_id FROM movements ORDER BY block, position"
          )
        ),
        (all) =>
          all.flatMap(({ hash: of, kind, sender, receiver, amount, token, token_id }) =>
            of === hash ? [{ kind, sender, receiver, amount, token, token_id }] : []
          )
      )
    return { rpc, fresh, rows, movementsOf }
  })

const moved = (
  kind: string,
  sender: string | null,
  receiver: string | null,
  amount: bigint,
  token: string | null = null,
  token_id: string | null = null
) => ({ kind, sender, receiver, amount: String(amount), token, token_id })

describe.runIf(available)("blocks of an EVM chain", () => {
  it.live("say who gave coins to whom, also by way of contracts, and what it cost", () =>
    Effect.gen(function* () {
      const { movementsOf, rpc } = yield* running()
      const sent = yield* send(rpc, { to: bob, value: "0xde0b6b3a7640001" })
      expect(yield* movementsOf(sent.hash)).toEqual([
        moved("native", alice, bob, 10n ** 18n + 1n),
        moved("fee", alice, null, sent.fee)
      ])
      const { contract } = yield* deployForwarder(rpc, carol)
      const through = yield* send(rpc, { to: contract, value: "0x5" })
      expect(yield* movementsOf(through.hash)).toEqual([
        moved("native", alice, contract, 5n),
        moved("internal", contract, carol, 5n),
        moved("fee", alice, null, through.fee)
      ])
      // code that does nothing, with coins
      const created = yield* send(rpc, { data: "0x00", value: "0x7" })
      expect(yield* movementsOf(created.hash)).toEqual([
        moved("native", alice, created.contract, 7n),
        moved("fee", alice, null, created.fee)
      ])
    }).pipe(Effect.scoped)
  )

  it.live("say of what failed that it did, and nothing else", () =>
    Effect.gen(function* () {
      const { movementsOf, rpc } = yield* running()
      const bad = yield* deployReverting(rpc, carol)
      const failed = yield* send(rpc, { to: bad.contract, value: "0x9", gas: "0x30000" })
      expect(failed.status).toBe(0)
      expect(yield* movementsOf(failed.hash)).toEqual([
        moved("failed", alice, bad.contract, 9n),
        moved("fee", alice, null, failed.fee)
      ])
      // a call below that is undone takes with it what was called from there
      const outer = yield* deployForwarder(rpc, bad.contract)
      const through = yield* send(rpc, { to: outer.contract, value: "0x9", gas: "0x60000" })
      expect(through.status).toBe(1)
      expect(yield* movementsOf(through.hash)).toEqual([
        moved("native", alice, outer.contract, 9n),
        moved("fee", alice, null, through.fee)
      ])
      expect(Number(yield* rpc("eth_getBalance", [carol, "latest"]))).toBe(1e22)
    }).pipe(Effect.scoped)
  )

  it.live("say which tokens were minted, transferred and burnt, and what their contracts say of them", () =>
    Effect.gen(function* () {
      const { movementsOf, rows, rpc } = yield* running()
      const tokenMoves = (hash: string) =>
        Effect.map(movementsOf(hash), (all) => all.filter(({ kind }) => kind !== "fee"))
      const made = yield* deployFungible(rpc, { decimals: 6, supply: 1_000_000n })
      const token = made.contract
      expect(yield* tokenMoves(made.hash)).toEqual([moved("fungible", null, alice, 1_000_000n, token)])
      const sent = yield* callContract(rpc, token, "transfer", [bob, 400n])
      expect(yield* tokenMoves(sent.hash)).toEqual([moved("fungible", alice, bob, 400n, token)])
      const burnt = yield* callContract(rpc, token, "burn", [1n])
      expect(yield* tokenMoves(burnt.hash)).toEqual([moved("fungible", alice, null, 1n, token)])

      const nft = yield* deployCollection(rpc)
      const minted = yield* callContract(rpc, nft.contract, "mintWithTokenURI", [bob, 2n ** 200n, "ipfs://x"])
      const id = String(2n ** 200n)
      expect(yield* tokenMoves(minted.hash)).toEqual([moved("nft", null, bob, 1n, nft.contract, id)])

      const multi = yield* deployMultitoken(rpc, "ipfs://{id}")
      const batch = yield* callContract(rpc, multi.contract, "mintBatch", [
        carol,
        [1n, 2n, 3n],
        [10n, 0n, 30n],
        "0x"
      ])
      expect(yield* tokenMoves(batch.hash)).toEqual([
        moved("multitoken", null, carol, 10n, multi.contract, "1"),
        moved("multitoken", null, carol, 0n, multi.contract, "2"),
        moved("multitoken", null, carol, 30n, multi.contract, "3")
      ])
      const single = yield* callContract(
        rpc,
        multi.contract,
        "safeTransferFrom",
        [carol, bob, 3n, 4n, "0x"],
        {
          from: carol
        }
      )
      expect(yield* tokenMoves(single.hash)).toEqual([
        moved("multitoken", carol, bob, 4n, multi.contract, "3")
      ])
      expect(
        yield* rows(Token, "SELECT token, block, kind, name, symbol, decimals FROM tokens ORDER BY block")
      ).toEqual([
        { token, block: made.block, kind: "fungible", name: "My Token", symbol: "MTK", decimals: 6 },
        {
          token: nft.contract,
          block: minted.block,
          kind: "nft",
          name: "Bored",
          symbol: "BAYC",
          decimals: null
        },
        {
          token: multi.contract,
          block: batch.block,
          kind: "multitoken",
          name: null,
          symbol: null,
          decimals: null
        }
      ])
    }).pipe(Effect.scoped)
  )

  it.live("have logs that only claim to be transfers as events alone", () =>
    Effect.gen(function* () {
      const { movementsOf, rows, rpc } = yield* running()
      const logs = [
        makeLoggingCode([topics.transfer]),
        makeLoggingCode([topics.transfer, word(alice), word(bob)]),
        makeLoggingCode([topics.batch, word(alice), word(alice), word(bob)], [word(64n), word(2n ** 255n)]),
        makeLoggingCode([topics.transfer, word(0n), word(0n)], [word(1n)])
      ]
      for (const data of logs) {
        const { contract, fee, hash, status } = yield* send(rpc, { data })
        expect(status).toBe(1)
        expect(yield* movementsOf(hash)).toEqual([moved("fee", alice, null, fee)])
        const events = yield* rows(Event, "SELECT hash, address, topic_0 FROM events ORDER BY block")
        expect(events.at(-1)).toMatchObject({ hash, address: contract })
      }
      // what has no contract behind it has no name either
      const named = yield* send(rpc, {
        data: makeLoggingCode([topics.transfer, word(alice), word(bob)], [word(5n)])
      })
      expect(yield* movementsOf(named.hash)).toEqual([
        moved("fungible", alice, bob, 5n, named.contract),
        moved("fee", alice, null, named.fee)
      ])
      expect(
        yield* rows(Token, "SELECT token, block, kind, name, symbol, decimals FROM tokens")
      ).toMatchObject([{ token: named.contract, name: null, symbol: null, decimals: null }])
    }).pipe(Effect.scoped)
  )

  it.live("go with the branch that they are on, and come with the other, once each", () =>
    Effect.gen(function* () {
      const { fresh, movementsOf, rows, rpc } = yield* running()
      const hashesOf = (table: string) =>
        Effect.zipRight(
          fresh,
          rows(Schema.Struct({ hash: Schema.String }), `SELECT hash FROM ${table} ORDER BY block`)
        )
      const kept = yield* deployFungible(rpc, { decimals: 18, supply: 5n })
      const snapshot = yield* rpc("evm_snapshot", [])
      const lost = yield* callContract(rpc, kept.contract, "transfer", [bob, 2n])
      const gone = yield* deployFungible(rpc, { decimals: 2, supply: 7n })
      expect(yield* movementsOf(lost.hash)).toHaveLength(2)
      yield* fresh
      yield* rpc("evm_revert", [snapshot])
      // the same address as the token that is gone, and something else
      yield* send(rpc, { to: bob, value: "0x1" })
      const nft = yield* deployCollection(rpc)
      expect(nft.contract).toBe(gone.contract)
      const minted = yield* callContract(rpc, nft.contract, "mintWithTokenURI", [bob, 1n, ""])
      expect(yield* movementsOf(lost.hash)).toEqual([])
      expect(yield* movementsOf(gone.hash)).toEqual([])
      expect(yield* movementsOf(minted.hash)).toHaveLength(2)
      const tokens = yield* rows(
        Token,
        "SELECT token, block, kind, name, symbol, decimals FROM tokens ORDER BY block"
      )
      expect(tokens.map(({ kind, symbol, token }) => [token, kind, symbol])).toEqual([
        [kept.contract, "fungible", "MTK"],
        [nft.contract, "nft", "BAYC"]
      ])

      const before = yield* hashesOf("blocks")
      const raw = { from: alice, to: carol, value: "0x3", gas: "0x5208" }
      yield* rpc("anvil_reorg", [2, [[raw, 0]]])
      const after = yield* hashesOf("blocks")
      expect(after).toHaveLength(before.length)
      expect(after.slice(0, -2)).toEqual(before.slice(0, -2))
      expect(after.slice(-2)).not.toEqual(before.slice(-2))
      expect(yield* movementsOf(minted.hash)).toEqual([])
      const moves = yield* rows(
        Movement,
        "SELECT kind, hash, sender, receiver, amount, token, token_id FROM movements WHERE kind = 'native' ORDER BY block"
      )
      expect(moves.map(({ amount, receiver }) => [receiver, amount])).toEqual([
        [bob, "1"],
        [carol, "3"]
      ])
      const head = yield* rpc("eth_getBlockByNumber", ["latest", false])
      expect(head).toMatchObject({ hash: after.at(-1)?.hash })
    }).pipe(Effect.scoped)
  )

  it.live("are read where the node has no traces, which is found out once", () =>
    Effect.gen(function* () {
      let traces = 0
      const { movementsOf, rpc } = yield* running((rpc) => (method, params) => {
        if (method !== "trace_block") return rpc(method, params)
        traces++
        return new SandboxError({ reason: "chain", message: "the method does not exist" })
      })
      const { contract } = yield* deployForwarder(rpc, carol)
      const through = yield* send(rpc, { to: contract, value: "0x5" })
      expect(yield* movementsOf(through.hash)).toEqual([
        moved("native", alice, contract, 5n),
        moved("fee", alice, null, through.fee)
      ])
      const asked = traces
      const again = yield* send(rpc, { to: contract, value: "0x5" })
      expect(yield* movementsOf(again.hash)).toHaveLength(2)
      expect(traces).toBe(asked)
    }).pipe(Effect.scoped)
  )

  it.live("come in at more than 300 a second where they are empty", () =>
    Effect.gen(function* () {
      const { url } = yield* Anvil.start({ chainId: 1 })
      const rpc = rpcAt(url)
      yield* rpc("anvil_mine", ["0x3e8"])
      // a busy machine answers later: the node alone is the measure
      const asked = performance.now()
      for (let i = 0; i < 200; i++) yield* rpc("eth_getBlockByNumber", [`0x${i.toString(16)}`, true])
      const bare = (performance.now() - asked) * 5
      const started = performance.now()
      const { fresh, rows } = yield* following(makeReader(rpc))
      yield* fresh
      const took = performance.now() - started
      console.log(`1000 empty blocks in ${Math.round(took)} ms, the node alone ${Math.round(bare)} ms`)
      const [count] = yield* rows(
        Schema.Struct({ count: Schema.Number }),
        "SELECT COUNT(*) AS count FROM blocks"
      )
      expect(count?.count).toBe(1_001)
      expect(took).toBeLessThan(Math.max(3_000, 4 * bare))
    }).pipe(Effect.scoped)
  )
})
