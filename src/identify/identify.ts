import * as Either from "effect/Either"
import { parse } from "../data/Caip.js"
import * as EvmAddress from "../data/evmAddress.js"
import { evmFamilies, type FamilyId, info, type Network, networks } from "../data/Network.js"
import {
  computeHederaChecksum,
  decodeBase58CheckOrUndefined,
  decodeBase58OrUndefined,
  decodeBech32,
  findSs58Prefix,
  findZcashNetwork
} from "../signers/addressCodecs.js"
import * as AlgorandAddress from "../signers/algorand/address.js"
import * as BitcoinAddress from "../signers/bitcoin/address.js"
import { chains } from "../signers/bitcoin/networks.js"
import * as CosmosAddress from "../signers/cosmos/address.js"
import * as StellarAddress from "../signers/stellar/address.js"
import * as TezosAddress from "../signers/tezos/address.js"
import * as TonAddress from "../signers/ton/address.js"
import * as TronAddress from "../signers/tron/address.js"
import * as XrpAddress from "../signers/xrp/address.js"
import type { Candidate, Certainty } from "./Types.js"

/** What finds candidates of one sort. Those that come first are more probable, where the certainty is the same. */
type Finder = (text: string) => ReadonlyArray<Candidate>

// Object.keys does not say that the keys of the table are its networks
const ids = Object.keys(networks) as ReadonlyArray<Network>

const listFamilies = (of: ReadonlyArray<Network>): ReadonlyArray<FamilyId> => [
  ...new Set(of.map((network) => info(network).family))
]

const networksIn = (...families: ReadonlyArray<FamilyId>): ReadonlyArray<Network> =>
  ids.filter((network) => families.includes(info(network).family))

const toScope = (certainty: Certainty, of: ReadonlyArray<Network>) => ({
  certainty,
  families: listFamilies(of),
  networks: of
})

const evmNetworks = networksIn(...evmFamilies)
const onlyMainnets = (of: ReadonlyArray<Network>) => of.filter((network) => info(network).testnet !== true)
const onlyTestnets = (of: ReadonlyArray<Network>) => of.filter((network) => info(network).testnet === true)

const makeAddress = (
  certainty: Certainty,
  of: ReadonlyArray<Network>,
  normal: string,
  more: Partial<Omit<Extract<Candidate, { kind: "address" }>, "kind" | "certainty">> = {}
): Candidate => ({ kind: "address", ...toScope(certainty, of), normal, ...more })

const makeSecret = (
  certainty: Certainty,
  of: ReadonlyArray<Network>,
  what: Extract<Candidate, { kind: "secret" }>["what"]
): Candidate => ({ kind: "secret", ...toScope(certainty, of), what })

const makeHash = (
  kind: "transaction" | "block",
  certainty: Certainty,
  of: ReadonlyArray<Network>,
  normal: string
): Candidate => ({
  kind,
  ...toScope(certainty, of),
  normal
})

const makeTransactionAndBlock = (
  certainty: Certainty,
  of: ReadonlyArray<Network>,
  normal: string
): ReadonlyArray<Candidate> => [
  makeHash("transaction", certainty, of, normal),
  makeHash("block", certainty, of, normal)
]

const findEvmAddress: Finder = (text) => {
  // XDC writes its own letters in place of 0x
  const given = /^xdc[0-9a-f]{40}$/i.test(text) ? `0x${text.slice(3)}` : text
  if (!/^0x[0-9a-fA-F]{40}$/.test(given)) return []
  const normal = EvmAddress.checksumAddress(given)
  // in one case alone there is no checksum, though the letters may fit it by chance
  const isMixed = /[a-f]/.test(given.slice(2)) && /[A-F]/.test(given)
  if (isMixed && given === normal) return [makeAddress("certain", evmNetworks, normal)]
  const rsk = evmNetworks.filter(
    (network) =>
      /^rsk-/.test(network) && EvmAddress.addressProblem(given, info(network).chainId) === undefined
  )
  const problem = EvmAddress.addressProblem(given)
  if (problem === undefined) return [makeAddress("possible", evmNetworks, normal)]
  return rsk.length > 0
    ? [makeAddress("certain", rsk, given)]
    : [makeAddress("possible", evmNetworks, normal, { problem })]
}

