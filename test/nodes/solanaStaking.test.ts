/** Staking on a real node of Solana: its stake program takes what is delegated, split, taken back and withdrawn. */
// @covers staking on Surfpool: solana
import { Buffer } from "node:buffer"
import * as kit from "@solana/kit"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { signer } from "../../src/entries/signers/Solana.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import * as Surfpool from "../../src/sandbox/nodes/Surfpool.js"
import { prepareStaking, type StakingRequest } from "../../src/staking.js"
import { nodeLimits } from "../nodeLimits.js"
import { refusal, take } from "../results.js"
import { requireBinary } from "./process.js"

const surfpool = requireBinary("surfpool", "staking on Solana on a real node")

const mnemonic = "test test test test test test test test test test test junk"
const once = { confirmations: 1 }
const STAKE_RENT = 2_282_880n
const SOL = 1_000_000_000n

const reasonOf = async (call: ReturnType<typeof prepareStaking>): Promise<string> =>
  String(Object(await refusal(call)).message)

describe.runIf(surfpool !== undefined)("staking on Surfpool", () => {
  const scope = Effect.runSync(Scope.make())
  let node: Surfpool.SurfpoolNode
  let sdk: PromiseSdk<"solana-devnet">
  let validator: string

  const made = async (index: number) => {
    const account = take(await signer(sdk, { mnemonic, index }))
    await Effect.runPromise(node.fund(account.address, "10"))
    return account
  }
  const call = async (method: string, ...params: ReadonlyArray<unknown>) =>
    take(await sdk.rpc.rawRpcCall({ method, params }))
  const lamports = async (address: string): Promise<bigint> =>
    take(await sdk.rpc.getBalance(address, { commitment: "confirmed" })).value

  /** A validator that nobody runs: its vote account as the vote program keeps it (version 2), without a vote. */
  const putVoteAccount = async (): Promise<string> => {
    const { address } = await kit.createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(0x71))
    const own = Buffer.from(kit.getAddressEncoder().encode(address))
    const data = Buffer.concat([
      Buffer.from([2, 0, 0, 0]),
      // its node, who may withdraw, and a commission of 5 %
      ...[own, own, Buffer.from([5])],
      // no votes, and no root
      ...[Buffer.alloc(8), Buffer.alloc(1)],
      // one voter, from epoch 0 on
      ...[Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]), Buffer.alloc(8), own],
      // no earlier voters
      ...[Buffer.alloc(32 * 48), Buffer.from([31, 0, 0, 0, 0, 0, 0, 0, 1])],
      // no credits, and no time
      Buffer.alloc(8 + 16)
    ])
    await call("surfnet_setAccount", address, {
      lamports: 27_074_400,
      data: Buffer.concat([data, Buffer.alloc(3_762 - data.length)]).toString("hex"),
      owner: "Vote111111111111111111111111111111111111111",
      executable: false
    })
    return address
  }

  beforeAll(async () => {
    node = await Effect.runPromise(Scope.extend(Surfpool.start({ slotTime: 60 }), scope))
    sdk = await init({
      network: "solana-devnet",
      rpc: { nodes: [{ url: node.url }] },
      quiet: true,
      ...nodeLimits
    })
    validator = await putVoteAccount()
  })
  afterAll(async () => {
    await sdk?.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("delegates to a validator, takes a part and then all back, and withdraws it an epoch later", async () => {
    const { address, submit } = await made(1)
    const one = take(await signer(sdk, { mnemonic, index: 1 }))
    const prepare = (request: StakingRequest) => prepareStaking(sdk, one, request)
    const before = await lamports(address)
    let fees = 0n
    const run = async (request: StakingRequest) => {
      const prepared = take(await prepare(request))
      const had = await lamports(address)
      take(await submit(prepared, once))
      fees += prepared.fee
      if (request.action !== "finalize_unstake")
        // what is previewed is what the account has no more
        expect(had - (await lamports(address))).toBe(prepared.amount + prepared.fee)
      return prepared
    }
    const delegated = await run({ action: "delegate", validator, amount: "3" })
    expect(delegated).toMatchObject({
      ...{ from: address, to: validator, amount: 3n * SOL + STAKE_RENT },
      staking: { action: "delegate", amount: 3n * SOL }
    })
    const { stakeAccount = "" } = delegated.staking ?? {}
    expect(await lamports(stakeAccount)).toBe(3n * SOL + STAKE_RENT)
    expect(delegated.warnings.join(" ")).toContain(
      `The coins are in the stake account ${stakeAccount}, which is the account's, with 0.00228288 SOL`
    )
    expect(delegated.warnings.join(" ")).toContain("does not vote at present")
    // another one beside it
    const other = await run({ action: "delegate", validator, amount: 1_500_000_000n })
    expect(other.staking?.stakeAccount).not.toBe(stakeAccount)

    const part = await run({ action: "undelegate", stakeAccount, amount: "1" })
    const { stakeAccount: splitOff = "" } = part.staking ?? {}
    expect(part).toMatchObject({ to: address, amount: STAKE_RENT, staking: { amount: SOL } })
    expect([await lamports(stakeAccount), await lamports(splitOff)]).toEqual([
      2n * SOL + STAKE_RENT,
      SOL + STAKE_RENT
    ])
    expect(await reasonOf(prepare({ action: "undelegate", stakeAccount, amount: "2.000000001" }))).toContain(
      `is more than the 2 SOL that ${stakeAccount} has delegated`
    )
    for (const amount of ["0.5", "1.5"])
      expect(await reasonOf(prepare({ action: "undelegate", stakeAccount, amount }))).toContain(
        "less would be delegated than the least"
      )
    expect(await reasonOf(prepare({ action: "delegate", validator, amount: "0.5" }))).toContain(
      "less would be delegated than the least"
    )
    expect(await reasonOf(prepare({ action: "finalize_unstake", stakeAccount }))).toContain(
      "undelegate it first"
    )
    const rest = await run({ action: "undelegate", stakeAccount, amount: "all" })
    expect(rest).toMatchObject({ to: address, amount: 0n, staking: { amount: 2n * SOL, stakeAccount } })
    expect(await reasonOf(prepare({ action: "undelegate", stakeAccount, amount: "all" }))).toContain(
      "already"
    )

    const { epoch } = take(await sdk.rpc.getEpochInfo())
    await call("surfnet_timeTravel", { absoluteEpoch: Number(epoch) + 2 })
    for (const account of [stakeAccount, splitOff]) {
      const held = await lamports(account)
      expect(await run({ action: "finalize_unstake", stakeAccount: account })).toMatchObject({
        ...{ to: address, amount: 0n },
        staking: { action: "finalize_unstake", amount: held }
      })
      expect(await lamports(account)).toBe(0n)
    }
    // all is there again but for the fees, and what is delegated still
    expect(await lamports(address)).toBe(before - fees - (1_500_000_000n + STAKE_RENT))
    // the address is free again
    const next = take(await prepare({ action: "delegate", validator, amount: "all" }))
    expect(next.staking?.stakeAccount).toBe(stakeAccount)
    expect(next.amount + next.fee).toBeLessThan((await lamports(address)) - 9_000_000n)
    take(await submit(next, once))
  })

  it("is refused for what is no validator, or is somebody else's", async () => {
    const [alice, bob] = [await made(2), await made(3)]
    const own = take(await prepareStaking(sdk, alice, { action: "delegate", validator, amount: "1" }))
    take(await alice.submit(own, once))
    const { stakeAccount = "" } = own.staking ?? {}
    for (const action of ["undelegate", "finalize_unstake"] as const)
      expect(
        await reasonOf(
          prepareStaking(sdk, bob, {
            action,
            stakeAccount,
            ...(action === "undelegate" ? { amount: "all" } : {})
          })
        )
      ).toContain("and not this account")
    expect(
      await reasonOf(prepareStaking(sdk, bob, { action: "delegate", validator: alice.address, amount: "1" }))
    ).toContain("is no vote account")
    expect(
      await reasonOf(prepareStaking(sdk, bob, { action: "undelegate", stakeAccount: validator, amount: "1" }))
    ).toContain("is no stake account")
  })
})
