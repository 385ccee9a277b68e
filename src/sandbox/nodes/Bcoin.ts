/**
 * bcoin and bcash: Bitcoin's JSON-RPC, with a boolean verbosity in `getblock`, and errors with HTTP 200.
 *
 * @since 0.1.0
 */
import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { SandboxError } from "../SandboxError.js"
import { requireProgram } from "./binaries.js"
import * as keys from "./keys.js"
import * as Process from "./Process.js"
import {
  type LaunchedNode,
  launchAll,
  makeAsk,
  onlyNode,
  textAt,
  type UtxoChain,
  type UtxoNode,
  type UtxoOptions
} from "./Utxo.js"

/**
 * The program to start: bcoin by default, or `bcash` for Bitcoin Cash.
 *
 * @since 0.1.0
 * @category models
 */
export interface BcoinOptions extends UtxoOptions {
  readonly program?: "bcoin" | "bcash"
}

/**
 * bcash loads its database's native part even with an in-memory chain. It gets the package's replacement for browsers,
 * so that no compiler is needed. On bcoin's regression test network SegWit would begin at block 432, when miners have
 * signalled for it in 108 of 144 blocks. With one block in place of these it begins with the third block, so that
 * payments of signers are valid from the start.
 */
const HOST_SCRIPT = `
const Module = require("node:module")
const { dirname, join } = require("node:path")
const resolve = Module._resolveFilename
Module._resolveFilename = function (request, parent, ...rest) {
  const native = request === "./level" && /[\\\\/]bdb[\\\\/]lib[\\\\/]/.test(parent?.filename ?? "")
  return resolve.call(this, native ? "./level-browser" : request, parent, ...rest)
}
const { regtest } = require(join(dirname(process.argv[1]), "..", "lib", "protocol", "networks"))
Object.assign(regtest.deployments.segwit ?? {}, { window: 1, threshold: 1 })
require(process.argv[1])
`

const versions: keys.VersionBytes = { address: 0x3c, privateKey: 0x5a, bech32: "rb" }

/** The number of blocks after which a coinbase matures. It can be spent in the next block. */
const COINBASE_MATURITY = 100

/** The fee in satoshis: above the nodes' minimum for every size of a payment. */
const FEE = 10_000n
const FEE_PER_INPUT = 5_000n

const COIN = 100_000_000n

const toUnits = (amount: string): bigint => {
  const [whole = "0", rest = ""] = amount.split(".")
  return BigInt(whole) * COIN + BigInt(rest.padEnd(8, "0"))
}

const toCoins = (value: bigint): number => Number(`${value / COIN}.${String(value % COIN).padStart(8, "0")}`)

interface Outpoint {
  readonly txid: string
  readonly vout: number
}

interface Coin extends Outpoint {
  readonly scriptPubKey: string
  readonly value: bigint
}

/**
 * The coins of the miner: outputs, and the height up to which its coinbases are included. They are tracked here,
 * because bcash's index of addresses does not survive a block that leaves the chain. An output may be spent or belong
 * to another owner, which shows when it is looked up.
 */
interface MinerFunds {
  outputs: ReadonlyArray<Outpoint>
  spentUpTo: number
}

/** The process of a node, whose JSON-RPC needs a password. */
const makeProcess = (name: string, file: string, password: string): ReturnType<typeof Process.make> =>
  Process.make({
    name,
    command: process.execPath,
    args: (port, folder) => [
      "-e",
      HOST_SCRIPT,
      "--",
      file,
      "--network=regtest",
      "--memory=true",
      "--listen=false",
      // worker processes would outlive the node
      "--workers=false",
      `--api-key=${password}`,
      "--http-host=127.0.0.1",
      `--http-port=${port}`,
      "--index-tx",
      "--index-address",
      "--no-wallet",
      "--log-level=error",
      `--prefix=${folder}`
    ],
    // the native parts only make it faster
    env: { NODE_BACKEND: "js" },
    ready: (url) =>
      Effect.map(makeAsk(name, () => withPassword(url, password))("getblockcount"), (count) => count === 0)
  })

const withPassword = (url: string, password: string): string => url.replace("//", `//x:${password}@`)

/** The miner of a node, which pays from its coins. */
interface MinerWallet {
  readonly name: string
  readonly ask: ReturnType<typeof makeAsk>
  readonly miner: keys.Account
  readonly script: string
  readonly funds: MinerFunds
}

const makeChainError = (message: string): SandboxError => new SandboxError({ reason: "chain", message })

/** The coin of an output; undefined for a spent one, and for another owner's. */
const findCoin = ({ ask, script }: MinerWallet, { txid, vout }: Outpoint) =>
  Effect.map(ask("gettxout", txid, vout), (found): Coin | undefined =>
    textAt(found, "scriptPubKey", "hex") === script
      ? {
          txid,
          vout,
          scriptPubKey: script,
          value: BigInt(Math.round(Number(textAt(found, "value")) * Number(COIN)))
        }
      : undefined
  )

