/**
 * A chain of one anvil behind five nodes of a client's pool, of which the active one breaks at every step, each time in
 * another way; the one before heals. The answer to an action of a library is compared with anvil's own.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import {
  createPublicClient,
  createWalletClient,
  encodeDeployData,
  encodeFunctionResult,
  type Hex,
  http,
  parseAbi,
  size
} from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { mainnet } from "viem/chains"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { init, type PromiseSdk } from "../../../src/promise.js"
import { Fungible } from "../../../src/sandbox/contracts/artefacts.js"
import type { FaultKind } from "../../../src/sandbox/Faults.js"
import * as Faults from "../../../src/sandbox/Faults.js"
import type { HandlerRequest, HandlerResponse } from "../../../src/sandbox/Handler.js"
import { callJsonRpc, forwardRequest, parseBody } from "../../../src/sandbox/Loopback.js"
import * as Front from "../../../src/sandbox/NodeProxy.js"
import * as Anvil from "../../../src/sandbox/nodes/Anvil.js"
import { requireBinary } from "../process.js"

/** The first account of anvil's mnemonic, which everybody knows. */
export const key = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
export const account = privateKeyToAccount(key)
export const receiver = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

export const erc20 = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "function name() view returns (string name)",
  "function symbol() view returns (string symbol)",
  "function decimals() view returns (uint8 decimals)",
  "function totalSupply() view returns (uint256 supply)",
  "function balanceOf(address holder) view returns (uint256 value)",
  "function transfer(address to, uint256 value) returns (bool done)"
])

const constructor = parseAbi([
  "constructor(string name, string symbol, uint8 decimals, uint256 supply, address holder, address admin, address minter, address pauser, uint256 cap)"
])
const { address: owner } = account
export const supply = 1_000_000n
export const args = ["Loop", "LP", 6, supply, owner, owner, owner, owner, 0n] as const
/** What deploys the token, with the arguments of its constructor. */
export const deployment: Hex = encodeDeployData({ abi: constructor, bytecode: Fungible.bytecode, args })

/** Nothing listens at the node's port; the node sends callers elsewhere; or what the sandbox has for faults. */
type Fault = FaultKind | "refused" | "redirect"

/** A contract that answers every call with these bytes. */
const makeAnsweringCode = (data: Hex): Hex => {
  const length = size(data).toString(16).padStart(4, "0")
  return `0x61${length}61000f60003961${length}6000f3${data.slice(2)}`
}

const domainAbi = parseAbi([
  "function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)"
])
/** A contract that says what it signs for (ERC-5267). */
export const signer = "0x00000000000000000000000000000000000005e7"
const domain = encodeFunctionResult({
  abi: domainAbi,
  result: ["0x0f", "Loop", "2", 1n, signer, `0x${"0".repeat(64)}`, []]
})

const html = "<!DOCTYPE html><html><head><title>Nothing here</title></head></html>"
const status = (code: number, body: unknown = html): Fault => ({ kind: "status", status: code, body })
const error = (code: number, message: string): Fault => ({ kind: "error", code, message })

/** What becomes of nodes, in this order. */
const faults: ReadonlyArray<readonly [what: string, Fault]> = [
  ["refuses connections", "refused"],
  ["answers 404", status(404)],
  ["says -32603", error(-32_603, "Internal error")],
  ["takes it, and stalls", { kind: "stall" }],
  ["answers 402", status(402, { message: "Payment required" })],
  ["answers another request", { kind: "wrongId" }],
  ["resets connections", { kind: "reset" }],
  ["answers 410", status(410)],
  ["says -32005", error(-32_005, "limit exceeded")],
  ["never answers", { kind: "freeze" }],
  ["answers 405", status(405)],
  ["answers with garbage", { kind: "garbage" }],
  ["redirects", "redirect"],
  ["answers 451", status(451)],
  ["breaks off its answers", { kind: "truncate" }],
  ["answers 500", status(500)],
  ["answers 304", status(304)],
  ["does not have the method", error(-32_601, "the method is not available")],
  ["answers 502", status(502)],
  ["answers 400 with HTML", status(400)],
  ["answers with an HTML page", { kind: "html" }],
  ["answers 403", status(403)],
  ["answers byte by byte", { kind: "slowBody", ms: 60_000 }],
  ["answers 429", status(429, "slow down")],
  ["lacks the state", error(-32_000, "header not found")],
  ["answers with nothing", status(200, "")],
  ["answers 503", status(503)],
  ["answers 401", status(401, "")]
]

