/** A chain that forks, and nodes of it that lag behind, as a transport. Nothing is sent anywhere. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { NodeError } from "../src/data/SdkError.js"
import { type Call, type CallError, CallOptions, type TransportService } from "../src/wire/Transport.js"

interface Block {
  readonly number: number
  readonly hash: string
}

/** What a node knows: the blocks of its branch, and the height of what is final for it. */
interface ChainView {
  readonly blocks: ReadonlyArray<Block>
  readonly final: number
}

const hex = (value: number): string => `0x${value.toString(16)}`
const hashOf = (of: number): string => `0x${of.toString(16).padStart(64, "0")}`

export const makeChainModel = (genesis = 1) => {
  let last = genesis
  const block = (number: number): Block => ({ number, hash: hashOf(last++) })
  let chain: ChainView = { blocks: [block(0)], final: 0 }
  const all = new Map<string, Block>(chain.blocks.map((each) => [each.hash, each]))
  const views = new Map<string, () => ChainView>()
  const counts = { requests: 0 }
  let slow = (_method: string, _params: ReadonlyArray<unknown>): number => 1
  let turn = 0

  const add = (blocks: ReadonlyArray<Block>, count: number): ReadonlyArray<Block> => {
    const more = Array.from({ length: count }, (_, i) => block(blocks.length + i))
    for (const each of more) all.set(each.hash, each)
    return [...blocks, ...more]
  }

  const find = ({ blocks, final }: ChainView, tag: unknown): Block | undefined =>
    tag === "latest"
      ? blocks.at(-1)
      : tag === "finalized"
        ? blocks[final]
        : typeof tag === "object"
          ? all.get(String(Reflect.get(tag ?? {}, "blockHash")))
          : blocks[Number(tag)]

  const shown = (found: Block | undefined): unknown =>
    found === undefined ? null : { number: hex(found.number), hash: found.hash }

  /** Every branch has a transaction and a balance of its own at each height. */
  const answer = (view: ChainView, method: string, params: ReadonlyArray<unknown>): unknown => {
    const [first, second] = params
    switch (method) {
      case "eth_blockNumber":
        return hex(view.blocks.length - 1)
      case "eth_getBlockByNumber":
        return shown(find(view, first))
      case "eth_getBlockByHash":
        return shown(all.get(String(first)))
      case "eth_getTransactionReceipt": {
        // the transaction of a height is the same on every branch, and its block is not
        const at = view.blocks[Number(first)]
        return at === undefined ? null : { blockNumber: hex(at.number), blockHash: at.hash }
      }
      case "eth_getBalance": {
        const at = find(view, second)
        return at === undefined ? null : at.hash
      }
      case "eth_sendRawTransaction":
        return hashOf(0)
      default:
        return null
    }
  }

  const transport: TransportService = {
    nodeUrl: () => Effect.succeed("https://a.example"),
    send: <A>(call: Call<A>) =>
      Effect.flatMap(CallOptions, ({ node }) =>
        Effect.suspend(() => {
          counts.requests++
          const urls = [...views.keys()]
          const url = String(node ?? urls[turn++ % urls.length] ?? "")
          const view = views.get(url)?.()
          const { id, method, params } = JSON.parse(String(call.body))
          if (view === undefined)
            return Effect.fail(new NodeError({ kind: "network", call: method, url, reason: "there is none" }))
          const text = JSON.stringify({ jsonrpc: "2.0", id, result: answer(view, method, params) })
          // the time that a request takes
          return Effect.zipRight(
            Effect.sleep(slow(method, params)),
            Either.match(call.decode({ status: 200, text, url }), {
              onLeft: ({ error }): Effect.Effect<A, CallError> => Effect.fail(error),
              onRight: (value) => Effect.succeed(value)
            })
          )
        })
      )
  }

  return {
    transport,
    counts,
    hashOf,
    chain: () => chain,
    hashes: () => [...all.keys()],
    /** The answer of a node that knows the whole chain now. */
    truth: (method: string, params: ReadonlyArray<unknown>) => answer(chain, method, params),
    mine: (count: number) => {
      chain = { ...chain, blocks: add(chain.blocks, count) }
    },
    /** Everything above what is final may go. */
    reorganise: (depth: number) => {
      const kept = Math.max(chain.final + 1, chain.blocks.length - depth)
      const gone = chain.blocks.length - kept
      chain = { ...chain, blocks: add(chain.blocks.slice(0, kept), gone + (gone > 0 ? 1 : 0)) }
    },
    finalise: (behind: number) => {
      chain = { ...chain, final: Math.max(chain.final, chain.blocks.length - 1 - behind) }
    },
    /** A node that follows, or one that stays where it is now. */
    follow: (url: string) => void views.set(url, () => chain),
    stay: (url: string) => {
      const now = chain
      views.set(url, () => now)
    },
    /** How many milliseconds requests take; their answers are those of the time when they were sent. */
    take: (ms: typeof slow) => {
      slow = ms
    },
    /** A node of another chain. */
    stray: (url: string, view: () => ChainView) => void views.set(url, view),
    leave: (url: string) => void views.delete(url)
  }
}
