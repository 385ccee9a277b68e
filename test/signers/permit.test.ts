// @runtime both
/** Permits without a chain: their bytes beside those of other libraries, and what nodes and callers may say wrongly. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { encodeAbiParameters, encodeFunctionData, hashTypedData, keccak256, parseAbi, toHex } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import type { Hex } from "../../src/chains/evm/Types.js"
import { RpcError } from "../../src/data/SdkError.js"
import { type EvmCalls, make } from "../../src/signers/Evm.js"
import {
  type PermitRequest,
  type PreparedPermit,
  preparePermit,
  signPermit,
  typedDataOf
} from "../../src/signers/permit.js"
import { make as makePolicy } from "../../src/signers/policyRules.js"

const PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3"
const key = "0x1ab42cc412b618bdea3a599e3c9bae199ebf030895b039e9db1e30dafb12b727"
const owner = "0x9858EfFD232B4033E47d90003D41EC34EcaEda94"
const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3"
const spender = "0x000000000000000000000000000000000000bEEF"
const until = 4_102_444_799

const reverted = new RpcError({ method: "eth_call", url: "", code: 3, rpcMessage: "execution reverted" })

const word = (value: bigint): Hex => toHex(value, { size: 32 })
const text = (value: string): Hex => encodeAbiParameters([{ type: "string" }], [value])

const separatorOf = (type: string, ...words: ReadonlyArray<string>): Hex =>
  keccak256(`0x${[keccak256(toHex(type)), ...words].map((each) => each.slice(2).padStart(64, "0")).join("")}`)

const hashText = (value: string): Hex => keccak256(toHex(value))
const WITH_VERSION = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"

/** The answers of a token to functions without arguments, and to others by their first four bytes; `undefined` reverts. */
const tokenCalls = (
  changes: Readonly<Record<string, Hex | undefined>> = {}
): Readonly<Record<string, Hex | undefined>> => ({
  // decimals, symbol, name, version
  "0x313ce567": word(6n),
  "0x95d89b41": text("PRM"),
  "0x06fdde03": text("Permit Token"),
  "0x54fd4d50": text("1"),
  // DOMAIN_SEPARATOR, nonces, authorizationState
  "0x3644e515": separatorOf(WITH_VERSION, hashText("Permit Token"), hashText("1"), word(1n), token),
  "0x7ecebe00": word(5n),
  "0xe94a0102": word(0n),
  ...changes
})

/** A client whose nodes answer calls of contracts, and nothing else. */
const client = (
  answers: Readonly<Record<string, Hex | undefined>> = tokenCalls(),
  network = "ethereum-mainnet"
) => {
  const calls: Array<{ readonly to?: string; readonly data?: string }> = []
  const rpc: Partial<EvmCalls> = {
    call: (transaction) =>
      Effect.suspend(() => {
        calls.push(transaction as (typeof calls)[number])
        const answer = answers[String(transaction.data).slice(0, 10)]
        return answer === undefined ? Effect.fail(reverted) : Effect.succeed(answer)
      })
  }
  return {
    calls,
    network,
    rpc: new Proxy(rpc, {
      get: (given, name) =>
        Reflect.get(given, name) ??
        (() => {
          throw new Error(`${String(name)} is called, and the test gives no such call`)
        })
    }) as EvmCalls
  }
}

const request: PermitRequest = { owner, token, spender, amount: "2.5", until }

const refused = (changes: Partial<PermitRequest>, answers = tokenCalls()) =>
  Effect.flip(preparePermit(client(answers), { ...request, ...changes } as never))

