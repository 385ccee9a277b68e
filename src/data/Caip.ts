/**
 * Ids of chains, accounts, assets, transactions and blocks that all chain-agnostic software reads alike: CAIP-2, CAIP-10 and CAIP-19, and
 * those that CAIP-221 (transactions) and CAIP-220 (blocks) propose. Nothing here asks a node.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import { type CaipNetwork, caip2IdsOf, coinTypeOf, networksWith } from "./caip2Table.js"
import type { OnThisEffect } from "./effectVersion.js"
import { info, type Network, networks } from "./Network.js"
import { InvalidArgument, InvalidCaip, kindOf } from "./SdkError.js"

export type { CaipNetwork } from "./caip2Table.js"

/**
 * A chain to format an id for: a network whose id is certain, or an id by CAIP-2.
 *
 * @since 0.1.0
 * @category models
 */
export type ChainLike = CaipNetwork | `${string}:${string}`

/**
 * A chain (CAIP-2). `network` is the network that the SDK knows it as, if it knows it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Chain {
  readonly kind: "chain"
  /** The whole id, such as `eip155:1`. */
  readonly chain: `${string}:${string}`
  /** The ecosystem, such as `eip155`, `bip122` or `solana`. */
  readonly namespace: string
  /** The chain in its ecosystem. */
  readonly reference: string
  readonly network?: Network
}

/** What ids have in common that begin with a chain. */
interface OnChain {
  /** The id of the chain (CAIP-2). */
  readonly chain: `${string}:${string}`
  /** The network that the SDK knows the chain as, if it knows it. */
  readonly network?: Network
}

/**
 * An account or a contract (CAIP-10).
 *
 * @since 0.1.0
 * @category models
 */
export interface Account extends OnChain {
  readonly kind: "account"
  /** The address as its chain writes it. It has not been checked: that is what `effect-chains/identify` does. */
  readonly address: string
}

/**
 * A coin, a token, or one item of a collection (CAIP-19).
 *
 * @since 0.1.0
 * @category models
 */
export interface Asset extends OnChain {
  readonly kind: "asset"
  /** What sort of asset it is, such as `slip44` for the chain's coin, `erc20` or `token`. */
  readonly namespace: string
  /** The asset among those of its sort, such as the address of its contract. */
  readonly reference: string
  /** The item of a collection. */
  readonly tokenId?: string
}

/**
 * A transaction (CAIP-221, a draft).
 *
 * @since 0.1.0
 * @category models
 */
export interface Transaction extends OnChain {
  readonly kind: "transaction"
  readonly hash: string
  /** The block that has it, where the id names it. */
  readonly block?: string
  /** A field of the transaction, where the id names one: `signer`, `recipients`, `type`, `outputs` or `inputs`. */
  readonly property?: string
}

/**
 * A block (CAIP-220, a draft).
 *
 * @since 0.1.0
 * @category models
 */
export interface Block extends OnChain {
  readonly kind: "block"
  /** The hash or the height of the block, in decimal digits. */
  readonly block: string
  /** A field of the block, where the id names one, such as `time`. */
  readonly property?: string
}

/**
 * Anything that has an id.
 *
 * @since 0.1.0
 * @category models
 */
export type CaipId = Chain | Account | Asset | Transaction | Block

const ids = /*#__PURE__*/ caip2IdsOf(networks)

type ParseResult<A> = Either.Either<A, InvalidCaip>

/** A part of an id: its name, and the characters that it may have. */
interface IdPart {
  readonly name: string
  readonly allowed: RegExp
  readonly minLength: number
  readonly maxLength: number
}

const idParts = {
  namespace: { name: "namespace", allowed: /[^-a-z0-9]/, minLength: 3, maxLength: 8 },
  reference: { name: "reference", allowed: /[^-_a-zA-Z0-9]/, minLength: 1, maxLength: 32 },
  address: { name: "address", allowed: /[^-.%a-zA-Z0-9]/, minLength: 1, maxLength: 128 },
  assetNamespace: { name: "asset's namespace", allowed: /[^-a-z0-9]/, minLength: 3, maxLength: 8 },
  assetReference: { name: "asset's reference", allowed: /[^-.%a-zA-Z0-9]/, minLength: 1, maxLength: 128 },
  tokenId: { name: "token's id", allowed: /[^-.%a-zA-Z0-9]/, minLength: 1, maxLength: 78 },
  hash: { name: "transaction's id", allowed: /[^-%a-zA-Z0-9]/, minLength: 1, maxLength: 128 },
  block: { name: "block", allowed: /[^-%a-zA-Z0-9]/, minLength: 1, maxLength: 128 },
  property: { name: "property", allowed: /[^a-z]/, minLength: 1, maxLength: 16 }
} as const satisfies Record<string, IdPart>

