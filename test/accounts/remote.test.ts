/** Accounts over HTTP: a client and the reference server on 127.0.0.1, and servers that do something else. */
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { ed25519 } from "@noble/curves/ed25519.js"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { recoverMessageAddress } from "viem"
import { afterEach, describe, expect, it, vi } from "vitest"
import { encodeRequest, parseRequest } from "../../src/accounts/contract.js"
import { type RemoteOptions, remote } from "../../src/accounts/remote.js"
import {
  makeSigningServer,
  type RemoteRequest,
  type SigningServerOptions
} from "../../src/accounts/server.js"
import { bytesToHex } from "../../src/data/hex.js"
import { signer } from "../../src/entries/signers/Evm.js"
import { type EvmCalls, make } from "../../src/signers/Evm.js"
import type { Account, SigningRequest } from "../../src/signers/Signer.js"
import { runs } from "../properties.js"

const token = "0123456789abcdef0123456789abcdef"
const key = new Uint8Array(32).fill(9)

const own: Account = {
  scheme: "secp256k1",
  publicKey: bytesToHex(secp256k1.getPublicKey(key, true)),
  sign: async ({ bytes }) => secp256k1.sign(bytes, key, { prehash: false })
}

const servers: Array<Server> = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    const closed = once(server, "close")
    server.close()
    server.closeAllConnections()
    await closed
  }
})

