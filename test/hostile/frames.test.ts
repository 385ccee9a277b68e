/**
 * Hostile messages and frames on the sockets of subscriptions. A node does its worst on the first socket of each, and is well on
 * those that follow: the subscription goes on with what it says then, or ends with a typed error, and in neither case later than
 * it must.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { FamilyId } from "../../src/data/Network.js"
import { init, type Result } from "../../src/promise.js"
import { type Answer, encodeFrame, type Peer, type SocketNode, startSocketNode } from "../sockets.js"
import { answerOf, Chance, messageOf, namesIn } from "./answers.js"
import failures from "./failures.json" with { type: "json" }
import { arePrototypesPolluted, errorProblem } from "./judge.js"
import { limit, someOf } from "./times.js"

const CASES = someOf(40)
const seed = Number(process.env.FUZZ_SEED ?? 13)

/** A subscription that has neither an item of the well node nor an end after so many milliseconds hangs. */
const LIMIT = 300_000

const defects: Array<unknown> = []
const note = (defect: unknown): void => void defects.push(defect)
beforeAll(() => void process.on("unhandledRejection", note).on("uncaughtException", note))
afterAll(() => void process.off("unhandledRejection", note).off("uncaughtException", note))

/** The heights of the well node begin here: what it says is told apart from what hostile messages say. */
const WELL = 16

const hex = (value: number): string => `0x${value.toString(16)}`

interface Spoken {
  readonly family: FamilyId
  /** The answer to a method at this height. */
  readonly answer: (method: string, height: number, params: ReadonlyArray<unknown>) => unknown
  /** Right messages of each subscription at this height, as results of its notifications or as a whole. */
  readonly streams: { readonly [name: string]: (height: number) => unknown }
  readonly wrap: (result: unknown) => unknown
  readonly isWell: (item: unknown) => boolean
  /** Makes the subscription by its name. */
  readonly open: (name: string, url: string) => Promise<Opened>
}

interface Opened {
  readonly items: AsyncIterable<Result<unknown, Error>>
  readonly destroy: () => Promise<void>
}

const block = (height: number) => ({
  number: hex(height),
  hash: `0xb${height}`,
  parentHash: `0xb${height - 1}`,
  transactions: []
})

const logOf = (height: number) => ({
  address: "0xa",
  topics: [],
  data: "0x",
  blockNumber: hex(height),
  blockHash: `0xb${height}`,
  transactionHash: `0xc${height}`,
  transactionIndex: "0x0",
  logIndex: "0x0",
  removed: false
})

const options = (url: string) => ({
  rpc: {
    nodes: [{ url, wsUrl: url.replace("http", "ws") }],
    statusCheckInterval: Number.POSITIVE_INFINITY
  },
  subscriptions: { idle: 200, timeout: 500 },
  quiet: true,
  verifyChain: false
})

const numberIn = (value: unknown): number => (typeof value === "object" ? Number.NaN : Number(value))

