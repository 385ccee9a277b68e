/**
 * Surfpool: a Solana cluster of one node.
 *
 * @since 0.1.0
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { withRealClock } from "../Loopback.js"
import { SandboxError } from "../SandboxError.js"
import { requireProgram } from "./binaries.js"
import * as keys from "./keys.js"
import * as Process from "./Process.js"
import { withSockets } from "./Socket.js"
import { makeAsk } from "./Utxo.js"

/**
 * The options of a node. A slot lasts `slotTime` milliseconds (default: 50, so that a transaction is final after 1.5
 * seconds).
 *
 * @since 0.1.0
 * @category models
 */
export interface SurfpoolOptions {
  readonly slotTime?: number
}

/**
 * A Solana node. It chooses its ports itself, so a restart changes `url`; `handler` always goes to the current one. A
 * restart begins at genesis. Slots pass by themselves, and `mine` waits for them. `accounts` have 1,000 SOL each.
 * `fund` gives an address `amount` (a decimal string, in whole SOL) and yields the signature of the confirmed
 * transaction.
 *
 * @since 0.1.0
 * @category models
 */
export interface SurfpoolNode extends Process.ChainNode {
  /** The url of subscriptions, which has a port of its own. */
  readonly wsUrl: string
  readonly accounts: ReadonlyArray<keys.Account>
  readonly fund: (address: string, amount: string) => Effect.Effect<string, SandboxError>
}

/**
 * Runs the native module in a process of its own. A rename puts its url into place, so that the file is never
 * incomplete. The module queues 1,024 events, one per slot and more per transaction. When the queue is full, the node
 * waits with its state locked: no call is answered, except `getHealth`, which does not read the state and says ok. So
 * the queue is drained, although nothing needs the events. The timer also keeps the process alive.
 */
const HOST_SCRIPT = `
const { renameSync, writeFileSync } = require("node:fs")
const [, file, folder, options] = process.argv
const { Surfnet } = require(file)
const surfnet = Surfnet.startWithConfig(JSON.parse(options))
setInterval(() => surfnet.drainEvents(), 100)
writeFileSync(folder + "/socket", surfnet.wsUrl)
writeFileSync(folder + "/draft", surfnet.rpcUrl)
renameSync(folder + "/draft", folder + "/url")
`

const LAMPORTS = 1_000_000_000n

const toLamports = (amount: string): Effect.Effect<number, SandboxError> => {
  const [, whole = "", rest = ""] = /^(\d{1,6})(?:\.(\d{1,9}))?$/.exec(amount) ?? []
  const value = BigInt(whole) * LAMPORTS + BigInt(rest.padEnd(9, "0"))
  return value > 0n
    ? Effect.succeed(Number(value))
    : new SandboxError({
        reason: "options",
        message: `"${amount}" is not an amount: give a decimal number of SOL above 0 and below 1,000,000, with at most 9 digits after the point`
      })
}

const NAME = "surfpool"

/** Gives an address coins, and yields the signature of the transaction once it is confirmed. */
const makeFaucet = (ask: ReturnType<typeof makeAsk>) => {
  const isConfirmed = (signature: string) =>
    Effect.map(ask("getSignatureStatuses", [signature]), (answer) =>
      // the answer has this field for failed transactions too
      /"confirmationStatus":"(confirmed|finalized)"/.test(JSON.stringify(answer))
    )
  return (address: string, lamports: number) =>
    Effect.gen(function* () {
      const signature = String(yield* ask("requestAirdrop", address, lamports))
      yield* isConfirmed(signature).pipe(
        Effect.delay("20 millis"),
        Effect.repeat({ until: (confirmed) => confirmed }),
        Effect.timeoutFail({
          duration: "1 minute",
          onTimeout: () =>
            new SandboxError({ reason: "chain", message: `${NAME} does not confirm ${signature}` })
        })
      )
      return signature
    })
}

/** Starts the process, which writes its urls into its folder. */
const startProcess = (file: string, slotTimeMs: number) => {
  const config = { offline: true, slotTimeMs, blockProductionMode: "clock" }
  let socket = ""
  return Effect.map(
    Process.make({
      name: NAME,
      command: process.execPath,
      args: (_port, folder) => ["-e", HOST_SCRIPT, "--", file, folder, JSON.stringify(config)],
      url: (folder) => {
        const path = join(folder, "url")
        if (!existsSync(path)) return undefined
        socket = readFileSync(join(folder, "socket"), "utf8")
        return readFileSync(path, "utf8")
      },
      ready: (url) => Effect.as(makeAsk(NAME, () => url)("getLatestBlockhash"), true)
    }),
    (child) => ({ child, socketUrl: () => socket })
  )
}

/**
 * Starts Surfpool, offline, in a process of its own and waits until it answers and the accounts have their coins. It
 * ends with the scope and with this process. Fails without the package (`binary`), and with its output if it does not
 * come up (`start`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const start = (
  options: SurfpoolOptions = {}
): Effect.Effect<SurfpoolNode, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const file = yield* requireProgram(NAME)
    const { child, socketUrl } = yield* startProcess(file, options.slotTime ?? 50)
    const url = (): string => child.url
    const ask = makeAsk(NAME, url)
    const drop = makeFaucet(ask)
    const processed = { commitment: "processed" }
    const height = Effect.map(ask("getBlockHeight", processed), Number)
    const accounts = keys.makeSolanaAccounts()

    const prepare = Effect.forEach(accounts, ({ address }) => drop(address, Number(1_000n * LAMPORTS)), {
      concurrency: 4,
      discard: true
    }).pipe(Effect.tapErrorCause(() => child.stop))

    yield* prepare
    const turn = yield* Effect.makeSemaphore(1)
    const node: SurfpoolNode = {
      get url() {
        return child.url
      },
      get wsUrl() {
        return socketUrl()
      },
      pid: child.pid,
      state: child.state,
      start: turn
        .withPermits(1)(
          Effect.gen(function* () {
            if ((yield* child.state) !== "stopped") return
            yield* child.start
            yield* prepare
          })
        )
        .pipe(withRealClock),
      stop: child.stop,
      freeze: child.freeze,
      resume: child.resume,
      handler: withSockets({
        url: socketUrl,
        subscriptionMethods: /(?:Subscribe|Unsubscribe)$/,
        handler: Process.forwardTo(url)
      }),
      height,
      mine: (blocks) =>
        Effect.flatMap(height, (before) =>
          height.pipe(Effect.delay("20 millis"), Effect.repeat({ until: (now) => now >= before + blocks }))
        ).pipe(Effect.asVoid, withRealClock),
      accounts,
      fund: (address, amount) =>
        Effect.flatMap(toLamports(amount), (value) => drop(address, value)).pipe(withRealClock)
    }
    return node
  }).pipe(withRealClock)
