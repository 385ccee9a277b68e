/**
 * Litecoin Core: the JSON-RPC of Bitcoin Core, whose errors come with HTTP 500 and 404.
 *
 * @since 0.1.0
 */
import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { SandboxError } from "../SandboxError.js"
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
 * The program to start: the litecoind at `command`, by default the one on the PATH.
 *
 * @since 0.1.0
 * @category models
 */
export interface LitecoindOptions extends UtxoOptions {
  readonly command?: string
}

const versions: keys.VersionBytes = { address: 0x6f, privateKey: 0xef, bech32: "rltc" }

const launch = (options: LitecoindOptions): Effect.Effect<LaunchedNode, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const name = "litecoind"
    const command = options.command ?? (yield* requireProgram(name))
    const password = randomUUID()
    const withPassword = (url: string): string => url.replace("//", `//sandbox:${password}@`)
    const node = yield* Process.make({
      name,
      command,
      args: (port, folder) => [
        "-regtest",
        `-datadir=${folder}`,
        "-server",
        "-rpcuser=sandbox",
        `-rpcpassword=${password}`,
        `-rpcport=${port}`,
        "-rpcbind=127.0.0.1",
        "-rpcallowip=127.0.0.1",
        "-rpcworkqueue=256",
        "-rest=1",
        "-listen=0",
        "-txindex=1",
        "-blockfilterindex=1",
        "-fallbackfee=0.0002",
        "-dnsseed=0",
        "-printtoconsole=0"
      ],
      ready: (url) =>
        Effect.map(makeAsk(name, () => withPassword(url))("getblockcount"), (count) => count === 0)
    })
    const url = (): string => withPassword(node.url)
    const ask = makeAsk(name, url)
    const { accounts, miner } = keys.makeUtxoAccounts(versions, options.accountType)
    return {
      name,
      process: node,
      url,
      accounts,
      miner,
      prepare: Effect.zipRight(
        ask("createwallet", "sandbox"),
        ask("importprivkey", miner.privateKey, "miner", false)
      ),
      pay: (address, amount) =>
        Effect.gen(function* () {
          const draft = yield* ask("createrawtransaction", [], { [address]: amount })
          // The change goes to an address that the wallet knows after a restart.
          const paid = yield* ask("fundrawtransaction", draft, { changeAddress: miner.address })
          const signed = yield* ask("signrawtransactionwithwallet", textAt(paid, "hex"))
          return String(yield* ask("sendrawtransaction", textAt(signed, "hex")))
        })
    }
  })

/**
 * Starts `size` nodes of one chain, litecoind on its regression test network with an index of transactions and a wallet
 * with the miner's coins, and waits until the chain is mature. They end with the scope and with this process. Fails
 * without the program (`binary`), and with the output of a node that does not come up (`start`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const startChain = (
  size: number,
  options: LitecoindOptions = {}
): Effect.Effect<UtxoChain, SandboxError, Scope.Scope> => launchAll(size, launch(options), options)

/**
 * Starts a chain with one node; see `startChain`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const start = (options: LitecoindOptions = {}): Effect.Effect<UtxoNode, SandboxError, Scope.Scope> =>
  onlyNode(startChain(1, options))
