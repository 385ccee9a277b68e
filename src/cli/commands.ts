/**
 * The commands with their options and arguments. Their code is loaded when they run.
 *
 * @since 0.1.0
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

/** Loads the code of a command. */
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
  Options.withDescription("Print JSON, one value a line, and errors as JSON too")
)

const connectionOptions = {
  json: jsonOption,
  node: Options.text("node").pipe(
    Options.withPseudoName("url"),
    Options.repeated,
    Options.withDescription("A node of your own, in place of the provider's (may be repeated; TATUM_NODES)")
  ),
  provider: Options.text("provider").pipe(
    Options.withPseudoName("url"),
    Options.optional,
    Options.withDescription("Another provider, such as the sandbox (EFFECT_CHAINS_PROVIDER)")
  ),
  networkFile: Options.text("network-file").pipe(
    Options.withPseudoName("file"),
    Options.optional,
    Options.withDescription(
      "JSON of networks of your own: one definition, or a list (EFFECT_CHAINS_NETWORKS)"
    )
  ),
  chainId: Options.integer("chain-id").pipe(
    Options.withPseudoName("id"),
    Options.optional,
    Options.withDescription("The network is an EVM chain of this id, which no table knows: with --node")
  ),
  apiKeyFile: Options.text("api-key-file").pipe(
    Options.withPseudoName("file"),
    Options.optional,
    Options.withDescription("The file with the provider's key, if it is not in TATUM_API_KEY")
  ),
  timeout: Options.float("timeout").pipe(
    Options.withPseudoName("seconds"),
    Options.optional,
    Options.withDescription("The longest that a call may take (default 30)")
  ),
  verbose: Options.boolean("verbose").pipe(
    Options.withDescription("Tell every request and decision of the balancer on standard error")
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
      Options.withDescription("Those of one family")
    ),
    mainnets: Options.boolean("mainnets").pipe(Options.withDescription("No testnets")),
    testnets: Options.boolean("testnets").pipe(Options.withDescription("Testnets alone")),
    json: jsonOption
  },
  loadCommand(() => import("./networks.js"))
).pipe(Command.withDescription("The networks, with their coins and families"))

const identify = Command.make(
  "identify",
  {
    text: Args.text({ name: "text" }).pipe(
      Args.withDescription("An address, a hash, a name, a uri, a public key or an id; never a secret")
    ),
    json: jsonOption
  },
  loadCommand(() => import("./identify.js"))
).pipe(Command.withDescription("What a text may be, and of which networks"))

const rpc = Command.make(
  "rpc",
  {
    ...connectionOptions,
    raw: Options.boolean("raw").pipe(
      Options.withDescription("Send a JSON-RPC method as it is, also one that no table knows")
    ),
    network: networkArgument,
    method: Args.text({ name: "method" }).pipe(
      Args.withDescription("Its name in the SDK or on the wire; without one, all are listed"),
      Args.optional
    ),
    args: Args.text({ name: "args" }).pipe(
      Args.withDescription("Text, numbers, JSON; name=value for routes"),
      Args.repeated
    )
  },
  loadCommand(() => import("./rpc.js"))
).pipe(Command.withDescription("Call a method of a network's nodes"))

const balance = Command.make(
  "balance",
  {
    ...connectionOptions,
    tokens: Options.boolean("tokens").pipe(Options.withDescription("Tokens and NFTs too")),
    network: networkArgument,
    addresses: Args.text({ name: "address" }).pipe(
      Args.withDescription("Addresses of the network"),
      Args.atLeast(1)
    )
  },
  loadCommand(() => import("./balance.js"))
).pipe(Command.withDescription("What addresses have"))

const countOption = Options.integer("count").pipe(
  Options.withPseudoName("number"),
  Options.optional,
  Options.withDescription("End after so many")
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
).pipe(Command.withDescription("The last transfers of addresses"))