/** Serves a handler on a free port, as a server of Node does, under a path. */
const serve = async (handle: (request: Request) => Promise<Response>): Promise<string> => {
  const server = createServer(async (incoming, outgoing) => {
    const body = incoming.method === "GET" ? {} : { body: incoming, duplex: "half" }
    const request = new Request(`http://127.0.0.1${incoming.url}`, {
      method: incoming.method ?? "GET",
      headers: incoming.headers as Record<string, string>,
      ...(body as object)
    })
    const response = await handle(request)
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  })
  servers.push(server)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/signing/`
}

const startServer = (options: Partial<SigningServerOptions> = {}): Promise<string> =>
  serve(makeSigningServer({ accounts: { treasury: own }, token, authorize: () => true, ...options }))

const connect = (url: string, options: Partial<RemoteOptions> = {}): Promise<Account> =>
  remote({ url, token, account: "treasury", ...options })

const evm = (account: Account, rpc: Partial<EvmCalls> = {}) =>
  make({ network: "ethereum-mainnet", rpc: rpc as EvmCalls }, { account })

const to = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const transaction = {
  ...{ chainId: 1, nonce: 3, value: 5n, gas: 21_000n, maxFeePerGas: 9n, maxPriorityFeePerGas: 1n },
  to
} as const

const post = (url: string, body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(`${url}v1/accounts/treasury/sign`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, ...headers },
    body
  })

const refusalOf = async (response: Response): Promise<unknown> => {
  const { error }: { readonly error: unknown } = JSON.parse(await response.text())
  return { status: response.status, error }
}

describe("accounts of a signing server", () => {
  it("sign on the Promise surface and with Effect, and the server sees what", async () => {
    const asked: Array<RemoteRequest> = []
    const url = await startServer({
      authorize: (request) => {
        asked.push(request)
        return true
      }
    })
    const account = await connect(url)
    const made = await signer({ network: "ethereum-mainnet", rpc: {} } as never, { account })
    if (made.status === "ERROR") throw made.error.cause
    const { address, signMessage } = made.data
    const { data } = await signMessage("hello")
    expect(await recoverMessageAddress({ message: "hello", signature: data as `0x${string}` })).toBe(address)
    const elsewhere = await Effect.runPromise(evm(account))
    const local = await Effect.runPromise(evm(own))
    expect(await Effect.runPromise(elsewhere.sign(transaction))).toEqual(
      await Effect.runPromise(local.sign(transaction))
    )
    expect(asked).toMatchObject([
      { account: "treasury", kind: "message", message: "hello", network: "ethereum-mainnet", address },
      // a transaction is JSON, whose numbers are text
      { account: "treasury", kind: "transaction", transaction: { chainId: 1, value: "5", to } }
    ])
    expect(asked[0]?.bytes.length).toBe(32)
  })

  it("sign with Ed25519", async () => {
    const edwards: Account = {
      scheme: "ed25519",
      publicKey: bytesToHex(ed25519.getPublicKey(key)),
      sign: async ({ bytes }) => ed25519.sign(bytes, key)
    }
    const account = await connect(await startServer({ accounts: { treasury: edwards } }))
    const bytes = Uint8Array.of(1, 2, 3)
    const request = {
      bytes,
      kind: "message",
      message: "hello",
      network: "solana-mainnet",
      address: "a"
    } as const
    expect(ed25519.verify(await account.sign(request), bytes, ed25519.getPublicKey(key))).toBe(true)
  })

  it("take a token that replaces another one", async () => {
    const next = "f".repeat(32)
    const url = await startServer({ token: [token, next] })
    for (const each of [token, next])
      expect(await connect(url, { token: each })).toMatchObject({ publicKey: own.publicKey })
  })

  it("are refused with another token, in their absence, and by servers that are none", async () => {
    const url = await startServer()
    const refusals: ReadonlyArray<readonly [Partial<RemoteOptions>, object]> = [
      [
        { token: token.replace("0", "1") },
        { _tag: "SigningFailed", reason: "the signing server: the token is missing or unknown" }
      ],
      [
        { account: "nobody" },
        { _tag: "SigningFailed", reason: "the signing server: there is no such account" }
      ],
      [
        { account: "toString" },
        { _tag: "SigningFailed", reason: "the signing server: there is no such account" }
      ],
      [{ account: "../treasury" }, { _tag: "SigningFailed" }],
      [
        { url: "http://127.0.0.1:1" },
        { _tag: "SigningFailed", reason: expect.stringMatching(/ECONNREFUSED|bad port/) }
      ],
      [{ url: "signer.internal" }, { _tag: "InvalidArgument" }],
      [{ url: "ftp://signer.internal" }, { _tag: "InvalidArgument" }],
      [{ account: "" }, { _tag: "InvalidArgument" }],
      [{ token: "" }, { _tag: "InvalidArgument" }],
      [{ token: "two words" }, { _tag: "InvalidArgument" }]
    ]
    for (const [options, error] of refusals) {
      const refused: unknown = await connect(url, options).then(
        () => "no refusal",
        (reason: unknown) => reason
      )
      expect(refused, JSON.stringify(options)).toMatchObject(error)
      expect(String(refused)).not.toContain(options.token || token)
    }
    // the words of whoever sends are not trusted either
    const loud = (_: string, { headers }: RequestInit) => Promise.reject(new Error(JSON.stringify(headers)))
    const words: unknown = await connect(url, { fetch: loud }).catch((error: unknown) => error)
    expect(words).toMatchObject({ reason: expect.stringContaining("Bearer …") })
    expect(String(words)).not.toContain(token)
    const other = await serve(async () => new Response("<html>", { status: 200 }))
    await expect(connect(other)).rejects.toMatchObject({ _tag: "InvalidKey" })
    // nobody else is asked
    let asked = 0
    const stranger = await serve(async () => {
      asked++
      return Response.json({ scheme: own.scheme, publicKey: own.publicKey })
    })
    const away = await serve(async () => new Response(null, { status: 307, headers: { location: stranger } }))
    await expect(connect(away)).rejects.toMatchObject({ _tag: "SigningFailed" })
    expect(asked).toBe(0)
  })

  it("say in the words of the server why it does not sign", async () => {
    const failures: Array<unknown> = []
    const answers: Record<string, SigningServerOptions["authorize"]> = {
      "payments only": () => "payments only",
      "the server does not sign this": () => false as never,
      "the server could not sign": () => Promise.reject(new Error("the database of secrets is at 10.0.0.7"))
    }
    for (const [words, authorize] of Object.entries(answers)) {
      const account = await connect(
        await startServer({ authorize, onError: (error) => failures.push(error) })
      )
      const { signMessage } = await Effect.runPromise(evm(account))
      expect(await Effect.runPromise(Effect.flip(signMessage("hello")))).toMatchObject({
        _tag: "SigningFailed",
        reason: `the signing server: ${words}`
      })
    }
    expect(failures.map(String)).toEqual(["Error: the database of secrets is at 10.0.0.7"])
  })

  it("sign nothing that the server has signed in another way", async () => {
    const other = new Uint8Array(32).fill(3)
    const signs: Record<string, Account["sign"]> = {
      "with another key": async ({ bytes }) => secp256k1.sign(bytes, other, { prehash: false }),
      "over other bytes": async ({ bytes }) => secp256k1.sign(bytes.fill(7), key, { prehash: false }),
      "with nothing": async () => new Uint8Array()
    }
    for (const [name, sign] of Object.entries(signs)) {
      const account = await connect(await startServer({ accounts: { treasury: { ...own, sign } } }))
      const made = await Effect.runPromise(evm(account))
      expect(await Effect.runPromise(Effect.flip(made.sign(transaction))), name).toMatchObject({
        _tag: "SigningFailed"
      })
    }
    for (const body of ["{}", '{"signature":"0x0"}', '{"signature":7}', "nothing"]) {
      const url = await serve(async ({ method }) =>
        method === "GET"
          ? Response.json({ scheme: own.scheme, publicKey: own.publicKey })
          : new Response(body)
      )
      const { signMessage } = await Effect.runPromise(evm(await connect(url)))
      expect(await Effect.runPromise(Effect.flip(signMessage("hello"))), body).toMatchObject({
        reason: "the signing server: its answer has no signature"
      })
    }
  })

  it("fail after their time where the server is silent", async () => {
    let hear: () => void = () => {}
    const heard = new Promise<void>((resolve) => {
      hear = resolve
    })
    const url = await startServer({
      authorize: () => {
        hear()
        return new Promise(() => {})
      }
    })
    const { signMessage } = await Effect.runPromise(evm(await connect(url)))
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    try {
      const signing = Effect.runPromise(Effect.flip(signMessage("hello")))
      await heard
      vi.advanceTimersByTime(60_000)
      expect(await signing).toMatchObject({
        _tag: "SigningFailed",
        reason: "the signing server: no answer within 60000 milliseconds"
      })
    } finally {
      vi.useRealTimers()
    }
  })
})

describe("the signing server", () => {
  const request = {
    bytes: new Uint8Array(32),
    kind: "message",
    message: "hello",
    network: "n",
    address: "a"
  } as const

  it("asks nothing and signs nothing without its token", async () => {
    let asked = 0
    const url = await startServer({
      authorize: () => {
        asked++
        return true
      }
    })
    for (const authorization of [
      "",
      "Bearer",
      `Bearer ${token}0`,
      `Basic ${token}`,
      token,
      `Bearer ${token.slice(1)}`
    ])
      expect(
        await refusalOf(await post(url, encodeRequest(request), { authorization })),
        authorization
      ).toEqual({
        status: 401,
        error: { code: "unauthorized", message: "the token is missing or unknown" }
      })
    expect(asked).toBe(0)
    expect((await post(url, encodeRequest(request))).status).toBe(200)
    expect(asked).toBe(1)
  })

  it("refuses bodies that are too large, whatever their headers say, and those in another form", async () => {
    const url = await startServer({ maxBodyBytes: 1_000 })
    const large = { status: 413, error: { code: "too-large", message: "a body has at most 1000 bytes" } }
    expect(await refusalOf(await post(url, "x".repeat(1_001)))).toEqual(large)
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(500))
    })
    const init = { method: "POST", body: endless, duplex: "half" }
    const handle = makeSigningServer({
      accounts: { treasury: own },
      token,
      authorize: () => true,
      maxBodyBytes: 1_000
    })
    const streamed = new Request(`${url}v1/accounts/treasury/sign`, {
      ...init,
      headers: { authorization: `Bearer ${token}` }
    } as RequestInit)
    expect(await refusalOf(await handle(streamed))).toEqual(large)
    const whole: Record<string, unknown> = JSON.parse(encodeRequest(request))
    const preview = {
      ...{ network: "n", from: "a", to: "b", amount: "1", fee: "0", warnings: [], transaction: {} },
      outgoing: [{ asset: "ETH", amount: "1" }]
    }
    expect(parseRequest({ ...whole, kind: "payment", preview })).toMatchObject({ prepared: { amount: 1n } })
    const bodies: ReadonlyArray<unknown> = [
      "",
      "[]",
      "{",
      ...[
        { payload: "0x" },
        { payload: "0x123" },
        { payload: 7 },
        { preimage: "0x123" },
        { preimage: 7 },
        { payload: `0x${"00".repeat(31)}` },
        { kind: "order" },
        { kind: "payment" },
        { kind: "payment", preview: { amount: 5 } },
        // what a server cannot read, it must not leave out of what it shows
        { kind: "payment", preview: { ...preview, outgoing: [...preview.outgoing, 7] } },
        { kind: "payment", preview: { ...preview, amount: "-1" } },
        { kind: "payment", preview: { ...preview, staking: { action: "lend", amount: "1" } } },
        { kind: "payment", preview: { ...preview, staking: { action: "stake", amount: 1 } } },
        { kind: "transaction" },
        { kind: "typedData" },
        { message: 7 },
        { network: undefined },
        { address: 7 }
      ].map((change) => JSON.stringify({ ...whole, ...change }))
    ]
    for (const body of bodies)
      expect(await refusalOf(await post(url, String(body))), String(body)).toMatchObject({
        status: 400,
        error: { code: "invalid-request" }
      })
  })

  it("takes a method for each path", async () => {
    const url = await startServer()
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${url}v1/accounts/treasury`, { headers, method: "DELETE" })).status).toBe(405)
    expect((await fetch(`${url}v1/accounts/treasury/sign`, { headers })).status).toBe(405)
    expect((await fetch(`${url}v1/accounts/treasury/keys`, { headers })).status).toBe(404)
    expect((await fetch(`${url}v1/accounts/%ff`, { headers })).status).toBe(404)
  })

  it("is not made with a token that can be guessed", () => {
    for (const short of ["", "short", [], [token, "short"]])
      expect(() => makeSigningServer({ accounts: {}, token: short, authorize: () => true })).toThrow(
        /token must have at least 32 characters/
      )
  })
})