const spoken: ReadonlyArray<Spoken> = [
  {
    family: "evm",
    answer: (method, height, [asked]) => {
      if (method === "eth_chainId") return "0x1"
      if (method === "eth_blockNumber") return hex(height)
      if (method === "eth_getLogs")
        return [logOf(Math.min(height, numberIn(Reflect.get(Object(asked), "toBlock"))))]
      if (method !== "eth_getBlockByNumber") return true
      const at = asked === "latest" ? height : numberIn(asked)
      return at <= height ? block(at) : null
    },
    streams: { newHeads: block, logs: logOf, newPendingTransactions: (height) => `0xc${height}` },
    wrap: (result) => ({
      jsonrpc: "2.0",
      method: "eth_subscription",
      params: { subscription: "0x7", result }
    }),
    isWell: (item) =>
      typeof item === "string"
        ? numberIn(item.slice(3)) >= WELL
        : numberIn(Reflect.get(Object(item), "number") ?? Reflect.get(Object(item), "blockNumber")) >= WELL,
    open: async (name, url) => {
      const sdk = await init({ network: "ethereum-mainnet", ...options(url) })
      const { subscribe } = sdk.rpc
      const items =
        name === "newHeads"
          ? subscribe.newHeads({ polling: false })
          : name === "logs"
            ? subscribe.logs({}, { polling: false })
            : subscribe.newPendingTransactions({ polling: false })
      return { items, destroy: sdk.destroy }
    }
  },
  {
    family: "solana",
    answer: (method, height) => (method === "getBlockHeight" ? height : method === "getHealth" ? "ok" : true),
    streams: {
      slot: (height) => ({ parent: height - 1, root: height - 32, slot: height }),
      root: (height) => height,
      logs: (height) => ({
        context: { slot: height },
        value: { signature: "s", err: null, logs: ["Program log: a"] }
      }),
      vote: (height) => ({ votePubkey: "v", slots: [height], hash: "h", timestamp: null, signature: "s" })
    },
    wrap: (result) => ({ jsonrpc: "2.0", method: "notification", params: { subscription: 7, result } }),
    isWell: (item) => {
      const { context, slot, slots } = Object(item)
      return numberIn(typeof item === "bigint" ? item : (slot ?? context?.slot ?? slots?.[0])) >= WELL
    },
    open: async (name, url) => {
      const sdk = await init({ network: "solana-mainnet", ...options(url) })
      const { subscribe } = sdk.rpc
      const items =
        name === "slot"
          ? subscribe.slot()
          : name === "root"
            ? subscribe.root()
            : name === "logs"
              ? subscribe.logs()
              : subscribe.vote()
      return { items, destroy: sdk.destroy }
    }
  },
  {
    family: "xrp",
    answer: (method, height) =>
      method === "ledger" ? { ledger_current_index: height, status: "success" } : {},
    streams: {
      ledger: (height) => ({
        type: "ledgerClosed",
        ledger_hash: `h${height}`,
        ledger_index: height,
        fee_base: 10
      }),
      transactions: (height) => ({ type: "transaction", ledger_index: height, transaction: { hash: "00" } })
    },
    wrap: (result) => result,
    isWell: (item) => numberIn(Reflect.get(Object(item), "ledger_index")) >= WELL,
    open: async (name, url) => {
      const sdk = await init({ network: "ripple-mainnet", ...options(url) })
      const { subscribe } = sdk.rpc
      return {
        items: name === "ledger" ? subscribe.ledger() : subscribe.transactions(),
        destroy: sdk.destroy
      }
    }
  }
]

/** Bytes that are no message, each a breach of RFC 6455 or of what a message is. */
const breaches: ReadonlyArray<Buffer> = [
  encodeFrame(2, Buffer.from([0, 255, 254])),
  encodeFrame(1, Buffer.from([0xff, 0xfe, 0xc0])),
  // more of a message that never began, and a beginning without an end
  encodeFrame(0, Buffer.from("{}")),
  Buffer.from([0x01, 2, 0x7b, 0x7d]),
  // reserved bits and codes
  Buffer.from([0xf1, 2, 0x7b, 0x7d]),
  Buffer.from([0x83, 0]),
  Buffer.from([0x8f, 0]),
  // masked, as only clients are
  Buffer.from([0x81, 0x82, 1, 2, 3, 4, 0x7a, 0x7f]),
  // control frames in pieces, and of more than 125 bytes
  Buffer.from([0x09, 0]),
  Buffer.concat([Buffer.from([0x89, 126, 1, 0]), Buffer.alloc(256)]),
  // ends for reasons that nobody may give
  encodeFrame(8, Buffer.from([1])),
  encodeFrame(8, Buffer.from([0x03, 0xed])),
  encodeFrame(8, Buffer.from([0xff, 0xff])),
  // lengths of 2^63, and of more than are sent
  Buffer.from([0x81, 127, 0x80, 0, 0, 0, 0, 0, 0, 0]),
  Buffer.from([0x81, 127, 0, 0, 0, 1, 0, 0, 0, 0, 0x7b]),
  Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"),
  Buffer.alloc(64)
]

