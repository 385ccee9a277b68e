// @runtime both
/** Names of ENS that are answered for by parents (ENSIP-10), or from outside of the chain (EIP-3668), with a gateway on loopback. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import {
  concatHex,
  decodeFunctionData,
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  encodeFunctionResult,
  type Hex,
  labelhash,
  namehash,
  parseAbi,
  parseAbiParameters,
  stringToHex,
  toFunctionSelector,
  toHex
} from "viem"
import { packetToBytes } from "viem/ens"
import { afterEach, describe, expect, it } from "vitest"
import type { ContractClient, NameOptions } from "../../src/contracts/index.js"
import * as OnEffect from "../../src/contracts/index.js"
import { lookupAddress, resolveName } from "../../src/contracts.js"
import { failure, success } from "../../src/data/CallResult.js"
import { RpcError } from "../../src/data/SdkError.js"
import { init } from "../../src/promise.js"

const REGISTRY = "0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e"
const resolver = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const stranger = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"
const owner = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
const nobody = `0x${"0".repeat(40)}` as const

const abi = parseAbi([
  "function resolver(bytes32 node) view returns (address)",
  "function supportsInterface(bytes4 id) view returns (bool)",
  "function addr(bytes32 node) view returns (address)",
  "function name(bytes32 node) view returns (string)",
  "function resolve(bytes name, bytes data) view returns (bytes)",
  "function proven(bytes response, bytes extraData) view returns (bytes)",
  "function addrWithProof(bytes response, bytes extraData) view returns (address)",
  "error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)",
  "error Unknown(string what)"
])

type Client = Parameters<typeof resolveName>[0]

/** What a contract refuses with. */
class Refusal {
  constructor(readonly data: Hex) {}
}

type Contract = (call: ReturnType<typeof decodeFunctionData<typeof abi>>, data: Hex) => Hex | Refusal

const unexpected = (what: string) => (): never => {
  throw new Error(`unexpected: ${what}`)
}

/** What a chain was asked, beside its registry: the names of functions. */
interface Chain {
  readonly client: Client
  readonly asked: ReadonlyArray<string>
}

/** A chain with these contracts, and resolvers by the names that have one. A question that no contract was given for throws. */
const chainOf = (
  resolvers: Readonly<Record<string, string>>,
  contracts: Readonly<Record<string, Contract>>
): Chain => {
  const asked: Array<string> = []
  const byNode = new Map(Object.entries(resolvers).map(([name, at]) => [namehash(name), at]))
  const answer = (to: string, data: Hex): Hex | Refusal => {
    const call = decodeFunctionData({ abi, data })
    if (to === REGISTRY && call.functionName === "resolver")
      return encodeAbiParameters([{ type: "address" }], [(byNode.get(call.args[0]) ?? nobody) as Hex])
    asked.push(call.functionName)
    const [, contract = unexpected(`${call.functionName} of ${to}`)] =
      Object.entries(contracts).find(([at]) => at.toLowerCase() === to.toLowerCase()) ?? []
    return contract(call, data)
  }
  return {
    asked,
    client: {
      network: "ethereum-mainnet",
      rpc: {
        call: async ({ to, data }) => {
          const said = answer(String(to), data as Hex)
          return said instanceof Refusal
            ? failure(
                new RpcError({
                  method: "eth_call",
                  code: 3,
                  rpcMessage: "execution reverted",
                  data: said.data,
                  url: "https://node.example"
                })
              )
            : success(said)
        },
        estimateGas: unexpected("estimateGas"),
        getCode: unexpected("getCode"),
        getLogs: unexpected("getLogs"),
        getTransactionReceipt: unexpected("getTransactionReceipt")
      }
    }
  }
}

const supported = (is: boolean): Hex =>
  encodeFunctionResult({ abi, functionName: "supportsInterface", result: is })
const addrResult = (address: Hex): Hex => encodeFunctionResult({ abi, functionName: "addr", result: address })
const resolved = (answer: Hex): Hex => encodeFunctionResult({ abi, functionName: "resolve", result: answer })
const addrOf = (name: string): Hex =>
  encodeFunctionData({ abi, functionName: "addr", args: [namehash(name)] })
const wire = (name: string): Hex => toHex(packetToBytes(name))

const lookup = (
  urls: ReadonlyArray<string>,
  {
    sender = resolver,
    question = "0xC0ffee" as Hex,
    callback = toFunctionSelector("proven(bytes,bytes)") as Hex,
    extra = "0x0e" as Hex
  } = {}
): Refusal =>
  new Refusal(
    encodeErrorResult({
      abi,
      errorName: "OffchainLookup",
      args: [sender as Hex, urls, question, callback, extra]
    })
  )