describe("the contract", () => {
  const text = fc.string()
  const whole = fc.bigInt({ min: 0n, max: 10n ** 40n })
  const absent = <A>(value: fc.Arbitrary<A>) => fc.option(value, { nil: undefined })
  const present = (fields: object) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

  const outgoing = fc
    .record({
      asset: text,
      amount: text,
      token: absent(text),
      symbol: absent(text),
      units: absent(whole),
      decimals: absent(fc.nat(36))
    })
    .map(present)
  const use = fc
    .record({
      needed: whole,
      staked: whole,
      delegated: whole,
      free: absent(whole),
      burnt: whole,
      cost: whole
    })
    .map(present)
  const prepared = fc
    .record({
      ...{
        network: text,
        from: text,
        to: text,
        token: absent(text),
        amount: whole,
        fee: whole,
        change: absent(whole)
      },
      staking: absent(
        fc
          .record({
            action: fc.constantFrom("delegate", "redelegate", "finalize_unstake", "undelegate_resource"),
            amount: whole,
            from: absent(text),
            resource: absent(fc.constantFrom("BANDWIDTH", "ENERGY")),
            stakeAccount: absent(text)
          })
          .map(present)
      ),
      resources: absent(fc.record({ bandwidth: use, energy: absent(use) }).map(present)),
      ...{ expectedBlocks: absent(fc.nat()), outgoing: fc.array(outgoing), warnings: fc.array(text) },
      transaction: fc.record({ memo: text })
    })
    .map(present)
  const call = fc.record({ contract: text, method: text })
  const subject = fc.oneof(
    fc.record({ kind: fc.constant("payment"), prepared }),
    fc.record({ kind: fc.constant("payment"), prepared, call }),
    fc.record({ kind: fc.constant("payment"), prepared, call, calls: fc.array(call) }),
    fc.record({ kind: fc.constant("transaction"), transaction: fc.record({ memo: text }) }),
    fc.record({ kind: fc.constant("message"), message: fc.oneof(text, fc.uint8Array()) }),
    fc.record({ kind: fc.constant("typedData"), data: fc.record({ primaryType: text }) })
  )

  it("gives a server what the signer asks for", () => {
    fc.assert(
      fc.property(
        subject,
        fc.record({ bytes: fc.uint8Array({ minLength: 1 }), preimage: absent(fc.uint8Array()) }).map(present),
        text,
        text,
        (about, signed, network, address) => {
          // the compiler does not see that the parts fit each other
          const request = { ...about, ...signed, network, address } as unknown as SigningRequest
          expect(parseRequest(JSON.parse(encodeRequest(request)))).toEqual(request)
        }
      ),
      { numRuns: runs(300) }
    )
  })

  it("reads no payment of which a call has another form: a policy would not see it", () => {
    fc.assert(
      fc.property(prepared, fc.array(call), fc.jsonValue(), fc.nat(), (preview, calls, wrong, at) => {
        fc.pre(!(typeof Object(wrong).method === "string"))
        const request = {
          kind: "payment",
          prepared: preview,
          calls,
          bytes: Uint8Array.of(1),
          network: "n",
          address: "a"
        }
        const body = JSON.parse(encodeRequest(request as unknown as SigningRequest))
        expect(parseRequest(body)).toMatchObject({ calls })
        expect(parseRequest({ ...body, calls: calls.toSpliced(at, 0, wrong as never) })).toBeUndefined()
      }),
      { numRuns: runs(100) }
    )
  })

  it("reads any other body as none, and does not throw", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expect(parseRequest(body)).toBeUndefined()
      }),
      { numRuns: runs(500) }
    )
  })
})
