import type { ReactElement } from "react"
import type { Network } from "../../../src/data/Network.js"
import { useRead } from "../../index.js"
import { findOwnNetwork } from "../networks.js"
import { usePlayground } from "../session.js"
import { Address, type AddressProps, Hash } from "./Values.js"

type ExplorerPath = "explorer.address" | "explorer.tx"

/** The page in the network's explorer; undefined on a sandbox's copy of a network, which no explorer shows. */
const useLink = (path: ExplorerPath, value: string): string | undefined => {
  const { network, isOnSandbox } = usePlayground()
  const enabled = !isOnSandbox || findOwnNetwork(network) !== undefined
  return useRead<ExplorerPath, Network>(path, [value], {
    network,
    enabled,
    staleTime: Number.POSITIVE_INFINITY
  }).data
}

/** An address of the current network, linked to its page in the explorer if there is one. */
export const LinkedAddress = (props: AddressProps): ReactElement => (
  <Address {...props} href={useLink("explorer.address", props.value)} />
)

/** The hash of a transaction, linked to its page in the explorer if there is one. */
export const LinkedHash = (props: AddressProps): ReactElement => (
  <Hash {...props} href={useLink("explorer.tx", props.value)} />
)
