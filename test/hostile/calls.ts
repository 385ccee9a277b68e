/** A call of every method of every service, from the wire vectors, with the right answers to its requests. */
import { join } from "node:path"
import type { Network } from "../../src/data/Network.js"
import type { PromiseSdk } from "../../src/promise.js"
import { catalogue } from "../../src/services/Services.js"
import { call } from "../conformance/run.js"
import { type CallVector, decode, load } from "../conformance/vectors.js"
import { samples } from "../services/dataSamples.js"

const owner = "0x53e8577c4347c365e4e0da5b57a589cb6f2ab849"
const network = "ethereum-mainnet"

export interface ServiceCall {
  readonly network: Network
  /** `nft.getBalance` */
  readonly target: string
  readonly args: ReadonlyArray<unknown>
  readonly requests: CallVector["requests"]
  readonly responses: CallVector["responses"]
  readonly accounts?: ReadonlyArray<string>
}

const ours = (target: string): string =>
  target
    .replace("$container.TatumApi.", "data.")
    .replace("$container.TatumConnector.", "provider.")
    .replace("walletProvider.use(MetaMask).", "wallet.")

const vectors = ["services", "wallet"]
  .flatMap((name) => load([join(import.meta.dirname, "../conformance/vectors", `${name}.json`)]))
  .filter((vector) => vector.kind === "call")

const fromVectors = vectors.map(
  ({ accounts, args, network, requests, responses, target }): ServiceCall => ({
    // the conformance run checks that these are networks of the table
    network: network as Network,
    target: ours(target),
    args: args.map(decode),
    requests,
    responses,
    ...(accounts === undefined ? {} : { accounts })
  })
)

const own = (target: string, args: ReadonlyArray<unknown>, body: unknown = {}): ServiceCall => ({
  network,
  target,
  args,
  requests: [],
  responses: [{ body }],
  ...(target.startsWith("wallet.") ? { accounts: [owner] } : {})
})

/** What no vector calls, since the recorded client has no such methods. */
const others: ReadonlyArray<ServiceCall> = [
  own("contract.deploy", [{ contractType: "nft", owner, name: "Bored", baseURI: "ipfs://base/" }], {
    txId: "0xabc"
  }),
  own("contract.prepare", [{ contractType: "fungible", params: ["Name", "SYM", 18] }], { data: "0x6080" }),
  own("notification.count", [{ address: owner }], { count: 3 }),
  own("notification.countExecutedWebhooks", [{ filterFailed: true }], { count: 3 }),
  own("notification.update", ["64c1e5f0a1b2c3d4e5f60718", { paused: true }]),
  own("notification.updateNetwork", [{ finality: "final" }]),
  own("notification.templates.create", [{ format: "json", keys: { paid: "value" } }], { id: "t1" }),
  own("notification.templates.getAll", [], [{ id: "t1", format: "json", keys: { paid: "value" } }]),
  own("notification.templates.streamAll", [], [{ id: "t1", format: "string", message: "{{value}}" }]),
  own("notification.templates.update", ["t1", { format: "string", message: "{{value}}" }]),
  own("notification.templates.delete", ["t1"]),
  own("notification.templates.getDefault", [], { templateId: "enriched" }),
  own("notification.templates.setDefault", ["legacy"]),
  ...samples.map(({ answer, endpoint, path, query }) =>
    own(path, [endpoint.form === "batch" ? [query] : query], answer)
  ),
  own("notification.enableHmac", ["a secret"]),
  own("notification.disableHmac", []),
  own("wallet.discover", []),
  own("wallet.use", ["com.example.none"]),
  own("wallet.getProvider", []),
  own("wallet.disconnect", []),
  own("wallet.getAccounts", []),
  own("wallet.chainId", []),
  own("wallet.switchChain", []),
  own("wallet.changed", []),
  own("wallet.accountsChanged", []),
  own("wallet.chainChanged", [])
]

const targetsIn = (methods: object, path: string): ReadonlyArray<string> =>
  Object.entries(methods).flatMap(([name, kind]) =>
    typeof kind === "string" ? [`${path}.${name}`] : targetsIn(kind, `${path}.${name}`)
  )

/** The services whose methods ask others: links to explorers are read from a table. */
export const askingServices: ReadonlyArray<string> = Object.keys(catalogue).filter(
  (name) => name !== "explorer"
)

/** Every method of these services. */
export const serviceMethods: ReadonlyArray<string> = Object.entries(catalogue).flatMap(([name, methods]) =>
  askingServices.includes(name) ? targetsIn(methods, name) : []
)

/** Lists have a twin that streams their items. */
const streams = [...fromVectors, ...others]
  .map((each) => ({ ...each, target: each.target.replace(".get", ".stream") }))
  .filter(({ target }) => serviceMethods.includes(target))

export const serviceCalls: ReadonlyArray<ServiceCall> = [...fromVectors, ...streams, ...others]

/** How a call has ended, in the terms of results. */
export type Ended =
  | { readonly status: "SUCCESS"; readonly data: unknown }
  | { readonly status: "ERROR"; readonly error: { readonly cause: unknown; readonly message: unknown } }

const isIterable = (value: unknown): value is AsyncIterable<Ended> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value

/** No stream of events is listened to for longer, in milliseconds. */
const LISTENED = 20

/** Makes it. Of a stream that is not over, `most` items are taken. Undefined where the client has no such method. */
export const make = async (
  sdk: PromiseSdk,
  { args, target }: Pick<ServiceCall, "args" | "target">,
  most = 20
): Promise<ReadonlyArray<Ended> | undefined> => {
  const outcome = await call(sdk, target, args)
  if (outcome === undefined) return undefined
  const value = "data" in outcome ? outcome.data : undefined
  // an outcome is what a method has given, or made of it
  if (!isIterable(value)) return [outcome as Ended]
  const items: Array<Ended> = []
  const iterator = value[Symbol.asyncIterator]()
  const isLive = /hanged$/.test(target)
  const silence = isLive
    ? new Promise<undefined>((resolve) => setTimeout(resolve, LISTENED))
    : new Promise<undefined>(() => {})
  while (items.length < most) {
    const next = await Promise.race([iterator.next(), silence])
    if (next === undefined || next.done === true) break
    items.push(next.value)
  }
  await iterator.return?.()
  return items
}
