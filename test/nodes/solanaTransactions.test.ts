/** Whole transactions on a real node of Solana: those of others, of all versions, and those of instructions. */
// @covers contracts on Surfpool: solana
import * as kit from "@solana/kit"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { encodeBase58 } from "../../src/chains/internal/base58.js"
import { signer } from "../../src/entries/signers/Solana.js"
import { policy } from "../../src/policy.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import * as Surfpool from "../../src/sandbox/nodes/Surfpool.js"
import { findAssociatedAccount } from "../../src/signers/solana/kit.js"
import { simulate } from "../../src/simulate.js"
import { nodeLimits } from "../nodeLimits.js"
import { refusal, take } from "../results.js"
import { mintData } from "./mints.js"
import { requireBinary } from "./process.js"
import { startProxy } from "./rpcProxy.js"

const surfpool = requireBinary("surfpool", "whole transactions of Solana on a real node")

const mnemonic = "test test test test test test test test test test test junk"
const system = "11111111111111111111111111111111"
const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
const memoProgram = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"
const tableProgram = "AddressLookupTab1e1111111111111111111111111"
const once = { confirmations: 1 }

let next = 100
const keysOf = () => kit.createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(next++))
const anyone = async (): Promise<string> => (await keysOf()).address

const little = (amount: bigint, bytes = 8): Uint8Array => {
  const data = Buffer.alloc(bytes)
  data.writeBigUInt64LE(amount)
  return new Uint8Array(data)
}

/** `Transfer` of the system program, as its client makes it. */
const transfer = (from: string, to: string, amount: bigint) => ({
  programAddress: kit.address(system),
  accounts: [
    { address: kit.address(from), role: kit.AccountRole.WRITABLE_SIGNER },
    { address: kit.address(to), role: kit.AccountRole.WRITABLE }
  ],
  data: Uint8Array.of(2, 0, 0, 0, ...little(amount))
})

/** An account as nodes show it, without data. */
const held = (lamports: number) => ({
  lamports,
  owner: system,
  data: ["", "base64"],
  executable: false,
  rentEpoch: 0,
  space: 0
})

const memo = (text: string) => ({
  programAddress: kit.address(memoProgram),
  data: new TextEncoder().encode(text)
})