/** A resolver for all names below its own, which refers to these gateways and believes what they say. */
const offchain =
  (...of: Parameters<typeof lookup>): Contract =>
  ({ args, functionName }) =>
    functionName === "supportsInterface"
      ? supported(args[0] === "0x9061b923")
      : functionName === "resolve"
        ? lookup(...of)
        : functionName === "proven"
          ? resolved(args[0])
          : unexpected(functionName)()

interface Heard {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

const open: Array<Server> = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A gateway, and what it has heard. */
const gateway = async (answer: (response: ServerResponse, body: string) => void) => {
  const heard: Array<Heard> = []
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += chunk
    heard.push({ method: request.method, path: request.url, headers: request.headers, body })
    answer(response, body)
  })
  open.push(server)
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return { heard, url: `http://127.0.0.1:${address.port}` }
}

const saying =
  (data: unknown, status = 200) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(data))
  }

const well = saying({ data: addrResult(owner) })

const dataOf = async <A>(
  call: Promise<{ readonly status: string; readonly data?: A; readonly error?: unknown }>
): Promise<A | undefined> => {
  const result = await call
  if (result.status === "ERROR") throw result.error
  return result.data
}

const errorOf = async (
  call: Promise<{ readonly status: string; readonly error?: unknown }>
): Promise<unknown> => {
  const result = await call
  if (result.status !== "ERROR") throw new Error("no error")
  return Reflect.get(Object(result.error), "cause")
}

describe("a wildcard resolver", () => {
  it("answers for names below its own, once it has said that it does", async () => {
    const { asked, client } = chainOf(
      { "wild.eth": resolver },
      {
        [resolver]: ({ args, functionName }) => {
          if (functionName === "supportsInterface") return supported(args[0] === "0x9061b923")
          expect([functionName, args]).toEqual(["resolve", [wire("a.b.wild.eth"), addrOf("a.b.wild.eth")]])
          return resolved(addrResult(owner))
        }
      }
    )
    expect(await dataOf(resolveName(client, "A.b.wild.eth"))).toBe(owner)
    expect(asked).toEqual(["supportsInterface", "resolve"])
  })

  it("says by nothing, or by zeros, that a name has no address", async () => {
    for (const nothing of ["0x", addrResult(nobody)] as const) {
      const { client } = chainOf(
        { eth: resolver },
        {
          [resolver]: ({ functionName }) => (functionName === "resolve" ? resolved(nothing) : supported(true))
        }
      )
      expect(await dataOf(resolveName(client, "a.eth"))).toBeNull()
    }
  })

  it("is none if it does not say so: its name has an address, those below have none", async () => {
    const plain =
      (says: Hex | Refusal): Contract =>
      ({ args, functionName }) => {
        if (functionName === "supportsInterface") return says
        expect([functionName, args]).toEqual(["addr", [namehash("own.eth")]])
        return addrResult(owner)
      }
    const unknown = new Refusal(encodeErrorResult({ abi, errorName: "Unknown", args: ["interface"] }))
    for (const says of [supported(false), "0x", unknown] as const) {
      const { asked, client } = chainOf({ "own.eth": resolver }, { [resolver]: plain(says) })
      expect(await dataOf(resolveName(client, "own.eth"))).toBe(owner)
      expect(await dataOf(resolveName(client, "below.own.eth"))).toBeNull()
      expect(asked).toEqual(["supportsInterface", "addr", "supportsInterface"])
    }
  })

  it("is the nearest one, up to the root", async () => {
    const other: Contract = ({ functionName }) =>
      functionName === "resolve" ? resolved(addrResult(stranger)) : supported(true)
    const contracts = { [resolver]: offchain([]), [stranger]: other }
    const near = chainOf({ "b.eth": stranger, eth: resolver }, contracts)
    expect(await dataOf(resolveName(near.client, "a.b.eth"))).toBe(stranger)
    const root = chainOf({ "": stranger }, contracts)
    expect(await dataOf(resolveName(root.client, "a.b.eth"))).toBe(stranger)
    expect(await dataOf(resolveName(chainOf({}, {}).client, "a.b.eth"))).toBeNull()
  })

  it("gets long labels by their hash, and no name with labels without end", async () => {
    const long = "x".repeat(256)
    const { client } = chainOf(
      { eth: resolver },
      {
        [resolver]: ({ args, functionName }) => {
          if (functionName === "supportsInterface") return supported(true)
          const hash = stringToHex(`[${labelhash(long).slice(2)}]`)
          expect(args[0]).toBe(concatHex([toHex(66), hash, "0x03", stringToHex("eth"), "0x00"]))
          return resolved(addrResult(owner))
        }
      }
    )
    expect(await dataOf(resolveName(client, `${long}.eth`))).toBe(owner)
    const endless = Array.from({ length: 33 }, () => "a").join(".")
    expect(await errorOf(resolveName(client, endless))).toMatchObject({
      _tag: "InvalidArgument",
      reason: expect.stringContaining("32 labels")
    })
  })
})

