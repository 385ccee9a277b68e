/**
 * The commands with their options and arguments. Their code is loaded when they run.
 *
 * @since 0.1.0
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { CommandError } from "./Failure.js"

type CommandEffect = Effect.Effect<void, unknown>

const loadCommand =
  <O>(load: () => Promise<{ readonly run: (options: O) => Effect.Effect<void, unknown, Scope.Scope> }>) =>
  (options: O): CommandEffect =>
    Effect.scoped(
      Effect.flatMap(
        Effect.tryPromise({
          try: load,
          catch: (error) =>
            new CommandError({
              exit: "lacking",
              message: `A part of the command line cannot be loaded: ${String(error)}`
            })
        }),
        ({ run }) => run(options)
      )
    )

const jsonOption = Options.boolean("json").pipe(
  Options.withDescription("Print JSON, one value per line, also for errors")
)

const connectionOptions = {
  json: jsonOption,
  node: Options.text("node").pipe(
    Options.withPseudoName("url"),
    Options.repeated,
    Options.withDescription("Use this node instead of the provider's (may be repeated; TATUM_NODES)")
  ),
  provider: Options.text("provider").pipe(
    Options.withPseudoName("sandbox|url"),
    Options.optional,
    Options.withDescription("Use the sandbox of this machine, or another provider (EFFECT_CHAINS_PROVIDER)")
  ),
  networkFile: Options.text("network-file").pipe(
    Options.withPseudoName("file"),
    Options.optional,
    Options.withDescription("A JSON file that defines a network, or a list of them (EFFECT_CHAINS_NETWORKS)")
  ),
  chainId: Options.integer("chain-id").pipe(
    Options.withPseudoName("id"),
    Options.optional,
    Options.withDescription("Use an EVM chain with this id that is not in the table; needs --node")
  ),
  apiKeyFile: Options.text("api-key-file").pipe(
    Options.withPseudoName("file"),
    Options.optional,
    Options.withDescription("A file with the provider's API key, instead of TATUM_API_KEY")
  ),
  timeout: Options.float("timeout").pipe(
    Options.withPseudoName("seconds"),
    Options.optional,
    Options.withDescription("The timeout of a call in seconds (default 30)")
  ),
  verbose: Options.boolean("verbose").pipe(
    Options.withDescription("Log every request and decision of the balancer to standard error")
  )
}

const networkArgument = Args.text({ name: "network" }).pipe(Args.withDescription("The id of a network"))

const networks = Command.make(
  "networks",
  {
    search: Args.text({ name: "word" }).pipe(
      Args.withDescription("Part of an id, or the symbol of a coin"),
      Args.optional
    ),
    family: Options.text("family").pipe(
      Options.withPseudoName("name"),
      Options.optional,
      Options.withDescription("Only networks of this family")
    ),
    mainnets: Options.boolean("mainnets").pipe(Options.withDescription("No testnets")),
    testnets: Options.boolean("testnets").pipe(Options.withDescription("Only testnets")),
    json: jsonOption
  },
  loadCommand(() => import("./networks.js"))
).pipe(Command.withDescription("List networks with their coins and families"))

const identify = Command.make(
  "identify",
  {
    text: Args.text({ name: "text" }).pipe(
      Args.withDescription("An address, a hash, a name, a uri, a public key or an id; never a secret")
    ),
    json: jsonOption
  },
  loadCommand(() => import("./identify.js"))
).pipe(Command.withDescription("Identify a text, and list its networks"))

const rpc = Command.make(
  "rpc",
  {
    ...connectionOptions,
    raw: Options.boolean("raw").pipe(Options.withDescription("Send any JSON-RPC method unchanged")),
    network: networkArgument,
    method: Args.text({ name: "method" }).pipe(
      Args.withDescription("Its name in the SDK or at the node; without it, all are listed"),
      Args.optional
    ),
    args: Args.text({ name: "args" }).pipe(
      Args.withDescription("Text, numbers or JSON; name=value for REST routes"),
      Args.repeated
    )
  },
  loadCommand(() => import("./rpc.js"))
).pipe(Command.withDescription("Call a method of a network's nodes"))

const balance = Command.make(
  "balance",
  {
    ...connectionOptions,
    tokens: Options.boolean("tokens").pipe(Options.withDescription("Include tokens and NFTs")),
    network: networkArgument,
    addresses: Args.text({ name: "address" }).pipe(
      Args.withDescription("Addresses of the network"),
      Args.atLeast(1)
    )
  },
  loadCommand(() => import("./balance.js"))
).pipe(Command.withDescription("Show the balances of addresses"))

const countOption = Options.integer("count").pipe(
  Options.withPseudoName("number"),
  Options.optional,
  Options.withDescription("End after this many")
)

const transactions = Command.make(
  "transactions",
  {
    ...connectionOptions,
    count: countOption,
    network: networkArgument,
    addresses: Args.text({ name: "address" }).pipe(
      Args.withDescription("Addresses of the network"),
      Args.atLeast(1)
    )
  },
  loadCommand(() => import("./history.js"))
).pipe(Command.withDescription("List the last transfers of addresses"))

const tx = Command.make(
  "tx",
  {
    ...connectionOptions,
    wait: Options.integer("wait").pipe(
      Options.withPseudoName("confirmations"),
      Options.optional,
      Options.withDescription("Wait for this many confirmations")
    ),
    sender: Options.text("sender").pipe(
      Options.withPseudoName("account"),
      Options.optional,
      Options.withDescription("The signer's account, which nodes of NEAR need")
    ),
    network: networkArgument,
    hash: Args.text({ name: "hash" }).pipe(Args.withDescription("The hash or id of a transaction"))
  },
  loadCommand(() => import("./tx.js"))
).pipe(Command.withDescription("Show a transaction and its outcome"))

const fee = Command.make(
  "fee",
  {
    ...connectionOptions,
    nodes: Options.boolean("nodes").pipe(
      Options.withDescription("Read from the nodes, not from the provider")
    ),
    network: networkArgument
  },
  loadCommand(() => import("./fee.js"))
).pipe(Command.withDescription("Show the current transaction fees"))

const rate = Command.make(
  "rate",
  {
    ...connectionOptions,
    in: Options.text("in").pipe(
      Options.withPseudoName("currency"),
      Options.withDefault("USD"),
      Options.withDescription("The currency of the rates (default USD)")
    ),
    currencies: Args.text({ name: "currency" }).pipe(
      Args.withDescription("Codes of currencies, such as BTC"),
      Args.atLeast(1)
    )
  },
  loadCommand(() => import("./rate.js"))
).pipe(Command.withDescription("Show exchange rates"))

const data = Command.make(
  "data",
  {
    ...connectionOptions,
    method: Args.text({ name: "method" }).pipe(
      Args.withDescription("Its name in sdk.data; without it, or with a group, methods are listed"),
      Args.optional
    ),
    parameters: Args.text({ name: "parameter" }).pipe(
      Args.withDescription(
        "name=value, lists with commas; in a batch one argument per query: symbol=BTC,basePair=USD"
      ),
      Args.repeated
    )
  },
  loadCommand(() => import("./data.js"))
).pipe(Command.withDescription("Call the provider's data API: prices, blocks, staking, names and more"))

const intervalOption = (usual: number, what: string) =>
  Options.float("interval").pipe(
    Options.withPseudoName("seconds"),
    Options.withDefault(usual),
    Options.withDescription(`${what} (default ${usual})`)
  )

const nodes = Command.make(
  "nodes",
  {
    ...connectionOptions,
    once: Options.boolean("once").pipe(Options.withDescription("End after one check")),
    interval: intervalOption(2, "Seconds between checks"),
    network: networkArgument
  },
  loadCommand(() => import("./nodes.js"))
).pipe(Command.withDescription("Watch the state of a network's nodes"))

const send = Command.make(
  "send",
  {
    ...connectionOptions,
    keyFile: Options.text("key-file").pipe(
      Options.withPseudoName("file"),
      Options.optional,
      Options.withDescription("A file with a private key or a mnemonic (EFFECT_CHAINS_KEY_FILE)")
    ),
    account: Options.integer("account").pipe(
      Options.withPseudoName("number"),
      Options.optional,
      Options.withDescription("The number of the mnemonic's account (default 0)")
    ),
    path: Options.text("path").pipe(
      Options.withPseudoName("path"),
      Options.optional,
      Options.withDescription("The derivation path, instead of the chain's usual one")
    ),
    token: Options.text("token").pipe(
      Options.withPseudoName("token"),
      Options.optional,
      Options.withDescription("Pay in this token: its contract, mint or asset")
    ),
    memo: Options.text("memo").pipe(
      Options.withPseudoName("text"),
      Options.optional,
      Options.withDescription("The memo or tag, on chains that have one")
    ),
    maxFee: Options.text("max-fee").pipe(
      Options.withPseudoName("coins"),
      Options.optional,
      Options.withDescription("The highest fee to accept")
    ),
    confirmations: Options.integer("confirmations").pipe(
      Options.withPseudoName("number"),
      Options.optional,
      Options.withDescription("Wait for this many confirmations")
    ),
    preview: Options.boolean("preview").pipe(Options.withDescription("Show the preview, and sign nothing")),
    yes: Options.boolean("yes").pipe(Options.withDescription("Send without asking")),
    network: networkArgument,
    to: Args.text({ name: "to" }).pipe(Args.withDescription("The receiver's address")),
    amount: Args.text({ name: "amount" }).pipe(
      Args.withDescription("Whole coins or tokens, such as 0.1, or all")
    )
  },
  loadCommand(() => import("./send.js"))
).pipe(Command.withDescription("Pay, after a preview and a confirmation"))

const subscribe = Command.make(
  "subscribe",
  {
    ...connectionOptions,
    count: countOption,
    url: Options.text("url").pipe(
      Options.withPseudoName("url"),
      Options.optional,
      Options.withDescription("Have the provider send events to this url, and end")
    ),
    template: Options.text("template").pipe(
      Options.withPseudoName("id"),
      Options.optional,
      Options.withDescription(
        "The content of the calls: enriched, enriched_with_raw_data, legacy, or your own template"
      )
    ),
    finality: Options.choice("finality", ["confirmed", "final"]).pipe(
      Options.optional,
      Options.withDescription("Send an event when a block has it, or when that block is final")
    ),
    condition: Options.text("condition").pipe(
      Options.withPseudoName("comparison"),
      Options.repeated,
      Options.withDescription('Call for events that meet it, such as "value>=1000000" (may be repeated)')
    ),
    network: networkArgument,
    kind: Args.text({ name: "kind" }).pipe(
      Args.withDescription("newHeads, logs, account …; with --url addressEvent, incomingFungibleTx …")
    ),
    args: Args.text({ name: "args" }).pipe(
      Args.withDescription("The arguments of the subscription: text, numbers or JSON"),
      Args.repeated
    )
  },
  loadCommand(() => import("./subscribe.js"))
).pipe(Command.withDescription("Print the events of a chain, or send them to a url"))

const watch = Command.make(
  "watch",
  {
    ...connectionOptions,
    interval: intervalOption(5, "Seconds between checks"),
    count: countOption,
    network: networkArgument,
    addresses: Args.text({ name: "address" }).pipe(
      Args.withDescription("Addresses of the network"),
      Args.atLeast(1)
    )
  },
  loadCommand(() => import("./watch.js"))
).pipe(Command.withDescription("Print the balances of addresses when they change"))

const doctor = Command.make(
  "doctor",
  {
    ...connectionOptions,
    network: Args.text({ name: "network" }).pipe(
      Args.withDescription("The network whose nodes are checked (default ethereum-mainnet)"),
      Args.optional
    )
  },
  loadCommand(() => import("./doctor.js"))
).pipe(Command.withDescription("Find problems of the setup, and say what to do"))

const sandbox = Command.make(
  "sandbox",
  {
    network: Options.text("network").pipe(
      Options.withPseudoName("id[:nodes[:archive]]"),
      Options.repeated,
      Options.withDescription("Start this network at once (may be repeated; default ethereum-mainnet)")
    ),
    port: Options.text("port").pipe(
      Options.withPseudoName("number"),
      Options.optional,
      Options.withDescription("Port of the provider (default 4100)")
    ),
    blockTime: Options.text("block-time").pipe(
      Options.withPseudoName("seconds"),
      Options.optional,
      Options.withDescription("Seconds between blocks (default: a block per transaction)")
    ),
    database: Options.text("database").pipe(
      Options.withPseudoName("file"),
      Options.optional,
      Options.withDescription("Keep chains, files and subscriptions in this SQLite database")
    ),
    recordings: Options.text("recordings").pipe(
      Options.withPseudoName("folder"),
      Options.optional,
      Options.withDescription("A folder with your own answers for networks without a node")
    ),
    populate: Options.boolean("populate").pipe(
      Options.withDescription("Give the networks a history: transfers, tokens, NFTs with pictures")
    ),
    dataApi: Options.choice("data-api", ["v4", "legacy", "both"]).pipe(
      Options.withDefault("v4"),
      Options.withDescription("The version of the data API: the current one, the one before, or both")
    ),
    seed: Options.text("seed").pipe(
      Options.withPseudoName("text"),
      Options.optional,
      Options.withDescription("The seed of the exchange rates")
    ),
    host: Options.text("host").pipe(
      Options.withPseudoName("name"),
      Options.repeated,
      Options.withDescription("Accept requests under this host name too (may be repeated)")
    ),
    origin: Options.text("origin").pipe(
      Options.withPseudoName("origin"),
      Options.repeated,
      Options.withDescription("Accept requests from pages of this origin (may be repeated)")
    ),
    webhookHost: Options.text("webhook-host").pipe(
      Options.withPseudoName("host"),
      Options.repeated,
      Options.withDescription("Allow webhooks to this host, * for all (may be repeated)")
    ),
    install: Options.boolean("install").pipe(
      Options.withDescription("Install missing packages without asking, outside of the project")
    ),
    quiet: Options.boolean("quiet").pipe(Options.withDescription("Print only the addresses"))
  },
  loadCommand(() => import("./sandbox.js"))
).pipe(Command.withDescription("Run the provider on this machine, over real chain nodes, without a key"))

const migrate = Command.make(
  "migrate",
  {
    from: Options.text("from").pipe(
      Options.withPseudoName("package"),
      Options.withDefault("tatum"),
      Options.withDescription("tatum (the default), viem or ethers")
    ),
    write: Options.boolean("write").pipe(
      Options.withDescription("Rewrite the files instead of showing the changes")
    ),
    json: jsonOption,
    paths: Args.text({ name: "path" }).pipe(Args.withDescription("Files and folders"), Args.atLeast(1))
  },
  loadCommand(() => import("./migration.js"))
).pipe(Command.withDescription("Make the mechanical changes of a migration to effect-chains"))

const completions = Command.make(
  "completions",
  { shell: Args.text({ name: "shell" }).pipe(Args.withDescription("bash, zsh or fish")) },
  loadCommand(() => import("./completions.js"))
).pipe(Command.withDescription("Print a script that completes commands, networks and methods in a shell"))

/**
 * All commands, in the order of their help.
 *
 * @since 0.1.0
 * @category constants
 */
export const commands = [
  networks,
  identify,
  rpc,
  balance,
  transactions,
  tx,
  fee,
  rate,
  data,
  send,
  nodes,
  subscribe,
  watch,
  doctor,
  migrate,
  sandbox,
  completions
] as const

/**
 * The command line, with all its commands.
 *
 * @since 0.1.0
 * @category constants
 */
export const commandLine = Command.make("effect-chains").pipe(Command.withSubcommands(commands))
