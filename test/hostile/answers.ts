/** Hostile answers, made of a seed: the same seed makes the same ones. */

/** Numbers from 0 up to 1, and what is chosen by them (mulberry32). */
export class Chance {
  private state: number
  constructor(seed: number) {
    this.state = seed >>> 0
  }
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }
  one<A>(of: ReadonlyArray<A>): A {
    const chosen = of[this.below(of.length)]
    if (chosen === undefined && !of.includes(chosen as A)) throw new Error("nothing to choose from")
    return chosen as A
  }
  is(share: number): boolean {
    return this.next() < share
  }
}

/** Text that stands in JSON where JSON.stringify has no words for it. */
class Written {
  constructor(readonly text: string) {}
}

const nested = (open: string, close: string, depth: number): Written =>
  new Written(`${open.repeat(depth)}1${close.repeat(depth)}`)

/** Names that mean something to JavaScript. */
const names = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "toJSON",
  "then",
  "length",
  "hasOwnProperty",
  "",
  "0",
  "-1",
  "\u0000",
  "\ud800",
  "id",
  "error",
  "result",
  "message",
  "code",
  "data"
]

const plain: ReadonlyArray<unknown> = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  "",
  " ",
  "0x",
  "0xzz",
  "0x1",
  "-0x1",
  "1e1000",
  "NaN",
  "Infinity",
  "null",
  "not a number",
  "12345678901234567890123456789012345678901234567890",
  `0x${"f".repeat(4_000)}`,
  "9".repeat(5_000),
  "\u0000\u001b[31m\u202e\u0085",
  "\ud800 half a pair \udfff",
  "💥".repeat(50),
  "<html><title>502</title></html>",
  "2020-13-45T99:99:99Z",
  [],
  {},
  [[]],
  [null],
  [{}],
  [1, "a", null, {}],
  { __proto__: null, toString: 1, valueOf: 1 },
  { length: 3 },
  JSON.parse('{"then":1}'),
  { code: {}, message: {}, data: {} },
  { error: null },
  { toJSON: "x", constructor: { prototype: { polluted: true } } }
]

const written: ReadonlyArray<Written> = [
  "1e400",
  "-1e400",
  "-0",
  "1e-400",
  "9007199254740993",
  "-9007199254740993",
  "123456789012345678901234567890",
  "0.1234567890123456789012345678901234567890",
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"a":1,"a":2,"a":[]}',
  '"\\ud800"',
  '"\\u0000"'
].map((text) => new Written(text))

const deep: ReadonlyArray<Written> = [
  nested("[", "]", 10_000),
  nested('{"a":', "}", 5_000),
  nested('[{"__proto__":', "}]", 2_000),
  nested("[", "]", 500)
]

const hostile = (chance: Chance): unknown =>
  chance.is(0.002) ? chance.one(deep) : chance.is(0.25) ? chance.one(written) : chance.one(plain)

