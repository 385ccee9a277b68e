// @runtime both
/**
 * The keys and credentials of a client are in none of its outputs, even where nodes and the provider repeat them, in any form.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as Redacted from "effect/Redacted"
import { makeSecretHider } from "../../src/config/headers.js"
import { resolveNode } from "../../src/config/resolveConfig.js"
import { networks } from "../../src/data/Network.js"
import * as SdkError from "../../src/data/SdkError.js"
import { findSecretsInUrl, isCommonWord, makeHideSecrets } from "../../src/data/secrets.js"
import { init, type PoolEvent } from "../../src/promise.js"
import { printErrorForms, revealsSecret, spellingsOf } from "../hostile/marked.js"
import { runs } from "../properties.js"

const letters = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789"

/** From two characters on, where the urls of providers have their keys. */
const key = FastCheck.string({ minLength: 4, maxLength: 40, unit: FastCheck.constantFrom(...`${letters}-_`) })
  // what paths are made of anyway is no key
  .filter((text) => findSecretsInUrl(`https://node.example/${text}`).includes(text))
  // and a marker has to differ from what the SDK says itself
  .map((text) => `${text}9Qz`)

const urlOf = (secret: string, at: number): string =>
  [
    `https://node.example/v3/${secret}`,
    `https://node.example/${secret}/rpc`,
    `https://node.example/ext/bc/C/rpc?token=${secret}`,
    `https://node.example/?a=1&${secret}`,
    `https://node.example/rpc/key:${secret}`,
    `https://${secret}:x@node.example/v2/`,
    `https://user:${secret}@node.example`,
    `node.example/${secret}`
  ][at % 8] ?? ""

const echoOf = (said: string): unknown => ({ [said]: [said, { deep: [[{ [`in ${said}`]: `x${said}x` }]] }] })

describe("keys of a node's url", () => {
  it.prop(
    "are in nothing that an error prints, in no form and at no depth",
    { secret: key, at: FastCheck.nat(7), form: FastCheck.nat(6) },
    ({ at, form, secret }) => {
      const url = urlOf(secret, at)
      const said = spellingsOf(secret)[form] ?? secret
      for (const error of [
        new SdkError.NodeError({ kind: "network", call: "eth_call", url, reason: `no ${said}` }),
        new SdkError.RpcError({ method: "eth_call", code: 1, rpcMessage: said, data: echoOf(said), url }),
        new SdkError.RequestRejected({
          call: "GET /x",
          status: 404,
          messages: [said],
          body: `{"a":"${said}"}`,
          url
        }),
        new SdkError.NoQuorum({ call: "x", nodes: 1, agree: 1, answers: [{ url, said }] }),
        new SdkError.BlockNotReached({ call: "x", minBlock: 1, height: 1, url, timeout: 1 })
      ]) {
        for (const printed of printErrorForms(error))
          expect(revealsSecret(printed, secret), printed).toBe(false)
      }
    },
    { fastCheck: { numRuns: runs(400) } }
  )

  it.each([
    ["https://node.example/v2/rpc", "v2 rpc method not found"],
    ["https://node.example/ext/bc/C/rpc", "C: the ext of bc does not know this rpc"],
    ["https://node.example/api/v1/mainnet", "api v1 of mainnet is not synced"],
    ["https://node.example/ethereum-mainnet/1", "ethereum-mainnet: 1 of 137 blocks"],
    ["https://node.example/abc", "the alphabetabc"],
    ["https://node.example/?type=testnet", "testnet is not synced"]
  ])("are not words of paths: %s", (url, said) => {
    const error = new SdkError.RpcError({
      method: "x",
      code: 1,
      rpcMessage: said,
      data: { [said]: said },
      url
    })
    expect([error.message, error.data]).toEqual([said, { [said]: said }])
  })

  it.each([
    ["https://node.example/ab", "ab", "…"],
    ["https://node.example/ab", "the cab", "the cab"],
    ["https://node.example/s3c", "(s3c)", "(…)"],
    ["https://node.example/v3/opensesame?pin=4711", "opensesame 4711", "… …"]
  ])("may be short: of %s %s is told as %s", (url, said, told) =>
    expect(makeHideSecrets(findSecretsInUrl(url))(said)).toBe(told)
  )
})