type Kind = CaipId["kind"]

const makeInvalidCaip = (kind: Kind | "id", at: number, reason: string): InvalidCaip =>
  new InvalidCaip({ kind, at, reason })

/** The references that the profiles of namespaces allow. Those of other namespaces are taken as they are. */
const profiles: Readonly<Partial<Record<string, readonly [reference: RegExp, reads: string]>>> = {
  algorand: [/^[-_a-zA-Z0-9]{32}$/, "32 characters of the first hash"],
  antelope: [/^[0-9a-f]{32}$/, "32 hexadecimal digits in small letters"],
  avax: [/^[-_a-zA-Z0-9]{32}$/, "32 characters of a hash"],
  bip122: [/^[0-9a-f]{32}$/, "32 hexadecimal digits in small letters"],
  casper: [/^[-_a-zA-Z0-9]+$/, "the name of a chain"],
  cip34: [/^[01]-\d+$/, "the id of a network and its magic number"],
  cosmos: [/^[-a-zA-Z0-9_]+$/, "a chain id"],
  eip155: [/^(0|[1-9]\d*)$/, "a decimal number"],
  flow: [/^(mainnet|testnet)$/, "mainnet or testnet"],
  mvx: [/^[1DT]$/, "1, D or T"],
  polkadot: [/^[0-9a-f]{32}$/, "32 hexadecimal digits in small letters"],
  solana: [/^[1-9A-HJ-NP-Za-km-z]{32}$/, "32 digits of Base58"],
  stellar: [/^(pubnet|testnet)$/, "pubnet or testnet"],
  tezos: [/^Net[1-9A-HJ-NP-Za-km-z]{12}$/, "Net and 12 digits of Base58"],
  tron: [/^(0x[0-9a-f]+|[1-9]\d*)$/, "a decimal number"],
  tvm: [/^-?(0|[1-9]\d*)$/, "a whole number"],
  vechain: [/^[0-9a-f]{32}$/, "32 hexadecimal digits in small letters"],
  xrpl: [/^(0|[1-9]\d*)$/, "a decimal number"]
}

/** Reads one id from its beginning to its end: each step takes a part, or says where it cannot. */
class Reader {
  at = 0
  constructor(
    readonly kind: Kind | "id",
    readonly text: string
  ) {}

  /** Whether this text comes next, which is then read. */
  takes(next: string): boolean {
    const found = this.text.startsWith(next, this.at)
    if (found) this.at += next.length
    return found
  }

  /** The place of the next of these characters, or the end. */
  until(ends: RegExp): number {
    const rest = this.text.slice(this.at).search(ends)
    return rest === -1 ? this.text.length : this.at + rest
  }

  /** Reads a part up to one of these characters. */
  part({ allowed, minLength, maxLength, name }: IdPart, ends: RegExp): string {
    const end = this.until(ends)
    const found = this.text.slice(this.at, end)
    const wrong = found.search(allowed)
    if (wrong !== -1)
      throw makeInvalidCaip(this.kind, this.at + wrong, `the ${name} cannot have this character`)
    if (found.length < minLength)
      throw makeInvalidCaip(
        this.kind,
        end,
        `the ${name} must have ${minLength} character${minLength === 1 ? "" : "s"} or more`
      )
    if (found.length > maxLength)
      throw makeInvalidCaip(
        this.kind,
        this.at + maxLength,
        `the ${name} must have ${maxLength} characters or less`
      )
    this.at = end
    return found
  }

