/**
 * Ten thousand random payments each on Tron, Tezos and Bitcoin's kin, on chains of the tests: what leaves the account by the bytes that were
 * signed, as other libraries and readers have them, is at most what the preview said.
 */
import { createHash } from "node:crypto"
import { decodeTransactionBCH, encodeCashAddress } from "@bitauth/libauth"
import { blake2b } from "@noble/hashes/blake2.js"
import { address as addresses, networks, Transaction } from "bitcoinjs-lib"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { utils } from "tronweb"
import nacl from "tweetnacl"
import { expect, it } from "vitest"
import type { Network } from "../../src/data/Network.js"
import { splitTransaction } from "../../src/sandbox/recorded/checks/Tron.js"
import * as Bitcoin from "../../src/signers/Bitcoin.js"
import * as Tezos from "../../src/signers/Tezos.js"
import * as Tron from "../../src/signers/Tron.js"
import { decodeWithPrefix, encodeWithPrefix } from "../../src/signers/tezos/address.js"
import { coin, hex, makeNode, scriptOf } from "../signers/cash.js"
import { pkh, raw } from "../signers/operations.js"
import { tezosConstants } from "../signers/parameters.js"
import { makeChain } from "../signers/utxos.js"
import { all, bytes, capOf, mnemonic, privateKey, terms } from "./previews.js"

const payment = fc.record({
  ...terms,
  to: bytes(20),
  /** What the account has of a resource, or uses of it. */
  much: fc.nat(100_000)
})

const word = (value: bigint): string => value.toString(16).padStart(64, "0")

it("payments of Tron take what their previews say", { timeout: 1_800_000 }, async () => {
  const token = "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"
  const prices = [
    ["getTransactionFee", 1_000n],
    ["getEnergyFee", 100n],
    ["getMemoFee", 1_000_000n],
    ["getCreateAccountFee", 100_000n],
    ["getCreateNewAccountFeeInSystemContract", 1_000_000n]
  ] as const
  const blockID = `0000000003a1b2c3${"d4e5f60718293a4b".repeat(3)}`
  const timestamp = 1_700_000_000_000n
  await all({ name: "Tron", payment, decimals: { coins: 6, tokens: 6 } }, async (given) => {
    const { amount, isNew, isToken, memo, much, to } = given
    const sent: Array<string> = []
    const free = BigInt(much % 600)
    const rpc: Tron.TronCalls = {
      broadcastHex: (whole) => Effect.sync(() => ({ result: sent.push(whole) > 0 })),
      getAccount: (address) =>
        Effect.succeed(
          address === account.address ? { address, balance: 10n ** 12n } : isNew ? {} : { address }
        ),
      getAccountResources: () => Effect.succeed({ freeNetLimit: 600n, freeNetUsed: 600n - free }),
      getChainParameters: () =>
        Effect.succeed({ chainParameter: prices.map(([key, value]) => ({ key, value })) }),
      getNowBlock: () =>
        Effect.succeed({ blockID, block_header: { raw_data: { number: 60_928_707n, timestamp } } }),
      getTransactionById: () => Effect.succeed({}),
      getTransactionFromPending: () => Effect.succeed({}),
      getTransactionInfoById: () => Effect.succeed({}),
      triggerConstantContract: (_, __, selector) =>
        Effect.succeed({
          result: { result: true },
          energy_used: BigInt(much),
          constant_result: [
            selector === "decimals()"
              ? word(6n)
              : selector === "symbol()"
                ? `${word(32n)}${word(4n)}${Buffer.from("USDT").toString("hex").padEnd(64, "0")}`
                : word(selector.startsWith("balanceOf") ? 10n ** 9n : 1n)
          ]
        })
    }
    const account: Tron.TronSigner = await Effect.runPromise(
      Tron.make({ network: "tron-mainnet", rpc }, { privateKey })
    )
    const receiver = utils.address.fromHex(`41${Buffer.from(to).toString("hex")}`)
    const options = {
      to: receiver,
      amount,
      ...capOf(given),
      ...(memo === undefined ? {} : { memo })
    }
    return {
      send: isToken ? account.sendToken({ ...options, token }) : account.send(options),
      left: () => {
        const [whole = ""] = sent
        const { raw: bytes, signatures } = splitTransaction(whole)
        const id = createHash("sha256").update(Buffer.from(bytes, "hex")).digest("hex")
        expect(utils.address.fromHex(utils.crypto.ecRecover(id, signatures[0] ?? ""))).toBe(account.address)
        const type = isToken ? "TriggerSmartContract" : "TransferContract"
        const { contract, data, fee_limit = 0 } = utils.deserializeTx.deserializeTransaction(type, bytes)
        const { value } = contract[0].parameter
        const size = BigInt(whole.length / 2 + 64)
        const isMaking = isNew && !isToken
        const bandwidth = free >= size ? 0n : isMaking ? 100_000n : size * 1_000n
        const fee =
          bandwidth +
          (data ? 1_000_000n : 0n) +
          (isMaking ? 1_000_000n : 0n) +
          (isToken ? BigInt(fee_limit) : 0n)
        if (isToken)
          expect(value.data.toLowerCase().slice(0, 72)).toBe(
            `a9059cbb${"0".repeat(24)}${Buffer.from(to).toString("hex")}`
          )
        else expect(utils.address.fromHex(value.to_address)).toBe(receiver)
        if (!isToken) return { amount: BigInt(value.amount), coins: fee + BigInt(value.amount) }
        const tokens = BigInt(`0x${value.data.slice(72)}`)
        return { amount: tokens, coins: fee, tokens }
      }
    }
  })
})