/** Gateways of the tests are on their own machine. */
const local = { ccipRead: "localhost" } as const

describe("a gateway", () => {
  it("is asked by GET where its url has a place for the data, and the contract believes it or not", async () => {
    const { heard, url } = await gateway(well)
    const { asked, client } = chainOf(
      { "off.eth": resolver },
      { [resolver]: offchain([`${url}/r/{sender}/{data}.json`]) }
    )
    expect(await dataOf(resolveName(client, "a.off.eth", local))).toBe(owner)
    expect(heard).toMatchObject([
      { method: "GET", path: `/r/${resolver.toLowerCase()}/0xc0ffee.json`, body: "" }
    ])
    expect(asked).toEqual(["supportsInterface", "resolve", "proven"])
  })

  it("is asked by POST elsewhere, and its words go to the contract with what that wanted to have back", async () => {
    const { heard, url } = await gateway(saying({ data: "0x0102" }))
    const extra = "0x0e".padEnd(200, "7") as Hex
    // a resolver without wildcards refers to its gateway, too
    const { client } = chainOf(
      { "off.eth": resolver },
      {
        [resolver]: ({ args, functionName }) => {
          if (functionName === "supportsInterface") return supported(false)
          if (functionName === "addr")
            return lookup([`${url}/{sender}`], {
              callback: toFunctionSelector("addrWithProof(bytes,bytes)"),
              extra
            })
          expect([functionName, args]).toEqual(["addrWithProof", ["0x0102", extra]])
          return addrResult(owner)
        }
      }
    )
    expect(await dataOf(resolveName(client, "off.eth", local))).toBe(owner)
    expect(heard).toMatchObject([
      { method: "POST", path: `/${resolver.toLowerCase()}`, headers: { "content-type": "application/json" } }
    ])
    const own =
      /^(?:accept(?:-encoding|-language)?|connection|content-(?:length|type)|host|sec-fetch-mode|user-agent)$/
    expect(Object.keys(heard[0]?.headers ?? {}).filter((name) => !own.test(name))).toEqual([])
    expect(JSON.parse(heard[0]?.body ?? "")).toEqual({ data: "0xc0ffee", sender: resolver.toLowerCase() })
  })

  it("gets no key and no header of the client's", async () => {
    const marker = "marker-7f3a9c"
    const { heard, url } = await gateway(well)
    const { client } = chainOf({ "off.eth": resolver }, { [resolver]: offchain([`${url}/{data}`, url]) })
    const node = await gateway(async (response, body) => {
      const { id, method, params } = JSON.parse(body)
      const answer = method === "eth_call" ? await client.rpc.call(params[0]) : success("0x1")
      const cause = answer.status === "ERROR" ? answer.error.cause : undefined
      saying(
        cause instanceof RpcError
          ? { jsonrpc: "2.0", id, error: { code: 3, message: cause.rpcMessage, data: cause.data } }
          : { jsonrpc: "2.0", id, result: answer.data }
      )(response)
    })
    const sdk = await init({
      network: "ethereum-mainnet",
      apiKey: marker,
      rpc: { nodes: [{ url: `${node.url}/${marker}`, headers: { "x-marker": marker } }] },
      quiet: true
    })
    expect(await dataOf(resolveName(sdk, "a.off.eth", local))).toBe(owner)
    await sdk.destroy()
    expect(JSON.stringify(node.heard)).toContain(marker)
    expect(heard).toHaveLength(1)
    expect(JSON.stringify(heard)).not.toContain(marker)
    const { accept, connection, host, "user-agent": agent, ...others } = heard[0]?.headers ?? {}
    expect(Object.keys(others).sort()).toEqual(["accept-encoding", "accept-language", "sec-fetch-mode"])
  })

  it("is followed by the next one if it fails, and by none if it refuses", async () => {
    const last = await gateway(well)
    const broken = await gateway(saying({ message: "no database" }, 503))
    const odd = await gateway(saying({ data: "0x123" }))
    const elsewhere = await gateway((response) => response.writeHead(302, { location: last.url }).end())
    const huge = await gateway((response) => response.end(`{"data":"0x${"00".repeat(600_000)}"}`))
    const refusing = await gateway(saying({ message: "no such name" }, 404))
    const client = (...urls: ReadonlyArray<string>) =>
      chainOf({ "off.eth": resolver }, { [resolver]: offchain(urls) }).client
    const closed = "http://127.0.0.1:1"
    for (const one of [broken.url, odd.url, elsewhere.url, huge.url, closed]) {
      expect(await dataOf(resolveName(client(one, last.url), "a.off.eth", local)), one).toBe(owner)
    }
    expect(last.heard).toHaveLength(5)
    expect(await errorOf(resolveName(client(refusing.url, last.url), "a.off.eth", local))).toMatchObject({
      _tag: "GatewayError",
      kind: "status",
      status: 404,
      call: `POST ${refusing.url}`,
      messages: [`${refusing.url}: HTTP 404 {"message":"no such name"}`]
    })
    expect(last.heard).toHaveLength(5)
    // what each of them has said, and the way in which the last one has failed
    expect(
      await errorOf(resolveName(client(broken.url, elsewhere.url, huge.url), "a.off.eth", local))
    ).toMatchObject({
      _tag: "GatewayError",
      kind: "too-large",
      messages: [
        `${broken.url}: HTTP 503 {"message":"no database"}`,
        expect.stringMatching(`^${elsewhere.url}: a redirect`),
        expect.stringMatching(`^${huge.url}: .*larger than 1048576`)
      ]
    })
    expect(await errorOf(resolveName(client(), "a.off.eth", local))).toMatchObject({ _tag: "GatewayError" })
    // a list without end does
    expect(
      await errorOf(resolveName(client(...Array.from({ length: 9 }, () => broken.url)), "a.off.eth", local))
    ).toMatchObject({ messages: { length: 5 } })
  })

  it("is on https, or on one's own machine where that is asked for", async () => {
    const { heard, url: own } = await gateway(well)
    const refusing = async (url: string, options: NameOptions<Promise<string>>) => {
      const { client } = chainOf({ "off.eth": resolver }, { [resolver]: offchain([`${url}/{data}`]) })
      expect(await errorOf(resolveName(client, "a.off.eth", options)), url).toMatchObject({
        _tag: "GatewayError",
        messages: [expect.stringContaining("no https url")]
      })
    }
    for (const options of [{}, { ccipRead: true }, local])
      for (const url of [
        "http://gateway.example",
        "file:///etc/passwd",
        "data:,{}",
        "http://127.0.0.1.gateway.example",
        "http://localhost.example",
        "no url"
      ])
        await refusing(url, options)
    // whoever has the name would make this machine ask itself
    for (const url of [own, own.replace("127.0.0.1", "localhost")])
      for (const options of [{}, { ccipRead: true }]) await refusing(url, options)
    expect(heard).toEqual([])
  })

  it("has its refusal by the contract told", async () => {
    const { url } = await gateway(well)
    const believing = offchain([url])
    const { client } = chainOf(
      { "off.eth": resolver },
      {
        [resolver]: (call, data) =>
          call.functionName === "proven"
            ? new Refusal(
                encodeErrorResult({
                  abi: parseAbi(["error Error(string)"]),
                  errorName: "Error",
                  args: ["a wrong signature"]
                })
              )
            : believing(call, data)
      }
    )
    expect(await errorOf(resolveName(client, "a.off.eth", local))).toMatchObject({
      _tag: "ContractReverted",
      reason: "a wrong signature"
    })
  })
})

