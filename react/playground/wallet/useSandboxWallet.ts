import { useEffect, useState } from "react"
import type { Network } from "../../../src/data/Network.js"
import type { AdminClient } from "../../../src/sandbox/Client.js"
import { info, isNetwork } from "../networks.js"
import { run, usePlayground } from "../session.js"
import { askUser } from "./Prompt.js"
import { announceWallet, type Chain, SandboxWallet } from "./SandboxWallet.js"

/** The chains that the sandbox runs, each with a node that answers. */
const listChains = async (admin: AdminClient): Promise<ReadonlyArray<Chain>> => {
  const found = await run(admin.networks())
  if (found.status === "failed") throw found.error
  return found.value.flatMap(({ chainId, network, nodes }) => {
    const node = nodes.find(({ state }) => state === "running") ?? nodes[0]
    return chainId === undefined || node === undefined
      ? []
      : [
          {
            id: BigInt(chainId),
            name: network,
            // a sandbox can run chains that no table has
            symbol: isNetwork(network) ? info(network).symbol : "ETH",
            url: node.url
          }
        ]
  })
}

/** The wallet lives as long as the page, like that of an extension. */
const installed: { wallet?: SandboxWallet; admin?: AdminClient } = {}

const installWallet = (
  admin: AdminClient,
  accounts: ReadonlyArray<string>,
  network: Network
): SandboxWallet => {
  if (installed.wallet !== undefined && installed.admin === admin) return installed.wallet
  const wallet = new SandboxWallet({
    accounts,
    chain: BigInt(info(network).chainId ?? 1),
    chains: () => listChains(admin),
    ask: askUser
  })
  installed.wallet = wallet
  installed.admin = admin
  announceWallet(wallet)
  return wallet
}

/** The sandbox's wallet, announced on the page; undefined without a sandbox, and until it is installed. */
export const useSandboxWallet = (): SandboxWallet | undefined => {
  const { admin, network, sandbox } = usePlayground()
  const [wallet, setWallet] = useState(admin === undefined ? undefined : installed.wallet)
  useEffect(() => {
    if (admin === undefined || sandbox === undefined) return setWallet(undefined)
    setWallet(
      installWallet(
        admin,
        sandbox.accounts.map(({ address }) => address),
        network
      )
    )
  }, [admin, sandbox, network])
  return wallet
}
