/**
 * Whether a node serves the chain of the network, by what it says.
 *
 * @since 0.1.0
 */

import type { ChainCheck, NetworkInfo } from "../data/Network.js"
import type { NodeErrorKind } from "../data/SdkError.js"
import { sanitizeText } from "../data/untrusted.js"

/** The longest name of a chain in an error. */
const CHAIN_LENGTH = 200

/**
 * What is wrong with a node that names this chain in its answer, or none: it is not that of the network. Undefined where it is, or where
 * nobody knows which one is.
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