const findBitcoinAddress: Finder = (text) => {
  if (text.length > 100) return []
  const own: Array<Network> = []
  const old: Array<Network> = []
  for (const network of ids) {
    const chain = chains[network]
    if (chain === undefined || BitcoinAddress.scriptOf(text, network) === undefined) continue
    // of the old form Bitcoin Cash has the same as Bitcoin, and shows another one
    const isOld = chain.cash !== undefined && !/^[a-z]+:|^[qp]/i.test(text)
    ;(isOld ? old : own).push(network)
  }
  const [first = old[0]] = own
  if (first !== undefined) {
    const script = BitcoinAddress.scriptOf(text, first) ?? ""
    return [makeAddress("certain", [...own, ...old], BitcoinAddress.addressOf(script, first) ?? text)]
  }
  const network = findZcashNetwork(text)
  return network === undefined ? [] : [makeAddress("certain", [network], text)]
}

/** Prefixes of bech32, and the bytes that an address behind them has. Those of Bitcoin's kind and of Cosmos have their own codecs. */
const bech32Prefixes: ReadonlyMap<
  string,
  readonly [of: ReadonlyArray<Network>, lengths: ReadonlyArray<number>]
> = new Map([
  ["erd", [networksIn("multiversx"), [32]]],
  ["zil", [networksIn("zilliqa"), [20]]],
  ["one", [evmNetworks.filter((network) => network.startsWith("one-")), [20]]],
  ["iota", [networksIn("iota").filter((network) => network === "iota-mainnet"), [33]]],
  ["rms", [networksIn("iota").filter((network) => network === "iota-testnet"), [33]]],
  ["addr", [["cardano-mainnet"], [29, 57]]],
  ["stake", [["cardano-mainnet"], [29]]],
  ["addr_test", [["cardano-preprod"], [29, 57]]],
  ["stake_test", [["cardano-preprod"], [29]]],
  ["zs", [["zcash-mainnet"], [43]]],
  ["bnb", [["bnb-beacon-chain-mainnet"], [20]]]
])

const findBech32Address: Finder = (text) => {
  const chain = /^([PX])-/i.exec(text)?.[1]?.toUpperCase()
  const found = decodeBech32(chain === undefined ? text : text.slice(2))
  if (found === undefined) return []
  if (chain !== undefined) {
    if (!["avax", "fuji"].includes(found.prefix) || found.bytes.length !== 20) return []
    const all = networksIn(chain === "P" ? "avalanche-p" : "avalanche-x")
    return [
      makeAddress(
        "certain",
        found.prefix === "avax" ? onlyMainnets(all) : onlyTestnets(all),
        `${chain}-${found.text}`
      )
    ]
  }
  if (found.prefix === "cosmos")
    return CosmosAddress.addressProblem(found.text) === undefined
      ? [makeAddress("certain", ["cosmos-mainnet"], found.text)]
      : []
  const [of, lengths] = bech32Prefixes.get(found.prefix) ?? []
  return of === undefined || lengths?.includes(found.bytes.length) !== true
    ? []
    : [makeAddress("certain", of, found.text)]
}

const findAlgorandAddress: Finder = (text) =>
  /^[A-Z2-7]{58}$/.test(text) && AlgorandAddress.encodeAddress(AlgorandAddress.decodeAddress(text)) === text
    ? [makeAddress("certain", networksIn("algorand-algod", "algorand-indexer"), text)]
    : []

const findSolanaAddress: Finder = (text) => {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) || decodeBase58OrUndefined(text)?.length !== 32) return []
  const solana = networksIn("solana")
  // NEAR writes its hashes so, and Solana those of its blocks
  return [
    makeAddress("possible", solana, text),
    makeHash("block", "possible", [...solana, ...networksIn("near")], text),
    makeHash("transaction", "possible", networksIn("near"), text)
  ]
}