describe.runIf(surfpool !== undefined)("whole transactions on Surfpool", () => {
  const scope = Effect.runSync(Scope.make())
  let node: Surfpool.SurfpoolNode
  let sdk: PromiseSdk<"solana-devnet">

  const fund = (address: string, amount: string) => Effect.runPromise(node.fund(address, amount))
  const made = async (index: number, amount = "10") => {
    const account = take(await signer(sdk, { mnemonic, index }))
    await fund(account.address, amount)
    return account
  }
  const lamports = async (address: string): Promise<bigint> =>
    take(await sdk.rpc.getBalance(address, { commitment: "confirmed" })).value
  const put = async (address: string, owner: string, data: Uint8Array) =>
    take(
      await sdk.rpc.rawRpcCall({
        method: "surfnet_setAccount",
        params: [
          address,
          {
            lamports: (data.length + 128) * 6_960,
            data: Buffer.from(data).toString("hex"),
            owner,
            executable: false
          }
        ]
      })
    )
  /** Compiles what somebody else asks to be signed. */
  const compile = async (
    payer: string,
    instructions: ReadonlyArray<kit.Instruction>,
    version: "legacy" | 0 | 1 = 0,
    tables: kit.AddressesByLookupTableAddress = {}
  ): Promise<kit.Transaction> => {
    const { value } = take(await sdk.rpc.getLatestBlockhash({ commitment: "confirmed" }))
    const lifetime = { ...value, blockhash: kit.blockhash(value.blockhash) }
    const message = kit.appendTransactionMessageInstructions(
      instructions,
      kit.setTransactionMessageLifetimeUsingBlockhash(
        lifetime,
        kit.setTransactionMessageFeePayer(kit.address(payer), kit.createTransactionMessage({ version }))
      )
    )
    if (version === "legacy") return kit.compileTransaction(message)
    // which version it has is known here, and not to the types of kit
    const own = message as never
    return kit.compileTransaction(
      version === 0
        ? kit.compressTransactionMessageUsingAddressLookupTables<typeof message & { version: 0 }>(own, tables)
        : // version 1 gives nothing that it does not name
          kit.setTransactionMessageConfig<typeof message & { version: 1 }>(
            { computeUnitLimit: 100_000, loadedAccountsDataSizeLimit: 1_000_000 },
            own
          )
    )
  }
  const encode = (transaction: kit.Transaction): string => kit.getBase64EncodedWireTransaction(transaction)
  const landed = async (hash: string) =>
    take(
      await sdk.rpc.getTransaction(hash, {
        commitment: "confirmed",
        encoding: "base64",
        maxSupportedTransactionVersion: 1
      })
    )

  beforeAll(async () => {
    node = await Effect.runPromise(Scope.extend(Surfpool.start({ slotTime: 60 }), scope))
    sdk = await init({
      network: "solana-devnet",
      rpc: { nodes: [{ url: node.url }] },
      quiet: true,
      ...nodeLimits
    })
  })
  afterAll(async () => {
    await sdk?.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it.each(["legacy", 0, 1] as const)(
    "signs a transaction of version %s as it came, and sends it",
    async (version) => {
      const alice = await made(10 + (version === "legacy" ? 9 : version))
      const receiver = await anyone()
      const transaction = await compile(
        alice.address,
        [transfer(alice.address, receiver, 1_500_000_000n), memo("from elsewhere")],
        version
      )
      const prepared = take(await alice.prepareTransaction({ transaction: encode(transaction) }))
      expect(prepared).toMatchObject({
        from: alice.address,
        to: system,
        amount: 1_500_000_000n,
        fee: 5_000n,
        outgoing: [{ asset: "SOL", amount: "1.500005" }],
        warnings: [],
        transaction: {
          wire: {
            version,
            calls: [
              { contract: system, method: "0x02000000002f6859" },
              { contract: memoProgram, method: "0x66726f6d20656c73" }
            ],
            signers: [alice.address],
            writable: [alice.address, receiver]
          }
        }
      })
      const simulated = take(await simulate(sdk, prepared))
      expect(simulated).toMatchObject({ succeeds: true, warnings: [] })
      expect(simulated.changes).toContainEqual(
        expect.objectContaining({ address: receiver, amount: "1.5", asset: "SOL" })
      )
      const sent = take(await alice.submit(prepared, once))
      const found = await landed(sent.hash)
      const [bytes] = Object(found).transaction
      const { messageBytes, signatures } = kit
        .getTransactionDecoder()
        .decode(Buffer.from(String(bytes), "base64"))
      expect(Buffer.from(messageBytes)).toEqual(Buffer.from(transaction.messageBytes))
      expect(Object.keys(signatures)).toEqual([alice.address])
      expect(await lamports(receiver)).toBe(1_500_000_000n)
      expect(await lamports(alice.address)).toBe(10_000_000_000n - 1_500_005_000n)
      // the same bytes again are the same transaction
      expect(take(await alice.submit(prepared, once)).hash).toBe(sent.hash)
      expect(await lamports(receiver)).toBe(1_500_000_000n)
    }
  )

  /** A lookup table as its program keeps it: in use, closed at a slot, or with addresses of the newest slot. */
  const tableData = (
    addresses: ReadonlyArray<string>,
    { closedAt = 2n ** 64n - 1n, grownAt = 0n, before = 0 } = {}
  ): Uint8Array =>
    Uint8Array.of(
      ...[1, 0, 0, 0],
      ...little(closedAt),
      ...little(grownAt),
      before,
      ...new Uint8Array(35),
      ...addresses.flatMap((each) => [...kit.getAddressEncoder().encode(kit.address(each))])
    )

  it("resolves lookup tables, and refuses what is none, is closed or has no such address", async () => {
    const alice = await made(2)
    const [table, one, other] = [await anyone(), await anyone(), await anyone()]
    await put(table, tableProgram, tableData([one, other]))
    const tables = { [kit.address(table)]: [one, other].map((each) => kit.address(each)) }
    const instructions = [
      transfer(alice.address, one, 1_000_000_000n),
      transfer(alice.address, other, 2_000_000_000n)
    ]
    const transaction = await compile(alice.address, instructions, 0, tables)
    const prepared = take(
      await alice.prepareTransaction({
        transaction: Uint8Array.from(kit.getTransactionEncoder().encode(transaction))
      })
    )
    expect(prepared).toMatchObject({
      amount: 3_000_000_000n,
      transaction: { wire: { version: 0, writable: [alice.address, one, other] } }
    })
    take(await alice.submit(prepared, once))
    expect([await lamports(one), await lamports(other)]).toEqual([1_000_000_000n, 2_000_000_000n])

    const again = encode(await compile(alice.address, instructions, 0, tables))
    const refused = async () => Object(await refusal(alice.prepareTransaction({ transaction: again }))).reason
    const slot = take(await sdk.rpc.getSlot())
    for (const [owner, data, reason] of [
      [tableProgram, tableData([one]), /has no address at 1/],
      [tableProgram, tableData([one, other], { closedAt: 7n }), /is being closed/],
      [tableProgram, tableData([one, other], { grownAt: slot + 1_000n, before: 1 }), /has no address at 1/],
      [tableProgram, new Uint8Array(56), /is no lookup table/],
      [tokenProgram, tableData([one, other]), /it belongs to the program Token/]
    ] as const) {
      await put(table, owner, data)
      expect(await refused()).toMatch(reason)
    }
    // Surfpool resolves the tables of transactions that have landed again and again
    await put(table, tableProgram, tableData([one, other]))
  })

  it("asks two nodes for a lookup table, and refuses if they contradict each other", async () => {
    const alice = await made(3)
    const [table, one, thief] = [await anyone(), await anyone(), await anyone()]
    await put(table, tableProgram, tableData([one]))
    const tables = { [kit.address(table)]: [kit.address(one)] }
    const transaction = encode(
      await compile(alice.address, [transfer(alice.address, one, 1_000_000_000n)], 0, tables)
    )
    let lies = 0
    const liar = await startProxy(node.url, scope, (method, params) => {
      if (method !== "getMultipleAccounts" || !JSON.stringify(params).includes(table)) return undefined
      lies++
      const data = Buffer.from(tableData([thief])).toString("base64")
      const account = {
        lamports: 1,
        owner: tableProgram,
        data: [data, "base64"],
        executable: false,
        rentEpoch: 0,
        space: 88
      }
      return { result: { context: { slot: 1e6 }, value: [account] } }
    })
    const two = await init({
      network: "solana-devnet",
      rpc: { nodes: [{ url: node.url }, { url: liar }] },
      quiet: true,
      ...nodeLimits
    })
    const same = take(await signer(two, { mnemonic, index: 3 }))
    expect(await refusal(same.prepareTransaction({ transaction }))).toMatchObject({ _tag: "NoQuorum" })
    expect(lies).toBeGreaterThan(0)
    await two.destroy()
    expect(take(await alice.prepareTransaction({ transaction })).transaction.wire?.writable).toContain(one)
  })

  it("believes no node that hides what leaves the account, if another one shows it", async () => {
    const alice = await made(20)
    const receiver = await anyone()
    const transaction = encode(
      await compile(alice.address, [transfer(alice.address, receiver, 4_000_000_000n)])
    )
    for (const [method, answer] of [
      // as if a tenth of it would leave
      [
        "simulateTransaction",
        { err: null, logs: [], unitsConsumed: 150, accounts: [held(9_600_000_000), held(4e9)] }
      ],
      // as if the account had had less
      ["getMultipleAccounts", [held(6_000_000_000), null]]
    ] as const) {
      const liar = await startProxy(node.url, scope, (asked) =>
        asked === method ? { result: { context: { slot: 1e6 }, value: answer } } : undefined
      )
      const two = await init({
        network: "solana-devnet",
        rpc: { nodes: [{ url: node.url }, { url: liar }] },
        quiet: true,
        ...nodeLimits
      })
      const same = take(await signer(two, { mnemonic, index: 20 }))
      expect(await refusal(same.prepareTransaction({ transaction }))).toMatchObject({ _tag: "NoQuorum" })
      await two.destroy()
    }
    expect(take(await alice.prepareTransaction({ transaction })).amount).toBe(4_000_000_000n)
  })

  it("keeps the signatures of others, and pays no fee that another account pays", async () => {
    const alice = await made(4)
    const relayer = await keysOf()
    await fund(relayer.address, "1")
    const receiver = await anyone()
    const transaction = await compile(relayer.address, [transfer(alice.address, receiver, 2_000_000_000n)])
    expect(await refusal(alice.prepareTransaction({ transaction: encode(transaction) }))).toMatchObject({
      _tag: "InvalidArgument",
      reason: expect.stringContaining(`it lacks the signature of ${relayer.address}`)
    })
    const [signatures] = await relayer.signTransactions([transaction as never])
    const theirs = Object(signatures)[relayer.address]
    const half = { ...transaction, signatures: { ...transaction.signatures, [relayer.address]: theirs } }
    const prepared = take(await alice.prepareTransaction({ transaction: encode(half) }))
    expect(prepared).toMatchObject({
      amount: 2_000_000_000n,
      fee: 0n,
      outgoing: [{ asset: "SOL", amount: "2" }],
      transaction: { wire: { signers: [relayer.address, alice.address] } }
    })
    const sent = take(await alice.submit(prepared, once))
    expect(sent.hash).toBe(encodeBase58(theirs))
    expect(await landed(sent.hash)).toMatchObject({ meta: { err: null } })
    expect(await lamports(alice.address)).toBe(8_000_000_000n)
    const signed = Uint8Array.from(kit.getTransactionEncoder().encode(half))
    // one byte of the other's signature, and of the amount
    for (const at of [5, signed.length - 4]) {
      const bytes = signed.slice()
      bytes[at] = (bytes[at] ?? 0) ^ 1
      expect(await refusal(alice.prepareTransaction({ transaction: bytes }))).toMatchObject({
        _tag: "InvalidArgument",
        reason: expect.stringMatching(/^the signature is not that of/)
      })
    }
  })

  it("refuses what this account does not sign, what is too old, and what is no transaction", async () => {
    const alice = await made(5)
    const [other, receiver] = [await anyone(), await anyone()]
    const reasonOf = async (transaction: string | Uint8Array) =>
      Object(await refusal(alice.prepareTransaction({ transaction }))).reason
    expect(await reasonOf(encode(await compile(other, [transfer(other, receiver, 1n)])))).toBe(
      `this account does not sign it: ${other} do. Have it made for ${alice.address}`
    )
    const old = kit.compileTransaction(
      kit.appendTransactionMessageInstructions(
        [transfer(alice.address, receiver, 1_000_000_000n)],
        kit.setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: kit.blockhash(other), lastValidBlockHeight: 1n },
          kit.setTransactionMessageFeePayer(
            kit.address(alice.address),
            kit.createTransactionMessage({ version: 0 })
          )
        )
      )
    )
    expect(await reasonOf(encode(old))).toBe(
      `its blockhash ${other} is too old, or of another network: get the transaction again, and prepare it at once`
    )
    for (const wrong of [
      "",
      "0x00",
      "no base64",
      Uint8Array.of(1, 2, 3),
      `${encode(old)}AAAA`,
      encode(old).slice(0, -4)
    ])
      expect(await reasonOf(wrong)).toMatch(/^(transaction is the bytes of|its bytes are no) /)
    // what the chain would refuse
    expect(
      await reasonOf(encode(await compile(alice.address, [transfer(alice.address, receiver, 10n ** 12n)])))
    ).toMatch(/^the chain refuses it: /)
    expect(await refusal(alice.prepareTransaction({} as never))).toMatchObject({
      _tag: "InvalidArgument",
      reason: "it takes { transaction }, or { instructions }"
    })
  })

  it("says what leaves the account in tokens, who may take more, and which programs are not known", async () => {
    const alice = await made(6)
    const [mint, receiver, delegate] = [await anyone(), await anyone(), await anyone()]
    await put(mint, tokenProgram, mintData())
    const cheat = (owner: string, amount: number) =>
      sdk.rpc.rawRpcCall({
        method: "surfnet_setTokenAccount",
        params: [owner, mint, { amount }, tokenProgram]
      })
    take(await cheat(alice.address, 5_000_000))
    take(await cheat(receiver, 0))
    const [source, destination] = [
      await findAssociatedAccount(alice.address, mint, tokenProgram),
      await findAssociatedAccount(receiver, mint, tokenProgram)
    ]
    const own = { address: kit.address(alice.address), role: kit.AccountRole.READONLY_SIGNER }
    const writable = (address: string) => ({ address: kit.address(address), role: kit.AccountRole.WRITABLE })
    const pays = {
      programAddress: kit.address(tokenProgram),
      accounts: [writable(source), writable(destination), own],
      data: Uint8Array.of(3, ...little(1_250_000n))
    }
    const approves = {
      programAddress: kit.address(tokenProgram),
      accounts: [writable(source), { ...writable(delegate), role: kit.AccountRole.READONLY }, own],
      data: Uint8Array.of(4, ...little(3_000_000n))
    }
    // an old program of memos, which is none of the known ones, and takes signers
    const unknown = {
      programAddress: kit.address("Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo"),
      accounts: [own],
      data: new TextEncoder().encode("signed")
    }
    const transaction = encode(await compile(alice.address, [pays, approves, unknown]))
    const prepared = take(await alice.prepareTransaction({ transaction }))
    const asset = expect.stringContaining(`/token:${mint}`)
    expect(prepared).toMatchObject({
      amount: 0n,
      outgoing: [
        { asset, token: mint, amount: "1.25", units: 1_250_000n, decimals: 6 },
        { asset: "SOL", amount: "0.000005" }
      ],
      warnings: [
        "The account signs for the program Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo, which is not among the known ones: only its simulation says what it does.",
        expect.stringMatching(new RegExp(`^It would let ${delegate} take up to 3 solana:`))
      ]
    })
    expect(take(await simulate(sdk, prepared)).warnings).toEqual([
      expect.stringMatching(/^It would let .* take up to 3 /)
    ])
    take(await alice.submit(prepared, once))
    expect(
      take(await sdk.rpc.getTokenAccountBalance(destination, { commitment: "confirmed" })).value.amount
    ).toBe("1250000")
  })

  it("makes a transaction of instructions, shorter by lookup tables, and tells equal ones apart", async () => {
    const alice = await made(7)
    const receivers = await Promise.all(Array.from({ length: 8 }, anyone))
    const table = await anyone()
    await put(table, tableProgram, tableData(receivers))
    const instructions = [
      ...receivers.map((to) => transfer(alice.address, to, 100_000_000n)),
      {
        program: memoProgram,
        accounts: [{ address: alice.address, isSigner: true }],
        data: new TextEncoder().encode("eight")
      }
    ]
    const plain = take(await alice.prepareTransaction({ instructions }))
    const prepared = take(await alice.prepareTransaction({ instructions, lookupTables: [table] }))
    const lengthOf = ({ transaction }: typeof plain) =>
      Buffer.from(transaction.wire?.encoded ?? "", "base64").length
    expect(lengthOf(plain) - lengthOf(prepared)).toBe(8 * 32 - (32 + 1 + 8 + 1))
    expect(prepared).toMatchObject({
      amount: 800_000_000n,
      fee: 5_000n,
      outgoing: [{ asset: "SOL", amount: "0.800005" }],
      warnings: [],
      transaction: { wire: { version: 0, signers: [alice.address] } }
    })
    expect(new Set(prepared.transaction.wire?.writable)).toEqual(new Set([alice.address, ...receivers]))
    const twice = [prepared, take(await alice.prepareTransaction({ instructions, lookupTables: [table] }))]
    const sent = await Promise.all(twice.map((each) => alice.submit(each, once)))
    expect(new Set(sent.map((each) => take(each).hash)).size).toBe(2)
    expect(await Promise.all(receivers.map(lamports))).toEqual(receivers.map(() => 200_000_000n))
    const found = await landed(take(sent[0] as NonNullable<(typeof sent)[0]>).hash)
    expect(Object(found).meta.computeUnitsConsumed > 0n).toBe(true)

    const stranger = await anyone()
    expect(
      await refusal(
        alice.prepareTransaction({
          instructions: [{ program: memoProgram, accounts: [{ address: stranger, isSigner: true }] }]
        })
      )
    ).toMatchObject({ reason: expect.stringContaining(`instructions[0] needs the signature of ${stranger}`) })
    expect(await refusal(alice.prepareTransaction({ instructions: [{ program: "0x00" }] }))).toMatchObject({
      reason: "instructions[0].program must be Base58 of 32 bytes"
    })
    expect(
      await refusal(
        alice.prepareTransaction({ instructions: Array.from({ length: 40 }, () => memo("x".repeat(40))) })
      )
    ).toMatchObject({ reason: expect.stringMatching(/bytes, and at most 1232 fit/) })
  })

  it("asks the policy for each program, and signs nothing but what it allowed", async () => {
    const account = await made(8)
    const receiver = await anyone()
    const rules = async (methods?: ReadonlyArray<string>) => {
      const { data, error } = await policy({
        contracts: [
          { network: "solana-devnet", address: system, ...(methods === undefined ? {} : { methods }) }
        ]
      })
      if (data === null || data === undefined) throw error
      return take(await signer(sdk, { mnemonic, index: 8, policy: data }))
    }
    const pays = [transfer(account.address, receiver, 1_000_000_000n)]
    const denied = async (alice: typeof account, instructions: ReadonlyArray<kit.Instruction>) =>
      Object(
        await refusal(
          alice.sendTransaction({ transaction: encode(await compile(account.address, instructions)) })
        )
      )
    const open = await rules()
    expect(await denied(open, [...pays, memo("not allowed")])).toMatchObject({
      _tag: "PolicyDenied",
      rule: "contract",
      reason: expect.stringContaining(memoProgram)
    })
    // CreateAccount alone
    const other = await rules(["0x00000000"])
    expect(await denied(other, pays)).toMatchObject({ _tag: "PolicyDenied", rule: "contract" })
    expect(await lamports(receiver)).toBe(0n)

    // a preview of an allowed transaction, and the bytes of others: with another call, with fewer, to somebody else
    const preview = async (alice: typeof account, instructions: ReadonlyArray<kit.Instruction>) =>
      take(
        await alice.prepareTransaction({ transaction: encode(await compile(account.address, instructions)) })
      )
    const allowed = await preview(open, pays)
    const twice = await preview(open, [...pays, ...pays])
    for (const [shown, others] of [
      [allowed, [...pays, memo("secret")]],
      [allowed, [transfer(account.address, receiver, 2_000_000_000n)]],
      [allowed, [transfer(account.address, await anyone(), 1_000_000_000n)]],
      [twice, pays]
    ] as const) {
      const { encoded = "" } = (await preview(account, others)).transaction.wire ?? {}
      const { wire } = shown.transaction
      if (wire === undefined) throw new Error("it has no bytes")
      const forged = { ...shown, transaction: { ...shown.transaction, wire: { ...wire, encoded } } }
      expect(await refusal(open.submit(forged))).toMatchObject({
        _tag: "InvalidArgument",
        reason: "its transaction is another one than that of its preview"
      })
    }
    expect(await lamports(receiver)).toBe(0n)
    const exactly = await rules(["0x02000000"])
    take(await exactly.submit(allowed, once))
    expect(await lamports(receiver)).toBe(1_000_000_000n)
  })

  it("caps the fee that the bytes ask for", async () => {
    const alice = await made(9)
    const price = (amount: bigint) => ({
      programAddress: kit.address("ComputeBudget111111111111111111111111111111"),
      data: Uint8Array.of(3, ...little(amount))
    })
    const receiver = await anyone()
    const transaction = encode(
      await compile(alice.address, [price(10_000_000n), transfer(alice.address, receiver, 1_000_000_000n)])
    )
    // 200,000 units at 10 lamports
    expect(await refusal(alice.prepareTransaction({ transaction }))).toMatchObject({
      _tag: "FeeOverCap",
      fee: "0.002005",
      cap: "0.001"
    })
    const prepared = take(await alice.prepareTransaction({ transaction, maxFee: "0.003" }))
    expect(prepared.fee).toBe(2_005_000n)
    expect(await refusal(alice.submit({ ...prepared, fee: 5_000n }))).toMatchObject({
      reason: "its transaction is another one than that of its preview"
    })
  })

  /** A new nonce account of a signer. */
  const openNonce = async (account: Awaited<ReturnType<typeof made>>, seed = "nonce"): Promise<string> => {
    const prepared = take(await account.prepareNonceAccount({ seed }))
    take(await account.submit(prepared, once))
    return prepared.nonceAccount
  }
  const nonceOf = async (account: string): Promise<string> => {
    const { value } = take(
      await sdk.rpc.getAccountInfo(account, { commitment: "confirmed", encoding: "base64" })
    )
    const [data] = Object(value).data
    return encodeBase58(Buffer.from(String(data), "base64").subarray(40, 72))
  }
  const isThere = async (hash: string) => take(await sdk.rpc.getSignatureStatuses([hash])).value[0] !== null

  it("keeps a payment with a nonce for longer than a blockhash lasts, and pays it once", async () => {
    const alice = await made(30)
    const receiver = await anyone()
    const account = await openNonce(alice)
    // rent of 80 bytes, and the fee
    expect(await lamports(alice.address)).toBe(10_000_000_000n - 1_447_680n - 5_000n)
    const value = await nonceOf(account)
    const prepared = take(
      await alice.prepare({ to: receiver, amount: "1.5", memo: "kept", nonceAccount: account })
    )
    expect(prepared).toMatchObject({
      amount: 1_500_000_000n,
      fee: 5_000n,
      transaction: { nonce: { account, value } },
      warnings: [
        `It does not expire: once signed, it can land until the nonce account ${account} has another value.`,
        "The receiver has no account yet: this payment makes it."
      ]
    })
    expect(prepared.transaction.blockhash).toBeUndefined()
    const { hash, raw } = take(await alice.sign(prepared.transaction))
    const read = kit.decompileTransactionMessage(
      kit
        .getCompiledTransactionMessageDecoder()
        .decode(kit.getTransactionDecoder().decode(Buffer.from(raw, "base64")).messageBytes)
    )
    expect(kit.isTransactionMessageWithDurableNonceLifetime(read)).toBe(true)
    expect(read.lifetimeConstraint).toEqual({ nonce: value })
    const expiring = take(
      await alice.prepareTransaction({
        transaction: encode(await compile(alice.address, [transfer(alice.address, receiver, 2_000_000_000n)]))
      })
    )
    // a blockhash is good for 150 blocks, and the last of them is final 31 blocks later
    await Effect.runPromise(node.mine(200))
    expect(await refusal(alice.submit(expiring, once))).toMatchObject({
      _tag: "TransactionExpired",
      lastValidBlockHeight: expiring.transaction.lastValidBlockHeight
    })
    const sent = take(await alice.submit(prepared, once))
    expect(sent.hash).toBe(hash)
    expect(await lamports(receiver)).toBe(1_500_000_000n)
    expect(await nonceOf(account)).not.toBe(value)
    // the same bytes are the same payment
    expect(take(await alice.submit(prepared, once)).hash).toBe(hash)
    expect(await lamports(receiver)).toBe(1_500_000_000n)
  })

  it("proves that a payment cannot land once another one has used its nonce", async () => {
    const alice = await made(31)
    const [first, second] = [await anyone(), await anyone()]
    const account = await openNonce(alice, "one")
    const value = await nonceOf(account)
    const [one, other] = [
      take(await alice.prepare({ to: first, amount: "1", nonceAccount: account })),
      take(await alice.prepare({ to: second, amount: "1", nonceAccount: account }))
    ]
    take(await alice.submit(one, once))
    const refused = await refusal(alice.submit(other, once))
    expect(refused).toMatchObject({
      _tag: "TransactionDropped",
      reason: `another transaction has used the value ${value} of the nonce account ${account}`
    })
    expect(await isThere(Object(refused).hash)).toBe(false)
    expect([await lamports(first), await lamports(second)]).toEqual([1_000_000_000n, 0n])
    // the next value is as good as the first
    take(await alice.send({ to: second, amount: "1", nonceAccount: account, ...once }))
    expect(await lamports(second)).toBe(1_000_000_000n)
  })

  it("takes transactions with a nonce from elsewhere, makes some of instructions, and closes the account", async () => {
    const alice = await made(32)
    const receiver = await anyone()
    const account = await openNonce(alice, "two")
    const theirs = async (nonce: string) =>
      encode(
        kit.compileTransaction(
          kit.appendTransactionMessageInstructions(
            [transfer(alice.address, receiver, 1_000_000_000n)],
            kit.setTransactionMessageLifetimeUsingDurableNonce(
              {
                nonce: nonce as kit.Nonce,
                nonceAccountAddress: kit.address(account),
                nonceAuthorityAddress: kit.address(alice.address)
              },
              kit.setTransactionMessageFeePayer(
                kit.address(alice.address),
                kit.createTransactionMessage({ version: 0 })
              )
            )
          )
        )
      )
    const value = await nonceOf(account)
    const prepared = take(await alice.prepareTransaction({ transaction: await theirs(value) }))
    expect(prepared.transaction).toMatchObject({ nonce: { account, value } })
    take(await alice.submit(prepared, once))
    expect(await lamports(receiver)).toBe(1_000_000_000n)
    expect(await refusal(alice.prepareTransaction({ transaction: await theirs(value) }))).toMatchObject({
      reason: expect.stringContaining(
        `and the nonce account ${account} has another value: get the transaction again`
      )
    })
    const instructions = [transfer(alice.address, receiver, 2_000_000_000n)]
    const own = take(await alice.prepareTransaction({ instructions, nonceAccount: account }))
    expect(own.transaction.nonce).toEqual({ account, value: await nonceOf(account) })
    take(await alice.submit(own, once))
    expect(await lamports(receiver)).toBe(3_000_000_000n)

    const balance = await lamports(account)
    const sysvars = [
      "SysvarRecentB1ockHashes11111111111111111111",
      "SysvarRent111111111111111111111111111111111"
    ]
    take(
      await alice.sendTransaction({
        instructions: [
          {
            program: system,
            accounts: [
              { address: account, isWritable: true },
              { address: alice.address, isWritable: true },
              ...sysvars.map((address) => ({ address })),
              { address: alice.address, isSigner: true }
            ],
            data: Uint8Array.of(5, 0, 0, 0, ...little(balance))
          }
        ],
        ...once
      })
    )
    expect(await lamports(account)).toBe(0n)
    expect(await refusal(alice.prepare({ to: receiver, amount: "1", nonceAccount: account }))).toMatchObject({
      _tag: "InvalidArgument",
      reason: `${account} is no nonce account: prepareNonceAccount makes one`
    })
  })

  it("refuses nonce accounts of others, and seeds that are none", async () => {
    const [alice, bob] = [await made(33), await made(34)]
    const account = await openNonce(bob)
    const receiver = await anyone()
    expect(await refusal(alice.prepare({ to: receiver, amount: "1", nonceAccount: account }))).toMatchObject({
      reason: `the nonce account ${account} is used by ${bob.address}, and not by this account: give one of ${alice.address}`
    })
    expect(await refusal(alice.prepare({ to: receiver, amount: "1", nonceAccount: "0x00" }))).toMatchObject({
      reason: "nonceAccount must be Base58 of 32 bytes"
    })
    for (const seed of ["", "x".repeat(33)])
      expect(await refusal(alice.prepareNonceAccount({ seed }))).toMatchObject({
        reason: "seed must be text of 1 to 32 bytes"
      })
    expect(await refusal(bob.prepareNonceAccount())).toMatchObject({
      reason: `the account ${account} is there already: give another seed, or use it`
    })
  })
})
