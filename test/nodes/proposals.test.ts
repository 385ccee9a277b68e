/** Proposals of a Safe on anvil: the contracts of Safe take what its owners have signed, and nothing else. */
// @covers proposals on anvil: evm
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as fc from "fast-check"
import {
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  type Hex,
  hashTypedData,
  http,
  parseAbi,
  publicActions,
  walletActions
} from "viem"
import { mnemonicToAccount } from "viem/accounts"
import { mainnet } from "viem/chains"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type EvmSigner, signer } from "../../src/entries/signers/Evm.js"
import { policy } from "../../src/policy.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import {
  approve,
  execute,
  inspect,
  merge,
  type Proposal,
  type ProposalRequest,
  propose
} from "../../src/proposal.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import { nodeLimits } from "../nodeLimits.js"
import { refusal, take } from "../results.js"
import { permitTokenCode } from "./permitToken.js"
import { requireBinary } from "./process.js"

const anvil = requireBinary("anvil", "proposals on anvil")
const safeFile = requireBinary("safe", "proposals on anvil")

/** A contract of Safe as its makers have compiled it: an account is a proxy, whose constructor takes the singleton as one word. */
const readCode = (path: string): Hex => {
  const { bytecode }: { readonly bytecode: Hex } = JSON.parse(
    readFileSync(new URL(path, `file://${safeFile}`), "utf8")
  )
  return bytecode
}

const mnemonic = "test test test test test test test test test test test junk"
const receiver = "0x000000000000000000000000000000000000bEEF"
const NOBODY = "0x0000000000000000000000000000000000000000"

const safeAbi = parseAbi([
  "function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)",
  "function approveHash(bytes32 hash)",
  "function nonce() view returns (uint256)",
  "function addOwnerWithThreshold(address owner, uint256 threshold)",
  "function enableModule(address module)",
  "function setGuard(address guard)",
  "function getTransactionHash(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce) view returns (bytes32)"
])

