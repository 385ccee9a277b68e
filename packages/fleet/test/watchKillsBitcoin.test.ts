/** A watcher of Litecoin whose runners are killed, over Litecoin Core. */

import type * as Scope from "effect/Scope"
import { scriptOf } from "effect-chains/effect/signers/Bitcoin"
import * as Litecoind from "../../../src/sandbox/nodes/Litecoind.js"
import { requireBinary } from "../../../test/nodes/process.js"
import { blockTime, openNode, toLitecoin } from "./bitcoinWatching.js"
import { ask } from "./evm.js"
import { type Chain, killRunners, pickOne, randomBelow } from "./watchKills.js"

const litecoind = requireBinary("litecoind", "watchers of Litecoin whose runners are killed")

/** Payments from the miner, whose change and rewards are payments, too. */
const overLitecoind = async (scope: Scope.Scope): Promise<Chain> => {
  const {
    fund,
    hashAt,
    height,
    mine,
    minerAt,
    node,
    paymentsAt: lines,
    url
  } = await openNode(Litecoind.start({ command: litecoind ?? "", blockTime }), scope, toLitecoin)
  const accounts = node.accounts.map(({ address }) => address)
  const set = new Set([...accounts, await minerAt(await height())])
  return {
    url,
    watched: [...set].map(toLitecoin),
    keyOf: (address) => scriptOf(address, "litecoin-testnet") ?? "",
    from: (await height()) + 1,
    head: height,
    hashAt,
    paymentsAt: (at) => lines(at, set),
    grow: async () => {
      for (let block = randomBelow(3) + 1; block > 0; block--) {
        for (let i = randomBelow(4) + 1; i > 0; i--)
          await fund(pickOne(accounts), `0.${randomBelow(1e6) + 1e6}`)
        await mine()
      }
    },
    reorganise: async (depth) => {
      await ask(url, "invalidateblock", await hashAt((await height()) + 1 - depth))
      // the same transactions would make the same block, which is not taken any more
      await fund(pickOne(accounts), "0.5")
      await mine(depth + randomBelow(2))
    }
  }
}

killRunners({
  family: "bitcoin",
  name: "litecoind",
  isThere: litecoind !== undefined,
  rounds: 2,
  make: overLitecoind
})