/** Gathers coins for an amount and the fee of each input: from the wallet, and from coinbases as they mature. */
const gatherCoins = (wallet: MinerWallet, amount: bigint) =>
  Effect.gen(function* () {
    const { ask, funds } = wallet
    const left: Array<Outpoint> = []
    const inputs: Array<Coin> = []
    const next = [...funds.outputs]
    const top = Number(yield* ask("getblockcount"))
    let missing = amount
    while (missing > 0n) {
      const output = next.shift()
      if (output !== undefined) {
        const coin = yield* findCoin(wallet, output)
        if (coin === undefined) continue
        left.push(output)
        inputs.push(coin)
        missing += FEE_PER_INPUT - coin.value
      } else if (funds.spentUpTo < top - COINBASE_MATURITY) {
        funds.spentUpTo++
        const block = yield* ask("getblock", yield* ask("getblockhash", funds.spentUpTo), true)
        next.push({ txid: textAt(block, "tx", "0"), vout: 0 })
      } else break
    }
    funds.outputs = [...left, ...next]
    return { inputs, change: -missing }
  })

/** Whether the node knows the transaction within half a second: in its pool, or in a block, which may be made at any moment. */
const isAccepted = ({ ask }: MinerWallet, id: string) =>
  ask("getrawtransaction", id).pipe(
    Effect.as(true),
    Effect.orElseSucceed(() => false),
    Effect.delay("25 millis"),
    Effect.repeat({ until: (known) => known, times: 20 })
  )

const send = (wallet: MinerWallet, address: string, amount: bigint, tip: bigint) =>
  Effect.gen(function* () {
    const { ask, miner, name } = wallet
    const { change, inputs } = yield* gatherCoins(wallet, amount + FEE + tip)
    if (change < 0n)
      return yield* makeChainError(
        `The miner of ${name} lacks ${toCoins(-change)} coins: mine more blocks, or ask for less`
      )
    const outputs =
      address === miner.address || change < FEE
        ? { [address]: toCoins(amount) }
        : { [address]: toCoins(amount), [miner.address]: toCoins(change) }
    const unsigned = yield* ask(
      "createrawtransaction",
      inputs.map(({ txid, vout }) => ({ txid, vout })),
      outputs
    )
    const previous = inputs.map(({ value, ...rest }) => ({ ...rest, amount: toCoins(value) }))
    const signed = yield* ask("signrawtransaction", unsigned, previous, [miner.privateKey])
    const id = yield* ask("sendrawtransaction", textAt(signed, "hex"))
    return { id: String(id), inputs }
  })

/**
 * Nodes answer before they validate a transaction, and sometimes refuse a signature that they made themselves. A retry
 * with another amount makes another signature.
 */
const pay = (wallet: MinerWallet, address: string, amount: string): Effect.Effect<string, SandboxError> =>
  Effect.gen(function* () {
    const { name, funds } = wallet
    for (const tip of [0n, 1n, 2n, 3n]) {
      const { id, inputs } = yield* send(wallet, address, toUnits(amount), tip)
      if (!(yield* isAccepted(wallet, id))) continue
      // nodes still show coins that are spent in their pool
      const rest = funds.outputs.filter(
        ({ txid, vout }) => !inputs.some((input) => input.txid === txid && input.vout === vout)
      )
      // one of these outputs is the change
      funds.outputs = [{ txid: id, vout: 1 }, { txid: id, vout: 0 }, ...rest]
      return id
    }
    return yield* makeChainError(
      `${name} accepted none of four transactions that pay ${amount} to ${address}`
    )
  })

const launch = (
  name: "bcoin" | "bcash",
  funds: MinerFunds,
  accountType: keys.AccountType | undefined
): Effect.Effect<LaunchedNode, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const password = randomUUID()
    const node = yield* makeProcess(name, yield* requireProgram(name), password)
    const url = (): string => withPassword(node.url, password)
    const ask = makeAsk(name, url)
    /** An account with its address as the node writes it. */
    const toNodeAccount = (account: keys.Account) =>
      Effect.map(ask("validateaddress", account.address), (answer) => ({
        ...account,
        address: textAt(answer, "address")
      }))
    const own = keys.makeUtxoAccounts(versions, accountType)
    const accounts = yield* Effect.forEach(own.accounts, toNodeAccount)
    const miner = yield* toNodeAccount(own.miner)
    const script = textAt(yield* ask("validateaddress", miner.address), "scriptPubKey")
    const wallet: MinerWallet = { name, ask, miner, script, funds }
    return {
      name,
      process: node,
      url,
      accounts,
      miner,
      prepare: Effect.void,
      pay: (address, amount) => pay(wallet, address, amount)
    }
  })

/**
 * Starts `size` nodes of one chain, bcoin or bcash on its regression test network with all indices, in memory, and
 * waits until the chain is mature. They end with the scope and with this process. Fails without the package (`binary`),
 * and with the output of a node that does not come up (`start`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const startChain = (
  size: number,
  options: BcoinOptions = {}
): Effect.Effect<UtxoChain, SandboxError, Scope.Scope> =>
  Effect.suspend(() => {
    const purse: MinerFunds = { outputs: [], spentUpTo: keys.makeUtxoAccounts(versions).accounts.length }
    return launchAll(size, launch(options.program ?? "bcoin", purse, options.accountType), options)
  })

/**
 * Starts a chain with one node; see `startChain`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const start = (options: BcoinOptions = {}): Effect.Effect<UtxoNode, SandboxError, Scope.Scope> =>
  onlyNode(startChain(1, options))