describe("the preview of a permit", () => {
  it.effect("has the name and the version whose hash is the token's", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [PreparedPermit["domain"], Parameters<typeof tokenCalls>[0]]> = [
        [{ name: "Permit Token", version: "1" }, {}],
        // a token with a version that it does not tell
        [
          { name: "Permit Token", version: "2" },
          {
            "0x54fd4d50": undefined,
            "0x3644e515": separatorOf(WITH_VERSION, hashText("Permit Token"), hashText("2"), word(1n), token)
          }
        ],
        // one whose domain has none
        [
          { name: "Permit Token" },
          {
            "0x54fd4d50": undefined,
            "0x3644e515": separatorOf(
              "EIP712Domain(string name,uint256 chainId,address verifyingContract)",
              hashText("Permit Token"),
              word(1n),
              token
            )
          }
        ]
      ]
      for (const [domain, changes] of cases) {
        const prepared = yield* preparePermit(client(tokenCalls(changes)), request)
        expect(prepared).toMatchObject({ domain, nonce: 5n, amount: 2_500_000n, until: BigInt(until) })
      }
      const own = { name: "Another", version: "7" }
      const answers = tokenCalls({
        "0x3644e515": separatorOf(WITH_VERSION, hashText("Another"), hashText("7"), word(1n), token)
      })
      expect((yield* preparePermit(client(answers), { ...request, domain: own })).domain).toEqual(own)
      expect(yield* refused({}, answers)).toMatchObject({
        _tag: "InvalidArgument",
        reason: expect.stringContaining('{"name":"Permit Token","version":"1"}')
      })
    })
  )

  it.effect("is none of a token without the standard", () =>
    Effect.gen(function* () {
      const none = [
        refused({}, tokenCalls({ "0x3644e515": undefined })),
        refused({}, tokenCalls({ "0x7ecebe00": undefined })),
        refused({}, tokenCalls({ "0x7ecebe00": "0x1234" })),
        // the permit of Dai has other arguments
        refused(
          {},
          tokenCalls({ "0x30adf81f": "0xea2aa0a1be11a07ed86d755c93467f4f82362b452371d1ba94d1715123511acb" })
        ),
        refused({ standard: "ERC-3009" }, tokenCalls({ "0xe94a0102": undefined })),
        refused({ standard: "ERC-3009" }, tokenCalls({ "0xe94a0102": word(1n) })),
        refused({ standard: "Permit2" }, tokenCalls({ "0x927da105": undefined })),
        refused({ standard: "Permit2" }, tokenCalls({ "0x927da105": word(0n) }))
      ]
      for (const each of none)
        expect(yield* each).toMatchObject({ _tag: "InvalidArgument", call: "preparePermit" })
      const same = tokenCalls({
        "0x30adf81f": hashText(
          "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"
        )
      })
      expect((yield* preparePermit(client(same), request)).nonce).toBe(5n)
    })
  )

  it.effect("is refused for what nobody could use or mean", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [Partial<PermitRequest>, object]> = [
        [{ until: 0 }, { reason: "until is over: nobody could use it" }],
        [{ until: -1 }, { reason: "until is over: nobody could use it" }],
        // milliseconds
        [{ until: 4_102_444_799_000 }, { reason: expect.stringContaining("Unix seconds") }],
        [{ until: new Date(Number.NaN) }, { reason: expect.stringContaining("Unix seconds") }],
        [{ until: 1.5 }, { reason: expect.stringContaining("Unix seconds") }],
        [{ until: "2099-01-01" as never }, { reason: expect.stringContaining("Unix seconds") }],
        [{ standard: "ERC-20" as never }, { reason: "standard must be ERC-2612, Permit2, ERC-3009" }],
        [{ spender: "0x12" }, { _tag: "InvalidAddress", address: "0x12" }],
        [{ owner: undefined as never }, { _tag: "InvalidAddress" }],
        [{ token: token.replace("F", "f") }, { _tag: "InvalidAddress" }],
        [{ amount: "0" }, { _tag: "InvalidAmount" }],
        [{ amount: "0.0000001" }, { _tag: "InvalidAmount" }],
        [{ amount: 2n ** 256n }, { _tag: "InvalidAmount", reason: "is more than ERC-2612 can say" }],
        [
          { amount: 2n ** 160n, standard: "Permit2" },
          { _tag: "InvalidAmount", reason: "is more than Permit2 can say" }
        ]
      ]
      for (const [changes, error] of cases)
        expect(yield* refused(changes), String(Object.values(changes))).toMatchObject(error)
    })
  )

  it.effect("is not made from what is no request", () =>
    Effect.gen(function* () {
      for (const given of [undefined, null, "permit", 7, []])
        expect(yield* Effect.flip(preparePermit(client(), given as never))).toMatchObject({
          _tag: "InvalidArgument",
          call: "preparePermit"
        })
      for (const domain of [null, "Permit Token", {}, { name: "A", version: 1 }])
        expect(yield* refused({ domain: domain as never })).toMatchObject({
          _tag: "InvalidArgument",
          reason: "domain must be { name, version }, as text"
        })
    })
  )

  it.effect("says that Permit2 has to be approved, and how long anything can be taken", () =>
    Effect.gen(function* () {
      const state = `0x${word(0n).slice(2)}${word(0n).slice(2)}${word(9n).slice(2)}` as const
      const permit2 = (approved: bigint) =>
        preparePermit(client(tokenCalls({ "0x927da105": state, "0xdd62ed3e": word(approved) })), {
          ...request,
          standard: "Permit2"
        })
      const lines = [
        `It lets ${spender} take up to 2.5 eip155:1/erc20:${token} until 2099-12-31T23:59:59.000Z, without a transaction of the account.`
      ]
      expect(yield* permit2(2_500_000n)).toMatchObject({
        nonce: 9n,
        domain: { name: "Permit2" },
        warnings: lines
      })
      expect((yield* permit2(2_499_999n)).warnings).toEqual([
        ...lines,
        expect.stringContaining("nothing can be taken before it does")
      ])
    })
  )
})

