/**
 * The clients under test, each over a list of node urls. A client has `balance(address)` and `height()`, which resolve to
 * a bigint or reject, `equal()`, a read of which clients may send one for many, and `close()`; `active()` and `failed()`
 * tell the urls in use and out, where the client says so. `balances(addresses, atOnce)` is there where a program makes
 * many calls in another way than one promise for each, and `list(addresses)` where it can make one request of them. `contract(address)`
 * asks a contract for a balance, and `multicall(addresses)` for many at once, in the way of the client or, where it has none, by hand.
 */
import { register } from "node:module"
import { pathToFileURL } from "node:url"
import * as tatum from "./tatum.mjs"
import { abi, address, balanceData, contract } from "./world.mjs"

const imported = (dist, path, build = "src") => import(pathToFileURL(`${dist}/${build}/${path}`).href)

const valueOf = (result) => {
  if (result.status !== "SUCCESS") throw result.error ?? new Error("no success")
  return BigInt(result.data)
}

/** This SDK as it is built for the Promise surface, on the lean runtime. One line per variant: its options. */
const sdk =
  (options = {}) =>
  async (urls, { dist }) => {
    const { init } = await imported(dist, "promise.js", "lean")
    const { contract: bound, multicall } = await imported(dist, "contracts.js", "lean")
    const { rpc, ...rest } = options
    return async () => {
      const client = await init({
        network: "ethereum-mainnet",
        rpc: { nodes: urls.map((url) => ({ url })), ...rpc },
        quiet: true,
        ...rest
      })
      return {
        balance: async (of) => valueOf(await client.rpc.getBalance(of)),
        height: async () => valueOf(await client.rpc.blockNumber()),
        equal: async () => valueOf(await client.rpc.chainId()),
        contract: async (of) => valueOf(await client.rpc.call({ to: contract, data: balanceData(of) })),
        multicall: async (all) => {
          const { calls } = bound(client, { address: contract, abi })
          const answers = await multicall(
            client,
            all.map((of) => calls.balanceOf(of))
          )
          if (answers.status !== "SUCCESS") throw answers.error
          return answers.data.map(valueOf)
        },
        active: () => client.nodes().find((node) => node.active)?.url,
        failed: () => client.nodes().flatMap((node) => (node.failed ? [node.url] : [])),
        close: () => client.destroy()
      }
    }
  }

/** The calls of a program on the Effect surface: so many at once, each in a fiber of its own. */
const inFibers = ({ Effect }, all, balance, concurrency) =>
  Effect.forEach(all, balance, { concurrency, discard: true })

/** The same by Effect's batching. */
const inBatches = ({ CallOptions, Effect }, all, balance) =>
  CallOptions.withBatching(Effect.forEach(all, balance, { batching: true, discard: true }))

/** The two versions of Effect: the folder of the build, what a program imports of Effect, and what must be so before it does. */
const effect3 = { build: "src", results: "Either", prepare: () => {} }
const effect4 = {
  build: "effect4/src",
  results: "Result",
  // a user of Effect 4 has it under the name `effect`, which in this repository is Effect 3
  prepare: () => register("./runtimes/effect4Hooks.mjs", import.meta.url)
}