/** Does its worst at a socket, in as many messages as chance has it. */
const attack = (
  peer: Peer,
  chance: Chance,
  genuine: ReadonlyArray<unknown>,
  vocabulary: ReadonlyArray<string>
): void => {
  for (let left = 1 + chance.below(6); left > 0; left--) {
    if (chance.is(0.15)) peer.sendBytes(chance.one(breaches))
    else if (chance.is(0.1)) peer.sendText(answerOf(chance, genuine, vocabulary, chance.below(50)).text)
    else peer.sendText(messageOf(chance, genuine, vocabulary))
  }
  if (chance.is(0.5)) peer.disconnect()
}

/** What one subscription came to: nothing is wrong with an item of the well node, or with an error of the SDK. */
const outcomeOf = async (family: Spoken, name: string, at: number): Promise<"item" | "error" | string> => {
  const chance = new Chance(at)
  const message = family.streams[name]
  if (message === undefined) return "no such stream"
  let height = 7
  let sockets = 0
  const genuine = () => family.wrap(message(height))
  const vocabulary = namesIn([genuine()])
  const timers = new Set<NodeJS.Timeout>()
  const attacked = new Set<Peer>()
  const node: SocketNode = await startSocketNode(async (method, params, peer): Promise<Answer> => {
    if (peer === undefined || !/subscribe$/i.test(method) || /un(?:_)?subscribe$/i.test(method))
      return { result: family.answer(method, height, params) }
    const id = family.family === "solana" ? 7 : "0x7"
    if (sockets++ === 0) {
      attacked.add(peer)
      // before its answer, and after it
      if (chance.is(0.3)) attack(peer, chance, [genuine()], vocabulary)
      setTimeout(() => attack(peer, chance, [genuine()], vocabulary), 10)
      // one that goes on is well from here on, but for what it has said
      setTimeout(() => {
        height = WELL
      }, 30)
    }
    const timer = setInterval(() => {
      if (height < WELL) return
      height++
      if (peer.isOpen()) peer.send(genuine())
    }, 40)
    timers.add(timer)
    return { result: family.family === "xrp" ? {} : id }
  })
  const { destroy, items } = await family.open(name, node.url)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`nothing within ${LIMIT} ms, on ${sockets} sockets`), LIMIT)
  })
  const read = async (): Promise<string> => {
    for await (const item of items) {
      if (item.status === "ERROR") return errorProblem(item.error) ?? "error"
      if (family.isWell(item.data)) return "item"
    }
    return "an end without a reason"
  }
  const outcome = await Promise.race([read(), late])
  clearTimeout(timer)
  for (const each of timers) clearInterval(each)
  await destroy()
  await node.close()
  return outcome
}

describe.each(spoken)("subscriptions of $family", (family) => {
  it.each(Object.keys(family.streams))(
    "to %s survive what a node sends on their socket",
    async (name) => {
      const counts: Record<string, number> = { item: 0, error: 0 }
      const problems: Array<string> = []
      const cases = [...failures.frames, ...Array.from({ length: CASES }, (_, i) => seed * 100_000 + i)]
      const work = async (): Promise<void> => {
        for (let at = cases.shift(); at !== undefined; at = cases.shift()) {
          const outcome = await outcomeOf(family, name, at)
          if (outcome in counts) counts[outcome] = (counts[outcome] ?? 0) + 1
          else problems.push(`${outcome} (case ${at})`)
        }
      }
      await Promise.all(Array.from({ length: 16 }, work))
      console.log(
        `hostile: ${family.family} subscribe.${name}: ${CASES} sockets, ${counts.item} went on, ${counts.error} typed errors`
      )
      expect(problems).toEqual([])
      expect(defects).toEqual([])
      expect(arePrototypesPolluted()).toBe(false)
      expect(counts.item).toBeGreaterThan(CASES / 4)
    },
    limit
  )
})