describe("a permit", () => {
  it.effect("has the hash that Permit2's own library computes", () =>
    Effect.gen(function* () {
      // by @uniswap/permit2-sdk 1.4.0
      const cases = [
        {
          chainId: 1,
          network: "ethereum-mainnet",
          token: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
          amount: 1_000_000n,
          until: 4_102_444_799n,
          nonce: 0n,
          spender,
          hash: "0x35fb053beae8491a9c24759031eeab0c5570806c8d0df9306ea1e47caa881e09"
        },
        {
          chainId: 137,
          network: "polygon-mainnet",
          token: "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359",
          amount: 2n ** 160n - 1n,
          until: 1_900_000_000n,
          nonce: 2n ** 48n - 1n,
          spender: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
          hash: "0xc501723de4395d0afa9f70c97b8a2eb06aa6b2b8b4314ab5d1ef84c72aa1042d"
        }
      ]
      for (const { hash, ...terms } of cases) {
        const permit: PreparedPermit = {
          ...terms,
          standard: "Permit2",
          owner,
          domain: { name: "Permit2" },
          outgoing: [],
          warnings: []
        }
        expect(hashTypedData((yield* typedDataOf(permit)) as never)).toBe(hash)
      }
      const zksync = {
        ...cases[0],
        network: "zksync-mainnet",
        chainId: 324,
        owner,
        standard: "Permit2",
        domain: { name: "Permit2" }
      }
      expect((yield* typedDataOf(zksync as never)).domain).toMatchObject({
        verifyingContract: "0x0000000000225e31D15943971F47aD3022F714Fa"
      })
    })
  )

  const states = { "0x927da105": `0x${"0".repeat(191)}9`, "0xdd62ed3e": word(2n ** 200n) } as const
  const abi = parseAbi([
    "struct Details { address token; uint160 amount; uint48 expiration; uint48 nonce; }",
    "struct Single { Details details; address spender; uint256 sigDeadline; }",
    "function permit(address owner, Single permitSingle, bytes signature)",
    "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
    "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)"
  ])

  it.effect("is used by the call that viem encodes, with its own signature", () =>
    Effect.gen(function* () {
      const account = privateKeyToAccount(key)
      for (const standard of ["ERC-2612", "Permit2", "ERC-3009"] as const) {
        const taken = { "0xd505accf": "0x", "0xe3ee160e": "0x", "0x2b67b570": "0x" } as const
        const nodes = client(tokenCalls({ ...states, ...taken }))
        const signer = yield* make(nodes, { privateKey: key })
        const permit = yield* preparePermit(nodes, { ...request, standard })
        const { call, signature } = yield* signPermit(nodes, signer, permit)
        const typedData = yield* typedDataOf(permit)
        expect(signature).toBe(yield* Effect.promise(() => account.signTypedData(typedData as never)))
        const [r, s, v] = [
          `0x${signature.slice(2, 66)}`,
          `0x${signature.slice(66, 130)}`,
          Number(`0x${signature.slice(130)}`)
        ] as const
        const { amount, nonce, until: last } = permit
        const time = Number(last)
        const data =
          standard === "Permit2"
            ? encodeFunctionData({
                abi,
                functionName: "permit",
                args: [
                  owner,
                  {
                    details: { token, amount, expiration: time, nonce: Number(nonce) },
                    spender,
                    sigDeadline: last
                  },
                  signature
                ]
              })
            : standard === "ERC-2612"
              ? encodeFunctionData({
                  abi,
                  functionName: "permit",
                  args: [owner, spender, amount, last, v, r, s]
                })
              : encodeFunctionData({
                  abi,
                  functionName: "transferWithAuthorization",
                  args: [owner, spender, amount, 0n, last + 1n, word(nonce), v, r, s]
                })
        expect(call).toEqual({ to: standard === "Permit2" ? PERMIT2 : token, data })
        // which a node has tried
        expect(nodes.calls.at(-1)).toEqual(call)
      }
    })
  )

  it.effect("is signed only if each of its fields can be", () =>
    Effect.gen(function* () {
      const nodes = client(tokenCalls({ ...states, "0xd505accf": "0x", "0x2b67b570": "0x" }))
      const signer = yield* make(nodes, { privateKey: key })
      const permit = yield* preparePermit(nodes, request)
      const permit2 = yield* preparePermit(nodes, { ...request, standard: "Permit2" })
      const malformed: ReadonlyArray<unknown> = [
        undefined,
        null,
        "permit",
        [],
        // a permit that has travelled as JSON
        JSON.parse(JSON.stringify(permit, (_, value) => (typeof value === "bigint" ? String(value) : value))),
        ...Object.keys(permit)
          .filter((name) => name !== "outgoing" && name !== "warnings")
          .flatMap((name) =>
            [undefined, null, {}, "0x12", -1n].map((value) => ({ ...permit, [name]: value }))
          ),
        { ...permit, chainId: 5 },
        { ...permit, network: "solana-mainnet" },
        { ...permit, amount: 2n ** 256n },
        { ...permit, until: BigInt(until) * 1_000n },
        { ...permit, nonce: 2n ** 256n },
        { ...permit2, amount: 2n ** 160n },
        { ...permit2, nonce: 2n ** 48n },
        { ...permit, domain: { name: "Permit Token", version: 1 } }
      ]
      for (const each of malformed) {
        const given = each as PreparedPermit
        for (const call of [signPermit(nodes, signer, given), typedDataOf(given)] as const) {
          const error = yield* Effect.flip<unknown, unknown, never>(call)
          expect(error, String(each)).toMatchObject({ _tag: "InvalidArgument" })
        }
      }
      expect(yield* Effect.flip(signPermit(nodes, signer, { ...permit, amount: 1 as never }))).toMatchObject({
        call: "signPermit",
        reason: `amount must be a bigint from 0 to ${2n ** 256n - 1n}`
      })
    })
  )

  it.effect("is handed out only if its contract takes it, signed by its owner, in 65 bytes", () =>
    Effect.gen(function* () {
      const nodes = client()
      const permit = yield* preparePermit(nodes, request)
      const signer = yield* make(nodes, { privateKey: key })
      expect(yield* Effect.flip(signPermit(nodes, signer, permit))).toMatchObject({
        _tag: "SigningFailed",
        reason: `${token} does not take the permit: execution reverted`
      })
      const taking = client(tokenCalls({ "0xd505accf": "0x" }))
      const parity = (last: string) => ({
        ...signer,
        signTypedData: () => Effect.succeed(`0x${"11".repeat(64)}${last}` as const)
      })
      for (const [last, v] of [
        ["00", 27n],
        ["01", 28n],
        ["1b", 27n],
        ["1c", 28n]
      ] as const)
        expect(
          (yield* signPermit(taking, parity(last), permit)).call.data.slice(10 + 4 * 64, 10 + 5 * 64)
        ).toBe(word(v).slice(2))
      for (const last of ["", "1b1b"])
        expect(yield* Effect.flip(signPermit(taking, parity(last), permit))).toMatchObject({
          _tag: "SigningFailed",
          reason: "a permit takes a signature of 65 bytes"
        })
      const others: ReadonlyArray<Partial<PreparedPermit>> = [
        { owner: spender },
        { network: "polygon-mainnet", chainId: 137 },
        { chainId: 137 }
      ]
      for (const changes of others)
        expect(yield* Effect.flip(signPermit(taking, signer, { ...permit, ...changes }))).toMatchObject({
          _tag: "InvalidArgument",
          call: "signPermit"
        })
      const elsewhere = client(tokenCalls({ "0xd505accf": "0x" }), "polygon-mainnet")
      expect(yield* Effect.flip(signPermit(elsewhere, signer, permit))).toMatchObject({
        _tag: "InvalidArgument"
      })
    })
  )

  it.effect("is signed by no key where a policy does not name typed data", () =>
    Effect.gen(function* () {
      const nodes = client(tokenCalls({ "0xd505accf": "0x" }))
      let asked = 0
      const account = privateKeyToAccount(key)
      const sign = (hash: Hex): Promise<Hex> => {
        asked += 1
        return account.sign({ hash })
      }
      const permit = yield* preparePermit(nodes, request)
      const strict = yield* makePolicy({})
      const guarded = yield* make(nodes, { address: owner, sign, policy: strict })
      expect(yield* Effect.flip(signPermit(nodes, guarded, permit))).toMatchObject({ _tag: "PolicyDenied" })
      expect(asked).toBe(0)
      const open = yield* makePolicy({ signing: ["typedData"] })
      const allowed = yield* make(nodes, { address: owner, sign, policy: open })
      yield* signPermit(nodes, allowed, permit)
      expect(asked).toBe(1)
    })
  )
})