/** This SDK on the Effect surface, in a program that makes its calls in one run. `http` names the layer of `Http`. */
const program =
  (http, options = {}, callAll = inFibers, { build, prepare, results } = effect3) =>
  async (urls, { dist }) => {
    prepare()
    const [Effect, Exit, Layer, ManagedRuntime, Scope, { getOrThrow }, Http, Sdk, contracts, CallOptions] =
      await Promise.all([
        import("effect/Effect"),
        import("effect/Exit"),
        import("effect/Layer"),
        import("effect/ManagedRuntime"),
        import("effect/Scope"),
        import(`effect/${results}`),
        imported(dist, "http/Http.js", build),
        imported(dist, "client/Sdk.js", build),
        imported(dist, "contracts/index.js", build),
        imported(dist, "config/CallOptions.js", build)
      ])
    const layer =
      http === "layerPlatform"
        ? Layer.provide(Http.layerPlatform, (await import("@effect/platform/FetchHttpClient")).layer)
        : Http[http]
    return async () => {
      const scope = Effect.runSync(Scope.make())
      const runtime = ManagedRuntime.make(Layer.merge(layer, Layer.succeed(Scope.Scope, scope)))
      const nodes = urls.map((url) => ({ url }))
      const client = await runtime.runPromise(
        Sdk.makeHttp({ network: "ethereum-mainnet", rpc: { nodes }, quiet: true, ...options })
      )
      return {
        balance: async (of) => BigInt(await runtime.runPromise(client.rpc.getBalance(of))),
        balances: (all, atOnce) =>
          runtime.runPromise(
            callAll({ CallOptions, Effect }, all, (of) => client.rpc.getBalance(of), atOnce)
          ),
        list: async (all) => {
          const bodies = all.map((of) => ({ method: "eth_getBalance", params: [of, "latest"] }))
          return (await runtime.runPromise(client.rpc.rawBatchRpcCall(bodies))).map((item) =>
            BigInt(getOrThrow(item))
          )
        },
        height: async () => BigInt(await runtime.runPromise(client.rpc.blockNumber())),
        equal: () => runtime.runPromise(client.rpc.chainId()),
        contract: async (of) =>
          BigInt(await runtime.runPromise(client.rpc.call({ to: contract, data: balanceData(of) }))),
        multicall: async (all) => {
          const { calls } = contracts.contract(client, { address: contract, abi })
          const reads = all.map((of) => calls.balanceOf(of))
          return (await runtime.runPromise(contracts.multicall(client, reads))).map((item) =>
            BigInt(getOrThrow(item))
          )
        },
        active: () => runtime.runSync(client.nodes.snapshot).find((node) => node.active)?.url,
        failed: () =>
          runtime.runSync(client.nodes.snapshot).flatMap((node) => (node.failed ? [node.url] : [])),
        close: async () => {
          await runtime.runPromise(Scope.close(scope, Exit.void))
          await runtime.dispose()
        }
      }
    }
  }

const viem =
  (transport = {}, ranking = {}) =>
  async (urls) => {
    const { createPublicClient, fallback, http } = await import("viem")
    const { mainnet } = await import("viem/chains")
    return async () => {
      const client = createPublicClient({
        chain: mainnet,
        transport: fallback(
          urls.map((url) => http(url, transport)),
          ranking
        )
      })
      return {
        balance: (of) => client.getBalance({ address: of }),
        // its cache would answer for four seconds
        height: () => client.getBlockNumber({ cacheTime: 0 }),
        equal: () => client.getChainId(),
        contract: async (of) => BigInt((await client.call({ to: contract, data: balanceData(of) })).data),
        multicall: (all) =>
          client.multicall({
            contracts: all.map((of) => ({ address: contract, abi, functionName: "balanceOf", args: [of] })),
            allowFailure: false
          }),
        close: async () => {}
      }
    }
  }

/** Multicall3 as those write it whose client has no multicall. */
const MULTICALL = "0xcA11bde05977b3631167028862bE2a173976CA11"
const AGGREGATE =
  "function aggregate3(tuple(address target, bool allowFailure, bytes callData)[] calls) view returns (tuple(bool success, bytes returnData)[])"

const together = (all) => all.map((of) => [contract, true, balanceData(of)])

const ethers = async (urls) => {
  const { Contract, FallbackProvider, JsonRpcProvider } = await import("ethers")
  return async () => {
    const providers = urls.map((url) => new JsonRpcProvider(url, 1))
    const client = new FallbackProvider(providers, 1, { quorum: 1 })
    return {
      balance: (of) => client.getBalance(of),
      height: async () => BigInt(await client.getBlockNumber()),
      equal: () => client.getBalance(address(1)),
      contract: async (of) => BigInt(await client.call({ to: contract, data: balanceData(of) })),
      multicall: async (all) => {
        const outcomes = await new Contract(MULTICALL, [AGGREGATE], client).aggregate3(together(all))
        return outcomes.map(({ returnData }) => BigInt(returnData))
      },
      close: async () => {
        client.destroy()
        for (const provider of providers) provider.destroy()
      }
    }
  }
}

