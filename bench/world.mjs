/**
 * The chain that the bench's nodes serve: a pure function of the clock, so that nodes and clients in different processes
 * agree on what is right without asking each other.
 */

const BASE = 20_000_000
const EPOCH = Date.UTC(2025, 0, 1)
/** Milliseconds from one block to the next. */
const PERIOD = 500
/** How far behind the highest a node may be: the default of `allowedBlocksBehind`. */
const ALLOWED = 10

/** The chain whose nodes are wanted, and another that some nodes turn out to serve. */
export const chains = { right: 1, wrong: 1_337 }

/** The height at a time. */
export const headAt = (time) => BASE + Math.floor((time - EPOCH) / PERIOD)

/** The n-th address. */
export const address = (n) => `0x${n.toString(16).padStart(40, "0")}`

/** Balances tell the address, the height and the chain that they are of, so that every answer can be checked. */
export const balanceOf = (of, height, chain = chains.right) =>
  ((BigInt(of) & 0xffff_ffffn) << 80n) | (BigInt(chain) << 64n) | BigInt(height)

const inStep = (height, asked, now) => height >= headAt(asked) - ALLOWED && height <= headAt(now) + 1

/** Whether a height that was asked for at `asked` and came at `now` (milliseconds) is one that a good node gives. */
export const isHeight = (value, asked, now) => inStep(Number(value), asked, now)

/** Whether a balance is that of the address, on the right chain, of a height that a good node has. */
export const isBalance = (value, of, asked, now) => {
  const height = value & 0xffff_ffff_ffff_ffffn
  return value === balanceOf(of, height) && inStep(Number(height), asked, now)
}

/** What a healthy node answers, as the JSON-RPC fields behind the id. */
export const answer = (method, params, { time, chain = chains.right, behind = 0 }) => {
  const head = headAt(time) - behind
  const hex = (value) => `0x${value.toString(16)}`
  switch (method) {
    case "eth_chainId":
      return { result: hex(chain) }
    case "net_version":
      return { result: String(chain) }
    case "net_listening":
      return { result: true }
    case "eth_syncing":
      return { result: false }
    case "web3_clientVersion":
      return { result: "bench/1.0.0" }
    case "eth_blockNumber":
      return { result: hex(head) }
    case "eth_getBalance":
      return { result: hex(balanceOf(params[0], head, chain)) }
    default:
      return { error: { code: -32_601, message: `the method ${method} does not exist` } }
  }
}