const tx = Command.make(
  "tx",
  {
    ...connectionOptions,
    wait: Options.integer("wait").pipe(
      Options.withPseudoName("confirmations"),
      Options.optional,
      Options.withDescription("Wait until so many blocks have it")
    ),
    sender: Options.text("sender").pipe(
      Options.withPseudoName("account"),
      Options.optional,
      Options.withDescription("Who signed it, where the nodes have to know that (NEAR)")
    ),
    network: networkArgument,
    hash: Args.text({ name: "hash" }).pipe(Args.withDescription("The hash or id of a transaction"))
  },
  loadCommand(() => import("./tx.js"))
).pipe(Command.withDescription("A transaction, and how it ended"))

const fee = Command.make(
  "fee",
  {
    ...connectionOptions,
    nodes: Options.boolean("nodes").pipe(Options.withDescription("Ask the nodes, not the provider")),
    network: networkArgument
  },
  loadCommand(() => import("./fee.js"))
).pipe(Command.withDescription("What a transaction costs now"))

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
).pipe(Command.withDescription("What currencies are worth"))

const data = Command.make(
  "data",
  {
    ...connectionOptions,
    method: Args.text({ name: "method" }).pipe(
      Args.withDescription("Its name in sdk.data; without one, or with a group, all are listed"),
      Args.optional
    ),
    parameters: Args.text({ name: "parameter" }).pipe(
      Args.withDescription(
        "name=value, lists with commas; of a batch a question each: symbol=BTC,basePair=USD"
      ),
      Args.repeated
    )
  },
  loadCommand(() => import("./data.js"))
).pipe(Command.withDescription("Prices, blocks, staking, names and more of the provider's data API"))

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
    once: Options.boolean("once").pipe(Options.withDescription("Check them once, and end")),
    interval: intervalOption(2, "Seconds from check to check"),
    network: networkArgument
  },
  loadCommand(() => import("./nodes.js"))
).pipe(Command.withDescription("The nodes of a network, as they are and as they go on"))

const send = Command.make(
  "send",
  {
    ...connectionOptions,
    keyFile: Options.text("key-file").pipe(
      Options.withPseudoName("file"),
      Options.optional,
      Options.withDescription("The file with a private key or a mnemonic (EFFECT_CHAINS_KEY_FILE)")
    ),
    account: Options.integer("account").pipe(
      Options.withPseudoName("number"),
      Options.optional,
      Options.withDescription("Which account of the mnemonic (default 0)")
    ),
    path: Options.text("path").pipe(
      Options.withPseudoName("path"),
      Options.optional,
      Options.withDescription("The derivation path, in place of the chain's usual one")
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
      Options.withDescription("The most that the fee may be")
    ),
    confirmations: Options.integer("confirmations").pipe(
      Options.withPseudoName("number"),
      Options.optional,
      Options.withDescription("Wait until so many blocks have it")
    ),
    preview: Options.boolean("preview").pipe(
      Options.withDescription("Show what it would do, and sign nothing")
    ),
    yes: Options.boolean("yes").pipe(Options.withDescription("Do not ask")),
    network: networkArgument,
    to: Args.text({ name: "to" }).pipe(Args.withDescription("The address that is paid")),
    amount: Args.text({ name: "amount" }).pipe(Args.withDescription("Whole coins or tokens, such as 0.1"))
  },
  loadCommand(() => import("./send.js"))
).pipe(Command.withDescription("Pay, after a preview and a yes"))

const subscribe = Command.make(
  "subscribe",
  {
    ...connectionOptions,
    count: countOption,
    url: Options.text("url").pipe(
      Options.withPseudoName("url"),
      Options.optional,
      Options.withDescription("Have the provider call this url, and end")
    ),
    template: Options.text("template").pipe(
      Options.withPseudoName("id"),
      Options.optional,
      Options.withDescription(
        "What the calls have in them: enriched, enriched_with_raw_data, legacy, or one of yours"
      )
    ),
    finality: Options.choice("finality", ["confirmed", "final"]).pipe(
      Options.optional,
      Options.withDescription("Call when a block has the event, or when that block is final")
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
      Args.withDescription("What the subscription takes: text, numbers, JSON"),
      Args.repeated
    )
  },
  loadCommand(() => import("./subscribe.js"))
).pipe(Command.withDescription("Events of a chain, as they come or as calls of a url"))