const incumbent =
  (rpc = {}) =>
  async (urls) => {
    const { Network, RpcNodeType, TatumSDK } = tatum.load()
    const { Interface } = await import("ethers")
    const multicall = new Interface([AGGREGATE])
    return async () => {
      const nodes = urls.map((url) => ({ url, type: RpcNodeType.NORMAL }))
      const client = await TatumSDK.init({ network: Network.ETHEREUM, rpc: { nodes, ...rpc }, quiet: true })
      const value = ({ result }) => BigInt(result.toFixed())
      const resultOf = (answer) => {
        if (answer.error !== undefined && answer.error !== null) throw answer.error
        return answer.result
      }
      return {
        balance: async (of) => value(await client.rpc.getBalance(of)),
        height: async () => value(await client.rpc.blockNumber()),
        equal: () => client.rpc.chainId(),
        contract: async (of) =>
          BigInt(resultOf(await client.rpc.call({ to: contract, data: balanceData(of) }))),
        multicall: async (all) => {
          const data = multicall.encodeFunctionData("aggregate3", [together(all)])
          const answer = resultOf(await client.rpc.call({ to: MULTICALL, data }))
          const [outcomes] = multicall.decodeFunctionResult("aggregate3", answer)
          return outcomes.map(({ returnData }) => BigInt(returnData))
        },
        active: () => client.rpc.getRpcNodeUrl().replace(/\/+$/, ""),
        close: () => client.destroy()
      }
    }
  }

/** No client at all: a request and JSON.parse. `post` sends the text of a request, and gives that of the answer. */
const bare = (open) => async (urls) => {
  const { post, close = async () => {} } = await open(urls[0])
  let id = 0
  const ask = async (method, params) => {
    id += 1
    return BigInt(JSON.parse(await post(JSON.stringify({ jsonrpc: "2.0", id, method, params }))).result)
  }
  return async () => ({
    balance: (of) => ask("eth_getBalance", [of, "latest"]),
    height: () => ask("eth_blockNumber", []),
    equal: () => ask("eth_chainId", []),
    contract: (of) => ask("eth_call", [{ to: contract, data: balanceData(of) }, "latest"]),
    multicall: (all) =>
      Promise.all(all.map((of) => ask("eth_call", [{ to: contract, data: balanceData(of) }, "latest"]))),
    close
  })
}

/** What an Effect program without the SDK does over the platform's HttpClient, one node and no deadline. */
const platform = async ([url]) => {
  const [Effect, ManagedRuntime, Fetch, HttpBody, HttpClient, HttpClientRequest] = await Promise.all([
    import("effect/Effect"),
    import("effect/ManagedRuntime"),
    import("@effect/platform/FetchHttpClient"),
    import("@effect/platform/HttpBody"),
    import("@effect/platform/HttpClient"),
    import("@effect/platform/HttpClientRequest")
  ])
  return async () => {
    const runtime = ManagedRuntime.make(Fetch.layer)
    const client = await runtime.runPromise(Effect.map(HttpClient.HttpClient, HttpClient.filterStatusOk))
    let id = 0
    const ask = (method, params) => {
      id += 1
      return HttpClientRequest.post(url).pipe(
        // text, as the SDK sends it: the fetch of the bench would have to decode bytes
        HttpClientRequest.setBody(
          HttpBody.raw(JSON.stringify({ jsonrpc: "2.0", id, method, params }), {
            contentType: "application/json"
          })
        ),
        client.execute,
        Effect.flatMap((response) => response.json),
        Effect.map(({ result }) => BigInt(result))
      )
    }
    const balance = (of) => Effect.suspend(() => ask("eth_getBalance", [of, "latest"]))
    return {
      balance: (of) => runtime.runPromise(balance(of)),
      balances: (all, atOnce) =>
        runtime.runPromise(Effect.forEach(all, balance, { concurrency: atOnce, discard: true })),
      height: () => runtime.runPromise(ask("eth_blockNumber", [])),
      equal: () => runtime.runPromise(ask("eth_chainId", [])),
      close: () => runtime.dispose()
    }
  }
}

