/**
 * The faults, each one a way in which public nodes have failed their users. `kinds` are given to the nodes that misbehave,
 * in turn; `nodes` says how many do, beginning with the one that carries most of the client's traffic. Those that are `full`
 * are much like others, and left out of quick runs. Where the fault is `everywhere`, calls cost what they cost on such nodes: there is
 * no other to go to.
 */

/** The nodes of a pool. */
const NODES = 5

const one = (name, what, more = {}) => ({ name, what, kinds: [name], nodes: 1, ...more })

const everywhere = (name, what, load, kinds = [name]) => ({
  name,
  what,
  kinds,
  nodes: NODES,
  everywhere: true,
  ...(load === undefined ? {} : { load })
})

export const faults = [
  { name: "healthy", what: "no fault", kinds: [], nodes: 0 },
  one("refuse", "connections are refused"),
  one("reset", "connections are reset after the request"),
  one("hang", "the request is taken, and never answered", { silent: true }),
  one("http500", "status 500"),
  one("http429", "status 429 with Retry-After: 1", { full: true }),
  one("http403", "status 403 with a page of HTML", { full: true }),
  // an endpoint that is gone, unpaid or moved: the first and fastest node, with what proxies say then
  one("http404", "status 404 with a page of HTML"),
  one("http402", "status 402 with JSON of a proxy", { full: true }),
  one("http410", "status 410 with a page of HTML", { full: true }),
  one("http405", "status 405 with an empty body", { full: true }),
  one("http451", "status 451 with a page of HTML", { full: true }),
  one("http304", "status 304", { full: true }),
  one("http400", "status 400 with a page of HTML", { full: true }),
  {
    name: "two-gone",
    what: "two of five answer 404",
    kinds: ["http404"],
    nodes: 2
  },
  one("refused-call", "one request of ten is refused by a proxy with 403 HTML, while probes pass"),
  one("rpc32005", "JSON-RPC error -32005, limit exceeded", { full: true }),
  one("rpc32603", "JSON-RPC error -32603, internal error", { full: true }),
  one("missing", "JSON-RPC error -32000, header not found", { full: true }),
  one("stale", "1,000 blocks behind; the load asks for heights", { load: "heights" }),
  { ...one("stale-mixed", "1,000 blocks behind; one call of five asks for the height"), kinds: ["stale"] },
  one("wrongchain", "another chain from the start, on the node that answers fastest", { fromStart: true }),
  one("truncated", "the connection ends in the middle of the body", { full: true }),
  one("garbage", "status 200 with a page of HTML"),
  one("empty", "status 200 with an empty body", { full: true }),
  one("wrongid", "the answer to another request", { full: true }),
  one("bodystall", "half of the body, and then silence", { silent: true }),
  one("drip", "the body comes byte by byte over 3 s", { silent: true }),
  one("spike2s", "every answer takes 2 s", { silent: true }),
  one("flap", "half a second down, half a second up"),
  { name: "tail5", what: "5 % of all nodes' answers take 1 s", kinds: ["tail5"], nodes: NODES },
  { name: "slow", what: "all nodes take 300 ms", kinds: ["slow"], nodes: NODES, slow: true },
  { name: "three-refuse", what: "three of five refuse connections", kinds: ["refuse"], nodes: 3, full: true },
  { name: "three-hang", what: "three of five hang", kinds: ["hang"], nodes: 3, silent: true },
  { name: "three-429", what: "three of five answer 429", kinds: ["http429"], nodes: 3, full: true },
  {
    name: "three-mixed",
    what: "three of five: one hangs, one answers 500, one stalls",
    kinds: ["hang", "http500", "bodystall"],
    nodes: 3
  },
  {
    name: "one-good",
    what: "four of five: reset, hang, 500, HTML",
    kinds: ["reset", "hang", "http500", "garbage"],
    nodes: 4
  },
  everywhere(
    "contract-words",
    "a contract refuses its calls in the words of a busy provider, on all nodes",
    "contract"
  ),
  everywhere(
    "all-429",
    "status 429 with Retry-After: 1 on all nodes, for a second of two and a half",
    undefined,
    ["limited"]
  ),
  everywhere("multicall-gas", "a multicall of 120 reads, and nodes with the gas for 50", "multicall")
]

/** Which nodes misbehave in which way, given the indices of all nodes with the busiest first. */
export const assign = (fault, order) =>
  order.slice(0, fault.nodes).map((node, i) => ({ node, kind: fault.kinds[i % fault.kinds.length] }))

/**
 * The phases of a fault. Several bad nodes are found one after another, each for a few requests, if luck has it that the good ones come last. Of a
 * short fault that is a large share, so that theirs lasts as long as `several`.
 */
export const phasesOf = ({ nodes }, { several, ...phases }) =>
  nodes > 2 && nodes < NODES ? { ...phases, fault: several } : phases

/**
 * `primed` calls to warm up, then phases in milliseconds under a load of `rate` calls per second; a call's answer after
 * `deadline` is too late to matter.
 */
export const timing = {
  full: { primed: 150, warm: 1_000, fault: 5_000, several: 5_000, heal: 3_000, rate: 100, deadline: 5_000 },
  quick: { primed: 100, warm: 700, fault: 2_000, several: 4_000, heal: 1_800, rate: 60, deadline: 3_000 }
}
