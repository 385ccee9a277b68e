/**
 * Checks of the optional packages and the runtime.
 *
 * @since 0.1.0
 */
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import manifest from "../../package.json" with { type: "json" }
import * as Network from "../data/Network.js"

/**
 * The result of a check: `good`, a `note` without a problem, `careful` for a warning, or `bad`. `remedy` says what to
 * do.
 *
 * @since 0.1.0
 * @category models
 */
export interface CheckResult {
  readonly part: "runtime" | "configuration" | "key" | "nodes" | "clock" | "packages"
  readonly state: "good" | "note" | "careful" | "bad"
  readonly message: string
  readonly remedy?: string
}

type Peer = keyof typeof manifest.peerDependencies

const peerPurposes: Readonly<Record<Peer, string>> = {
  "@effect-rx/rx-react": "hooks of React",
  "@effect/platform": "the Effect surface, React and the sandbox in code",
  "@foundry-rs/anvil-linux-amd64": "the sandbox's EVM chains",
  "@noble/curves": "signers of Bitcoin's kind, Tron, the XRP Ledger and Cosmos",
  "@scure/bip32": "mnemonics",
  "@scure/bip39": "mnemonics",
  "@scure/btc-signer": "signers of Bitcoin's kind",
  "@solana/kit": "signers of Solana",
  "@stellar/stellar-base": "signers of Stellar",
  "@tanstack/react-query": "options for TanStack Query",
  "@taquito/local-forging": "signers of Tezos",
  "@ton/core": "signers of TON",
  "@ton/crypto": "signers of TON",
  "@ton/ton": "signers of TON",
  abitype: "types of contracts",
  algosdk: "signers of Algorand",
  "blockstore-core": "the sandbox",
  buffer: "signers of TON in browsers",
  "cosmjs-types": "signers of Cosmos",
  effect: "the Effect surface, React and the sandbox in code",
  "ipfs-unixfs-importer": "the sandbox",
  "node-sqlite3-wasm": "the sandbox",
  ox: "signers and contracts of EVM chains, the sandbox",
  react: "hooks of React",
  "ripple-binary-codec": "signers of the XRP Ledger",
  "ripple-keypairs": "signers of the XRP Ledger",
  undici: "WebSockets on Node 20, and the fastest way to send requests",
  ws: "the sandbox"
}

/** The packages that signing needs, by family. */
const signerPeers: { readonly [F in Network.FamilyId]?: ReadonlyArray<Peer> } = {
  evm: ["ox"],
  "evm-beacon": ["ox"],
  "evm-native": ["ox"],
  zksync: ["ox"],
  utxo: ["@scure/btc-signer", "@noble/curves"],
  "utxo-estimatefee": ["@scure/btc-signer", "@noble/curves"],
  doge: ["@scure/btc-signer", "@noble/curves"],
  solana: ["@solana/kit"],
  tron: ["@noble/curves"],
  xrp: ["ripple-binary-codec", "ripple-keypairs"],
  stellar: ["@stellar/stellar-base"],
  "algorand-algod": ["algosdk"],
  cosmos: ["cosmjs-types", "@noble/curves"],
  tezos: ["@taquito/local-forging"],
  ton: ["@ton/core", "@ton/crypto", "@ton/ton"]
}

type VersionNumbers = readonly [number, number, number]

const parseVersion = (text: string): VersionNumbers => {
  const [major = 0, minor = 0, patch = 0] = text
    .replace(/[-+].*$/s, "")
    .split(".")
    .map(Number)
  return [major, minor, patch]
}

const compareVersions = (a: VersionNumbers, b: VersionNumbers): number =>
  a[0] - b[0] || a[1] - b[1] || a[2] - b[2]

/** The first version outside of a `^` range. */
const nextBreaking = ([major, minor, patch]: VersionNumbers): VersionNumbers =>
  major > 0 ? [major + 1, 0, 0] : minor > 0 ? [0, minor + 1, 0] : [0, 0, patch + 1]

