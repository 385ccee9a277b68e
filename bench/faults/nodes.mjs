/** A process of nodes: five for every client of a run, so that clients do not share faults or load. */
import { serve } from "../ipc.mjs"
import { startNode } from "./node.mjs"

const NODES = 5
const lanes = new Map()

const laneOf = (lane) => {
  const nodes = lanes.get(lane)
  if (nodes === undefined) throw new Error(`no lane ${lane}`)
  return nodes
}

const within = ({ log }, from, to) => log.filter(({ time }) => time >= from && time < to)

const now = () => performance.timeOrigin + performance.now()

serve({
  /** Five nodes, or one for each of `times`, the milliseconds that it takes. */
  open: async ({ lane, times = Array.from({ length: NODES }, () => undefined) }) => {
    const nodes = await Promise.all(
      times.map((time) => startNode(time === undefined ? undefined : () => time))
    )
    lanes.set(lane, nodes)
    return nodes.map(({ url }) => url)
  },
  /** Indices of the nodes, the one with most requests since `from` first. */
  busiest: ({ lane, from }) => {
    const counts = laneOf(lane).map((node, index) => ({ index, count: within(node, from, now()).length }))
    return counts.sort((a, b) => b.count - a.count || a.index - b.index).map(({ index }) => index)
  },
  /** Sets what nodes are now, and returns the moment. */
  become: async ({ lane, changes }) => {
    const nodes = laneOf(lane)
    for (const { node, kind } of changes) await nodes[node].become(kind)
    return now()
  },
  /** Requests that came in `[from, to)`, and when each healed node has first answered well after `to`. */
  report: ({ lane, from, to, healed }) => {
    const nodes = laneOf(lane)
    return {
      requests: nodes.reduce((sum, node) => sum + within(node, from, to).length, 0),
      asked: healed.map(
        (index) =>
          nodes[index].log.find(({ time, good }) => good && time >= to)?.time ?? Number.POSITIVE_INFINITY
      )
    }
  },
  close: ({ lane }) => {
    for (const node of laneOf(lane)) node.end()
    lanes.delete(lane)
  }
})
