/**
 * Ten thousand random payments each on the XRP Ledger and on Stellar, on ledgers of the tests, to the last unit above the reserve: what
 * leaves the account by the bytes that were signed, as `xrpl` and `stellar-base` have them, is at most what the preview said.
 */
import { Keypair, MuxedAccount, Account as Source, Transaction } from "@stellar/stellar-base"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { expect, it } from "vitest"
import { classicAddressToXAddress, decode, encodeAccountID, type Payment } from "xrpl"
import * as Stellar from "../../src/signers/Stellar.js"
import * as Xrp from "../../src/signers/Xrp.js"
import * as horizon from "../signers/horizon.js"
import * as rippled from "../signers/rippled.js"
import { all, bytes, capOf, type Left, privateKey, terms, units } from "./previews.js"

/** What the account has above what it needs. */
const spare = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(-1n, 0n, 1n) },
  { weight: 4, arbitrary: fc.bigInt({ min: 2n, max: 10n ** 12n }) }
)

const payment = fc.record({
  ...terms,
  to: bytes(32),
  spare,
  spareTokens: spare,
  isToIssuer: fc.nat(4).map((n) => n === 0),
  wantsNote: fc.nat(3).map((n) => n === 0),
  /** The number of the receiver's customer. */
  part: fc.option(fc.nat(2 ** 32 - 1), { nil: undefined }),
  owned: fc.nat(9),
  fee: fc.integer({ min: 12, max: 5_000 })
})

/** The ledger has decimal numbers of 16 digits. */
const ofXrp = fc.record({
  digits: fc.bigInt({ min: 1n, max: 10n ** 16n - 1n }),
  power: fc.integer({ min: -30, max: 5 }),
  /** What an issuer takes for a billion that arrive. */
  rate: fc.integer({ min: 1_000_000_000, max: 2_000_000_000 })
})

/** Tokens of the XRP Ledger have up to so many digits behind the point. */
const TOKEN_DECIMALS = 81

/** What leaves by a payment of the XRP Ledger: of tokens so many as may be spent, which are enough for the issuer's share. */
const leftByXrp = (blob: string, to: string, rate: number): Left => {
  const { Amount, Destination, Fee = "", SendMax = Amount } = decode(blob) as unknown as Payment
  expect(Destination).toBe(to)
  if (typeof Amount === "string") return { amount: BigInt(Amount), coins: BigInt(Amount) + BigInt(Fee) }
  const [amount, tokens] = [Amount, SendMax].map((each) => units(Object(each).value, TOKEN_DECIMALS)) as [
    bigint,
    bigint
  ]
  expect(tokens * 1_000_000_000n).toBeGreaterThanOrEqual(amount * BigInt(rate))
  return { amount, coins: BigInt(Fee), tokens }
}

it("payments of the XRP Ledger take what their previews say", { timeout: 1_800_000 }, async () => {
  const issuer = "rhub8VRN55s94qWKDv6jmDy1pUykJzF3wq"
  const opened = (rpc: Xrp.XrpCalls) =>
    Effect.runPromise(Xrp.make({ network: "ripple-mainnet", rpc }, { privateKey }))
  const { address } = await opened(rippled.makeLedger({}).rpc)
  const name = "the XRP Ledger"
  const both = fc.record({ given: payment, of: ofXrp }).map(({ given, of }) => ({ ...given, ...of }))
  await all({ name, payment: both, decimals: { coins: 6, tokens: TOKEN_DECIMALS } }, async (given) => {
    const { digits, fee, isNew, isToIssuer, isToken, memo, owned, part, power, rate, wantsNote } = given
    const { base, each } = rippled.terms
    const isThere = isToken || !isNew
    const isBack = isToken && isToIssuer
    const to = isBack ? issuer : encodeAccountID(Buffer.from(given.to.subarray(0, 20)))
    const needed = isToken ? BigInt(fee) : given.amount + BigInt(fee) + base + each * BigInt(owned)
    const line = { issuer, currency: "USD", limit: 1e40 }
    const chain = rippled.makeLedger(
      {
        [address]: { balance: needed + given.spare, owned },
        [issuer]: { balance: base, rate },
        ...(isThere && !isBack ? { [to]: { balance: base, flags: wantsNote ? 0x2_0000 : 0 } } : {})
      },
      [
        { ...line, holder: address, isLow: true, balance: given.spareTokens < 0n ? 0 : 1e30 },
        ...(isBack ? [] : [{ ...line, holder: to, isLow: false, balance: 0 }])
      ]
    )
    chain.terms.fee = String(fee)
    const { submit } = chain.rpc
    const close = Effect.sync(() => chain.at.seq++)
    const account = await opened({ ...chain.rpc, submit: (blob) => Effect.zipLeft(submit(blob), close) })
    const options = {
      to: part === undefined ? to : classicAddressToXAddress(to, part, false),
      ...(memo === undefined ? {} : { memo: part === undefined ? `m${memo}` : String(part) }),
      ...capOf(given)
    }
    const lacks = given.spare < 0n || (isToken && given.spareTokens < 0n)
    return {
      send: isToken
        ? account.sendToken({
            ...options,
            amount: units(`${digits}e${power}`, TOKEN_DECIMALS),
            token: `USD.${issuer}`
          })
        : account.send({ ...options, amount: given.amount }),
      left: () => {
        expect(chain.sent).toHaveLength(1)
        const left = leftByXrp(chain.sent[0] ?? "", to, isBack ? 1_000_000_000 : rate)
        expect(needed + given.spare - (chain.accounts.get(address)?.balance ?? 0n)).toBe(left.coins)
        return left
      },
      refused:
        isThere && !isBack && wantsNote && part === undefined
          ? "MemoRequired"
          : !isThere && given.amount < base
            ? "DustAmount"
            : lacks
              ? "InsufficientFunds"
              : undefined
    }
  })
})

