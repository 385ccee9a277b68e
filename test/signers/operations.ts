/** Operations of Tezos, read byte by byte. */
import { b58DecodeAndCheckPrefix } from "@taquito/utils"

/** Reads bytes by the protocol's own definition (manager operations), and not by the library that wrote them. */
const reader = (hex: string) => {
  const bytes = Buffer.from(hex, "hex")
  let at = 0
  const take = (length: number) => {
    const part = bytes.subarray(at, at + length)
    if (part.length !== length) throw new Error("the bytes end too early")
    at += length
    return part
  }
  const n = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = take(1)[0] ?? 0
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
  }
  return { take: (length: number) => take(length).toString("hex"), n, left: () => bytes.length - at }
}

const manager = (read: ReturnType<typeof reader>) => ({
  source: read.take(21),
  fee: read.n(),
  counter: read.n(),
  gasLimit: read.n(),
  storageLimit: read.n()
})

/** An address as the bytes of an operation have it. */
export const pkh = (of: string): string =>
  `0${Number(of[2]) - 1}${Buffer.from(b58DecodeAndCheckPrefix(of)[0]).toString("hex")}`

/** What entrypoints of all accounts are, by the protocol's tags. */
const stakingEntrypoints: Readonly<Record<string, string>> = {
  "06": "stake",
  "07": "unstake",
  "08": "finalize_unstake"
}

/** What an operation does with the stake of its account: a delegation, or a call of one of its entrypoints, with nothing behind it. */
export const rawStaking = (hex: string) => {
  const read = reader(hex.slice(0, -128))
  read.take(32)
  const tag = read.take(1)
  const { source, ...limits } = manager(read)
  if (tag === "6e") {
    const delegate = read.take(1) === "ff" ? read.take(21) : undefined
    return { source, limits, delegate, rest: read.take(read.left()) }
  }
  if (tag !== "6c") throw new Error(`it is of the kind ${tag}`)
  const [amount, destination] = [read.n(), read.take(22)]
  if (read.take(1) !== "ff") throw new Error("it has no parameters")
  const entrypoint = stakingEntrypoints[read.take(1)]
  // a length, and Unit
  if (read.take(4) !== "00000002" || read.take(2) !== "030b") throw new Error("its parameter is not Unit")
  return { source, limits, amount, destination, entrypoint, rest: read.take(read.left()) }
}

/** A payment, with what reveals the key of its source before it. */
export const raw = (hex: string) => {
  const read = reader(hex.slice(0, -128))
  const from = read.take(32)
  const tag = read.take(1)
  const reveal =
    tag === "6b"
      ? { ...manager(read), key: read.take(read.take(1) === "00" ? 32 : 33), proof: read.take(1) }
      : undefined
  if ((reveal === undefined ? tag : read.take(1)) !== "6c") throw new Error("it is no payment")
  const payment = { ...manager(read), amount: read.n(), destination: read.take(22), parameters: read.take(1) }
  return { from, reveal, payment, rest: read.take(read.left()) }
}