it("payments of Tezos take what their previews say", { timeout: 1_800_000 }, async () => {
  const hash = "BLpcXF8ADJbGuyUKNv7TypXRd5rqnoPn3PMqJLNBeRSr4VFeUuK"
  await all({ name: "Tezos", payment, decimals: { coins: 6 } }, async (given) => {
    const { amount, isNew, isToken: isRevealed, much, to } = given
    const sent: Array<string> = []
    const lacking = () => Effect.dieMessage("it is not asked for")
    const consumed_milligas = String(100_000 + much)
    const applied = { status: "applied" as const, consumed_milligas }
    const rpc: Tezos.TezosCalls = {
      getBlockHeader: () => Effect.succeed({ level: 1_000, hash, chain_id: "NetXdQprcVkpaWU" }),
      getConstants: () => Effect.succeed(tezosConstants),
      getContractBalance: () => Effect.succeed(String(10n ** 12n)),
      getContractCounter: () => Effect.succeed("41"),
      getBigMapValue: lacking,
      getContractScript: lacking,
      getContractManagerKey: () => Effect.succeed(isRevealed ? "edpk" : null),
      getOperationHashes: lacking,
      getOperationList: lacking,
      getPendingOperations: lacking,
      injectOperation: ({ operationBytes }) => Effect.sync(() => `${sent.push(operationBytes)}`),
      simulateOperation: ({ operation: { contents } }) =>
        Effect.succeed({
          contents: contents.map((_, i) => ({
            metadata: {
              operation_result:
                isNew && i === contents.length - 1
                  ? { ...applied, allocated_destination_contract: true }
                  : applied
            }
          }))
        })
    }
    const account = await Effect.runPromise(Tezos.make({ network: "tezos-mainnet", rpc }, { privateKey }))
    const receiver = encodeWithPrefix("tz1", to)
    return {
      send: account.send({ to: receiver, amount, ...capOf(given) }),
      left: () => {
        const [whole = ""] = sent
        const read = raw(whole)
        const bytes = Buffer.from(whole, "hex")
        const key = decodeWithPrefix("edpk", account.publicKey, 32) ?? new Uint8Array()
        const message = blake2b(Uint8Array.of(3, ...bytes.subarray(0, -64)), { dkLen: 32 })
        expect(nacl.sign.detached.verify(message, bytes.subarray(-64), key)).toBe(true)
        expect(read.rest).toBe("")
        expect(read.payment).toMatchObject({
          source: pkh(account.address),
          destination: `00${pkh(receiver)}`
        })
        const parts = [read.payment, ...(read.reveal === undefined ? [] : [read.reveal])]
        // all of the storage that it may take
        const fee = parts.reduce((sum, each) => sum + each.fee + each.storageLimit * 250n, 0n)
        return { amount: read.payment.amount, coins: fee + read.payment.amount }
      }
    }
  })
})

/** Payments of one account before it is another one's turn: the chain of the tests looks through all of its outputs. */
const TURN = 250