  /** Reads a part whose other characters are escaped as in urls. */
  escaped(part: IdPart, ends: RegExp): string {
    const start = this.at
    const text = this.part(part, ends)
    const broken = /%(?![0-9A-Fa-f]{2})/.exec(text)
    if (broken !== null)
      throw makeInvalidCaip(
        this.kind,
        start + broken.index,
        `% in the ${part.name} must have two hexadecimal digits behind it`
      )
    try {
      return decodeURIComponent(text)
    } catch {
      throw makeInvalidCaip(
        this.kind,
        start + text.indexOf("%"),
        `the ${part.name} has bytes that are no text`
      )
    }
  }

  /** Reads what has to come next. */
  expect(next: string, what: string): void {
    if (!this.takes(next)) throw makeInvalidCaip(this.kind, this.at, `${what} must come here`)
  }

  chain(): OnChain & { readonly namespace: string; readonly reference: string } {
    const namespace = this.part(idParts.namespace, /:/)
    this.expect(":", "a colon and the chain's reference")
    const start = this.at
    const reference = this.part(idParts.reference, /[:/]/)
    const [allowed, reads] = profiles[namespace] ?? []
    if (allowed?.test(reference) === false)
      throw makeInvalidCaip(this.kind, start, `the reference of ${namespace} must be ${reads}`)
    const chain = `${namespace}:${reference}` as const
    const network = networkOf(chain)
    return { chain, namespace, reference, ...(network === undefined ? {} : { network }) }
  }

  end(): void {
    if (this.at < this.text.length) throw makeInvalidCaip(this.kind, this.at, "the id must end here")
  }
}

/** Nothing longer is an id: each part has a limit, and so many characters are those of all of them. */
const MAX_LENGTH = 400

const parseWith = <A>(kind: Kind | "id", text: string, read: (reader: Reader) => A): ParseResult<A> => {
  if (typeof text !== "string")
    return Either.left(makeInvalidCaip(kind, 0, `it must be text, not ${kindOf(text)}`))
  if (text.length > MAX_LENGTH) return Either.left(makeInvalidCaip(kind, MAX_LENGTH, "it is too long"))
  try {
    const reader = new Reader(kind, text)
    const found = read(reader)
    reader.end()
    return Either.right(found)
  } catch (error) {
    if (error instanceof InvalidCaip) return Either.left(error)
    throw error
  }
}

/** The chain and its network, without the parts of the chain's id. */
const onChain = ({ chain, network }: OnChain): OnChain => ({
  chain,
  ...(network === undefined ? {} : { network })
})

const readChain = (reader: Reader): Chain => ({ kind: "chain", ...reader.chain() })

const readAccount = (reader: Reader, chain: OnChain): Account => ({
  kind: "account",
  ...onChain(chain),
  address: reader.escaped(idParts.address, /[:/]/)
})

const readAsset = (reader: Reader, chain: OnChain): Asset => {
  const namespace = reader.part(idParts.assetNamespace, /[:/]/)
  reader.expect(":", "a colon and the asset's reference")
  const reference = reader.escaped(idParts.assetReference, /[:/]/)
  return {
    kind: "asset",
    ...onChain(chain),
    namespace,
    reference,
    ...(reader.takes("/") ? { tokenId: reader.escaped(idParts.tokenId, /[:/]/) } : {})
  }
}

const readProperty = (reader: Reader): { readonly property?: string } =>
  reader.takes(".") ? { property: reader.part(idParts.property, /[:/.]/) } : {}

const readBlock = (reader: Reader, chain: OnChain): Block => ({
  kind: "block",
  ...onChain(chain),
  block: reader.escaped(idParts.block, /[:/.]/),
  ...readProperty(reader)
})

const readTransaction = (reader: Reader, chain: OnChain, block?: string): Transaction => ({
  kind: "transaction",
  ...onChain(chain),
  hash: reader.escaped(idParts.hash, /[:/.]/),
  ...(block === undefined ? {} : { block }),
  ...readProperty(reader)
})

/** What stands behind a chain and a colon. */
const readBehind = (reader: Reader, chain: OnChain): Account | Transaction | Block => {
  if (reader.takes("tx/")) return readTransaction(reader, chain)
  if (reader.takes("block/")) return readBlock(reader, chain)
  const start = reader.at
  const end = reader.until(/[:/]/)
  if (reader.text.startsWith(":tx/", end)) {
    const block = reader.escaped(idParts.block, /[:/]/)
    reader.expect(":tx/", "a transaction")
    return readTransaction(reader, chain, block)
  }
  reader.at = start
  return readAccount(reader, chain)
}