const json = { "content-type": "application/json" }

const bareFetch = async (url) => ({
  post: async (body) => (await globalThis.fetch(url, { method: "POST", headers: json, body })).text()
})

const bareUndici = async (url) => {
  const { Agent, request } = await import("undici")
  const dispatcher = new Agent()
  return {
    post: async (body) =>
      (await request(url, { method: "POST", headers: json, body, dispatcher })).body.text(),
    close: () => dispatcher.destroy()
  }
}

/** Of another chain, and here for what it does with equal calls at the same time. */
const kit = async ([url]) => {
  const { address: parse, createSolanaRpc } = await import("@solana/kit")
  const keys = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
  /** 32 bytes in base 58, different in their last digits. */
  const key = (n) => {
    let rest = n
    let text = ""
    for (let i = 0; i < 6; i++) {
      text = keys[rest % keys.length] + text
      rest = Math.floor(rest / keys.length)
    }
    return parse(`So11111111111111111111111111111111111${text}`)
  }
  return async () => {
    const rpc = createSolanaRpc(url)
    const balance = async (of) => (await rpc.getBalance(of).send()).value
    const same = key(1)
    return {
      balance: (of) => balance(key(Number.parseInt(of.slice(-8), 16))),
      height: () => rpc.getBlockHeight().send(),
      equal: () => balance(same),
      close: async () => {}
    }
  }
}

/** By name. Each loads its modules, and then gives what makes a client. */
export const clients = {
  "effect-chains": sdk(),
  "effect-chains, all on": sdk({ hedge: true, retryBudget: true, coalesce: true, batch: true }),
  "effect-chains, monotonic": sdk({ consistency: "monotonic" }),
  "effect-chains, coalesce": sdk({ coalesce: true }),
  "effect-chains, batch": program("layerUndici", { batch: true }),
  "effect-chains, batch, withBatching": program("layerUndici", { batch: true }, inBatches),
  "effect-chains, batch, a promise each": sdk({ batch: { size: 1_000 } }),
  "effect-chains, layerUndici": program("layerUndici"),
  "effect-chains, layerFetch": program("layerFetch"),
  "effect-chains, layerPlatform": program("layerPlatform"),
  promises: sdk(),
  "promises, coalesce": sdk({ coalesce: true }),
  "promises, batch": sdk({ batch: true }),
  "Effect 3": program("layerFetch"),
  "Effect 3, coalesce": program("layerFetch", { coalesce: true }),
  "Effect 3, batch": program("layerFetch", { batch: true }),
  "Effect 4": program("layerFetch", {}, inFibers, effect4),
  "Effect 4, coalesce": program("layerFetch", { coalesce: true }, inFibers, effect4),
  "Effect 4, batch": program("layerFetch", { batch: true }, inFibers, effect4),
  "effect-chains, one time": sdk({ rpc: { oneTimeLoadBalancing: true } }),
  "@tatumio/tatum": incumbent(),
  "@tatumio/tatum, one time": incumbent({ oneTimeLoadBalancing: true }),
  "viem fallback": viem(),
  "viem fallback, rank": viem({ timeout: 1_500 }, { rank: { interval: 1_000, timeout: 1_500 } }),
  "ethers FallbackProvider": ethers,
  "viem fallback, batch": viem({ batch: true }),
  "@solana/kit": kit,
  "@effect/platform, one node": platform,
  "fetch, one node": bare(bareFetch),
  "undici, one node": bare(bareUndici)
}