const findStellarText: Finder = (text) => {
  const kind = StellarAddress.strKeyKindOf(text)
  const stellar = networksIn("stellar")
  if (kind === "seed") return [makeSecret("certain", stellar, "seed")]
  if (kind === "contract") return [makeAddress("certain", stellar, text, { form: "contract" })]
  const found = StellarAddress.parseDestination(text)
  if (typeof found === "string") return []
  return [
    makeAddress(
      "certain",
      stellar,
      text,
      found.muxedId === undefined ? {} : { form: "muxed", account: found.account, tag: String(found.muxedId) }
    )
  ]
}

const findTezosAddress: Finder = (text) =>
  TezosAddress.addressProblem(text) === undefined ? [makeAddress("certain", networksIn("tezos"), text)] : []

const findTonAddress: Finder = (text) => {
  const ton = networksIn("ton")
  const found = TonAddress.parseAddress(text, true)
  if (typeof found === "string") return []
  if (found.raw === text.toLowerCase()) return [makeAddress("certain", ton, found.raw, { form: "raw" })]
  const isTest = typeof TonAddress.parseAddress(text, false) === "string"
  return [makeAddress("certain", isTest ? ["ton-testnet"] : ton, TonAddress.formatAddress(found, isTest))]
}

const findTronAddress: Finder = (text) =>
  text.startsWith("T") && TronAddress.addressProblem(text) === undefined
    ? [makeAddress("certain", networksIn("tron"), text)]
    : []

const findXrpText: Finder = (text) => {
  const xrp = networksIn("xrp")
  if (/^[rXT]/.test(text)) {
    const found = XrpAddress.parseDestination(text)
    if (typeof found === "string") return []
    if (text.startsWith("r")) return [makeAddress("certain", xrp, text)]
    return [
      makeAddress("certain", text.startsWith("X") ? onlyMainnets(xrp) : onlyTestnets(xrp), text, {
        form: "x-address",
        account: found.address,
        ...(found.tag === undefined ? {} : { tag: String(found.tag) })
      })
    ]
  }
  const bytes = text.startsWith("s")
    ? decodeBase58CheckOrUndefined(text, XrpAddress.RIPPLE_ALPHABET)
    : undefined
  const isSeed =
    bytes !== undefined &&
    (bytes.length === 17 ? bytes[0] === 0x21 : bytes.length === 19 && bytes[0] === 0x01)
  return isSeed ? [makeSecret("certain", xrp, "seed")] : []
}

const findPolkadotAddress: Finder = (text) => {
  const prefix = findSs58Prefix(text)
  if (prefix === undefined) return []
  const polkadot = networksIn("polkadot")
  // 42 is the prefix of all chains of the kind, which test networks write
  return [
    makeAddress(
      "certain",
      prefix === 0 ? onlyMainnets(polkadot) : prefix === 42 ? onlyTestnets(polkadot) : [],
      text
    )
  ]
}

/** The ledgers of Hedera's networks, by the ids that checksums are made with. */
const hederaLedgers: ReadonlyArray<readonly [network: Network, ledger: number]> = [
  ["hedera-mainnet-mirror", 0],
  ["hedera-testnet-mirror", 1],
  ["hedera-previewnet-mirror", 2]
]

/** Three numbers with points: what they are of, only a checksum tells. A transaction has its payer's id, and its start in two forms. */
const findHederaText: Finder = (text) => {
  const hedera = networksIn("hedera-mirror")
  const [, id = "", checksum, seconds, nanoseconds] =
    /^((?:(?:0|[1-9]\d{0,18})\.){2}(?:0|[1-9]\d{0,18}))(?:-([a-z]{5})|[@-](\d{9,11})[.-](\d{9}))?$/.exec(
      text
    ) ?? []
  if (id === "") return []
  if (seconds !== undefined)
    return [makeHash("transaction", "possible", hedera, `${id}-${seconds}-${nanoseconds}`)]
  if (checksum === undefined) return [makeAddress("possible", hedera, id)]
  const of = hederaLedgers.filter(([, ledger]) => computeHederaChecksum(id, ledger) === checksum)
  return of.length === 0
    ? []
    : [
        makeAddress(
          "certain",
          of.map(([network]) => network),
          id
        )
      ]
}

