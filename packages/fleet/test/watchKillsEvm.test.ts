/** A watcher of EVM chains whose runners are killed, over anvil. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Scope from "effect/Scope"
import { Anvil } from "effect-chains/sandbox"
import { ask } from "./evm.js"
import { deployContract, encodeTransfer, listAccounts, loggingCode, paymentsAt, send } from "./evmWatching.js"
import { type Chain, killRunners, pickOne, randomBelow } from "./watchKills.js"

const anvil = await Effect.runPromise(Effect.either(Anvil.binary))
if (Either.isLeft(anvil)) {
  if (process.env.CI === "true") throw anvil.left
  console.log("left out: watchers whose runners are killed (no anvil binary)")
}

const overAnvil = async (scope: Scope.Scope): Promise<Chain> => {
  const { url } = await Effect.runPromise(Scope.extend(Anvil.start({ chainId: 1, noMining: true }), scope))
  const watched = Array.from(
    { length: 12 },
    (_, i) => `0x${(i + 1).toString(16).padStart(2, "0").repeat(20)}`
  )
  const set = new Set(watched)
  const [payer = ""] = await listAccounts(url)
  const token = await deployContract(url, payer, loggingCode)
  const head = async () => Number(await ask<string>(url, "eth_blockNumber"))
  return {
    url,
    watched,
    keyOf: (address) => address.toLowerCase(),
    from: (await head()) + 1,
    head,
    hashAt: async (height) =>
      (await ask<{ hash: string }>(url, "eth_getBlockByNumber", `0x${height.toString(16)}`, false)).hash,
    paymentsAt: (height) => paymentsAt(url, height, set),
    grow: async () => {
      for (let block = randomBelow(3) + 1; block > 0; block--) {
        for (let i = randomBelow(24); i > 0; i--)
          if (randomBelow(2) === 0)
            await send(url, payer, { to: pickOne(watched), value: BigInt(randomBelow(1_000)) })
          else
            await send(url, payer, {
              to: token,
              data: encodeTransfer(pickOne(watched), pickOne(watched), BigInt(randomBelow(1_000)))
            })
        await ask(url, "evm_mine")
      }
    },
    // of the same length: it is believed when it has been seen twice
    reorganise: (depth) => ask(url, "anvil_reorg", depth, [])
  }
}

killRunners({ family: "evm", name: "anvil", isThere: Either.isRight(anvil), rounds: 6, make: overAnvil })
