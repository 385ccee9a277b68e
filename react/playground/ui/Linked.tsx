import type { ReactElement } from "react"
import type { Network } from "../../../src/data/Network.js"
import { useRead } from "../../index.js"
import { findOwnNetwork } from "../networks.js"
import { usePlayground } from "../session.js"
import { Address, type AddressProps, Hash } from "./Values.js"

type ExplorerPath = "explorer.address" | "explorer.tx"

/** The page in the network's explorer. What happens on a sandbox's copy of a network is on no explorer of that network. */
const useLink = (path: ExplorerPath, value: string): string | undefined => {
  const { network, isOnSandbox } = usePlayground()
  const enabled = !isOnSandbox || findOwnNetwork(network) !== undefined
  return useRead<ExplorerPath, Network>(path, [value], {
    network,
    enabled,
    staleTime: Number.POSITIVE_INFINITY
  }).data
}

/** An address of the network at hand, with the link to its page in the explorer, where there is one. */
export const LinkedAddress = (props: AddressProps): ReactElement => (
  <Address {...props} href={useLink("explorer.address", props.value)} />
)

/** The hash of a transaction, with the link to its page in the explorer, where there is one. */
export const LinkedHash = (props: AddressProps): ReactElement => (
  <Hash {...props} href={useLink("explorer.tx", props.value)} />
)