const findOtherAddress: Finder = (text) => {
  if (/^k:[0-9a-f]{64}$/.test(text)) return [makeAddress("certain", networksIn("kadena"), text)]
  if (/^(01[0-9a-f]{64}|02[0-9a-f]{66}|account-hash-[0-9a-f]{64})$/i.test(text))
    return [makeAddress("possible", networksIn("casper"), text)]
  if (/^0x[0-9a-f]{16}$/i.test(text)) return [makeAddress("possible", networksIn("flow"), text.toLowerCase())]
  if (/^[a-z1-5.]{12}$/.test(text) && !text.endsWith(".") && !text.startsWith("."))
    return [makeAddress("possible", networksIn("eos"), text)]
  return []
}

/** Texts of Tezos that are Base58 with a checksum: their first bytes, their lengths, and what they are. */
const tezosKinds: ReadonlyArray<
  readonly [prefix: ReadonlyArray<number>, length: number, kind: "transaction" | "block" | "key"]
> = [
  [[0x05, 0x74], 32, "transaction"],
  [[0x01, 0x34], 32, "block"],
  [[0x0d, 0x0f, 0x3a, 0x07], 32, "key"],
  [[0x2b, 0xf6, 0x4e, 0x07], 64, "key"],
  [[0x11, 0xa2, 0xe0, 0xc9], 32, "key"],
  [[0x10, 0x51, 0xee, 0xbd], 32, "key"],
  [[0x07, 0x5a, 0x3c, 0xb3, 0x29], 56, "key"]
]

const findTezosText: Finder = (text) => {
  if (!/^(o|B|edsk|edesk|spsk|p2sk)/.test(text)) return []
  const bytes = decodeBase58CheckOrUndefined(text)
  const found = tezosKinds.find(
    ([prefix, length]) =>
      bytes?.length === prefix.length + length && prefix.every((byte, i) => bytes[i] === byte)
  )
  if (found === undefined) return []
  const [, , kind] = found
  const tezos = networksIn("tezos")
  return kind === "key"
    ? [makeSecret("certain", tezos, "private key")]
    : [makeHash(kind, "certain", tezos, text)]
}

const utxoNetworks = networksIn("utxo", "utxo-estimatefee", "doge", "electrs", "rostrum")

/** Chains that write 64 hexadecimal digits without 0x: those that have capitals, and those that have none. */
const uppercaseHashNetworks = networksIn("xrp", "cosmos", "bnb")
const lowercaseHashNetworks = networksIn(
  "utxo",
  "utxo-estimatefee",
  "doge",
  "electrs",
  "rostrum",
  "tron",
  "stellar",
  "cardano",
  "casper",
  "eos",
  "flow",
  "multiversx",
  "ton",
  "zilliqa"
)

const findHexHash: Finder = (text) => {
  if (/^0x[0-9a-f]{64}$/i.test(text)) {
    const normal = text.toLowerCase()
    return [
      ...makeTransactionAndBlock("possible", [...evmNetworks, ...networksIn("polkadot", "iota")], normal),
      makeSecret("possible", evmNetworks, "private key")
    ]
  }
  if (!/^([0-9a-f]{64}|[0-9A-F]{64})$/.test(text)) return []
  if (/[A-F]/.test(text)) return makeTransactionAndBlock("possible", uppercaseHashNetworks, text)
  return [
    // only work makes so many zeros
    ...(text.startsWith("00000000")
      ? makeTransactionAndBlock("possible", utxoNetworks, text).slice(1)
      : makeTransactionAndBlock("possible", lowercaseHashNetworks, text)),
    // an account of NEAR that has no name is its key
    makeAddress("possible", networksIn("near"), text),
    makeSecret("possible", [], "private key")
  ]
}

const findOtherHash: Finder = (text) => {
  if (/^[A-Z2-7]{52}$/.test(text))
    return makeTransactionAndBlock("possible", networksIn("algorand-algod", "algorand-indexer"), text)
  if (/^[A-Za-z0-9+/_-]{43}=$/.test(text)) return makeTransactionAndBlock("possible", networksIn("ton"), text)
  if (/^[A-Za-z0-9_-]{43}$/.test(text) && decodeBase58OrUndefined(text)?.length !== 32)
    return makeTransactionAndBlock("possible", networksIn("kadena"), text)
  return []
}