/** JSON of nobody's. */
const random = (chance: Chance, vocabulary: ReadonlyArray<string>, depth = 3): unknown => {
  if (depth === 0 || chance.is(0.3)) return hostile(chance)
  const size = chance.below(4)
  return chance.is(0.4)
    ? Array.from({ length: size }, () => random(chance, vocabulary, depth - 1))
    : Object.fromEntries(
        Array.from({ length: size }, () => [
          chance.one(chance.is(0.8) ? vocabulary : names),
          random(chance, vocabulary, depth - 1)
        ])
      )
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !(value instanceof Written)

/** A copy in which something at one place is another. */
const mutated = (value: unknown, chance: Chance, vocabulary: ReadonlyArray<string>): unknown => {
  if (!isObject(value) || chance.is(0.15)) {
    const how = chance.below(5)
    return how === 0
      ? [value]
      : how === 1
        ? { [chance.one(names)]: value }
        : how === 2
          ? random(chance, vocabulary)
          : hostile(chance)
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return [hostile(chance)]
    const at = chance.below(value.length)
    if (chance.is(0.1)) return Object.fromEntries(Object.entries(value))
    if (chance.is(0.1)) return value.filter((_, i) => i !== at)
    return value.map((item, i) => (i === at ? mutated(item, chance, vocabulary) : item))
  }
  const entries = Object.entries(value)
  if (entries.length === 0) return { [chance.one(names)]: hostile(chance) }
  const at = chance.below(entries.length)
  const how = chance.below(10)
  return how === 0
    ? Object.fromEntries(entries.filter((_, i) => i !== at))
    : how === 1
      ? entries.map(([, item]) => item)
      : Object.fromEntries(
          entries.map(([name, item], i) =>
            i !== at
              ? [name, item]
              : how === 2
                ? [chance.one(names), item]
                : [name, mutated(item, chance, vocabulary)]
          )
        )
}

/** As JSON, with names twice now and then. */
export const write = (value: unknown, chance: Chance): string => {
  if (value instanceof Written) return value.text
  if (typeof value === "bigint") return String(value)
  if (Array.isArray(value)) return `[${value.map((item) => write(item, chance)).join(",")}]`
  if (!isObject(value)) return JSON.stringify(value) ?? "null"
  const members = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}:${write(item, chance)}`
  )
  const twice = members.length > 0 && chance.is(0.02) ? [chance.one(members)] : []
  return `{${[...members, ...twice].join(",")}}`
}

const bodies: ReadonlyArray<string> = [
  "",
  " ",
  "null",
  "undefined",
  "\ufeff{}",
  "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>",
  "<?xml version='1.0'?><a/>",
  "upstream connect error",
  "{",
  "[",
  '"',
  "{'a':1}",
  "\u0000",
  "[".repeat(20_000),
  `${"[".repeat(20_000)}${"]".repeat(20_000)}`
]

/** Text that is broken somewhere. */
const broken = (text: string, chance: Chance): string => {
  const at = chance.below(text.length + 1)
  const how = chance.below(4)
  return how === 0
    ? text.slice(0, at)
    : how === 1
      ? text.slice(0, at) + chance.one(["\u0000", "\ud800", '"', "\\", "}", ",", "💥"]) + text.slice(at)
      : how === 2
        ? text.slice(0, at) + text.slice(at + 1 + chance.below(5))
        : text + text
}

const statuses = [
  200, 200, 200, 200, 200, 200, 201, 204, 304, 400, 401, 402, 403, 404, 405, 410, 422, 429, 451, 500, 502, 503
]

export interface HostileAnswer {
  readonly status: number
  readonly text: string
}

/** An answer to a JSON-RPC request with this id, or to a route. `seeds` are right answers. */
export const answerOf = (
  chance: Chance,
  seeds: ReadonlyArray<unknown>,
  vocabulary: ReadonlyArray<string>,
  id?: number
): HostileAnswer => {
  const status = chance.one(statuses)
  if (chance.is(0.03)) return { status, text: chance.one(bodies) }
  const made =
    seeds.length > 0 && chance.is(0.6)
      ? mutated(chance.one(seeds), chance, vocabulary)
      : random(chance, vocabulary)
  const again = chance.is(0.3) ? mutated(made, chance, vocabulary) : made
  const fails = chance.is(0.3)
  const refusal = chance.is(0.7)
    ? { code: chance.is(0.6) ? -32000 : hostile(chance), message: hostile(chance), data: again }
    : hostile(chance)
  const envelope =
    id === undefined
      ? fails
        ? { [chance.one(["error", "message", "errors", "detail", "code"])]: refusal, data: again }
        : again
      : {
          jsonrpc: "2.0",
          id: chance.is(0.95) ? id : hostile(chance),
          ...(fails ? { error: refusal } : { result: again })
        }
  const text = write(chance.is(0.05) ? mutated(envelope, chance, vocabulary) : envelope, chance)
  return { status, text: chance.is(0.06) ? broken(text, chance) : text }
}

/** A message that nobody asked for. `seeds` are right ones. */
export const messageOf = (
  chance: Chance,
  seeds: ReadonlyArray<unknown>,
  vocabulary: ReadonlyArray<string>
): string => {
  if (chance.is(0.05)) return chance.one(bodies)
  const once = mutated(chance.one(seeds), chance, vocabulary)
  const text = write(chance.is(0.3) ? mutated(once, chance, vocabulary) : once, chance)
  return chance.is(0.06) ? broken(text, chance) : text
}

/** Names that stand anywhere in answers. */
export const namesIn = (values: Iterable<unknown>, into = new Set<string>()): ReadonlyArray<string> => {
  for (const value of values) {
    if (typeof value !== "object" || value === null) continue
    if (!Array.isArray(value)) for (const name of Object.keys(value)) into.add(name)
    namesIn(Object.values(value), into)
  }
  return [...into]
}
