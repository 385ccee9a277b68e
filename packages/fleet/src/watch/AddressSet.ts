/**
 * A compact set of addresses: rows of bytes, and a hash table of row numbers. A million EVM addresses take 28 MB.
 */

/** How addresses of a family become rows. `encode` writes all `width` bytes of a row, and gives false for what is no address. */
export interface KeyFormat {
  readonly width: number
  readonly encode: (text: string, into: Uint8Array) => boolean
}

/** The table grows when more than this part of it is used. */
const MAX_LOAD = 0.7

const MIN_SLOTS = 1_024

/** Rows of a page. Growing by pages moves no row. */
const PAGE_ROWS = 16_384

/** The shard of an address. It is stored: another rule needs another version of the store. */
export const shardOf = (address: string, shards: number): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < address.length; i++) hash = Math.imul(hash ^ address.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return ((hash ^ (hash >>> 12)) >>> 0) % shards
}

/**
 * A set of addresses, by open addressing with exact comparison. What is no address is in no set. The seed of its hashes is random, so that
 * chosen addresses cannot make long runs of slots.
 */
export class AddressSet {
  private readonly pages: Array<Uint8Array> = []
  /** The row number of each slot, from 1; 0 is a free slot. */
  private slots = new Uint32Array(MIN_SLOTS)
  private mask = MIN_SLOTS - 1
  private count = 0
  private readonly scratch: Uint8Array
  private readonly seed = (Math.random() * 2 ** 32) | 0

  constructor(private readonly keys: KeyFormat) {
    this.scratch = new Uint8Array(keys.width)
  }

  get size(): number {
    return this.count
  }

  /** The memory of rows and table, in bytes. */
  get bytes(): number {
    return this.pages.length * PAGE_ROWS * this.keys.width + this.slots.byteLength
  }

  has(address: string): boolean {
    return this.keys.encode(address, this.scratch) && this.slots[this.findSlot()] !== 0
  }

  /** False if it was there, or is no address. */
  add(address: string): boolean {
    if (!this.keys.encode(address, this.scratch)) return false
    let slot = this.findSlot()
    if (this.slots[slot] !== 0) return false
    if (this.count + 1 > MAX_LOAD * this.slots.length) {
      this.grow()
      slot = this.findSlot()
    }
    const { width } = this.keys
    if (this.count === this.pages.length * PAGE_ROWS) this.pages.push(new Uint8Array(PAGE_ROWS * width))
    this.pageOf(this.count).set(this.scratch, (this.count % PAGE_ROWS) * width)
    this.slots[slot] = ++this.count
    return true
  }

  /** False if it was not there. */
  delete(address: string): boolean {
    if (!this.keys.encode(address, this.scratch)) return false
    const slot = this.findSlot()
    const row = (this.slots[slot] ?? 0) - 1
    if (row < 0) return false
    this.freeSlot(slot)
    // the last row takes its place
    const last = --this.count
    if (row !== last) {
      const { width } = this.keys
      const from = (last % PAGE_ROWS) * width
      this.scratch.set(this.pageOf(last).subarray(from, from + width))
      this.slots[this.findSlot()] = row + 1
      this.pageOf(row).set(this.scratch, (row % PAGE_ROWS) * width)
    }
    if (this.count <= (this.pages.length - 1) * PAGE_ROWS) this.pages.pop()
    return true
  }

  private pageOf(row: number): Uint8Array {
    return this.pages[Math.floor(row / PAGE_ROWS)] ?? this.scratch
  }

  /** Frees a slot. Keys behind it move up, so that no search ends too early. */
  private freeSlot(slot: number): void {
    let hole = slot
    for (let next = (hole + 1) & this.mask; this.slots[next] !== 0; next = (next + 1) & this.mask) {
      const home = this.homeSlotOf((this.slots[next] ?? 0) - 1)
      if (((next - home) & this.mask) < ((next - hole) & this.mask)) continue
      this.slots[hole] = this.slots[next] ?? 0
      hole = next
    }
    this.slots[hole] = 0
  }

  private hashKey(bytes: Uint8Array, offset: number): number {
    let hash = this.seed
    for (let i = offset; i < offset + this.keys.width; i++)
      hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193)
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
    return hash ^ (hash >>> 15)
  }

  private homeSlotOf(row: number): number {
    return this.hashKey(this.pageOf(row), (row % PAGE_ROWS) * this.keys.width) & this.mask
  }

  /** The slot of the key in `scratch`, or the free slot where it belongs. */
  private findSlot(): number {
    let slot = this.hashKey(this.scratch, 0) & this.mask
    for (; ; slot = (slot + 1) & this.mask) {
      const row = (this.slots[slot] ?? 0) - 1
      if (row < 0 || this.isKeyAt(row)) return slot
    }
  }

  private isKeyAt(row: number): boolean {
    const { width } = this.keys
    const page = this.pageOf(row)
    const offset = (row % PAGE_ROWS) * width
    for (let i = 0; i < width; i++) if (page[offset + i] !== this.scratch[i]) return false
    return true
  }

  private grow(): void {
    this.slots = new Uint32Array(this.slots.length * 2)
    this.mask = this.slots.length - 1
    for (let row = 0; row < this.count; row++) {
      let slot = this.homeSlotOf(row)
      while (this.slots[slot] !== 0) slot = (slot + 1) & this.mask
      this.slots[slot] = row + 1
    }
  }
}
