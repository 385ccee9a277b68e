/** The page's wallet as a signer. */
import * as Effect from "effect/Effect"
import type { Sdk } from "../src/client/Sdk.js"
import type { WalletConnectError, WalletSwitchError } from "../src/services/WalletProvider.js"
import { type EvmSigner, make } from "../src/signers/Evm.js"
import type { SignerError } from "../src/signers/Signer.js"

/**
 * The errors of signing with the page's wallet.
 *
 * @since 0.1.0
 * @category errors
 */
export type PageWalletError = WalletConnectError | WalletSwitchError | SignerError

/** Makes a signer of the wallet that the user has chosen, on the network's chain. */
export const pageSigner = (sdk: Sdk): Effect.Effect<EvmSigner, PageWalletError> => {
  // on networks without browser wallets, `wallet` fails with that reason: only clients of EVM chains get further
  const evmClient = sdk as unknown as Sdk<"ethereum-mainnet">
  return Effect.flatMap(evmClient.wallet.getProvider(), (eip1193) => make(evmClient, { eip1193 }))
}
