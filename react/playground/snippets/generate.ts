/**
 * Generates the code of a call for the three surfaces, from its path and its arguments.
 *
 * @since 0.1.0
 */
import type { Network, NetworkDefinition } from "../../../src/data/Network.js"
import { formatLiteral, formatLiterals } from "./literal.js"

/**
 * The hooks that code can show.
 *
 * @since 0.1.0
 * @category models
 */
export type HookName =
  | "useRpc"
  | "useRead"
  | "useWrite"
  | "useBalance"
  | "useTokenBalances"
  | "useFee"
  | "useRate"
  | "useTransactions"
  | "useBlockNumber"
  | "useNodePool"
  | "useSubscriptions"
  | "useWallet"
  | "useConnect"
  | "useSendTransaction"

/**
 * The subject of code: a method by its path in the client (`rpc.getBalance`, `nft.getBalance`; `nodes` for the pool), its
 * arguments, the hook of the React surface (by default `useRpc` for `rpc.…`, otherwise `useRead`), and that hook's options
 * as far as they are data.
 *
 * @since 0.1.0
 * @category models
 */
export interface SnippetSubject {
  readonly network: Network
  /** The definition of a network that no table has: its code begins with it. */
  readonly definition?: NetworkDefinition | undefined
  readonly path: string
  readonly args?: ReadonlyArray<unknown>
  readonly hook?: HookName
  readonly options?: Readonly<Record<string, unknown>>
}

/**
 * The code of a call, as a complete module for each surface.
 *
 * @since 0.1.0
 * @category models
 */
export interface Snippets {
  readonly react: string
  readonly promise: string
  readonly effect: string
}

const isStream = (path: string): boolean => /^rpc\.subscribe\.|\.stream[A-Z]\w*$|Changed$/.test(path)

