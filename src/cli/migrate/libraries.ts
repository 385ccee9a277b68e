/** The codemods for viem and ethers: their clients stay, and use the pool of one of ours. */
import * as recast from "recast"
import * as Network from "../../data/Network.js"
import {
  findField,
  findImports,
  isUsed,
  localNames,
  makeImport,
  memberChain,
  type Node,
  type Note,
  type Program,
  type Rewrite
} from "./tree.js"

const { builders: b, namedTypes: n } = recast.types

/** The networks by viem's names of chains. */
export const networkByChain: Readonly<Record<string, Network.Network>> = {
  arbitrum: "arbitrum-one-mainnet",
  aurora: "aurora-mainnet",
  avalanche: "avalanche-c-mainnet",
  base: "base-mainnet",
  baseSepolia: "base-sepolia",
  bsc: "bsc-mainnet",
  bscTestnet: "bsc-testnet",
  celo: "celo-mainnet",
  chiliz: "chiliz-mainnet",
  cronos: "cronos-mainnet",
  fantom: "fantom-mainnet",
  flare: "flare-mainnet",
  gnosis: "gno-mainnet",
  haqqMainnet: "haqq-mainnet",
  holesky: "ethereum-holesky",
  mainnet: "ethereum-mainnet",
  optimism: "optimism-mainnet",
  palm: "palm-mainnet",
  polygon: "polygon-mainnet",
  polygonAmoy: "polygon-amoy",
  sepolia: "ethereum-sepolia",
  sonic: "sonic-mainnet",
  unichain: "unichain-mainnet",
  zksync: "zksync-mainnet"
}

const findByChainId = (id: number): Network.Network | undefined =>
  Object.keys(Network.networks)
    .filter(Network.isNetwork)
    .find((network) => Network.info(network).chainId === id)

/** The urls of `http(…)`, and of those in a `fallback([…])`. */
const findUrls = (
  node: Node | undefined,
  theirs: (node: Node) => string | undefined
): ReadonlyArray<Node> | undefined => {
  if (!n.CallExpression.check(node)) return undefined
  const [first] = node.arguments
  const name = theirs(node.callee)
  if (name === "fallback" && n.ArrayExpression.check(first)) {
    const each = first.elements.map((element) => findUrls(element ?? undefined, theirs))
    return each.some((urls) => urls === undefined) ? undefined : each.flatMap((urls) => urls ?? [])
  }
  if (name !== "http" || node.arguments.length > 1) return undefined
  return first === undefined ? [] : [first]
}

/** A client of a library, in our terms. */
interface FoundClient {
  readonly network: Network.Network
  readonly urls: ReadonlyArray<Node>
  readonly replace: (makeAdapter: (method: string, argument?: Node) => Node) => void
}

const asExpression = (node: Node): recast.types.namedTypes.Identifier =>
  node as recast.types.namedTypes.Identifier

/** `const sdk = await init({ network, rpc: { nodes: [{ url }] } })`. */
const makeInit = (
  name: string,
  init: string,
  { network, urls }: FoundClient
): recast.types.namedTypes.VariableDeclaration => {
  const field = (key: string, value: Node) => b.objectProperty(b.identifier(key), asExpression(value))
  const nodes = b.arrayExpression(urls.map((url) => b.objectExpression([field("url", url)])))
  const options = [
    field("network", b.stringLiteral(network)),
    ...(urls.length === 0 ? [] : [field("rpc", b.objectExpression([field("nodes", nodes)]))])
  ]
  const call = b.callExpression(b.identifier(init), [b.objectExpression(options)])
  return b.variableDeclaration("const", [b.variableDeclarator(b.identifier(name), b.awaitExpression(call))])
}

const findFreeName = (program: Program, wanted: string): string => {
  for (let at = 1; ; at++) {
    const name = at === 1 ? wanted : `${wanted}${at}`
    if (!isUsed(program, name)) return name
  }
}

/** Reads a `createPublicClient({ chain, transport })`. */
const readViemClient = (
  node: recast.types.namedTypes.CallExpression,
  theirs: (node: Node) => string | undefined,
  note: Note
): FoundClient | undefined => {
  const [config] = node.arguments
  const transport = findField(config, "transport")
  const chain = findField(config, "chain")
  if (n.CallExpression.check(transport) && memberChain(transport.callee)?.at(-1) === "viemTransport")
    return undefined
  const name = chain === undefined ? undefined : theirs(chain)
  const network = name === undefined ? undefined : networkByChain[name]
  const urls = findUrls(transport, theirs)
  if (network === undefined || urls === undefined) {
    note(
      node,
      "not changed: its chain has no network of ours by its name, or its transport is not `http(url)` or a `fallback` of these"
    )
    return undefined
  }
  return {
    network,
    urls,
    replace: (makeAdapter) => {
      if (!n.ObjectExpression.check(config)) return
      for (const property of config.properties) {
        if (n.ObjectProperty.check(property) && property.value === transport)
          property.value = asExpression(makeAdapter("viemTransport"))
      }
    }
  }
}

/** Reads a `new JsonRpcProvider(url, network)`. */
const readEthersProvider = (
  node: recast.types.namedTypes.NewExpression,
  note: Note
): Omit<FoundClient, "replace"> | undefined => {
  const [url, given] = node.arguments
  const id = n.NumericLiteral.check(given) ? findByChainId(given.value) : undefined
  const named = n.StringLiteral.check(given)
    ? networkByChain[given.value === "matic" ? "polygon" : given.value]
    : undefined
  const network = named ?? id
  if (url === undefined || network === undefined) {
    note(
      node,
      "not changed: its network is unknown. Add the chain id as its second argument, and run this again"
    )
    return undefined
  }
  return { network, urls: [url] }
}

