/**
 * Compares the chain that a node names with that of the network.
 *
 * @since 0.1.0
 */

import type { ChainCheck, NetworkInfo } from "../data/Network.js"
import type { NodeErrorKind } from "../data/SdkError.js"
import { sanitizeText } from "../data/untrusted.js"

/** The longest chain name in an error, in characters. */
const CHAIN_LENGTH = 200

/**
 * The problem of a node whose answer names `chain`. Undefined if that is the network's chain, or if the network has no known chain id.
 *
 * @since 0.1.0
 * @category getters
 */
export const findChainProblem = (
  {
    expected = ({ chainId }) => chainId,
    isExpected = (chain, to) => chain === String(expected(to))
  }: ChainCheck,
  chain: string | undefined,
  network: NetworkInfo
): { readonly kind: NodeErrorKind; readonly reason: string } | undefined => {
  const right = expected(network)
  if (right === undefined) return undefined
  if (chain === undefined) return { kind: "malformed", reason: "the node does not say which chain it serves" }
  return isExpected(chain, network)
    ? undefined
    : {
        kind: "wrong-chain",
        reason: `the node serves the chain ${sanitizeText(chain, undefined, CHAIN_LENGTH)}, and not ${right}`
      }
}