/** A path as member access: names that are no identifiers need brackets. */
const memberAccess = (path: string): string =>
  path
    .split(".")
    .map((name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`))
    .join("")

const joinLines = (...parts: ReadonlyArray<string | ReadonlyArray<string>>): string =>
  `${parts.flat().join("\n")}\n`

const toPromiseCode = ({ args = [], network, path }: SnippetSubject): string => {
  const call = `sdk${memberAccess(path)}(${formatLiterals(args)})`
  const body =
    path === "nodes"
      ? ["console.table(sdk.nodes())"]
      : isStream(path)
        ? [
            `for await (const item of ${call}) {`,
            '  if (item.status === "SUCCESS") console.log(item.data)',
            "  else console.error(item.error.message)",
            "}"
          ]
        : [
            `const result = await ${call}`,
            'if (result.status === "SUCCESS") console.log(result.data)',
            "else console.error(result.error.message, result.error.cause._tag)"
          ]
  return joinLines(
    'import { init } from "effect-chains/promise"',
    "",
    `const sdk = await init({ network: ${formatLiteral(network)} })`,
    "",
    body,
    "",
    "await sdk.destroy()"
  )
}

const toEffectCode = ({ args = [], network, path }: SnippetSubject): string => {
  const call =
    path === "nodes" ? "sdk.nodes.snapshot" : `sdk${memberAccess(path)}(${formatLiterals(args, "  ")})`
  const stream = isStream(path)
  return joinLines(
    'import { FetchHttpClient } from "@effect/platform"',
    `import { Effect, Layer${stream ? ", Stream" : ""} } from "effect"`,
    'import { Sdk } from "effect-chains"',
    "",
    `class Chain extends Sdk.Tag("Chain", ${formatLiteral(network)})<Chain>() {}`,
    "",
    "const program = Effect.gen(function* () {",
    "  const sdk = yield* Chain",
    stream
      ? `  yield* Stream.runForEach(${call}, (item) => Effect.sync(() => console.log(item)))`
      : `  return yield* ${call}`,
    "})",
    "",
    "const live = Chain.layer().pipe(Layer.provide(FetchHttpClient.layer))",
    stream
      ? "await Effect.runPromise(Effect.provide(program, live))"
      : "console.log(await Effect.runPromise(Effect.provide(program, live)))"
  )
}

/** The arguments of a read hook before its options, from the arguments of the method that it reads. */
const hookArguments = (hook: HookName, { args = [], path }: SnippetSubject): ReadonlyArray<string> => {
  const own = formatLiteral(args, "  ")
  const first = args.length === 0 ? [] : [formatLiteral(args[0], "  ")]
  switch (hook) {
    case "useRpc":
      return [formatLiteral(path.replace(/^rpc\./, "")), own]
    case "useRead":
      return [formatLiteral(path), own]
    case "useRate":
      return args.length === 1 ? first : [formatLiteral({ currency: args[0], basePair: args[1] }, "  ")]
    case "useBalance":
    case "useTokenBalances":
    case "useTransactions":
      return first
    default:
      return []
  }
}

const componentCode = (
  hooks: string,
  body: ReadonlyArray<string>,
  network: Network,
  before: ReadonlyArray<string> = []
) =>
  joinLines(
    `import { SdkProvider, ${hooks} } from "effect-chains/react"`,
    "",
    before.length === 0 ? [] : [...before, ""],
    "const Example = () => {",
    body.map((line) => (line === "" ? "" : `  ${line}`)),
    "}",
    "",
    "export const App = () => (",
    `  <SdkProvider config={{ network: ${formatLiteral(network)} }}>`,
    "    <Example />",
    "  </SdkProvider>",
    ")"
  )

const resultText = [
  "const text = (value: unknown) =>",
  '  JSON.stringify(value, (_, item) => (typeof item === "bigint" ? String(item) : item), 2)'
]

const alertElement = (name: string): string =>
  `{${name}.status === "error" ? <p role="alert">{${name}.error.message}</p> : null}`

/** A button that runs a write, and the outcome. */
const writeComponentCode = (
  hook: string,
  network: Network,
  { call, name, of }: { readonly name: string; readonly of: string; readonly call: string }
): string =>
  componentCode(
    hook,
    [
      `const ${name} = ${of}`,
      "return (",
      "  <>",
      `    <button type="button" disabled={${name}.status === "loading"} onClick={() => void ${name}.run(${call})}>`,
      "      Run",
      "    </button>",
      `    ${alertElement(name)}`,
      `    {${name}.status === "success" ? <pre>{text(${name}.data)}</pre> : null}`,
      "  </>",
      ")"
    ],
    network,
    resultText
  )

const walletComponentCode = (network: Network, options: string): string =>
  componentCode(
    "useConnect, useWallet",
    [
      `const { account, isConnected, wallets } = useWallet(${options})`,
      `const connect = useConnect(${options})`,
      "if (isConnected) return <p>{account}</p>",
      "return wallets.map((wallet) => (",
      '  <button key={wallet.uuid} type="button" onClick={() => void connect.run(wallet)}>',
      "    Connect {wallet.name}",
      "  </button>",
      "))"
    ],
    network
  )

const nodePoolComponentCode = (network: Network, options: string): string =>
  componentCode(
    "useNodePool",
    [
      `const { nodes } = useNodePool(${options})`,
      "return (",
      "  <ul>",
      "    {nodes.map(({ active, failed, lastBlock, lastResponseTime, url }) => (",
      "      <li key={url}>",
      '        {active ? "→ " : ""}{url}: block {lastBlock}, {failed ? "down" : lastResponseTime}',
      "      </li>",
      "    ))}",
      "  </ul>",
      ")"
    ],
    network
  )

const pagesComponentCode = (hook: string, network: Network, args: string): string =>
  componentCode(
    hook,
    [
      `const page = ${hook}(${args})`,
      'if (page.status === "error") return <p role="alert">{page.error.message}</p>',
      "return (",
      "  <>",
      "    <pre>{text(page.data)}</pre>",
      '    <button type="button" disabled={!page.hasMore || page.isLoadingMore} onClick={page.loadMore}>',
      "      More",
      "    </button>",
      "  </>",
      ")"
    ],
    network,
    resultText
  )

const readComponentCode = (hook: string, network: Network, args: string): string =>
  componentCode(
    hook,
    [
      `const reading = ${hook}(${args})`,
      'if (reading.status === "error") return <p role="alert">{reading.error.message}</p>',
      'return <pre aria-busy={reading.isRefreshing}>{reading.status === "success" ? text(reading.data) : "…"}</pre>'
    ],
    network,
    resultText
  )

const toReactCode = (shown: SnippetSubject): string => {
  const { args = [], network, options: given = {}, path } = shown
  const hook = shown.hook ?? (path.startsWith("rpc.") ? "useRpc" : "useRead")
  const options = formatLiteral({ network, ...given }, "  ")
  const readArgs = [...hookArguments(hook, shown), options].join(", ")
  const call = formatLiterals(args, "        ")
  switch (hook) {
    case "useWrite":
      return writeComponentCode(hook, network, {
        name: "call",
        of: `useWrite(${formatLiteral(path)}, ${options})`,
        call
      })
    case "useSendTransaction":
      return writeComponentCode(hook, network, { name: "send", of: `useSendTransaction(${options})`, call })
    case "useConnect":
    case "useWallet":
      return walletComponentCode(network, options)
    case "useNodePool":
      return nodePoolComponentCode(network, options)
    case "useTransactions":
      return pagesComponentCode(hook, network, readArgs)
    default:
      return readComponentCode(hook, network, readArgs)
  }
}

/** The fields of a definition without defaults and empty values. */
const fieldsOf = (definition: NetworkDefinition): object =>
  Object.fromEntries(
    Object.entries(definition).filter(
      ([name, value]) =>
        value !== undefined &&
        value !== false &&
        !(Array.isArray(value) && value.length === 0) &&
        name !== "name"
    )
  )

/** Adds the definition of a network that no table has to code, and uses it in place of the id. */
const withDefinition = ({ definition, network }: SnippetSubject, entry: string, code: string): string => {
  if (definition === undefined) return code
  const end = code.indexOf("\n\n")
  const rest = code
    .slice(end)
    .replaceAll(`network: ${formatLiteral(network)}`, "network")
    .replaceAll(formatLiteral(network), "network")
  return `${code.slice(0, end)}
import { defineNetwork } from "effect-chains/${entry}"

const network = defineNetwork(${formatLiteral(fieldsOf(definition))})${rest}`
}

/**
 * The code of a call on the three surfaces.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeSnippets = (shown: SnippetSubject): Snippets => ({
  react: withDefinition(shown, "effect/networks/define", toReactCode(shown)),
  promise: withDefinition(shown, "networks/define", toPromiseCode(shown)),
  effect: withDefinition(shown, "effect/networks/define", toEffectCode(shown))
})
