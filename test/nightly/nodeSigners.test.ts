/**
 * Ten thousand random payments each on Surfpool (Solana), bcash (Bitcoin Cash) and the emulator of TON: what leaves the account in the
 * chain is at most what the preview said.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as fc from "effect/FastCheck"
import * as Scope from "effect/Scope"
import { expect, it } from "vitest"
import { encodeBase58 } from "../../src/chains/internal/base58.js"
import { signer as solana } from "../../src/entries/signers/Solana.js"
import { init, type PromiseSdk, type Result } from "../../src/promise.js"
import * as Surfpool from "../../src/sandbox/nodes/Surfpool.js"
import { associated } from "../../src/signers/solana/kit.js"
import { extension, feeConfig, holdingData, mintData } from "../nodes/mints.js"
import { present } from "../nodes/process.js"
import { all, bytes, capOf, mnemonic, terms } from "./previews.js"

const take = <A, E>(result: Result<A, E>): A => {
  if (result.status === "SUCCESS") return result.data
  throw result.error.cause
}

const effectOf = <A, E>(call: () => Promise<Result<A, E>>): Effect.Effect<A, unknown> =>
  Effect.flatMap(Effect.promise(call), (result) =>
    result.status === "SUCCESS" ? Effect.succeed(result.data) : Effect.fail(result.error.cause)
  )

/** Runs with nodes, which end with it. */
const withNodes = async (use: (scope: Scope.CloseableScope) => Promise<void>): Promise<void> => {
  const scope = Effect.runSync(Scope.make())
  try {
    await use(scope)
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

const timeout = 1_800_000
const programs = {
  token: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  token2022: "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"
}
const mark = extension(7, Buffer.alloc(0))

/** Mints, and what an account of each has behind its fixed layout. */
const mints = [
  { program: programs.token, data: mintData(), marks: Buffer.alloc(0) },
  { program: programs.token2022, data: mintData(), marks: mark },
  {
    program: programs.token2022,
    data: mintData(feeConfig()),
    marks: Buffer.concat([mark, extension(2, Buffer.alloc(8))])
  }
].map((mint, i) => ({ ...mint, address: encodeBase58(new Uint8Array(32).fill(200 + i)) }))

const HELD = 10n ** 15n

/** An account of Surfpool with coins and tokens. */
const openSolana = async (node: Surfpool.SurfpoolNode, sdk: PromiseSdk<"solana-devnet">, index: number) => {
  const account = take(await solana(sdk, { mnemonic, index }))
  const friend = encodeBase58(new Uint8Array(32).fill(100 + index))
  await Effect.runPromise(node.fund(account.address, "10000"))
  await Effect.runPromise(node.fund(friend, "1"))
  const sources = await Promise.all(
    mints.map(({ address, program }) => associated(account.address, address, program))
  )
  const cheat = async (method: string, ...params: ReadonlyArray<unknown>) =>
    take(await sdk.rpc.rawRpcCall({ method, params }))
  for (const [i, { address, data, marks, program }] of mints.entries()) {
    const put = (to: string, bytes: Buffer) =>
      cheat("surfnet_setAccount", to, {
        lamports: (bytes.length + 128) * 6_960,
        data: bytes.toString("hex"),
        owner: program,
        executable: false
      })
    await put(address, data)
    if (program === programs.token)
      await cheat("surfnet_setTokenAccount", account.address, address, { amount: Number(HELD) }, program)
    else await put(sources[i] ?? "", holdingData(address, account.address, HELD, marks))
  }
  /** Its coins, and what it has of each token. */
  const holdings = async (): Promise<ReadonlyArray<bigint>> => {
    const addresses = [account.address, ...sources]
    const config = { commitment: "confirmed", encoding: "base64" } as const
    const [own, ...held] = take(await sdk.rpc.getMultipleAccounts(addresses, config)).value
    const tokens = held.map((each) => Buffer.from(String(Object(each).data[0]), "base64").readBigUInt64LE(64))
    return [own?.lamports ?? 0n, ...tokens]
  }
  return { account, friend, holdings, held: await holdings(), known: new Set<number>() }
}

/** Waits until a payment is in the chain: slots are shorter than those that clients wait for. */
const confirmed = async (sdk: PromiseSdk<"solana-devnet">, hash: string): Promise<void> => {
  while (true) {
    const [status] = take(await sdk.rpc.getSignatureStatuses([hash])).value
    if (status?.confirmationStatus === "confirmed" || status?.confirmationStatus === "finalized")
      return expect(status.err).toBeNull()
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

it.runIf(present("surfpool", "random payments on Solana"))(
  "payments on Surfpool take what their previews say",
  { timeout },
  () =>
    withNodes(async (scope) => {
      const node = await Effect.runPromise(Scope.extend(Surfpool.start({ slotTime: 100 }), scope))
      const sdk = await init({ network: "solana-devnet", rpc: { nodes: [{ url: node.url }] }, quiet: true })
      const LANES = 16
      const lanes = await Promise.all(Array.from({ length: LANES }, (_, i) => openSolana(node, sdk, i)))
      const payment = fc.record({
        ...terms,
        to: bytes(32),
        kind: fc.nat(mints.length - 1),
        isDirect: fc.boolean()
      })
      const family = { name: "Solana", payment, decimals: { coins: 9, tokens: 6 }, lanes: LANES }
      await all(family, async (given, _, lane) => {
        const { amount, isDirect, isNew, isToken, kind, memo } = given
        const own = lanes[lane] ?? expect.fail()
        const { account, friend, known } = own
        const { address: token, program } = mints[kind] ?? expect.fail()
        const receiver = isNew ? encodeBase58(given.to) : friend
        const isThere = isToken && !isNew && known.has(kind)
        const to = isThere && isDirect ? await associated(receiver, token, program) : receiver
        const options = {
          to,
          amount,

          ...(memo === undefined ? {} : { memo }),
          ...capOf(given)
        }
        return {
          send: effectOf(() => (isToken ? account.sendToken({ ...options, token }) : account.send(options))),
          left: async (hash) => {
            await confirmed(sdk, hash)
            if (isToken && !isNew) known.add(kind)
            const [before, after] = [own.held, await own.holdings()]
            own.held = after
            const [coins = 0n, ...all] = before.map((had, i) => had - (after[i] ?? 0n))
            const tokens = all.reduce((sum, each) => sum + each, 0n)
            return { amount: isToken ? tokens : coins - 5_000n, coins, tokens }
          },
          refused: !isToken && isNew && amount < 890_880n ? "DustAmount" : undefined
        }
      })
      await sdk.destroy()
    })
)