/** An action of a library over the pool. */
export interface Action {
  readonly name: string
  /** The method at which a node breaks: the first one to be asked for it. By default the active node does, whatever it is asked. */
  readonly at?: string
  /** How many transactions of the account it sends. */
  readonly sends?: number
  readonly run: () => Promise<unknown>
}

/** An attempt may take so long, in milliseconds: a node that is well answers in less on the busiest machine. */
const ATTEMPT = 2_000
/** What a test waits for comes within so long, or never. */
const LIMIT = 300_000

/** Methods that a library has had answers to, and waiting for the first one of a method: what watches the chain has begun then. */
export const answered = () => {
  const methods = new Set<string>()
  return {
    tell: (method: string) => void methods.add(method),
    first: (method: string): Promise<void> =>
      expect.poll(() => methods.has(method), { interval: 5, timeout: LIMIT }).toBe(true)
  }
}

/** What is on the chain before the first action. */
export interface World {
  readonly sdk: PromiseSdk<"ethereum-mainnet">
  /** Anvil itself, past the pool. */
  readonly url: string
  /** Asks anvil. */
  readonly ask: (method: string, ...params: ReadonlyArray<unknown>) => Promise<unknown>
  readonly token: Hex
  /** The transaction that gave `receiver` five tokens. */
  readonly transfer: Hex
}

const isCalled = ({ body }: HandlerRequest, method: string): boolean =>
  [parseBody(body)].flat().some((call) => Object(call).method === method)

const redirectAnswer: HandlerResponse = {
  status: 307,
  headers: { location: "http://127.0.0.1:9/" },
  body: Buffer.alloc(0)
}

/** The nodes of a pool over one anvil. At most one of them is broken. */
const makeNodes = (url: string, active: () => string | undefined) =>
  Effect.gen(function* () {
    const engine = yield* Faults.make
    /** What the next node to be asked for the method breaks with. */
    let trap: { readonly fault: Fault; readonly at: string | undefined } | undefined
    let broken: Front.NodeProxy | undefined
    let redirects = false
    let asked = 0

    const end = (front: Front.NodeProxy, fault: Fault): Effect.Effect<void> => {
      trap = undefined
      broken = front
      if (fault === "redirect") {
        redirects = true
        return Effect.void
      }
      return fault === "refused" ? front.close : front.fault(fault)
    }

    const node = (number: number) =>
      Effect.gen(function* () {
        const front: Front.NodeProxy = yield* Front.make({
          network: "ethereum-mainnet",
          node: `normal-${number}`,
          handler: (received) => Effect.orDie(forwardRequest(url, received)),
          faults: {
            ...engine,
            wrapHandler: (where, handler) => {
              const inner = engine.wrapHandler(where, handler)
              return (received) =>
                Effect.suspend(() => {
                  const isIt = trap?.at === undefined ? front.url === active() : isCalled(received, trap.at)
                  const breaks = trap !== undefined && isIt ? end(front, trap.fault) : Effect.void
                  return Effect.zipRight(
                    breaks,
                    Effect.suspend(() => {
                      if (front !== broken) return inner(received)
                      asked++
                      return redirects ? Effect.succeed(redirectAnswer) : inner(received)
                    })
                  )
                })
            }
          }
        })
        return front
      })
    const fronts = yield* Effect.forEach([1, 2, 3, 4, 5], node)

    const heal = Effect.suspend(() => {
      const front = broken
      trap = undefined
      broken = undefined
      redirects = false
      asked = 0
      return front === undefined ? Effect.void : Effect.zipRight(front.heal, front.open)
    })

    return {
      urls: fronts.map((front) => front.url),
      /** Has the node that broke last heal, and the next one break. */
      begin: (fault: Fault, at: string | undefined) =>
        Effect.zipRight(
          Effect.orDie(heal),
          Effect.suspend(() => {
            const first = fronts.find((front) => front.url === active())
            // who refuses connections does so before there is a request
            if (fault === "refused" && at === undefined && first !== undefined) {
              asked++
              return end(first, fault)
            }
            trap = { fault, at }
            return Effect.void
          })
        ),
      /** How often a broken node was asked since. */
      asked: () => asked
    }
  })

