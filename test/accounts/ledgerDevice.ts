/**
 * A device of Ledger in memory, behind Ledger's own libraries: it reads the commands (APDUs) of its app for Ethereum, Solana or Tron byte by byte,
 * and signs with a key of the test as the app does, or answers as a person or a device does that does not sign.
 */
import { createHash } from "node:crypto"
import TransportModule from "@ledgerhq/hw-transport"
import { ed25519 } from "@noble/curves/ed25519.js"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { keccak_256 } from "@noble/hashes/sha3.js"

/** The class of one of Ledger's libraries, which is the import itself or its default, by who loads it. */
export const classOf = <C>(imported: { readonly default: C }): C =>
  "default" in imported ? imported.default : (imported as C)

const Transport = classOf(TransportModule)

const key = new Uint8Array(32).fill(0x42)

/** The keys of the device, whatever the path. */
export const deviceKeys = { secp256k1: key, ed25519: key } as const

/** What a person does who sees a request. */
export type Answer = "confirm" | "refuse" | "sign another" | "keep waiting" | number

interface Command {
  readonly ins: number
  readonly p1: number
  readonly p2: number
  readonly data: Uint8Array
}

const ok = (...parts: ReadonlyArray<Uint8Array>): Buffer =>
  Buffer.concat([...parts, Uint8Array.of(0x90, 0x00)])
const status = (word: number): Buffer => Buffer.from([word >> 8, word & 255])

const keccak = (...parts: ReadonlyArray<Uint8Array>): Uint8Array => keccak_256(Buffer.concat(parts))
const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()
const ascii = (text: string): Uint8Array => Buffer.from(text, "latin1")

/** Signs a hash: the parity, and r and s. */
const signHash = (hash: Uint8Array): readonly [parity: number, rs: Uint8Array] => {
  const signature = secp256k1.sign(hash, key, { prehash: false, format: "recovered" })
  return [signature[0] ?? 0, signature.slice(1)]
}

/** The bytes behind a path: its length, and four bytes for each of its parts. */
const withoutPath = (data: Uint8Array): { readonly path: string; readonly rest: Uint8Array } => {
  const length = data[0] ?? 0
  const view = new DataView(data.buffer, data.byteOffset)
  const parts = Array.from({ length }, (_, at) => view.getUint32(1 + 4 * at))
  const show = (part: number): string => (part >= 2 ** 31 ? `${part - 2 ** 31}'` : String(part))
  return { path: parts.map(show).join("/"), rest: data.slice(1 + 4 * length) }
}

/** A device. `seen` has what it was asked to sign, by the name of its command; `paths` the paths. */
export class LedgerDevice extends Transport {
  answer: Answer = "confirm"
  readonly seen: Array<readonly [name: string, bytes: Uint8Array]> = []
  readonly paths: Array<string> = []
  /** The exchanges that run now: a real one has one at a time. */
  private running = 0
  private chunks: ReadonlyArray<Uint8Array> = []

  constructor(readonly app: "ethereum" | "solana" | "tron") {
    super()
  }

  override async exchange(apdu: Buffer): Promise<Buffer> {
    if (this.running > 0) throw new Error("the device is busy")
    this.running += 1
    try {
      // a real exchange takes turns of the event loop
      await new Promise((done) => setImmediate(done))
      const [cla, ins = 0, p1 = 0, p2 = 0, length = 0] = apdu
      const data = new Uint8Array(apdu.subarray(5))
      // old devices do not say which app is open
      if (cla !== 0xe0) return status(0x6e00)
      if (data.length !== length) return status(0x6700)
      return await this[this.app]({ ins, p1, p2, data })
    } finally {
      this.running -= 1
    }
  }

  /** What comes in several commands, once it is whole: the path is in the first. */
  private collect(isFirst: boolean, isLast: (whole: Uint8Array) => boolean, data: Uint8Array) {
    this.chunks = isFirst ? [data] : [...this.chunks, data]
    const whole = new Uint8Array(Buffer.concat(this.chunks))
    if (!isLast(whole)) return undefined
    const { path, rest } = withoutPath(whole)
    this.paths.push(path)
    return rest
  }

  /** What becomes of something to sign. */
  private async decide(
    name: string,
    bytes: Uint8Array,
    sign: (bytes: Uint8Array) => Buffer
  ): Promise<Buffer> {
    this.seen.push([name, bytes])
    if (this.answer === "keep waiting") return new Promise(() => undefined)
    if (this.answer === "refuse") return status(0x6985)
    if (this.answer === "sign another") return sign(Uint8Array.of(...bytes, 0))
    return this.answer === "confirm" ? sign(bytes) : status(this.answer)
  }