const readField = (path: unknown, field: "node" | "parent"): unknown =>
  typeof path === "object" && path !== null ? Reflect.get(path, field) : undefined

/** The list of statements around a node, and its index there, if an `await` is allowed before it. */
const findStatement = (path: unknown): { readonly body: Array<unknown>; readonly at: number } | undefined => {
  const parentPath = readField(path, "parent")
  const [node, parent] = [readField(path, "node"), readField(parentPath, "node")]
  if (parent === undefined) return undefined
  if (n.Function.check(parent) && (parent.async !== true || !n.BlockStatement.check(parent.body)))
    return undefined
  if (n.Program.check(parent) || n.BlockStatement.check(parent)) {
    const body: Array<unknown> = parent.body
    return body.includes(node) ? { body, at: body.indexOf(node) } : undefined
  }
  return findStatement(parentPath)
}

class LibraryMigration {
  readonly imports: ReturnType<typeof findImports>
  readonly locals: ReadonlyMap<string, string>
  readonly init: string
  clientCount = 0

  constructor(
    readonly program: Program,
    readonly name: "viem" | "ethers",
    readonly note: Note
  ) {
    this.imports = findImports(program, (source) => source === name || source.startsWith(`${name}/`))
    this.locals = localNames(this.imports)
    const ours = findImports(program, (source) => source === "effect-chains/promise")
    this.init = isUsed(program, "init") && ours.length === 0 ? "initClient" : "init"
  }

  readonly libraryNameOf = (node: Node): string | undefined => {
    const chain = memberChain(node)
    if (chain?.length === 2 && chain[0] === "ethers") return chain[1]
    return chain?.length === 1 ? this.locals.get(chain[0] ?? "") : undefined
  }

  /** Inserts the init before the client's statement. */
  private insertInit(path: { readonly node: Node }, found: FoundClient): void {
    const place = findStatement(path)
    if (place === undefined) {
      this.note(path.node, "not changed: a client of ours needs an `await`, which is not allowed here")
      return
    }
    const sdk = findFreeName(this.program, "sdk")
    this.note(path.node, `\`${sdk}\` is to be ended where the client is: \`await ${sdk}.destroy()\``)
    found.replace((method, argument) =>
      b.callExpression(
        b.memberExpression(b.memberExpression(b.identifier(sdk), b.identifier("rpc")), b.identifier(method)),
        argument === undefined ? [] : [asExpression(argument)]
      )
    )
    place.body.splice(place.at, 0, makeInit(sdk, this.init, found))
    this.clientCount++
  }

  rewriteClients(): void {
    const moving = this
    recast.types.visit(this.program, {
      visitCallExpression(path) {
        const name = moving.name === "viem" ? moving.libraryNameOf(path.node.callee) : undefined
        const isClient = name === "createPublicClient" || name === "createWalletClient"
        const found = isClient ? readViemClient(path.node, moving.libraryNameOf, moving.note) : undefined
        if (found !== undefined) moving.insertInit(path, found)
        this.traverse(path)
      },
      visitNewExpression(path) {
        const name = moving.name === "ethers" ? moving.libraryNameOf(path.node.callee) : undefined
        const found = name === "JsonRpcProvider" ? readEthersProvider(path.node, moving.note) : undefined
        const browser = b.objectProperty(b.identifier("BrowserProvider"), b.identifier("BrowserProvider"))
        browser.shorthand = true
        const isNamespace = memberChain(path.node.callee)?.length === 2
        const library = isNamespace ? b.identifier("ethers") : b.objectExpression([browser])
        if (found !== undefined) {
          moving.insertInit(path, {
            ...found,
            replace: (makeAdapter) => path.replace(makeAdapter("ethersProvider", library))
          })
        }
        this.traverse(path)
      }
    })
  }

  /** Imports `init`, and removes imports that are no longer used. */
  updateImports(): void {
    const { name, program } = this
    for (const each of this.imports) {
      const kept = (each.specifiers ?? []).filter(
        (specifier) =>
          !n.ImportSpecifier.check(specifier) ||
          isUsed(program, String(specifier.local?.name ?? specifier.imported.name))
      )
      const needsBrowser =
        name === "ethers" &&
        each.source.value === "ethers" &&
        isUsed(program, "BrowserProvider") &&
        !this.locals.has("BrowserProvider")
      each.specifiers = needsBrowser ? [...kept, b.importSpecifier(b.identifier("BrowserProvider"))] : kept
      if (each.specifiers.length === 0) program.body.splice(program.body.indexOf(each), 1)
    }
    const isImported = findImports(program, (source) => source === "effect-chains/promise").length > 0
    if (!isImported) program.body.unshift(makeImport("effect-chains/promise", [["init", this.init]]))
  }
}

/** Replaces the transports of a library's clients by pools of ours. */
export const library =
  (name: "viem" | "ethers"): Rewrite =>
  ({ program }, note) => {
    const moving = new LibraryMigration(program, name, note)
    moving.rewriteClients()
    if (moving.clientCount > 0) moving.updateImports()
  }