/** Runs the actions one after the other, each as a test of its own. */
export const testActions = (library: string, list: (world: () => World) => ReadonlyArray<Action>): void => {
  describe.runIf(requireBinary("anvil", `${library} over a pool of failing nodes`) !== undefined)(
    `${library} over a pool whose active node breaks at every step`,
    () => {
      const scope = Effect.runSync(Scope.make())
      const run = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>): Promise<A> =>
        Effect.runPromise(Scope.extend(effect, scope))
      let world: World
      let nodes: Effect.Effect.Success<ReturnType<typeof makeNodes>>

      beforeAll(async () => {
        const { url } = await run(Anvil.start({ chainId: 1 }))
        const own = { chain: mainnet, transport: http(url) }
        const reader = createPublicClient({ ...own, pollingInterval: 20 })
        const writer = createWalletClient({ ...own, account })
        const { contractAddress } = await reader.waitForTransactionReceipt({
          hash: await writer.sendTransaction({ data: deployment })
        })
        const token = contractAddress ?? "0x"
        const transfer = await writer.writeContract({
          address: token,
          abi: erc20,
          functionName: "transfer",
          args: [receiver, 5n]
        })
        await reader.waitForTransactionReceipt({ hash: transfer })
        const ask: World["ask"] = async (method, ...params) =>
          Reflect.get(await Effect.runPromise(callJsonRpc(url, { method, params })), "result")
        await ask("anvil_setCode", signer, makeAnsweringCode(domain))
        const active = () => sdk.nodes().find((node) => node.active)?.url
        nodes = await run(makeNodes(url, active))
        const sdk = await init({
          network: "ethereum-mainnet",
          rpc: { nodes: nodes.urls.map((url) => ({ url })) },
          attemptTimeout: ATTEMPT,
          retryDelay: 50,
          quiet: true
        })
        world = { sdk, url, ask, token, transfer }
      })
      afterAll(async () => {
        await world.sdk.destroy()
        await Effect.runPromise(Scope.close(scope, Exit.void))
      })

      const nonce = async (): Promise<number> =>
        Number(await world.ask("eth_getTransactionCount", account.address, "latest"))

      const steps = list(() => world).map((action, i) => {
        const [what, fault] = faults[i % faults.length] ?? ["", "refused"]
        return [action.name, what, fault, action] as const
      })
      it.each(steps)("%s, while a node %s", async (_, __, fault, { at, run: act, sends = 0 }) => {
        const before = await nonce()
        // nodes that have failed come back on their own: without a second one that is well, the pool would be down
        const well = () => world.sdk.nodes().filter(({ failed }) => !failed).length
        // a read may go to another node, if that has become the active one just now: then it is made again
        let tries = 0
        do {
          await Effect.runPromise(nodes.begin(fault, at))
          await expect.poll(well, { interval: 5, timeout: LIMIT }).toBeGreaterThan(1)
          await act()
        } while (nodes.asked() === 0 && sends === 0 && ++tries < 5)
        expect(nodes.asked()).toBeGreaterThan(0)
        expect((await nonce()) - before).toBe(sends)
      })
    }
  )
}