const meetsComparator = (version: VersionNumbers, comparator: string): boolean => {
  const [, operator = "", text = ""] = /^(\^|>=|<)?(.*)$/.exec(comparator) ?? []
  const bound = parseVersion(text)
  if (operator === "<") return compareVersions(version, bound) < 0
  if (operator === ">=") return compareVersions(version, bound) >= 0
  return operator === "^"
    ? compareVersions(version, bound) >= 0 && compareVersions(version, nextBreaking(bound)) < 0
    : compareVersions(version, bound) === 0
}

/**
 * Whether a version is in a range of package.json's formats: `^`, `>=`, `<`, exact ones, and alternatives.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isInRange = (version: string, range: string): boolean =>
  range.split("||").some((all) =>
    all
      .trim()
      .split(/\s+/)
      .every((comparator) => meetsComparator(parseVersion(version), comparator))
  )

/** The folders in which Node looks for a package. */
const foldersAbove = (folder: string): ReadonlyArray<string> =>
  dirname(folder) === folder ? [folder] : [folder, ...foldersAbove(dirname(folder))]

/** The version of a package that this program would load. */
const findInstalledVersion = (name: string): string | undefined => {
  for (const folder of foldersAbove(dirname(fileURLToPath(import.meta.url)))) {
    try {
      const { version }: { readonly version: string } = JSON.parse(
        readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")
      )
      return version
    } catch {
      // the next folder may have it
    }
  }
  return undefined
}

/** Which entries are for the installed version of Effect. */
const adviseOnEffect = (name: Peer, version: string): string =>
  name !== "effect"
    ? ""
    : parseVersion(version)[0] >= 4
      ? ": import effect-chains/effect4. effect-chains and effect-chains/effect/* are for Effect 3"
      : ": import effect-chains. effect-chains/effect4 is for Effect 4"

/**
 * The results for the optional packages of a network.
 *
 * @since 0.1.0
 * @category operations
 */
export const checkPeers = (network: string): ReadonlyArray<CheckResult> => {
  const wanted = Network.isNetwork(network) ? (signerPeers[Network.info(network).family] ?? []) : []
  // the keys of the record are packages
  const names = Object.keys(manifest.peerDependencies) as ReadonlyArray<Peer>
  return names.map((name): CheckResult => {
    const range = manifest.peerDependencies[name]
    const version = findInstalledVersion(name)
    const command = `npm install "${name}@${range}"`
    if (version === undefined) {
      const message = `${name} is not installed. It is for ${peerPurposes[name]}`
      return wanted.includes(name)
        ? { part: "packages", state: "careful", message, remedy: `to send on ${network}: ${command}` }
        : { part: "packages", state: "note", message }
    }
    return isInRange(version, range)
      ? { part: "packages", state: "good", message: `${name} ${version}${adviseOnEffect(name, version)}` }
      : {
          part: "packages",
          state: "bad",
          message: `${name} ${version} does not match: ${range} is needed`,
          remedy: command
        }
  })
}

/**
 * The results for this program and Node.
 *
 * @since 0.1.0
 * @category operations
 */
export const checkRuntime = (): ReadonlyArray<CheckResult> => {
  const { node } = process.versions
  const range = manifest.engines.node
  return [
    {
      part: "runtime",
      state: "good",
      message: `effect-chains ${manifest.version} on ${process.platform} ${process.arch}`
    },
    isInRange(node, range)
      ? { part: "runtime", state: "good", message: `Node ${node}` }
      : {
          part: "runtime",
          state: "bad",
          message: `Node ${node} is too old: ${range} is needed`,
          remedy: "install a newer Node"
        },
    typeof WebSocket === "function" || findInstalledVersion("undici") !== undefined
      ? { part: "runtime", state: "good", message: "WebSockets are available for subscriptions" }
      : {
          part: "runtime",
          state: "careful",
          message: "this Node has no WebSockets, so subscriptions poll",
          remedy: "install Node 22 or later, or the package undici"
        }
  ]
}