const readAny = (reader: Reader): CaipId => {
  const chain = reader.chain()
  if (reader.takes("/")) return readAsset(reader, chain)
  return reader.takes(":") ? readBehind(reader, chain) : { kind: "chain", ...chain }
}

/** Reads an id of one kind: any other id is refused where it is no longer one of this kind. */
const makeParser =
  <A extends CaipId>(
    kind: A["kind"],
    separator: string,
    what: string,
    read: (reader: Reader, chain: OnChain) => A
  ) =>
  (text: string): ParseResult<A> =>
    parseWith(kind, text, (reader) => {
      const chain = reader.chain()
      reader.expect(separator, what)
      return read(reader, chain)
    })

/**
 * Reads an id of any kind. The kind of what it gives tells them apart.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parse = (text: OnThisEffect<string>): ParseResult<CaipId> => parseWith("id", text, readAny)

/**
 * Reads the id of a chain (CAIP-2), such as `eip155:1`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parseChain = (text: OnThisEffect<string>): ParseResult<Chain> =>
  parseWith("chain", text, readChain)

/**
 * Reads the id of an account (CAIP-10), such as `eip155:1:0xab16…`. Characters that stand escaped are given as they are.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parseAccount: (text: OnThisEffect<string>) => ParseResult<Account> = /*#__PURE__*/ makeParser(
  "account",
  ":",
  "a colon and the address",
  readAccount
)

/**
 * Reads the id of an asset (CAIP-19), such as `eip155:1/erc20:0x6b17…`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parseAsset: (text: OnThisEffect<string>) => ParseResult<Asset> = /*#__PURE__*/ makeParser(
  "asset",
  "/",
  "a slash and the asset",
  readAsset
)

/**
 * Reads the id of a transaction (CAIP-221), such as `eip155:1:tx/0x3edb…`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parseTransaction: (text: OnThisEffect<string>) => ParseResult<Transaction> =
  /*#__PURE__*/ makeParser("transaction", ":", "a colon, tx/ and the transaction", (reader, chain) => {
    const { at } = reader
    const found = readBehind(reader, chain)
    if (found.kind !== "transaction")
      throw makeInvalidCaip("transaction", at, "tx/ and the transaction must come here")
    return found
  })

/**
 * Reads the id of a block (CAIP-220), such as `eip155:1:block/17000000`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parseBlock: (text: OnThisEffect<string>) => ParseResult<Block> = /*#__PURE__*/ makeParser(
  "block",
  ":block/",
  "a colon, block/ and the block",
  readBlock
)

const makeInvalidArgument = (call: string, reason: string): InvalidArgument =>
  new InvalidArgument({ call, reason })

/** A part with what it cannot have escaped as in urls. */
const percentEncode = (call: string, text: string, { allowed, name }: IdPart): string => {
  if (typeof text !== "string")
    throw makeInvalidArgument(call, `the ${name} must be text, not ${kindOf(text)}`)
  try {
    return Array.from(text, (each) => {
      if (each !== "%" && !allowed.test(each)) return each
      const escaped = encodeURIComponent(each)
      return escaped === each ? `%${each.charCodeAt(0).toString(16).toUpperCase()}` : escaped
    }).join("")
  } catch {
    // half of a character of two
    throw makeInvalidArgument(call, `the ${name} is no whole text`)
  }
}

/** The text of an id whose parts have been put together, if it is one. */
const requireParsed = <A extends CaipId>(call: string, text: string, parsed: ParseResult<A>): string =>
  Either.match(parsed, {
    onLeft: ({ message }) => {
      throw makeInvalidArgument(call, message)
    },
    onRight: () => text
  })

const formatChain = (call: string, { chain }: { readonly chain: string }): string => {
  const id = ids.get(chain)
  if (id !== undefined) return id
  if (typeof chain === "string" && chain.includes(":")) return chain
  throw makeInvalidArgument(call, "the chain must be a network whose id is certain, or an id by CAIP-2")
}