it.each([
  ["bitcoin-mainnet", "bc", 0x00, 0.00012],
  ["litecoin-mainnet", "ltc", 0x30, 0.001],
  ["doge-mainnet", undefined, 0x1e, 0.01]
] as const)(
  "payments of %s take what their previews say",
  { timeout: 1_800_000 },
  async (network: Network, bech32, version, rate) => {
    const described = { ...networks.bitcoin, bech32: bech32 ?? "", pubKeyHash: version }
    const opened = async () => {
      const chain = makeChain(rate)
      const client = { network, rpc: chain.rpc }
      const account: Bitcoin.BitcoinSigner = await Effect.runPromise(
        Bitcoin.make(client, { mnemonic, utxos: () => chain.listed(script) })
      )
      const script = addresses.toOutputScript(account.address, described)
      return { account, chain, script: Buffer.from(script).toString("hex"), own: script }
    }
    let open = await opened()
    await all({ name: network, payment, decimals: { coins: 8 } }, async (given, index) => {
      const { amount: small, isToken, much, to } = given
      if (index % TURN === 0) {
        open = await opened()
        for (let i = 0; i < 20; i++) open.chain.fund(open.own, 10n ** 12n + BigInt(much))
      }
      if (index % 20 === 0) open.chain.mine()
      const { account, chain, script } = open
      // above what is dust anywhere
      const amount = small + 1_000_000n
      const receiver =
        isToken && bech32 !== undefined
          ? addresses.toBech32(to, 0, bech32)
          : addresses.toBase58Check(to, version)
      const before = chain.sent.length
      return {
        send: account.send({ to: receiver, amount, ...capOf(given) }),
        left: () => {
          // the chain has verified its signatures with bitcoinjs-lib
          expect(chain.sent.length).toBe(before + 1)
          const tx = chain.sent.at(-1) ?? new Transaction()
          const spent = tx.ins.reduce((sum, { hash, index }) => {
            const id = Buffer.from(hash).reverse().toString("hex")
            const from = Transaction.fromHex(
              Effect.runSync(chain.rpc.getRawTransaction(id) as Effect.Effect<string>)
            )
            return sum + (from.outs[index]?.value ?? 0n)
          }, 0n)
          const paid = Buffer.from(addresses.toOutputScript(receiver, described)).toString("hex")
          const valueOf = (wanted: string): bigint =>
            tx.outs.reduce(
              (sum, { script, value }) =>
                Buffer.from(script).toString("hex") === wanted ? sum + value : sum,
              0n
            )
          return { amount: valueOf(paid), coins: spent - valueOf(script) }
        }
      }
    })
  }
)

it("payments of Bitcoin Cash take what their previews say, and no tokens", {
  timeout: 1_800_000
}, async () => {
  const opened = ({ client, utxos }: ReturnType<typeof makeNode>): Promise<Bitcoin.BitcoinSigner> =>
    Effect.runPromise(Bitcoin.make(client, { privateKey, utxos }))
  const { address } = await opened(makeNode([]))
  const own = scriptOf(address)
  const others = fc.array(
    fc.record({ value: fc.bigInt({ min: 1n, max: 10n ** 9n }), hasTokens: fc.boolean() }),
    {
      maxLength: 8
    }
  )
  const of = fc.record({ given: payment, others }).map(({ given, others }) => ({ ...given, others }))
  await all({ name: "Bitcoin Cash", payment: of, decimals: { coins: 8 } }, async (given) => {
    const { amount, isNew, much, others, to } = given
    const node = makeNode(
      [
        // those with tokens would be the fittest
        ...others.map(({ hasTokens, value }, i) =>
          hasTokens ? coin(i, amount + 500n + (value % 4_000n), { amount: "5" }) : coin(i, value)
        ),
        coin(others.length, amount + 5_000n + BigInt(much))
      ],
      own
    )
    const account = await opened(node)
    const type = isNew ? "p2pkhWithTokens" : "p2sh"
    const receiver = encodeCashAddress({ prefix: "bitcoincash", type, payload: to }).address
    return {
      send: account.send({ to: receiver, amount, ...capOf(given) }),
      left: () => {
        // its signatures were verified by libauth's virtual machine
        const transaction = decodeTransactionBCH(Buffer.from(node.raws[0] ?? "", "hex"))
        if (typeof transaction === "string") throw new Error(transaction)
        const spent = node.outputsOf(transaction)
        expect(spent.map(({ token }) => token)).toEqual(spent.map(() => undefined))
        const valueOf = (script: Uint8Array): bigint =>
          transaction.outputs
            .filter(({ lockingBytecode }) => hex(lockingBytecode) === hex(script))
            .reduce((sum, { valueSatoshis }) => sum + valueSatoshis, 0n)
        const had = spent.reduce((sum, { valueSatoshis }) => sum + valueSatoshis, 0n)
        return { amount: valueOf(scriptOf(receiver)), coins: had - valueOf(own) }
      }
    }
  })
})