describe("what others say", () => {
  it("is cut, with how much is missing, and revert data is not", () => {
    const url = "https://node.example"
    const page = "x".repeat(30_000_000)
    const revert = `0x${"ab".repeat(65_536)}`
    const long = new SdkError.RpcError({ method: "x", code: 1, rpcMessage: page, data: [page, revert], url })
    expect(long.message).toMatch(/^x{4000,8192}… \(29991808 characters more\)$/)
    for (const printed of printErrorForms(long)) expect(printed.length).toBeLessThan(1_000_000)
    const error = new SdkError.RpcError({ method: "x", code: 3, rpcMessage: "reverted", data: revert, url })
    expect(error.data).toBe(revert)
    expect(
      new SdkError.RpcError({ method: "x", code: 3, rpcMessage: "", data: { a: { data: revert } }, url }).data
    ).toEqual({
      a: { data: revert }
    })
    expect(error.toString().length).toBeLessThan(10_000)
  })

  it("has no control characters and none that turn the direction, where it is a message", () => {
    const said = "\u001b[31mred\u0007\u009b2J\r\nsecond line\u202egnp.exe \ud800"
    const url = "https://node.example"
    const error = new SdkError.RpcError({ method: "x", code: 1, rpcMessage: said, data: said, url })
    expect(error.message).toBe("\\u001b[31mred\\u0007\\u009b2J\\u000d\\nsecond line\\u202egnp.exe \\ud800")
    for (const other of [
      new SdkError.GatewayError({
        call: "x",
        kind: "status",
        messages: [said],
        code: said,
        dashboardLog: said
      }),
      new SdkError.WalletError({ kind: "failed", method: "x", detail: said }),
      new SdkError.ChainNotSupported({ chain: said }),
      new SdkError.Unexpected({ defect: new Error(said) }),
      error
    ]) {
      for (const printed of [other.message, ...other.toString().split("\n")])
        expect(printed).not.toMatch(/[\p{Cc}\p{Bidi_C}]/u)
    }
  })

  it("is told to a depth alone", () => {
    const url = "https://node.example"
    const deep: unknown = JSON.parse("[".repeat(20_000) + "]".repeat(20_000))
    const error = new SdkError.RpcError({ method: "x", code: 1, rpcMessage: "no", data: deep, url })
    for (const printed of printErrorForms(error)) expect(printed.length).toBeLessThan(5_000)
    expect(JSON.stringify(error.data)).toContain('"…"')
    expect(
      Object.getPrototypeOf(
        Object(
          new SdkError.RpcError({
            method: "x",
            code: 1,
            rpcMessage: "no",
            data: JSON.parse('{"__proto__":{"polluted":true}}'),
            url
          }).data
        )
      )
    ).toBe(Object.prototype)
  })
})

const [apiKey, user, password, header, inPath, inQuery] = [
  "k3y-of-the-user",
  "hug0",
  "op&n s3same",
  "t0ken-of-mine",
  "p4th",
  "q53ry"
]
const secrets = [apiKey, user, password, header, inPath, inQuery]

/** A node that repeats whatever it is sent, in the forms that it may have, with an answer of this kind. */
const mirror = (request: IncomingMessage, response: ServerResponse, body: string, turn: number): void => {
  const heard = [
    request.url ?? "",
    ...Object.values(request.headers).flat().map(String),
    ...secrets.flatMap(spellingsOf)
  ]
  const { id, method }: { readonly id?: unknown; readonly method?: unknown } = JSON.parse(
    body === "" ? "{}" : body
  )
  // a node that is well by its probes is asked again and again
  if (method === "eth_blockNumber") {
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: "0x10" }))
    return
  }
  const message = heard.join(" ")
  const data = Object.fromEntries(heard.map((each) => [each, [each, { [each]: each }]]))
  const [status, answer] = (
    [
      [200, { jsonrpc: "2.0", id, error: { code: -32000, message, data } }],
      [
        200,
        { jsonrpc: "2.0", id, error: { code: 3, message: `execution reverted ${message}`, data: message } }
      ],
      [503, message],
      [429, { error: message }],
      [404, `<html><title>${message.slice(0, 500)}</title>`],
      [200, message],
      [200, { jsonrpc: "2.0", id, result: heard }]
    ] as const
  )[turn % 7] ?? [500, message]
  // no pause, which calls would wait for
  response.writeHead(status, { "content-type": "application/json", "retry-after": "0" })
  response.end(typeof answer === "string" ? answer : JSON.stringify(answer))
}

