/** The wallet of the page as a signer. */
import * as Effect from "effect/Effect"
import type { Sdk } from "../src/client/Sdk.js"
import type { WalletConnectError, WalletSwitchError } from "../src/services/WalletProvider.js"
import { type EvmClient, type EvmSigner, make } from "../src/signers/Evm.js"
import type { SignerError } from "../src/signers/Signer.js"

/**
 * The errors of having the wallet of the page sign.
 *
 * @since 0.1.0
 * @category errors
 */
export type PageWalletError = WalletConnectError | WalletSwitchError | SignerError

/** A signer of the wallet that the user has chosen, on the chain of the network. */
export const pageSigner = (client: Sdk): Effect.Effect<EvmSigner, PageWalletError> => {
  // networks without wallets have one that says so
  const { wallet } = client as unknown as Sdk<"ethereum-mainnet">
  return Effect.flatMap(wallet.getProvider(), (eip1193) =>
    // where there is a wallet, the client is one of an EVM chain
    make(client as unknown as EvmClient, { eip1193 })
  )
}