const watch = Command.make(
  "watch",
  {
    ...connectionOptions,
    interval: intervalOption(5, "Seconds from look to look"),
    count: countOption,
    network: networkArgument,
    addresses: Args.text({ name: "address" }).pipe(
      Args.withDescription("Addresses of the network"),
      Args.atLeast(1)
    )
  },
  loadCommand(() => import("./watch.js"))
).pipe(Command.withDescription("Balances of addresses, whenever they change"))

const doctor = Command.make(
  "doctor",
  {
    ...connectionOptions,
    network: Args.text({ name: "network" }).pipe(
      Args.withDescription("The network whose nodes are looked at (default ethereum-mainnet)"),
      Args.optional
    )
  },
  loadCommand(() => import("./doctor.js"))
).pipe(Command.withDescription("What is wrong around here, and what to do about it"))

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
      Options.withDescription("A block every so many seconds (default: with every transaction)")
    ),
    database: Options.text("database").pipe(
      Options.withPseudoName("file"),
      Options.optional,
      Options.withDescription("Keep chains, files and subscriptions in this SQLite database")
    ),
    recordings: Options.text("recordings").pipe(
      Options.withPseudoName("folder"),
      Options.optional,
      Options.withDescription("Answers of your own for networks that no node runs here")
    ),
    populate: Options.boolean("populate").pipe(
      Options.withDescription("Give the networks a history: transfers, tokens, NFTs with pictures")
    ),
    dataApi: Options.choice("data-api", ["v4", "legacy", "both"]).pipe(
      Options.withDefault("v4"),
      Options.withDescription("Routes of the data API: today's, those before them, or both")
    ),
    seed: Options.text("seed").pipe(
      Options.withPseudoName("text"),
      Options.optional,
      Options.withDescription("Another course of exchange rates")
    ),
    host: Options.text("host").pipe(
      Options.withPseudoName("name"),
      Options.repeated,
      Options.withDescription("Let clients address it by this name too (may be repeated)")
    ),
    origin: Options.text("origin").pipe(
      Options.withPseudoName("origin"),
      Options.repeated,
      Options.withDescription("Let pages of this origin use it (may be repeated)")
    ),
    webhookHost: Options.text("webhook-host").pipe(
      Options.withPseudoName("host"),
      Options.repeated,
      Options.withDescription("Call webhooks on this host too, * for all (may be repeated)")
    ),
    install: Options.boolean("install").pipe(
      Options.withDescription("Install what is missing without a question, outside of the project")
    ),
    quiet: Options.boolean("quiet").pipe(Options.withDescription("Print the addresses alone"))
  },
  loadCommand(() => import("./sandbox.js"))
).pipe(Command.withDescription("The whole provider on this machine, over real chain nodes, without a key"))

const migrate = Command.make(
  "migrate",
  {
    from: Options.text("from").pipe(
      Options.withPseudoName("package"),
      Options.withDefault("tatum"),
      Options.withDescription("tatum (the default), viem or ethers")
    ),
    write: Options.boolean("write").pipe(
      Options.withDescription("Rewrite the files, in place of showing them")
    ),
    json: jsonOption,
    paths: Args.text({ name: "path" }).pipe(
      Args.withDescription("Files, and folders with what is in them"),
      Args.atLeast(1)
    )
  },
  loadCommand(() => import("./migration.js"))
).pipe(Command.withDescription("The mechanical part of moving a project to effect-chains"))

const completions = Command.make(
  "completions",
  { shell: Args.text({ name: "shell" }).pipe(Args.withDescription("bash, zsh or fish")) },
  loadCommand(() => import("./completions.js"))
).pipe(Command.withDescription("The script that completes commands, networks and methods in a shell"))

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
