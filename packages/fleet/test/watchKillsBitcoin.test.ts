/** A watcher of Litecoin whose runners are killed, over Litecoin Core. */

import type * as Scope from "effect/Scope"
import { scriptOf } from "effect-chains/effect/signers/Bitcoin"
import * as Litecoind from "../../../src/sandbox/nodes/Litecoind.js"
import { present } from "../../../test/nodes/process.js"
import { ask } from "./evm.js"
import { blockTime, ofLitecoin, open } from "./watchingBitcoin.js"
import { below, type Chain, killRunners, one } from "./watchKills.js"

const litecoind = present("litecoind", "watchers of Litecoin whose runners are killed")

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
  } = await open(Litecoind.start({ command: litecoind ?? "", blockTime }), scope, ofLitecoin)
  const accounts = node.accounts.map(({ address }) => address)
  const set = new Set([...accounts, await minerAt(await height())])
  return {
    url,
    watched: [...set].map(ofLitecoin),
    keyOf: (address) => scriptOf(address, "litecoin-testnet") ?? "",
    from: (await height()) + 1,
    head: height,
    hashAt,
    paymentsAt: (at) => lines(at, set),
    grow: async () => {
      for (let block = below(3) + 1; block > 0; block--) {
        for (let i = below(4) + 1; i > 0; i--) await fund(one(accounts), `0.${below(1e6) + 1e6}`)
        await mine()
      }
    },
    reorganise: async (depth) => {
      await ask(url, "invalidateblock", await hashAt((await height()) + 1 - depth))
      // the same transactions would make the same block, which is not taken any more
      await fund(one(accounts), "0.5")
      await mine(depth + below(2))
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