/** The fields that an id of a kind is made from. The chain may be a network, too. */
type Fields<A extends CaipId> = Omit<A, "kind" | "network" | "chain"> & { readonly chain: ChainLike }

/**
 * The id of an account (CAIP-10). Characters that it cannot have are escaped. Throws `InvalidArgument` where a part is none.
 *
 * @since 0.1.0
 * @category conversions
 */
export const formatAccount = (account: Fields<Account>): string => {
  const call = "formatAccount"
  const text = `${formatChain(call, account)}:${percentEncode(call, account.address, idParts.address)}`
  return requireParsed(call, text, parseAccount(text))
}

/**
 * The id of an asset (CAIP-19). Characters that it cannot have are escaped. Throws `InvalidArgument` where a part is none.
 *
 * @since 0.1.0
 * @category conversions
 */
export const formatAsset = (asset: Fields<Asset>): string => {
  const call = "formatAsset"
  const { namespace, reference, tokenId } = asset
  const item = tokenId === undefined ? "" : `/${percentEncode(call, tokenId, idParts.tokenId)}`
  const text = `${formatChain(call, asset)}/${namespace}:${percentEncode(call, reference, idParts.assetReference)}${item}`
  return requireParsed(call, text, parseAsset(text))
}

/**
 * The id of a transaction (CAIP-221). Characters that it cannot have are escaped. Throws `InvalidArgument` where a part is none.
 *
 * @since 0.1.0
 * @category conversions
 */
export const formatTransaction = (transaction: Fields<Transaction>): string => {
  const call = "formatTransaction"
  const { block, hash, property } = transaction
  const within = block === undefined ? "" : `${percentEncode(call, block, idParts.block)}:`
  const field = property === undefined ? "" : `.${property}`
  const text = `${formatChain(call, transaction)}:${within}tx/${percentEncode(call, hash, idParts.hash)}${field}`
  return requireParsed(call, text, parseTransaction(text))
}

/**
 * The id of a block (CAIP-220), by its hash or its height. Characters that it cannot have are escaped. Throws `InvalidArgument` where a
 * part is none.
 *
 * @since 0.1.0
 * @category conversions
 */
export const formatBlock = (
  block: Omit<Fields<Block>, "block"> & { readonly block: string | number | bigint }
): string => {
  const call = "formatBlock"
  const field = block.property === undefined ? "" : `.${block.property}`
  const text = `${formatChain(call, block)}:block/${percentEncode(call, String(block.block), idParts.block)}${field}`
  return requireParsed(call, text, parseBlock(text))
}

/**
 * The id of a network, by the network: text, or undefined where it is not certain.
 *
 * @since 0.1.0
 * @category types
 */
export type ChainOf<N extends Network> = N extends CaipNetwork ? `${string}:${string}` : undefined

/**
 * The id of a network (CAIP-2). It is undefined for networks of which no profile of a namespace says what it is.
 *
 * @since 0.1.0
 * @category getters
 */
export const chainOf = <N extends Network>(network: N): ChainOf<N> =>
  // the type is that of the same tables
  ids.get(network) as ChainOf<N>

/**
 * The network that the SDK knows a chain (CAIP-2) as. Of several it is the one that stands for the chain: nodes before indexers, and
 * names that are in use.
 *
 * @since 0.1.0
 * @category getters
 */
export const networkOf = (chain: string): Network | undefined => networksOf(chain)[0]

/**
 * All networks that are ways to a chain (CAIP-2), the one that stands for it first: Algorand's nodes and its indexers are one chain.
 *
 * @since 0.1.0
 * @category getters
 */
export const networksOf = (chain: string): ReadonlyArray<Network> =>
  // the table has networks alone
  networksWith(ids, chain) as ReadonlyArray<Network>

/**
 * The id of a network's own coin (CAIP-19 by CAIP-20), such as `eip155:1/slip44:60`. Coins of testnets have the coin type 1. It is
 * undefined where the network has no certain id, or its coin no certain type (SLIP-44).
 *
 * @since 0.1.0
 * @category getters
 */
export const coinOf = (network: Network): string | undefined => {
  const chain = ids.get(network)
  const coin = chain === undefined ? undefined : coinTypeOf(info(network))
  return coin === undefined ? undefined : `${chain}/slip44:${coin}`
}