describe("a lookup", () => {
  it("is followed four times", async () => {
    const { heard, url } = await gateway(well)
    const times = (most: number) => {
      let left = most
      const believing = offchain([url])
      return chainOf(
        { "off.eth": resolver },
        {
          [resolver]: (call, data) => {
            if (call.functionName === "proven" && --left > 0) return lookup([url])
            return believing(call, data)
          }
        }
      ).client
    }
    expect(await dataOf(resolveName(times(4), "a.off.eth", local))).toBe(owner)
    expect(heard).toHaveLength(4)
    expect(await errorOf(resolveName(times(5), "a.off.eth", local))).toMatchObject({
      _tag: "ContractReverted",
      errorName: "OffchainLookup",
      reason: expect.stringContaining("more than 4 times")
    })
    expect(heard).toHaveLength(8)
  })

  it("is the contract's own, and can be read", async () => {
    const { heard, url } = await gateway(well)
    const foreign = chainOf({ "off.eth": resolver }, { [resolver]: offchain([url], { sender: stranger }) })
    expect(await errorOf(resolveName(foreign.client, "a.off.eth", local))).toMatchObject({
      _tag: "ContractReverted",
      address: resolver,
      reason: expect.stringContaining(stranger.toLowerCase())
    })
    const cut = chainOf(
      { "off.eth": resolver },
      {
        [resolver]: ({ functionName }) =>
          functionName === "resolve" ? new Refusal("0x556f1830ff") : supported(true)
      }
    )
    expect(await errorOf(resolveName(cut.client, "a.off.eth", local))).toMatchObject({
      _tag: "ContractReverted",
      reason: expect.stringContaining("cannot be read")
    })
    expect(heard).toHaveLength(0)
  })

  it("is none of a client that is told so, and one's own function can ask in its place", async () => {
    const { heard, url } = await gateway(well)
    const { client } = chainOf({ "off.eth": resolver }, { [resolver]: offchain([url]) })
    expect(await dataOf(resolveName(client, "a.off.eth", { ccipRead: false }))).toBeNull()
    const asked: Array<unknown> = []
    const own = await resolveName(client, "a.off.eth", {
      ccipRead: async (request) => {
        asked.push(request)
        return addrResult(stranger)
      }
    })
    expect(own).toMatchObject({ data: stranger })
    expect(asked).toEqual([{ sender: resolver.toLowerCase(), urls: [url], data: "0xc0ffee" }])
    const failing = (ccipRead: () => Promise<string>) =>
      errorOf(resolveName(client, "a.off.eth", { ccipRead }))
    expect(await failing(() => Promise.reject(new Error("no way out")))).toMatchObject({
      _tag: "GatewayError",
      messages: ["ccipRead: no way out"]
    })
    expect(await failing(async () => "none")).toMatchObject({ _tag: "GatewayError", kind: "malformed" })
    expect(heard).toHaveLength(0)
  })

  it("is followed on the Effect surface, too, and by a function of one's own there", async () => {
    const { url } = await gateway(well)
    const { client } = chainOf({ "off.eth": resolver }, { [resolver]: offchain([url]) })
    const never = () => Effect.die("unexpected")
    const onEffect: ContractClient = {
      network: "ethereum-mainnet",
      rpc: {
        call: (request) =>
          Effect.flatMap(
            Effect.promise(() => client.rpc.call(request)),
            (result) =>
              result.status === "ERROR"
                ? Effect.fail(result.error.cause as RpcError)
                : Effect.succeed(result.data)
          ),
        estimateGas: never,
        getCode: never,
        getLogs: never,
        getTransactionReceipt: never
      }
    }
    expect(await Effect.runPromise(OnEffect.resolveName(onEffect, "a.off.eth", local))).toBe(owner)
    const ccipRead = () => Effect.succeed(addrResult(stranger))
    expect(await Effect.runPromise(OnEffect.resolveName(onEffect, "a.off.eth", { ccipRead }))).toBe(stranger)
    const failing = { ccipRead: () => Effect.fail("closed") }
    expect(
      await Effect.runPromise(Effect.flip(OnEffect.resolveName(onEffect, "a.off.eth", failing)))
    ).toMatchObject({ _tag: "GatewayError", messages: ["ccipRead: closed"] })
  })
})

