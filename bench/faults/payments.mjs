/**
 * Payments over nodes that take each of them, and answer the first time that they have not. The caller is the same for all wallets: after an
 * error it pays again, once, as people do; where a wallet says that the payment may have been sent, it hands that one over again.
 */
import { createServer } from "node:http"
import { Transaction } from "ethers"
import { start } from "../ipc.mjs"
import { table } from "../table.mjs"
import { chains } from "../world.mjs"

export const payments = [
  { name: "paid", what: "a payment is taken, and the answer is its hash: no fault" },
  {
    name: "taken-nonce",
    what: "a payment is taken, and the answer is an error: nonce too low",
    error: { code: -32_000, message: "nonce too low" }
  },
  {
    name: "taken-internal",
    what: "a payment is taken, and the answer is an error: internal error",
    error: { code: -32_603, message: "Internal error" }
  }
]

/** The key of nobody's account. */
const KEY = `0x${"42".repeat(32)}`
const TO = `0x${"7".repeat(40)}`
/** Milliseconds from one block to the next, and blocks that there are before the first payment. */
const PERIOD = 100
const BEFORE = 1_000

const GWEI = 1_000_000_000n
const hex = (value) => `0x${value.toString(16)}`
const hash32 = (number) => `0x${number.toString(16).padStart(64, "0")}`

const refused = (message, code = -32_000) => ({ error: { code, message } })

/** A chain with a block for each period of time, and the payments of one account in them. */
const chainOf = (error) => {
  const begun = Date.now()
  const height = () => BEFORE + Math.floor((Date.now() - begun) / PERIOD)
  /** Transactions by their nonces, each with the block that has it. */
  const taken = []
  const known = (hash) => taken.find((each) => each.hash === hash)
  const isMined = ({ block }) => block <= height()
  const countAt = (block) =>
    block === "pending"
      ? taken.length
      : taken.filter((each) => each.block <= (block === "latest" ? height() : Number(block))).length
  const shown = ({ block, from, hash, nonce, value }) => ({
    ...{ hash, from, to: TO, nonce: hex(nonce), value: hex(value), input: "0x", type: "0x2", gas: "0x5208" },
    ...{
      gasPrice: hex(GWEI),
      maxFeePerGas: hex(GWEI),
      maxPriorityFeePerGas: hex(GWEI),
      chainId: hex(chains.right)
    },
    ...{ r: hash32(1n), s: hash32(1n), v: "0x0", yParity: "0x0", accessList: [] },
    blockNumber: block <= height() ? hex(block) : null,
    blockHash: block <= height() ? hash32(BigInt(block)) : null,
    transactionIndex: block <= height() ? "0x0" : null
  })
  const blockAt = (number, isFull) => {
    const all = taken.filter(({ block }) => block === number)
    return {
      ...{ number: hex(number), hash: hash32(BigInt(number)), parentHash: hash32(BigInt(number - 1)) },
      ...{
        timestamp: hex(Math.floor((begun + (number - BEFORE) * PERIOD) / 1_000)),
        nonce: "0x0000000000000000"
      },
      ...{ difficulty: "0x0", gasLimit: hex(30_000_000n), gasUsed: hex(21_000n * BigInt(all.length)) },
      ...{ miner: TO, extraData: "0x", baseFeePerGas: hex(GWEI / 10n), logsBloom: `0x${"0".repeat(512)}` },
      ...{ size: "0x100", stateRoot: hash32(1n), transactionsRoot: hash32(1n), receiptsRoot: hash32(1n) },
      ...{ sha3Uncles: hash32(1n), uncles: [], mixHash: hash32(1n), totalDifficulty: "0x0" },
      transactions: isFull === true ? all.map(shown) : all.map(({ hash }) => hash)
    }
  }
  const send = (raw) => {
    const { from, hash, nonce, value } = Transaction.from(raw)
    if (known(hash) !== undefined) return refused("already known")
    if (nonce < taken.length) return refused("nonce too low")
    if (nonce > taken.length) return refused("nonce too high")
    // each payment has a value of its own: the first transaction of it is the one that the node lies about
    const isFirst = taken.every((each) => each.value !== value)
    taken.push({ from, hash, nonce, value, block: height() + 1 })
    return isFirst && error !== undefined ? { error } : { result: hash }
  }
  const answer = (method, params) => {
    switch (method) {
      case "eth_chainId":
        return { result: hex(chains.right) }
      case "net_version":
        return { result: String(chains.right) }
      case "eth_syncing":
        return { result: false }
      case "eth_blockNumber":
        return { result: hex(height()) }
      case "eth_getBlockByNumber": {
        const number = /^0x/.test(params[0]) ? Number(params[0]) : height()
        return { result: number > height() ? null : blockAt(number, params[1]) }
      }
      case "eth_getTransactionCount":
        return { result: hex(countAt(params[1] ?? "latest")) }
      case "eth_getBalance":
        return { result: hex(10n ** 24n) }
      case "eth_getCode":
        return { result: "0x" }
      case "eth_estimateGas":
        return { result: hex(21_000n) }
      case "eth_gasPrice":
      case "eth_maxPriorityFeePerGas":
        return { result: hex(GWEI) }
      case "eth_feeHistory": {
        const count = Number(params[0])
        return {
          result: {
            oldestBlock: hex(height() - count + 1),
            baseFeePerGas: Array(count + 1).fill(hex(GWEI / 10n)),
            gasUsedRatio: Array(count).fill(0.5),
            reward: Array(count).fill((params[2] ?? []).map(() => hex(GWEI)))
          }
        }
      }
      case "eth_getTransactionByHash": {
        const found = known(params[0])
        return { result: found === undefined ? null : shown(found) }
      }
      case "eth_getTransactionReceipt": {
        const found = known(params[0])
        return {
          result:
            found === undefined || !isMined(found)
              ? null
              : { ...shown(found), transactionHash: found.hash, status: "0x1", logs: [], gasUsed: "0x5208" }
        }
      }
      case "eth_sendRawTransaction":
        return send(params[0])
      default:
        return refused(`the method ${method} does not exist`, -32_601)
    }
  }
  return { answer, hashesOf: (value) => taken.filter((each) => each.value === value).map(({ hash }) => hash) }
}

