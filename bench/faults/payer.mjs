/** A process with one wallet: `node bench/faults/payer.mjs NAME`. */
import { pathToFileURL } from "node:url"
import { serve } from "../ipc.mjs"
import { wallets } from "../wallets.mjs"

const [name] = process.argv.slice(2)

let wallet

/** Errors of the wallet that nobody waits for are its own affair, and end no measurement. */
process.on("unhandledRejection", () => {})

serve({
  make: async ({ dist, key, urls }) => {
    const imported = (path, build) => import(pathToFileURL(`${dist}/${build}/${path}`).href)
    wallet = await wallets[name](urls, { imported, key })
  },
  /** Pays, and after an error once more. `isTold`: the first word of the wallet on it was not that nothing was paid. */
  pay: async (payment) => {
    try {
      return { hash: await wallet.pay(payment), isTold: true }
    } catch (error) {
      const again = wallet.again(error)
      const hash = await (again ?? (() => wallet.pay(payment)))().catch(() => undefined)
      return { hash, isTold: again !== undefined }
    }
  },
  close: () => wallet.close()
})
