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

/** A contract with a balance for every address, and Multicall3, where it is on all chains (https://www.multicall3.com). */
export const contract = `0x${"c".repeat(40)}`
const MULTICALL = "0xca11bde05977b3631167028862be2a173976ca11"

export const abi = [
  {
    type: "function",
    name: "balanceOf",
    stateMutability: "view",
    inputs: [{ name: "of", type: "address" }],
    outputs: [{ type: "uint256" }]
  }
]

/** The call for the balance of an address. */
export const balanceData = (of) => `0x70a08231${of.slice(2).padStart(64, "0")}`

const word = (value) => value.toString(16).padStart(64, "0")

/** The words of some data, from a byte on: what the ABI writes is made of words of 32 bytes. */
const wordAt = (data, byte) => BigInt(`0x${data.slice(2 * byte, 2 * byte + 64)}`)

/** The call data of each of the calls in an `aggregate3((address,bool,bytes)[])`, without its selector. */
const callsIn = (data) => {
  const list = Number(wordAt(data, 0))
  const start = list + 32
  return Array.from({ length: Number(wordAt(data, list)) }, (_, i) => {
    const item = start + Number(wordAt(data, start + 32 * i))
    const bytes = item + Number(wordAt(data, item + 64))
    return `0x${data.slice(2 * (bytes + 32), 2 * (bytes + 32 + Number(wordAt(data, bytes))))}`
  })
}

/** The answer to them: `(bool success, bytes returnData)[]`, of one word each. */
const outcomesOf = (values) => {
  const item = (value) => `${word(1n)}${word(64n)}${word(32n)}${word(value)}`
  const offsets = values.map((_, i) => word(BigInt(32 * values.length + 128 * i)))
  return `0x${word(32n)}${word(BigInt(values.length))}${offsets.join("")}${values.map(item).join("")}`
}

/** How many calls an `eth_call` makes. */
export const callsOf = ({ data, input = data, to }) =>
  to.toLowerCase() === MULTICALL ? callsIn(input.slice(10)) : [input]

/** What a contract answers: the balances of the addresses that are asked for. */
const called = (request, head, chain) => {
  const values = callsOf(request).map((data) => balanceOf(`0x${data.slice(-40)}`, head, chain))
  return request.to.toLowerCase() === MULTICALL ? outcomesOf(values) : `0x${word(values[0])}`
}

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
    case "eth_call":
      return { result: called(params[0], head, chain) }
    case "eth_getBalance":
      return { result: hex(balanceOf(params[0], head, chain)) }
    default:
      return { error: { code: -32_601, message: `the method ${method} does not exist` } }
  }
}