/** The order of the curve of Solana's keys: the second half of a signature is below it. */
const ED25519_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n

const findSolanaSignature: Finder = (text) => {
  if (!/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text)) return []
  const bytes = decodeBase58OrUndefined(text)
  if (bytes?.length !== 64) return []
  const solana = networksIn("solana")
  const half = bytes.subarray(32).reduceRight((value, byte) => value * 256n + BigInt(byte), 0n)
  const key = makeSecret("possible", solana, "private key")
  // keys are written so, too
  return half < ED25519_ORDER ? [makeHash("transaction", "possible", solana, text), key] : [key]
}

/** Name services by the ends of their names. */
const nameServices: ReadonlyArray<readonly [end: RegExp, service: string, of: ReadonlyArray<Network>]> = [
  [/\.base\.eth$/, "basenames", ["base-mainnet"]],
  [/\.eth$/, "ens", ["ethereum-mainnet", "ethereum-sepolia"]],
  [/\.bnb$/, "space id", ["bsc-mainnet"]],
  [/\.arb$/, "space id", ["arbitrum-one-mainnet"]],
  [/\.sol$/, "sns", ["solana-mainnet"]],
  [/(\.ton|\.t\.me)$/, "ton dns", ["ton-mainnet"]],
  [/\.tez$/, "tezos domains", ["tezos-mainnet"]],
  [/\.algo$/, "nfdomains", ["algorand-mainnet-algod"]],
  [/\.avax$/, "avvy", ["avalanche-c-mainnet"]],
  [/\.near$/, "near accounts", ["near-mainnet"]],
  [/\.testnet$/, "near accounts", ["near-testnet"]],
  [
    /\.(crypto|nft|x|wallet|dao|blockchain|bitcoin|zil|888|polygon|unstoppable)$/,
    "unstoppable domains",
    ["polygon-mainnet", "ethereum-mainnet"]
  ]
]

