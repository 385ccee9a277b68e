/** Staking by the data API: recorded stakes, tables of pools, and liquid staking tokens that an address has on the chain. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { makeHttp } from "../../src/client/Sdk.js"
import { layerFetch } from "../../src/http/Http.js"
import * as Sandbox from "../../src/sandbox/Sandbox.js"
import * as Schemas from "../../src/services/Schemas.js"
import { requireBinary } from "../nodes/process.js"
import { fetchJson } from "./serve.js"
import { alice, bob, makeLoggingCode, rpcAt, send, word } from "./tokens.js"

const available = requireBinary("anvil", "staking by the data API") !== undefined

const chain = "ethereum-mainnet"
const solana = "solana-mainnet"
const holder = "So11111111111111111111111111111111111111112"
const lido = "0xae7ab96520de3a18e5e111b5eaab095312d7fe84"

/** The topic of `Transfer(address,address,uint256)`. */
const transferred = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

const sdkOf = (sandbox: Sandbox.SandboxService) => Effect.provide(makeHttp(sandbox.config(chain)), layerFetch)

describe("native staking", () => {
  it.scopedLive("is recorded, and the same for the same address", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({ networks: [] })
      const { native } = (yield* sdkOf(sandbox)).data.staking
      for (const [at, address] of [
        [chain, alice],
        [solana, holder]
      ] as const) {
        const stakes = yield* native.getAssets({ chain: at, address })
        expect(Schema.decodeUnknownSync(Schema.Array(Schemas.StakedAsset))(stakes)).toEqual(stakes)
        expect(stakes).toHaveLength(2)
        expect(yield* native.getAssets({ chain: at, address })).toEqual(stakes)
        const [first, second] = stakes
        const validator = first?.validatorPubkey ?? first?.validatorAddress ?? ""
        const same = stakes.filter((each) =>
          [each.validatorPubkey, each.validatorAddress].includes(validator)
        )
        expect(yield* native.getAssetsByValidator({ chain: at, address, validator })).toEqual({
          address,
          validator,
          amount: String(same.reduce((sum, { amount }) => sum + Number(amount), 0))
        })
        expect(yield* native.getAssetsByValidator({ chain: at, address, validator: "none" })).toMatchObject({
          amount: "0"
        })

        const rewards = yield* native.getRewards({ chain: at, address })
        expect(rewards).toHaveLength(60)
        const times = rewards.map(({ timestamp }) => Number(timestamp))
        expect(times).toEqual([...times].sort((one, other) => one - other))
        const [from = 0, to = 0] = [times[10], times[20]]
        expect(
          (yield* native.getRewards({ chain: at, address, from, to })).map(({ timestamp }) => timestamp)
        ).toEqual(times.slice(10, 21))

        const newest = [second?.txHash, first?.txHash]
        const hashes = (rows: Iterable<Readonly<Record<string, unknown>>>) =>
          [...rows].map(({ txHash }) => txHash)
        expect(hashes(yield* native.getTransactions({ chain: at, address }))).toEqual(newest)
        expect(hashes(yield* native.getTransactions({ chain: at, address, pageSize: 1, offset: 1 }))).toEqual(
          [first?.txHash]
        )
        expect(
          hashes(yield* Stream.runCollect(native.streamTransactions({ chain: at, address, pageSize: 1 })))
        ).toEqual(newest)
      }
      expect((yield* native.getAssets({ chain, address: bob }))[0]?.txHash).not.toBe(
        (yield* native.getAssets({ chain, address: alice }))[0]?.txHash
      )

      const pools = yield* native.getPools({ chain: solana })
      expect(Schema.decodeUnknownSync(Schema.Array(Schemas.StakingPool))(pools)).toEqual(pools)
      const delegated = (yield* native.getAssets({ chain: solana, address: holder })).map(
        (each) => each.validatorAddress
      )
      for (const each of delegated) expect(pools.map(({ voteIdentity }) => voteIdentity)).toContain(each)

      const route = `${sandbox.baseUrl}/v4/data/staking`
      const marked = yield* Effect.promise(() => fetch(`${route}/native/pools?chain=${solana}`))
      expect(marked.headers.get("x-sandbox-recorded")).toBe("true")
      for (const [path, part] of [
        ["native/pools?chain=ethereum-mainnet", "chain must be one of solana-mainnet"],
        [
          `native/current-assets?chain=polygon-mainnet&address=${alice}`,
          "chain must be one of solana-mainnet, ethereum-mainnet"
        ],
        [`native/current-assets?chain=${chain}&address=${holder}`, "address must be an address"],
        [`native/current-assets?chain=${solana}&address=${alice}`, "address must be an address of Solana"],
        [`native/rewards?chain=${chain}&address=${alice}&from=soon`, "from must be a time"],
        [
          `native/transactions?chain=${chain}&address=${alice}&pageSize=51`,
          "pageSize must be a whole number from 1 to 50"
        ],
        [`native/current-assets-by-validator?chain=${chain}&address=${alice}`, "validator"]
      ] as const) {
        const { body, status } = yield* fetchJson(`${route}/${path}`)
        expect([path, status, JSON.stringify(body)]).toEqual([path, 400, expect.stringContaining(part)])
      }
      // none of this has started a node
      expect(() => sandbox.network(solana)).toThrow("does not run")
    })
  )
})

describe.runIf(available)("liquid staking", () => {
  it.scopedLive("has the tokens that an address has on the chain, and the pools that they are of", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({ networks: [{ network: chain, nodes: 1, archive: 0 }] })
      const rpc = rpcAt(sandbox.network(chain).urls[0] ?? "")
      const { liquid } = (yield* sdkOf(sandbox)).data.staking
      const pools = yield* liquid.getPools({ chain })
      expect(Schema.decodeUnknownSync(Schema.Array(Schemas.LiquidStakingPool))(pools)).toEqual(pools)
      expect(pools.map(({ rank }) => rank)).toEqual([1, 2, 3])
      expect(pools.find(({ protocol }) => protocol === "lido")?.contractAddresses).toContain(lido)
      expect(
        (yield* liquid.getPools({ chain: solana })).every(({ underlying }) => underlying === "SOL")
      ).toBe(true)

      expect(yield* liquid.getAssets({ chain, address: alice })).toEqual([])
      // what the token's contract would do: it tells of three tokens that were minted
      const minting = makeLoggingCode([transferred, word(0n), word(alice)], [word(3n * 10n ** 18n)])
      yield* rpc("anvil_setCode", [lido, minting])
      yield* send(rpc, { to: lido })
      expect(yield* liquid.getAssets({ chain, address: alice })).toEqual([
        { protocol: "lido", symbol: "stETH", underlying: "ETH", contractAddress: lido, balance: "3" }
      ])
      expect(yield* liquid.getAssets({ chain, address: bob })).toEqual([])
    })
  )
})