it("finds the name that an address has chosen outside of the chain, if that stands for the address", async () => {
  const reverse = `${owner.slice(2).toLowerCase()}.addr.reverse`
  const chosen = (name: string, of: Hex) =>
    chainOf(
      { [reverse]: stranger, "off.eth": resolver },
      {
        [stranger]: ({ functionName }) =>
          functionName === "supportsInterface"
            ? supported(false)
            : encodeFunctionResult({ abi, functionName: "name", result: name }),
        [resolver]: ({ args, functionName }) =>
          functionName === "supportsInterface"
            ? supported(true)
            : functionName === "proven"
              ? resolved(args[0])
              : lookup([`https://gateway.example/${of}`])
      }
    ).client
  const ccipRead = async ({ urls }: { readonly urls: ReadonlyArray<string> }) =>
    encodeAbiParameters(parseAbiParameters("address"), [String(urls[0]).slice(-42) as Hex])
  expect(await dataOf(lookupAddress(chosen("a.off.eth", owner), owner, { ccipRead }))).toBe("a.off.eth")
  expect(await dataOf(lookupAddress(chosen("a.off.eth", stranger), owner, { ccipRead }))).toBeNull()
  expect(await dataOf(lookupAddress(chosen("A.off.eth", owner), owner, { ccipRead }))).toBeNull()
  expect(await dataOf(lookupAddress(chosen("a.off.eth", owner), owner, { ccipRead: false }))).toBeNull()
})
