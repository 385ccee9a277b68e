/** Permits on anvil: a token of OpenZeppelin takes what was signed, from anybody, and nothing else. */
// @covers permits on anvil: evm
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { createTestClient, erc20Abi, getContractAddress, http, publicActions } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { mainnet } from "viem/chains"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type EvmSigner, signer } from "../../src/entries/signers/Evm.js"
import {
  type PermitRequest,
  preparePermit,
  type SignedPermit,
  signPermit,
  typedDataOf
} from "../../src/permit.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import { nodeLimits } from "../nodeLimits.js"
import { refusal, take } from "../results.js"
import { permitTokenCode } from "./permitToken.js"
import { requireBinary } from "./process.js"

const anvil = requireBinary("anvil", "permits on anvil")

const mnemonic = "test test test test test test test test test test test junk"
const spender = "0x000000000000000000000000000000000000bEEF"
const until = new Date("2099-12-31T23:59:59Z")

describe.runIf(anvil !== undefined)("permits on anvil", () => {
  const scope = Effect.runSync(Scope.make())
  let sdk: PromiseSdk<"ethereum-mainnet">
  let url = ""
  let token: `0x${string}` = "0x"
  let owner: EvmSigner
  /** Whoever sends the permit: it is not the owner who pays for that. */
  let other: EvmSigner
  const chain = () =>
    createTestClient({ mode: "anvil", chain: mainnet, transport: http(url), cacheTime: 0 }).extend(
      publicActions
    )
  const allowance = () =>
    chain().readContract({
      address: token,
      abi: erc20Abi,
      functionName: "allowance",
      args: [owner.address, spender]
    })
  const balance = (of: string) =>
    chain().readContract({
      address: token,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [of as `0x${string}`]
    })
  const prepare = async (request: Partial<PermitRequest> = {}) =>
    take(await preparePermit(sdk, { owner: owner.address, token, spender, amount: "2.5", until, ...request }))
  const sendCall = ({ call }: SignedPermit) => other.sendTransaction({ ...call, confirmations: 1 })

  beforeAll(async () => {
    url = (await Effect.runPromise(Scope.extend(Anvil.start({ chainId: 1, accounts: 3 }), scope))).url
    sdk = await init({ network: "ethereum-mainnet", rpc: { nodes: [{ url }] }, quiet: true, ...nodeLimits })
    owner = take(await signer(sdk, { mnemonic }))
    other = take(await signer(sdk, { mnemonic, index: 1 }))
    const amount = 10_000_000n.toString(16).padStart(64, "0")
    const { prepared } = take(
      await owner.sendTransaction({ data: `${permitTokenCode}${amount}`, confirmations: 1 })
    )
    token = getContractAddress({
      from: owner.address,
      nonce: BigInt(prepared.transaction.nonce ?? 0)
    })
  })
  afterAll(async () => {
    await sdk.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("let somebody take the amount after anybody has sent them (ERC-2612)", async () => {
    const prepared = await prepare()
    expect(prepared).toMatchObject({
      standard: "ERC-2612",
      amount: 2_500_000n,
      domain: { name: "Permit Token", version: "1" },
      outgoing: [],
      warnings: [
        `It lets ${spender} take up to 2.5 eip155:1/erc20:${token} until 2099-12-31T23:59:59.000Z, without a transaction of the account.`
      ]
    })
    const signed = take(await signPermit(sdk, owner, prepared))
    expect(await allowance()).toBe(0n)
    take(await sendCall(signed))
    expect(await allowance()).toBe(2_500_000n)
    // its nonce is used
    expect(await refusal(signPermit(sdk, owner, prepared))).toMatchObject({
      _tag: "SigningFailed",
      reason: expect.stringContaining(token)
    })
    const next = await prepare({ amount: 2n ** 256n - 1n })
    expect(next.nonce).toBe(prepared.nonce + 1n)
    expect(next.warnings[0]).toContain("take any amount of")
    take(await sendCall(take(await signPermit(sdk, owner, next))))
    expect(await allowance()).toBe(2n ** 256n - 1n)
  })

  it("pay once (ERC-3009)", async () => {
    const prepared = await prepare({ standard: "ERC-3009", amount: "1" })
    expect(prepared.outgoing).toMatchObject([{ token, amount: "1", units: 1_000_000n, symbol: "PRM" }])
    expect(prepared.warnings[0]).toContain(`Whoever has it can pay ${spender} 1 `)
    const signed = take(await signPermit(sdk, owner, prepared))
    const before = await balance(spender)
    take(await sendCall(signed))
    expect((await balance(spender)) - before).toBe(1_000_000n)
    expect(await refusal(sendCall(signed))).toMatchObject({ _tag: "RpcError" })
    // another one at the same time has another nonce
    const [one, two] = await Promise.all([
      prepare({ standard: "ERC-3009", amount: 1n }),
      prepare({ standard: "ERC-3009", amount: 1n })
    ])
    expect(one.nonce).not.toBe(two.nonce)
    for (const each of [two, one]) take(await sendCall(take(await signPermit(sdk, owner, each))))
    // more than the account has is signed by nobody
    const most = await prepare({ standard: "ERC-3009", amount: (await balance(owner.address)) + 1n })
    expect(await refusal(signPermit(sdk, owner, most))).toMatchObject({ _tag: "SigningFailed" })
  })

  it("are over after their last second", async () => {
    const { timestamp } = await chain().getBlock()
    for (const standard of ["ERC-2612", "ERC-3009"] as const) {
      const last = timestamp + 100_000n
      const signed = take(await signPermit(sdk, owner, await prepare({ standard, until: last, amount: 1n })))
      const tryAt = async (time: bigint) => {
        const snapshot = await chain().snapshot()
        await chain().setNextBlockTimestamp({ timestamp: time })
        await chain().mine({ blocks: 1 })
        const outcome = await chain()
          .call({ to: signed.call.to, data: signed.call.data })
          .then(
            () => "taken",
            () => "refused"
          )
        await chain().revert({ id: snapshot })
        return outcome
      }
      expect([await tryAt(last), await tryAt(last + 1n)], standard).toEqual(["taken", "refused"])
    }
  })

  it("are the typed data that viem signs", async () => {
    const key = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"
    const account = privateKeyToAccount(key)
    expect(account.address).toBe(other.address)
    take(await owner.sendToken({ token, to: other.address, amount: 5n, confirmations: 1 }))
    for (const standard of ["ERC-2612", "ERC-3009"] as const) {
      const prepared = await prepare({ owner: other.address, standard, amount: 1n })
      const { signature } = take(await signPermit(sdk, other, prepared))
      const typedData = take(await typedDataOf(prepared))
      expect(signature).toBe(await account.signTypedData(typedData as never))
    }
  })

  it("are refused for another account, and for tokens that take none", async () => {
    const prepared = await prepare()
    expect(await refusal(signPermit(sdk, other, prepared))).toMatchObject({
      _tag: "InvalidArgument",
      reason: expect.stringContaining(other.address)
    })
    const request = { owner: owner.address, token, spender, amount: "1", until }
    expect(await refusal(preparePermit(sdk, { ...request, token: spender, decimals: 6 }))).toMatchObject({
      _tag: "InvalidArgument",
      reason: expect.stringContaining("takes no permits")
    })
    expect(
      await refusal(preparePermit(sdk, { ...request, domain: { name: "Another", version: "1" } }))
    ).toMatchObject({ _tag: "InvalidArgument", reason: expect.stringContaining("pass its domain") })
    expect(await refusal(preparePermit(sdk, { ...request, standard: "Permit2" }))).toMatchObject({
      _tag: "InvalidArgument",
      reason: expect.stringContaining("0x000000000022D473030F116dDEE9F6B43aC78BA3")
    })
  })
})
