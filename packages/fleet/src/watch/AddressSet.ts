/** Addresses of 20 bytes in a flat table: a million take 44 MB, and none is an object of its own. */

const WIDTH = 20

/** A table is made larger when more than this part of it is used. */
const LOAD = 0.7

const SMALLEST = 1_024

const digit = (code: number): number =>
  code >= 48 && code <= 57
    ? code - 48
    : code >= 97 && code <= 102
      ? code - 87
      : code >= 65 && code <= 70
        ? code - 55
        : -1

/** Writes the bytes of an address (0x and 40 digits, of any case). False if it is none. */
const read = (address: string, into: Uint8Array): boolean => {
  if (address.length !== 2 + 2 * WIDTH || address.charCodeAt(0) !== 48 || address.charCodeAt(1) !== 120)
    return false
  for (let i = 0; i < WIDTH; i++) {
    const high = digit(address.charCodeAt(2 * i + 2))
    const low = digit(address.charCodeAt(2 * i + 3))
    if (high < 0 || low < 0) return false
    into[i] = (high << 4) | low
  }
  return true
}

/**
 * Which of `shards` an address belongs to. It is stored: another rule is another version of the store.
 */
export const shardOf = (address: string, shards: number): number =>
  Number.parseInt(address.slice(-8), 16) % shards

/**
 * A set of addresses, by open addressing with exact comparison. What is no address is in no set. The seed of its hashes is random:
 * addresses that others have chosen make no long runs.
 */
export class AddressSet {
  private keys = new Uint8Array(SMALLEST * WIDTH)
  private used = new Uint8Array(SMALLEST)
  private mask = SMALLEST - 1
  private count = 0
  private readonly scratch = new Uint8Array(WIDTH)
  private readonly seed = (Math.random() * 2 ** 32) | 0

  get size(): number {
    return this.count
  }

  /** The bytes of the table. */
  get bytes(): number {
    return this.keys.byteLength + this.used.byteLength
  }

  has(address: string): boolean {
    return read(address, this.scratch) && this.used[this.find(this.scratch, 0)] === 1
  }

  /** False if it was there, or is no address. */
  add(address: string): boolean {
    if (!read(address, this.scratch)) return false
    let slot = this.find(this.scratch, 0)
    if (this.used[slot] === 1) return false
    if (this.count + 1 > LOAD * this.used.length) {
      this.grow()
      slot = this.find(this.scratch, 0)
    }
    this.put(slot, this.scratch, 0)
    this.count++
    return true
  }

  /** False if it was not there. Those behind it move up, so that no search ends too early. */
  delete(address: string): boolean {
    if (!read(address, this.scratch)) return false
    let hole = this.find(this.scratch, 0)
    if (this.used[hole] !== 1) return false
    this.count--
    for (let next = (hole + 1) & this.mask; this.used[next] === 1; next = (next + 1) & this.mask) {
      const home = this.hash(this.keys, next * WIDTH) & this.mask
      if (((next - home) & this.mask) < ((next - hole) & this.mask)) continue
      this.put(hole, this.keys, next * WIDTH)
      hole = next
    }
    this.used[hole] = 0
    return true
  }

  private hash(bytes: Uint8Array, offset: number): number {
    let hash = this.seed
    for (let i = offset; i < offset + WIDTH; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193)
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
    return hash ^ (hash >>> 15)
  }

  /** The slot that has a key, or the free one where it belongs. */
  private find(bytes: Uint8Array, offset: number): number {
    let slot = this.hash(bytes, offset) & this.mask
    while (this.used[slot] === 1 && !this.isAt(slot, bytes, offset)) slot = (slot + 1) & this.mask
    return slot
  }

  private isAt(slot: number, bytes: Uint8Array, offset: number): boolean {
    for (let i = 0; i < WIDTH; i++) if (this.keys[slot * WIDTH + i] !== bytes[offset + i]) return false
    return true
  }

  private put(slot: number, bytes: Uint8Array, offset: number): void {
    for (let i = 0; i < WIDTH; i++) this.keys[slot * WIDTH + i] = bytes[offset + i] ?? 0
    this.used[slot] = 1
  }

  private grow(): void {
    const { keys, used } = this
    this.keys = new Uint8Array(keys.length * 2)
    this.used = new Uint8Array(used.length * 2)
    this.mask = used.length * 2 - 1
    for (let slot = 0; slot < used.length; slot++)
      if (used[slot] === 1) this.put(this.find(keys, slot * WIDTH), keys, slot * WIDTH)
  }
}