/** What leaves by a payment of Stellar: the ledger may take all of the fee that it offers. */
const leftByStellar = (xdr: string, to: string): Left => {
  const { fee, operations } = new Transaction(xdr, horizon.passphrase)
  const [operation] = operations
  expect(operations).toHaveLength(1)
  if (operation?.type !== "payment" && operation?.type !== "createAccount")
    throw new Error(`it is no payment: ${operation?.type}`)
  expect(operation.destination).toBe(to)
  const isPayment = operation.type === "payment"
  const amount = units(isPayment ? operation.amount : operation.startingBalance, 7)
  return isPayment && !operation.asset.isNative()
    ? { amount, coins: BigInt(fee), tokens: amount }
    : { amount, coins: amount + BigInt(fee) }
}

it("payments of Stellar take what their previews say", { timeout: 1_800_000 }, async () => {
  const own = Keypair.fromRawEd25519Seed(Buffer.from(privateKey, "hex"))
  const issuer = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 2)).publicKey()
  await all({ name: "Stellar", payment, decimals: { coins: 7, tokens: 7 } }, async (given) => {
    const { amount, isNew, isToIssuer, isToken, memo, owned, part, wantsNote } = given
    const isThere = isToken || !isNew
    const to = isToken && isToIssuer ? issuer : Keypair.fromRawEd25519Seed(Buffer.from(given.to)).publicKey()
    const asset = { code: given.to[0] === 0 ? "USDC" : "LONGERNAME", issuer }
    const bound = BigInt(given.to[1] ?? 0)
    const reserve = 5_000_000n
    const fee = BigInt(Math.max(given.fee, 100))
    const needed = (isToken ? 0n : amount) + fee + reserve * BigInt(2 + owned) + bound
    const chain = horizon.makeLedger({
      [own.publicKey()]: {
        balance: needed + given.spare,
        bound,
        entries: owned,
        sponsoring: 3,
        sponsored: 3,
        trust: [{ ...asset, bound, balance: amount + bound + given.spareTokens }]
      },
      ...(isThere
        ? {
            [to]: {
              balance: 10_000_000n,
              data: wantsNote ? { "config.memo_required": "MQ==" } : {},
              trust: [{ ...asset, balance: bound, limit: amount + bound }]
            }
          }
        : {})
    })
    chain.terms.p95 = String(given.fee)
    const account = await Effect.runPromise(
      Stellar.make({ network: "stellar-mainnet", rpc: chain.rpc }, { privateKey: own.secret() })
    )
    const isPart = isThere && memo === undefined && part !== undefined
    const options = {
      to: isPart ? new MuxedAccount(new Source(to, "0"), String(part)).accountId() : to,
      amount,
      ...(memo === undefined ? {} : { memo: memo.slice(0, 28) }),
      ...capOf(given)
    }
    const lacks = given.spare < 0n || (isToken && given.spareTokens < 0n)
    return {
      send: isToken
        ? account.sendToken({ ...options, token: `${asset.code}:${issuer}` })
        : account.send(options),
      left: () => {
        expect(chain.sent).toHaveLength(1)
        return leftByStellar(chain.sent[0] ?? "", options.to)
      },
      refused:
        isThere && wantsNote && memo === undefined && !isPart
          ? "MemoRequired"
          : !isThere && amount < 2n * reserve
            ? "DustAmount"
            : lacks
              ? "InsufficientFunds"
              : undefined
    }
  })
})