/** A node of the chain. */
const serve = async ({ answer }) => {
  const server = createServer((request, response) => {
    const chunks = []
    request.on("data", (chunk) => chunks.push(chunk))
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString())
      const answers = [body]
        .flat()
        .map(({ id, method, params = [] }) => ({ jsonrpc: "2.0", id, ...answer(method, params) }))
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify(Array.isArray(body) ? answers : answers[0]))
    })
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    end: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

const percent = (list, is) => (100 * list.filter(is).length) / list.length

/** What has become of so many payments of a wallet under a fault. */
const measure = async (name, { error, name: fault }, { count, dist }) => {
  const chain = chainOf(error)
  const nodes = await Promise.all([serve(chain), serve(chain)])
  const child = start(new URL("payer.mjs", import.meta.url).pathname, [name])
  try {
    await child.ask("make", { urls: nodes.map(({ url }) => url), dist, key: KEY })
    const outcomes = []
    for (let i = 0; i < count; i++) {
      const value = 10n ** 15n + BigInt(i)
      const { hash, isTold } = await child.ask("pay", { to: TO, value })
      const hashes = chain.hashesOf(value)
      outcomes.push({ times: hashes.length, isRight: isTold && hashes.includes(hash) })
    }
    await child.ask("close")
    return {
      fault,
      client: name,
      payments: count,
      "paid once": percent(outcomes, ({ times }) => times === 1),
      "paid twice": percent(outcomes, ({ times }) => times > 1),
      "told right": percent(outcomes, ({ isRight }) => isRight)
    }
  } catch (reason) {
    return { fault, client: name, out: String(reason?.message ?? reason).split("\n")[0] }
  } finally {
    child.end()
    for (const node of nodes) node.end()
  }
}

/** Wallets under all of these faults, side by side. */
export const measurePayments = ({ names, wanted, count, dist }) =>
  Promise.all(wanted.flatMap((fault) => names.map((name) => measure(name, fault, { count, dist }))))

const figures = ["paid once", "paid twice", "told right"]

export const paymentTable = (rows) => {
  const clients = [...new Set(rows.map(({ client }) => client))]
  const cell = (row) => row.out ?? figures.map((figure) => row[figure]).join(" / ")
  return table(
    `Payments: ${figures.join(" % / ")} %`,
    ["fault", ...clients],
    [...new Set(rows.map(({ fault }) => fault))].map((fault) => [
      fault,
      ...clients.map((client) => cell(rows.find((row) => row.fault === fault && row.client === client)))
    ])
  )
}

/** What the targets are for; a wallet that broke down has paid nothing. */
export const paymentMeasures = (rows, own) =>
  Object.fromEntries(
    rows
      .filter(({ client }) => client === own)
      .flatMap((row) =>
        ["paid once", "told right"].map((figure) => [`faults/${row.fault}/${figure}`, row[figure] ?? 0])
      )
  )