describe("a client", () => {
  it("tells nothing that it holds, in errors, events and log lines", async () => {
    let turn = 0
    const server = createServer(async (request, response) => {
      const chunks: Array<Buffer> = []
      for await (const chunk of request) chunks.push(Buffer.from(chunk))
      mirror(request, response, Buffer.concat(chunks).toString(), turn++)
    })
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    const { port } = server.address() as AddressInfo
    const told: Array<string> = []
    const line = (text: string): void => void told.push(text)
    const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`
    const node = (path: string) => ({
      url: `http://${login}@127.0.0.1:${port}/${path}?pin=${inQuery}`,
      headers: { "x-token": header, cookie: `session=${header}` },
      sendApiKey: true
    })
    const sdk = await init({
      network: "ethereum-mainnet",
      apiKey,
      verbose: true,
      retryDelay: 1,
      verifyChain: false,
      rpc: { nodes: [node(inPath), node(`v3/${inPath}`)], evictNodesOnFailure: false },
      provider: { baseUrl: `http://127.0.0.1:${port}` },
      logger: { trace: line, debug: line, info: line, warn: line, error: line }
    })
    sdk.listen((event: PoolEvent) => told.push(JSON.stringify(event), inspect(event)))
    const quorum = sdk.with({ quorum: { nodes: 2, agree: 2 } })
    for (let i = 0; i < 21; i++) {
      for (const result of await Promise.all([
        sdk.rpc.getBalance("0x00000000000000000000000000000000000000aa"),
        sdk.rpc.rawRpcCall({ method: "eth_sendRawTransaction", params: ["0x"] }),
        sdk.rpc.rawBatchRpcCall([{ method: "eth_chainId" }]),
        quorum.rpc.rawRpcCall({ method: "eth_gasPrice" }),
        sdk.notification.getAll(),
        sdk.rates.getCurrentRate("BTC", "EUR")
      ])) {
        if (result.status !== "ERROR") continue
        told.push(
          inspect(result, { depth: 20 }),
          JSON.stringify(result.error),
          ...printErrorForms(result.error.cause)
        )
      }
    }
    await sdk.destroy()
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
    // what has been said has indeed been told
    for (const tag of [
      "RpcError: execution reverted",
      "NodeError: ",
      "NoQuorum: ",
      "GatewayError: ",
      '"Failed"'
    ])
      expect(told.filter((each) => each.includes(tag)).length, tag).toBeGreaterThan(0)
    for (const secret of secrets)
      expect(told.filter((each) => revealsSecret(each, secret)).slice(0, 2), secret).toEqual([])
  })

  it("hides keys, user info and header values in whatever it repeats", () => {
    const hide = makeSecretHider({
      apiKey: { V3: Redacted.make("KEY"), V4: undefined },
      nodes: [
        resolveNode({ url: "https://me:pass@node.example" }),
        resolveNode({ url: "https://node.example", headers: { authorization: "Bearer a.b.c" } })
      ]
    })
    expect(hide(`KEY me:pass ${btoa("me:pass")} Bearer a.b.c a.b.c MONKEY`)).toBe("… … … … … MONKEY")
  })
})

describe("words", () => {
  it("are the ids of all networks, and no keys", () => {
    expect(Object.keys(networks).filter((id) => !isCommonWord(id))).toEqual([])
    for (const key of [
      "mainnet-4f7a91",
      "ethereum-mainnet-4f7a91",
      "t-5f1e2a-mainnet",
      "KEY-mainnet",
      "correct-horse"
    ])
      expect(isCommonWord(key), key).toBe(false)
  })
})