describe.runIf(anvil !== undefined && safeFile !== undefined)("proposals of a Safe", () => {
  const scope = Effect.runSync(Scope.make())
  let sdk: PromiseSdk<"ethereum-mainnet">
  let url = ""
  let token: Hex = "0x"
  let safe: Hex = "0x"
  let singleton: Hex = "0x"
  let owners: ReadonlyArray<EvmSigner>
  /** Whoever executes: no owner. */
  let sender: EvmSigner
  let snapshot: Hex = "0x"
  const chain = () =>
    createTestClient({ mode: "anvil", chain: mainnet, transport: http(url), cacheTime: 0 })
      .extend(publicActions)
      .extend(walletActions)
  const ownerAt = (i: number): EvmSigner => {
    const owner = owners[i]
    if (owner === undefined) throw new Error(`there is no owner ${i}`)
    return owner
  }
  const deploy = async (data: Hex): Promise<Hex> => {
    const { prepared } = take(await sender.sendTransaction({ data, confirmations: 1 }))
    return getContractAddress({ from: sender.address, nonce: BigInt(prepared.transaction.nonce ?? 0) })
  }
  const word = (value: string | bigint): string =>
    (typeof value === "bigint" ? value.toString(16) : value.slice(2)).padStart(64, "0")
  const makeSafe = async (members: ReadonlyArray<Hex>, threshold: number): Promise<Hex> => {
    const made = await deploy(`${readCode("../proxies/SafeProxy.sol/SafeProxy.json")}${word(singleton)}`)
    const data = encodeFunctionData({
      abi: safeAbi,
      functionName: "setup",
      args: [members, BigInt(threshold), NOBODY, "0x", NOBODY, NOBODY, 0n, NOBODY]
    })
    take(await sender.sendTransaction({ to: made, data, confirmations: 1 }))
    return made
  }
  const newSigners = async (count: number, from = 0) =>
    Promise.all(
      Array.from({ length: count }, async (_, i) => take(await signer(sdk, { mnemonic, index: from + i })))
    )
  /** A call of the Safe by itself, as its owners could decide. */
  const callAsSafe = async (functionName: string, args: ReadonlyArray<unknown>) => {
    await chain().impersonateAccount({ address: safe })
    await chain().setBalance({ address: safe, value: 10n ** 19n })
    const hash = await chain().sendTransaction({
      account: safe,
      to: safe,
      data: encodeFunctionData({ abi: safeAbi, functionName, args } as never)
    })
    await chain().waitForTransactionReceipt({ hash })
    await chain().stopImpersonatingAccount({ address: safe })
  }
  const balanceOf = (address: string): Promise<bigint> => chain().getBalance({ address: address as Hex })
  const tokensOf = (address: string): Promise<bigint> =>
    chain().readContract({
      address: token,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [address as Hex]
    })
  const nonceOf = (): Promise<bigint> =>
    chain().readContract({ address: safe, abi: safeAbi, functionName: "nonce" })
  const proposeOne = async (request: Partial<ProposalRequest> = {}): Promise<Proposal> =>
    take(await propose(sdk, { from: safe, to: receiver, amount: "1.5", ...request }))
  const approveBy = async (proposal: Proposal, ...members: ReadonlyArray<number>): Promise<Proposal> => {
    let approved = proposal
    for (const i of members) approved = take(await approve(sdk, ownerAt(i), approved))
    return approved
  }
  /** What arrives when a proposal is sent as text. */
  const travel = (proposal: Proposal): Proposal => JSON.parse(JSON.stringify(proposal))

  beforeAll(async () => {
    url = (await Effect.runPromise(Scope.extend(Anvil.start({ chainId: 1, accounts: 6 }), scope))).url
    sdk = await init({ network: "ethereum-mainnet", rpc: { nodes: [{ url }] }, quiet: true, ...nodeLimits })
    owners = await newSigners(3, 1)
    sender = take(await signer(sdk, { mnemonic }))
    singleton = await deploy(readCode("Safe.json"))
    safe = await makeSafe(
      owners.map(({ address }) => address),
      2
    )
    token = await deploy(`${permitTokenCode as Hex}${word(10_000_000n)}`)
    take(await sender.sendToken({ token, to: safe, amount: 5_000_000n, confirmations: 1 }))
    take(await sender.send({ to: safe, amount: "10", confirmations: 1 }))
    snapshot = await chain().snapshot()
  })
  beforeEach(async () => {
    await chain().revert({ id: snapshot })
    snapshot = await chain().snapshot()
    // they keep nonces, which the chain has lost
    owners = await newSigners(3, 1)
    sender = take(await signer(sdk, { mnemonic }))
  })
  afterAll(async () => {
    await sdk.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("pay in coins once two of three owners have approved", async () => {
    const proposal = await proposeOne()
    expect(proposal).toMatchObject({
      version: 1,
      network: "ethereum-mainnet",
      account: safe,
      threshold: 2,
      signatures: [],
      preview: {
        to: receiver,
        amount: "1500000000000000000",
        fee: "0",
        outgoing: [{ asset: "ETH", amount: "1.5" }],
        warnings: []
      }
    })
    expect(new Set(proposal.members)).toEqual(new Set(owners.map(({ address }) => ({ address, weight: 1 }))))
    const first = travel(await approveBy(proposal, 0))
    expect(take(await inspect(sdk, first))).toMatchObject({
      status: "pending",
      approvals: [ownerAt(0).address],
      weight: 1,
      threshold: 2
    })
    const early = await refusal(execute(sdk, first, { signer: sender }))
    expect(early).toMatchObject({ _tag: "InvalidArgument", call: "execute" })
    expect(String(early)).toContain("weigh 1 of 2")
    expect(String(early)).toContain(ownerAt(1).address)
    const both = travel(await approveBy(first, 2))
    expect(take(await inspect(sdk, both))).toMatchObject({
      status: "ready",
      missing: [ownerAt(1).address],
      weight: 2
    })
    const before = await balanceOf(receiver)
    const sent = take(await execute(sdk, both, { signer: sender, confirmations: 1 }))
    expect((await balanceOf(receiver)) - before).toBe(1_500_000_000_000_000_000n)
    expect(take(await inspect(sdk, both))).toMatchObject({ status: "executed", hash: sent.hash })
    const again = await refusal(execute(sdk, both, { signer: sender }))
    expect(String(again)).toContain(`executed already, by the transaction ${sent.hash}`)
    expect(String(await refusal(approve(sdk, ownerAt(1), both)))).toContain("executed already")
    expect((await balanceOf(receiver)) - before).toBe(1_500_000_000_000_000_000n)
  })

  it("pay in tokens, and everything that the account has", async () => {
    const proposal = await proposeOne({ token, amount: "2.5" })
    expect(proposal.preview).toMatchObject({
      to: receiver,
      token,
      amount: "2500000",
      outgoing: [{ token, symbol: "PRM", amount: "2.5", units: "2500000", decimals: 6 }]
    })
    take(await execute(sdk, travel(await approveBy(proposal, 1, 2)), { signer: sender, confirmations: 1 }))
    expect([await tokensOf(receiver), await tokensOf(safe)]).toEqual([2_500_000n, 2_500_000n])
    for (const request of [{ token, amount: "all" }, { amount: "all" }]) {
      const rest = await approveBy(await proposeOne(request), 0, 1)
      take(await execute(sdk, rest, { signer: sender, confirmations: 1 }))
    }
    expect([await tokensOf(receiver), await tokensOf(safe)]).toEqual([5_000_000n, 0n])
    expect(await balanceOf(safe)).toBe(0n)
  })

  it("are signed as viem and the contract hash them", async () => {
    const account = mnemonicToAccount(mnemonic, { addressIndex: 1 })
    for (const request of [{}, { token, amount: 7n }, { nonce: 4 }]) {
      const proposal = await proposeOne(request)
      const typedData = JSON.parse(proposal.payload)
      const { message } = typedData
      expect(hashTypedData(typedData)).toBe(proposal.id)
      expect(
        await chain().readContract({
          address: safe,
          abi: safeAbi,
          functionName: "getTransactionHash",
          args: [
            message.to,
            BigInt(message.value),
            message.data,
            0,
            0n,
            0n,
            0n,
            NOBODY,
            NOBODY,
            BigInt(message.nonce)
          ]
        })
      ).toBe(proposal.id)
      expect((await approveBy(proposal, 0)).signatures).toEqual([
        { member: account.address, signature: await account.signTypedData(typedData) }
      ])
    }
  })

  it("take approvals on the chain, and signatures of eth_sign", async () => {
    const proposal = await proposeOne()
    // a message that a wallet has signed, whose v the contract tells apart
    const account = mnemonicToAccount(mnemonic, { addressIndex: 2 })
    const signed = await account.signMessage({ message: { raw: proposal.id as Hex } })
    const v = Number.parseInt(signed.slice(130), 16) + 4
    const withMessage: Proposal = {
      ...proposal,
      signatures: [{ member: account.address, signature: `${signed.slice(0, 130)}${v.toString(16)}` }]
    }
    take(
      await ownerAt(0).sendTransaction({
        to: safe,
        data: encodeFunctionData({ abi: safeAbi, functionName: "approveHash", args: [proposal.id as Hex] }),
        confirmations: 1
      })
    )
    expect(take(await inspect(sdk, proposal))).toMatchObject({
      status: "pending",
      approvals: [ownerAt(0).address]
    })
    expect(take(await inspect(sdk, withMessage))).toMatchObject({ status: "ready", weight: 2 })
    // it has approved there: nothing is signed
    expect(take(await approve(sdk, ownerAt(0), withMessage))).toEqual(withMessage)
    const before = await balanceOf(receiver)
    take(await execute(sdk, withMessage, { signer: sender, confirmations: 1 }))
    expect((await balanceOf(receiver)) - before).toBe(1_500_000_000_000_000_000n)
  })

  it("have an owner that is a contract approve on the chain", async () => {
    const outer = await makeSafe([ownerAt(0).address, safe], 2)
    take(await sender.send({ to: outer, amount: "1", confirmations: 1 }))
    const proposal = await approveBy(await proposeOne({ from: outer, amount: "0.25" }), 0)
    const contractSigned = { member: safe, signature: `0x${word(safe)}${word(65n)}00` }
    expect(
      String(
        await refusal(inspect(sdk, { ...proposal, signatures: [...proposal.signatures, contractSigned] }))
      )
    ).toContain("EIP-1271")
    await chain().impersonateAccount({ address: safe })
    const hash = await chain().sendTransaction({
      account: safe,
      to: outer,
      data: encodeFunctionData({ abi: safeAbi, functionName: "approveHash", args: [proposal.id as Hex] })
    })
    await chain().waitForTransactionReceipt({ hash })
    take(await execute(sdk, proposal, { signer: sender, confirmations: 1 }))
    expect(await balanceOf(outer)).toBe(750_000_000_000_000_000n)
  })

  it("are executed in the order of their nonces, and one with a used nonce never", async () => {
    const first = await approveBy(await proposeOne({ amount: "1" }), 0, 1)
    const second = await approveBy(await proposeOne({ amount: "2", nonce: 1 }), 0, 1)
    const other = await approveBy(await proposeOne({ amount: "3" }), 0, 1)
    expect(take(await inspect(sdk, second))).toMatchObject({ status: "queued", weight: 2 })
    expect(String(await refusal(execute(sdk, second, { signer: sender })))).toContain("next one is 0")
    take(await execute(sdk, first, { signer: sender, confirmations: 1 }))
    const late = take(await inspect(sdk, other))
    expect(late).toMatchObject({ status: "void", reason: expect.stringContaining("used the nonce 0") })
    expect(String(await refusal(execute(sdk, other, { signer: sender })))).toContain("no longer be executed")
    expect(String(await refusal(approve(sdk, ownerAt(2), other)))).toContain("no longer be executed")
    take(await execute(sdk, second, { signer: sender, confirmations: 1 }))
    expect(await nonceOf()).toBe(2n)
    expect(await refusal(propose(sdk, { from: safe, to: receiver, amount: "1", nonce: 1 }))).toMatchObject({
      _tag: "InvalidArgument",
      reason: expect.stringContaining("at least 2")
    })
  })

  it("warn of guards and modules", async () => {
    await callAsSafe("enableModule", [sender.address])
    expect((await proposeOne()).preview.warnings).toEqual([
      `The account has modules, which can pay from it without its owners: ${sender.address}.`
    ])
    const proposal = await proposeOne()
    // the token is no guard, but only its address is read
    await chain().setStorageAt({
      address: safe,
      index: "0x4a204f620c8c5ccdca3fd54d003badd85ba500436a431f0cbda4f558c93c34c8",
      value: `0x${word(token)}`
    })
    expect(take(await inspect(sdk, proposal)).warnings[0]).toContain(`has a guard, ${token}`)
  })

  it("are void after owners or threshold have changed, or if they lie about them", async () => {
    const proposal = await approveBy(await proposeOne(), 0, 1)
    const lies: ReadonlyArray<readonly [Partial<Proposal>, string]> = [
      [{ threshold: 1 }, "threshold: the proposal says 1, and the account takes 2"],
      [
        { members: [...proposal.members, { address: sender.address, weight: 1 }] },
        `members: the proposal says`
      ],
      [{ members: proposal.members.map((each) => ({ ...each, weight: 2 })) }, "members:"]
    ]
    for (const [lie, words] of lies) {
      const told = { ...proposal, ...lie }
      expect(take(await inspect(sdk, told))).toMatchObject({
        status: "void",
        reason: expect.stringContaining(words)
      })
      expect(String(await refusal(execute(sdk, told, { signer: sender })))).toContain(words)
    }
    await callAsSafe("addOwnerWithThreshold", [sender.address, 3n])
    expect(take(await inspect(sdk, proposal))).toMatchObject({
      status: "void",
      reason: expect.stringContaining("the account takes 3")
    })
    expect(String(await refusal(execute(sdk, proposal, { signer: sender })))).toContain("takes 3")
  })

  it("are refused if they show one thing and would sign another, by the name of the field", async () => {
    const proposal = await approveBy(await proposeOne({ token, amount: "2.5" }), 0, 1)
    const { preview } = proposal
    const [paid] = preview.outgoing
    if (paid === undefined) throw new Error("nothing is paid")
    const changed = (
      change: (data: { message: Record<string, unknown>; domain: Record<string, unknown> }) => void
    ) => {
      const data = JSON.parse(proposal.payload)
      change(data)
      return { payload: JSON.stringify(data) }
    }
    const withMessage = (field: string, value: unknown) =>
      changed(({ message }) => {
        message[field] = value
      })
    const other = await proposeOne({ token, amount: "2" })
    const tampered: ReadonlyArray<readonly [Partial<Proposal> | object, string]> = [
      [{ preview: { ...preview, to: sender.address } }, "to: "],
      [{ preview: { ...preview, amount: "1" } }, "amount: "],
      [{ preview: { ...preview, fee: "1" } }, "fee: "],
      [{ preview: { ...preview, token: safe } }, "token: "],
      [{ preview: { ...preview, memo: "rent" } }, "memo: "],
      [{ preview: { ...preview, outgoing: [{ ...paid, amount: "0.0000025", decimals: 12 }] } }, "outgoing: "],
      [{ preview: { ...preview, outgoing: [] } }, "outgoing: "],
      [{ account: sender.address }, "account: "],
      [{ expires: "2099-01-01T00:00:00.000Z" }, "expires: "],
      [{ payload: other.payload }, "id: "],
      [{ payload: other.payload, id: other.id }, "amount: "],
      [{ payload: other.payload, id: other.id, preview: other.preview }, "signatures[0]: "],
      [withMessage("operation", "1"), "payload: operation must be 0"],
      [withMessage("gasPrice", "1"), "payload: gasPrice must be 0"],
      [withMessage("baseGas", "1"), "payload: baseGas must be 0"],
      [withMessage("safeTxGas", "1"), "payload: safeTxGas must be 0"],
      [withMessage("gasToken", token), "payload: gasToken must be the zero address"],
      [withMessage("refundReceiver", sender.address), "payload: refundReceiver must be"],
      [withMessage("value", "1"), "payload: data is neither empty"],
      [withMessage("data", "0x095ea7b3"), "payload: data is neither empty"],
      [withMessage("nonce", 0), "payload: nonce must be"],
      [withMessage("extra", "0"), "payload: it has more"],
      [
        changed(({ domain }) => {
          domain.chainId = 5
        }),
        "payload: it is for the chain 5"
      ],
      [{ payload: "{" }, "payload: "],
      [{ version: 2 }, "version: it must be 1"],
      [{ network: "polygon-mainnet" }, "network: "],
      [{ note: "pay soon" }, "note: a proposal has no such field"],
      [{ threshold: "2" }, "threshold: it must be"],
      [{ members: [{ address: 1 }] }, "members: it must be"],
      [{ signatures: [{ member: ownerAt(0).address }] }, "signatures: it must be"],
      [{ preview: { ...preview, warnings: undefined } }, "preview: it must be"]
    ]
    for (const [change, words] of tampered) {
      const told = { ...proposal, ...change } as Proposal
      for (const call of [
        () => inspect(sdk, told),
        () => approve(sdk, ownerAt(2), told),
        () => execute(sdk, told, { signer: sender })
      ]) {
        const error = await refusal<unknown, Error>(call())
        expect(error, words).toMatchObject({ _tag: "InvalidArgument" })
        expect((error as { readonly reason: string }).reason, words).toContain(words)
      }
    }
    expect(await nonceOf()).toBe(0n)
  })

  it("count each owner once, and nobody else", async () => {
    const proposal = await approveBy(await proposeOne(), 0)
    const [own] = proposal.signatures
    if (own === undefined) throw new Error("nobody has signed")
    const doubled: Proposal = { ...proposal, signatures: [own, own] }
    expect(take(await inspect(sdk, doubled))).toMatchObject({ status: "pending", weight: 1 })
    expect(take(await approve(sdk, ownerAt(0), doubled)).signatures).toEqual([own])
    expect(await refusal(approve(sdk, sender, proposal))).toMatchObject({
      _tag: "InvalidArgument",
      reason: expect.stringContaining("is no member")
    })
    const wrong: ReadonlyArray<readonly [string, string, string]> = [
      [sender.address, own.signature, "is no member"],
      [ownerAt(1).address, own.signature, "it is not the signature of"],
      [ownerAt(1).address, "0x", "it is not the signature of"],
      [ownerAt(1).address, `0x${word(ownerAt(1).address)}${word(0n)}01`, "read there"]
    ]
    for (const [member, signature, words] of wrong)
      expect(
        String(await refusal(inspect(sdk, { ...proposal, signatures: [own, { member, signature }] })))
      ).toContain(words)
  })

  it("ask the policy of the signer with the payment", async () => {
    const limited = take(
      await policy({
        limits: [{ network: "ethereum-mainnet", amount: "1" }],
        recipients: { "ethereum-mainnet": [receiver] }
      })
    )
    const guarded = take(await signer(sdk, { mnemonic, index: 1, policy: limited }))
    expect(await refusal(approve(sdk, guarded, await proposeOne()))).toMatchObject({
      _tag: "PolicyDenied",
      rule: "limit"
    })
    expect(
      await refusal(approve(sdk, guarded, await proposeOne({ amount: "0.5", to: sender.address })))
    ).toMatchObject({ _tag: "PolicyDenied", rule: "recipient" })
    const small = take(await approve(sdk, guarded, await proposeOne({ amount: "0.5" })))
    expect(small.signatures).toHaveLength(1)
  })

  it("are signed by a signer alone only as they are shown", async () => {
    const transaction = { chainId: 1, safe, to: receiver, value: 5n, nonce: 0n } as const
    const prepared = {
      network: "ethereum-mainnet",
      from: safe,
      to: receiver,
      amount: 5n,
      fee: 0n,
      outgoing: [],
      warnings: [],
      transaction
    } as const
    const { signature } = take(await ownerAt(0).cosign(prepared))
    expect(signature).toBe((await approveBy(await proposeOne({ amount: 5n }), 0)).signatures[0]?.signature)
    const wrong: ReadonlyArray<readonly [object, string]> = [
      [{ amount: 4n }, "another one than that of its preview"],
      [{ to: sender.address }, "another one than that of its preview"],
      [{ from: sender.address }, "another one than that of its preview"],
      [{ network: "polygon-mainnet" }, "prepared for polygon-mainnet"],
      [{ transaction: { ...transaction, chainId: 137 } }, "for another chain"],
      [{ transaction: { ...transaction, data: "0x095ea7b3" } }, "data is neither empty"],
      [{ transaction: undefined }, "preview of a payment"]
    ]
    for (const [change, words] of wrong) {
      const error = await refusal(ownerAt(0).cosign({ ...prepared, ...change } as typeof prepared))
      expect(error, words).toMatchObject({ _tag: "InvalidArgument", reason: expect.stringContaining(words) })
    }
  })

  it("are joined from copies, and never from two payments", async () => {
    const proposal = await proposeOne()
    const one = travel(await approveBy(proposal, 0, 1))
    const other = travel(await approveBy(proposal, 1, 2))
    const joined = take(await merge(one, other))
    expect(joined.signatures.map(({ member }) => member)).toEqual(owners.map(({ address }) => address))
    expect(take(await inspect(sdk, joined))).toMatchObject({ status: "ready", weight: 3, missing: [] })
    expect(String(await refusal(merge(one, await proposeOne({ amount: "2" }))))).toContain("id: they are two")
    const [, foreign] = other.signatures
    const poisoned: Proposal = {
      ...other,
      signatures: [{ member: ownerAt(1).address, signature: foreign?.signature ?? "" }]
    }
    expect(String(await refusal(merge(one, poisoned)))).toContain("signatures[0]: it is not the signature of")
  })

  it("are refused for what is no Safe, no payment, or more than it has", async () => {
    const request = { from: safe, to: receiver, amount: "1" }
    const wrong: ReadonlyArray<readonly [ProposalRequest, string, string]> = [
      [{ ...request, from: sender.address }, "InvalidArgument", "is no Safe"],
      [{ ...request, from: token }, "InvalidArgument", "is no Safe"],
      [{ ...request, to: "0x1" }, "InvalidAddress", "must be an address"],
      [{ ...request, amount: "0" }, "InvalidAmount", "above zero"],
      [{ ...request, amount: "11" }, "InsufficientFunds", "11"],
      [{ ...request, token, amount: "6" }, "InsufficientFunds", "6"],
      [{ ...request, memo: "rent" }, "InvalidArgument", "no memo"],
      [{ ...request, until: new Date() }, "InvalidArgument", "do not expire"],
      [{ ...request, nonce: 0.5 }, "InvalidArgument", "nonce must be"]
    ]
    for (const [each, _tag, words] of wrong) {
      const error = await refusal(propose(sdk, each))
      expect(error, words).toMatchObject({ _tag })
      expect(String(error), words).toContain(words)
    }
    const ready = await approveBy(await proposeOne(), 0, 1)
    expect(String(await refusal(execute(sdk, ready)))).toContain("pass it as signer")
    expect(String(await refusal(execute(sdk, ready, { signer: sender, confirmations: 0 })))).toContain(
      "confirmations"
    )
    const doge = await init({ network: "doge-mainnet", rpc: { nodes: [{ url }] }, quiet: true })
    const unsupported = await refusal(propose(doge as never, request))
    expect(unsupported).toMatchObject({
      _tag: "NotSupportedForNetwork",
      feature: "proposals",
      networks: expect.arrayContaining(["ethereum-mainnet", "base-mainnet"])
    })
    await doge.destroy()
  })

  it("are executed if and only if the owners reach the threshold, and once (property)", async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("approve" as const), copy: fc.nat(1), owner: fc.nat(2) }),
      fc.record({ kind: fc.constant("merge" as const), copy: fc.nat(1) }),
      fc.record({ kind: fc.constant("execute" as const), copy: fc.nat(1) })
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), async (steps) => {
        const before = await balanceOf(receiver)
        const proposal = await proposeOne({ amount: 1n })
        const copies: [Proposal, Proposal] = [proposal, proposal]
        const approvals = [new Set<number>(), new Set<number>()] as const
        let executed = 0
        for (const each of steps) {
          const copy = each.copy === 0 ? 0 : 1
          const known = approvals[copy]
          if (each.kind === "approve") {
            const result = await approve(sdk, ownerAt(each.owner), copies[copy])
            expect(result.status).toBe(executed > 0 ? "ERROR" : "SUCCESS")
            if (result.status === "SUCCESS") {
              copies[copy] = travel(result.data)
              known.add(each.owner)
            }
          } else if (each.kind === "merge") {
            copies[copy] = travel(take(await merge(copies[0], copies[1])))
            for (const owner of [...approvals[0], ...approvals[1]]) known.add(owner)
          } else {
            const result = await execute(sdk, copies[copy], { signer: sender, confirmations: 1 })
            const isReady = known.size >= 2 && executed === 0
            expect(result.status).toBe(isReady ? "SUCCESS" : "ERROR")
            if (isReady) executed += 1
          }
          expect(copies[copy].signatures).toHaveLength(known.size)
        }
        expect((await balanceOf(receiver)) - before).toBe(BigInt(executed))
      }),
      { numRuns: 15 }
    )
  })
})