  private publicKey(data: Uint8Array): Uint8Array {
    this.paths.push(withoutPath(data).path)
    return secp256k1.getPublicKey(key, false)
  }

  private async ethereum({ data, ins, p1 }: Command): Promise<Buffer> {
    switch (ins) {
      case 0x02: {
        const address = ascii("0".repeat(40))
        const publicKey = this.publicKey(data)
        return ok(Uint8Array.of(65), publicKey, Uint8Array.of(40), address)
      }
      case 0x04: {
        const rest = this.collect(p1 === 0, isWholeRlp, data)
        if (rest === undefined) return ok()
        return this.decide("transaction", rest, (bytes) => {
          const [parity, rs] = signHash(keccak(bytes))
          // of the chain with the id 1, if it is one of EIP-155
          return ok(Uint8Array.of((bytes[0] ?? 0) < 0xc0 ? parity : 37 + parity), rs)
        })
      }
      case 0x08: {
        const whole = this.collect(
          p1 === 0,
          (all) => lengthOf(all) === withoutPath(all).rest.length - 4,
          data
        )
        if (whole === undefined) return ok()
        return this.decide("message", whole.slice(4), (bytes) => {
          const [parity, rs] = signHash(keccak(ascii(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes))
          return ok(Uint8Array.of(27 + parity), rs)
        })
      }
      case 0x0c: {
        const { path, rest } = withoutPath(data)
        this.paths.push(path)
        return this.decide("typed data", rest, (bytes) => {
          const [parity, rs] = signHash(keccak(Uint8Array.of(0x19, 0x01), bytes))
          return ok(Uint8Array.of(27 + parity), rs)
        })
      }
      default:
        return status(0x6d00)
    }
  }

  private async solana({ data, ins, p1, p2 }: Command): Promise<Buffer> {
    if (ins === 0x05) {
      this.paths.push(withoutPath(data).path)
      return ok(ed25519.getPublicKey(key))
    }
    if (ins !== 0x06) return status(0x6d00)
    if (p1 !== 1) return status(0x6a80)
    // the second bit: more follows; the first: it is not the first
    const signers = (p2 & 1) === 0 ? data.slice(1) : data
    const rest = this.collect((p2 & 1) === 0, () => (p2 & 2) === 0, signers)
    return rest === undefined
      ? ok()
      : this.decide("transaction", rest, (bytes) => ok(ed25519.sign(bytes, key)))
  }

  private async tron({ data, ins, p1 }: Command): Promise<Buffer> {
    const sign = (hash: Uint8Array): Buffer => {
      const [parity, rs] = signHash(hash)
      return ok(rs, Uint8Array.of(parity))
    }
    if (ins === 0x02)
      return ok(Uint8Array.of(65), this.publicKey(data), Uint8Array.of(34), ascii("T".repeat(34)))
    if (ins === 0x04) {
      // 0x10: alone, 0x00: the first, 0x80: in between, 0x90: the last
      const rest = this.collect(p1 === 0x10 || p1 === 0x00, () => p1 === 0x10 || p1 === 0x90, data)
      return rest === undefined ? ok() : this.decide("transaction", rest, (bytes) => sign(sha256(bytes)))
    }
    if (ins !== 0x08) return status(0x6d00)
    const whole = this.collect(p1 === 0, (all) => lengthOf(all) === withoutPath(all).rest.length - 4, data)
    if (whole === undefined) return ok()
    return this.decide("message", whole.slice(4), (bytes) =>
      sign(keccak(ascii(`\x19TRON Signed Message:\n${bytes.length}`), bytes))
    )
  }
}

/** The length of a message, in four bytes behind its path. */
const lengthOf = (all: Uint8Array): number => {
  const { rest } = withoutPath(all)
  return rest.length < 4 ? -1 : new DataView(rest.buffer, rest.byteOffset).getUint32(0)
}

/** Whether a transaction of Ethereum is there up to its end, by the length of its outermost list. */
const isWholeRlp = (all: Uint8Array): boolean => {
  const { rest } = withoutPath(all)
  const list = (rest[0] ?? 0) < 0xc0 ? rest.slice(1) : rest
  const first = list[0] ?? 0
  if (first < 0xf8) return list.length === 1 + first - 0xc0
  const digits = Buffer.from(list.slice(1, 1 + first - 0xf7)).toString("hex")
  return list.length === 1 + first - 0xf7 + Number.parseInt(digits, 16)
}
