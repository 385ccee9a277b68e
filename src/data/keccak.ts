const RATE = 136

const rotated = (lane: bigint, by: bigint): bigint => BigInt.asUintN(64, (lane << by) | (lane >> (64n - by)))

/** Keccak-f[1600] (FIPS 202, section 3): the 25 lanes after 24 rounds. Its constants are made as the standard defines them. */
const permuted = (lanes: ReadonlyArray<bigint>): ReadonlyArray<bigint> => {
  let state = lanes
  let bits = 1
  for (let round = 0; round < 24; round++) {
    const at = (i: number): bigint => state[i % 25] ?? 0n
    const column = (x: number): bigint => at(x) ^ at(x + 5) ^ at(x + 10) ^ at(x + 15) ^ at(x + 20)
    const columns = [0, 1, 2, 3, 4].map(column)
    const parity = (x: number): bigint => columns[x % 5] ?? 0n
    const changes = columns.map((_, x) => parity(x + 4) ^ rotated(parity(x + 1), 1n))
    const mixed = (i: number): bigint => at(i) ^ (changes[i % 5] ?? 0n)
    const moved = [mixed(0)]
    for (let step = 1, x = 1, y = 0; step < 25; step++) {
      const from = x + 5 * y
      ;[x, y] = [y, (2 * x + 3 * y) % 5]
      moved[x + 5 * y] = rotated(mixed(from), BigInt(((step * (step + 1)) / 2) % 64))
    }
    const row = (i: number, by: number): bigint => moved[i - (i % 5) + ((i + by) % 5)] ?? 0n
    state = moved.map((lane, i) => lane ^ (~row(i, 1) & row(i, 2)))
    let constant = 0n
    for (let j = 0; j < 7; j++) {
      bits = (bits << 1) ^ ((bits >> 7) * 0x171)
      if (bits & 2) constant ^= 1n << BigInt(2 ** j - 1)
    }
    state = state.map((lane, i) => (i === 0 ? lane ^ constant : lane))
  }
  return state
}

/**
 * The Keccak-256 of bytes, as Ethereum uses it. It is small and not fast: `@noble/hashes`, against which it is tested, is ten times
 * as large, and nothing here hashes more than a transaction or an address.
 */
export const keccak256 = (bytes: Uint8Array): Uint8Array => {
  const padded = new Uint8Array((Math.floor(bytes.length / RATE) + 1) * RATE)
  padded.set(bytes)
  const view = new DataView(padded.buffer)
  view.setUint8(bytes.length, 1)
  view.setUint8(padded.length - 1, view.getUint8(padded.length - 1) | 0x80)
  let lanes: ReadonlyArray<bigint> = Array.from({ length: 25 }, () => 0n)
  for (let block = 0; block < padded.length; block += RATE)
    lanes = permuted(
      lanes.map((lane, i) => (i < RATE / 8 ? lane ^ view.getBigUint64(block + 8 * i, true) : lane))
    )
  const digest = new DataView(new ArrayBuffer(32))
  for (let i = 0; i < 4; i++) digest.setBigUint64(8 * i, lanes[i] ?? 0n, true)
  return new Uint8Array(digest.buffer)
}