const findName: Finder = (text) => {
  if (/^[^\s*]{1,200}\*[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text))
    return [
      {
        kind: "name",
        ...toScope("certain", networksIn("stellar")),
        normal: text.toLowerCase(),
        service: "stellar federation"
      }
    ]
  const normal = text.toLowerCase()
  if (!/^[^\s/:?#@*]+(\.[^\s/:?#@*.]+)+$/u.test(normal) || normal.length > 255 || normal.includes(".."))
    return []
  const known = nameServices.find(([end]) => end.test(normal))
  if (known !== undefined) {
    const [, service, of] = known
    return [{ kind: "name", ...toScope("certain", of), normal, service }]
  }
  // names of the DNS can be brought into ENS
  return /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,24}$/.test(normal)
    ? [{ kind: "name", ...toScope("possible", ["ethereum-mainnet"]), normal, service: "ens" }]
    : []
}

/** The first four bytes of extended keys: public ones, and the private ones of the same kind (SLIP-132). */
const extendedKeyVersions: ReadonlyArray<
  readonly [prefix: string, open: number, hidden: number, of: ReadonlyArray<Network>]
> = [
  ["xpub", 0x0488b21e, 0x0488ade4, onlyMainnets(networksIn("utxo", "utxo-estimatefee", "doge"))],
  ["ypub", 0x049d7cb2, 0x049d7878, ["bitcoin-mainnet"]],
  ["zpub", 0x04b24746, 0x04b2430c, ["bitcoin-mainnet"]],
  ["Ypub", 0x0295b43f, 0x0295b005, ["bitcoin-mainnet"]],
  ["Zpub", 0x02aa7ed3, 0x02aa7a99, ["bitcoin-mainnet"]],
  ["tpub", 0x043587cf, 0x04358394, onlyTestnets(networksIn("utxo", "utxo-estimatefee", "doge"))],
  ["upub", 0x044a5262, 0x044a4e28, ["bitcoin-testnet", "bitcoin-testnet4"]],
  ["vpub", 0x045f1cf6, 0x045f18bc, ["bitcoin-testnet", "bitcoin-testnet4"]],
  ["Upub", 0x024289ef, 0x024285b5, ["bitcoin-testnet", "bitcoin-testnet4"]],
  ["Vpub", 0x02575483, 0x02575048, ["bitcoin-testnet", "bitcoin-testnet4"]],
  ["Ltub", 0x019da462, 0x019d9cfe, ["litecoin-mainnet"]],
  ["Mtub", 0x01b26ef6, 0x01b26792, ["litecoin-mainnet"]],
  ["ttub", 0x0436f6e1, 0x0436ef7d, ["litecoin-testnet"]],
  ["dgub", 0x02facafd, 0x02fac398, ["doge-mainnet"]]
]

const findExtendedKey: Finder = (text) => {
  if (text.length < 100 || text.length > 120) return []
  const bytes = decodeBase58CheckOrUndefined(text)
  if (bytes?.length !== 78) return []
  const version = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  for (const [prefix, open, hidden, of] of extendedKeyVersions) {
    if (version === open) return [{ kind: "extendedKey", ...toScope("certain", of), normal: text, prefix }]
    if (version === hidden) return [makeSecret("certain", of, "extended private key")]
  }
  return []
}

const findWif: Finder = (text) => {
  if (!/^[1-9A-HJ-NP-Za-km-z]{51,52}$/.test(text)) return []
  const bytes = decodeBase58CheckOrUndefined(text)
  if (bytes === undefined || !(bytes.length === 33 || (bytes.length === 34 && bytes[33] === 1))) return []
  const of = ids.filter((network) => chains[network]?.wif === bytes[0])
  return of.length === 0 ? [] : [makeSecret("certain", of, "private key")]
}

/** Words of a mnemonic, whole or in part: which words the list has is not known here, so any of that length are taken for some. */
const findMnemonic: Finder = (text) => {
  const words = text
    .trim()
    .toLowerCase()
    .split(/[\s,]+/)
  return words.length >= 10 && words.length <= 33 && words.every((word) => /^\p{L}{3,10}$/u.test(word))
    ? [makeSecret("possible", [], "mnemonic")]
    : []
}

const findOtherSecret: Finder = (text) => {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return [makeSecret("certain", [], "private key")]
  if (/^\[\s*(\d{1,3}\s*,\s*){63}\d{1,3}\s*\]$/.test(text))
    return [makeSecret("certain", networksIn("solana"), "private key")]
  return /^ed25519:[1-9A-HJ-NP-Za-km-z]{80,90}$/.test(text)
    ? [makeSecret("certain", networksIn("near"), "private key")]
    : []
}

const findCaip: Finder = (text) =>
  Either.match(parse(text), {
    onLeft: () => [],
    onRight: (id): ReadonlyArray<Candidate> => {
      if (id.network !== undefined)
        return [{ kind: "caip", ...toScope("certain", [id.network]), normal: text, id }]
      // a uri has the shape of one
      return id.kind === "chain" && !/^[a-z0-9-]+$/.test(id.namespace)
        ? []
        : [{ kind: "caip", ...toScope("possible", []), normal: text, id }]
    }
  })

/** The schemes of payment requests, and the networks that they are of. */
const paymentSchemes: Readonly<Partial<Record<string, ReadonlyArray<Network>>>> = {
  bitcoin: ["bitcoin-mainnet", "bitcoin-testnet", "bitcoin-testnet4"],
  bitcoincash: ["bitcoin-cash-mainnet"],
  bchtest: ["bch-testnet"],
  litecoin: networksIn("utxo").filter((network) => network.startsWith("litecoin-")),
  dogecoin: networksIn("doge"),
  zcash: ["zcash-mainnet", "zcash-testnet"],
  ethereum: evmNetworks,
  solana: networksIn("solana"),
  "web+stellar": networksIn("stellar"),
  tron: networksIn("tron"),
  ton: networksIn("ton"),
  algorand: networksIn("algorand-algod"),
  tezos: networksIn("tezos"),
  "web+cardano": networksIn("cardano"),
  xrpl: networksIn("xrp"),
  ripple: networksIn("xrp")
}

const decodeComponent = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What a name stands for in a query; names are the first that is there. */
const readQuery = (query: string, ...wanted: ReadonlyArray<string>): string | undefined => {
  for (const pair of query.split("&")) {
    const [key = "", value = ""] = pair.split("=", 2)
    if (wanted.includes(key.toLowerCase()) && value !== "") return decodeComponent(value)
  }
  return undefined
}

const findPayment: Finder = (text) => {
  const [, given, path = "", query = ""] = /^([a-z][a-z+]{2,15}):(?:\/\/)?([^?]*)\??(.*)$/is.exec(text) ?? []
  const scheme = given?.toLowerCase() ?? ""
  const of = Object.hasOwn(paymentSchemes, scheme) ? paymentSchemes[scheme] : undefined
  if (of === undefined) return []
  const isEvm = scheme === "ethereum"
  const [, target = "", chainId, call] = isEvm
    ? (/^(?:pay-)?([^@/]*)(?:@(\d+))?(?:\/(.*))?$/.exec(path) ?? [])
    : [undefined, path.replace(/^(transfer|pay)\/?/, "")]
  const isToken = isEvm && call === "transfer"
  const to = isToken ? readQuery(query, "address") : target || readQuery(query, "destination", "to")
  const amount = isToken ? readQuery(query, "uint256") : readQuery(query, "amount", "value", "tx_amount")
  const token = isToken ? target : readQuery(query, "spl-token", "asset", "asset_code", "jetton", "token")
  const memo = readQuery(query, "message", "memo", "label", "note", "text")
  // the address says more of its network than the scheme; one with the scheme's letters in it stands alone, too
  const [found] =
    to === undefined
      ? []
      : findAddresses(scheme === "bitcoincash" || scheme === "bchtest" ? `${scheme}:${to}` : to)
  const shared = found?.networks.filter((network) => of.includes(network)) ?? []
  const wrong = to !== undefined && shared.length === 0 && !/\.[a-z]+$/i.test(to) && isEvm === false
  if (path === "" && query === "") return []
  // an address of Bitcoin Cash has the letters of the scheme: without a query it is no request
  if ((scheme === "bitcoincash" || scheme === "bchtest") && query === "") return []
  const chain = chainId === undefined ? of : of.filter((network) => info(network).chainId === Number(chainId))
  return [
    {
      kind: "payment",
      ...toScope(
        !wrong && found?.certainty !== "possible" ? "certain" : "possible",
        shared.length > 0 ? chain.filter((network) => shared.includes(network)) : chain
      ),
      scheme,
      ...(to === undefined ? {} : { to }),
      ...(amount === undefined ? {} : { amount }),
      ...(token === undefined ? {} : { token }),
      ...(memo === undefined ? {} : { memo })
    }
  ]
}

const addressFinders: ReadonlyArray<Finder> = [
  findEvmAddress,
  findBitcoinAddress,
  findBech32Address,
  findAlgorandAddress,
  findStellarText,
  findTezosAddress,
  findTonAddress,
  findTronAddress,
  findXrpText,
  findPolkadotAddress,
  findSolanaAddress,
  findHederaText,
  findOtherAddress
]

const findAddresses: Finder = (text) => addressFinders.flatMap((find) => find(text))

const secretFinders: ReadonlyArray<Finder> = [findOtherSecret, findWif, findMnemonic]

const finders: ReadonlyArray<Finder> = [
  findExtendedKey,
  ...addressFinders,
  findTezosText,
  findCaip,
  findPayment,
  findSolanaSignature,
  findHexHash,
  findOtherHash,
  findName
]

/** Nothing longer is one of these; a request for a payment may carry a whole transaction. */
const MAX_TEXT_LENGTH = 4_000

/** What a text may be, the most probable first. */
export const identifyText: Finder = (given) => {
  if (typeof given !== "string") return []
  const text = given.trim()
  if (text === "" || text.length > MAX_TEXT_LENGTH) return []
  // what is a secret is nothing else, and nothing repeats it
  const hidden = secretFinders.flatMap((find) => find(text))
  if (hidden.length > 0) return hidden
  const found = finders.flatMap((find) => find(text))
  // where a checksum fits, a shape that the text has as well is chance
  const certain = found.filter(({ certainty }) => certainty === "certain")
  const key = certain.find(({ kind }) => kind === "secret")
  if (key !== undefined) return [key]
  return certain.length > 0 ? certain : found
}
