/** Step 1: the clients of the three chains that the shop takes payments on, and its wallet. */
import { FetchHttpClient } from "@effect/platform"
import { Context, Effect, Layer, type Redacted } from "effect"
import { Sdk } from "effect-chains"
import * as BitcoinSigner from "effect-chains/effect/signers/Bitcoin"
import * as EvmSigner from "effect-chains/effect/signers/Evm"
import * as SolanaSigner from "effect-chains/effect/signers/Solana"

// #region clients
export class Ethereum extends Sdk.Tag("shop/Ethereum", "ethereum-sepolia")<Ethereum>() {}
export class Bitcoin extends Sdk.Tag("shop/Bitcoin", "bitcoin-testnet")<Bitcoin>() {}
export class Solana extends Sdk.Tag("shop/Solana", "solana-devnet")<Solana>() {}

/** Without `provider` the clients ask the hosted provider, and payments are real ones of the test networks. */
const config = { provider: "sandbox" } as const

export const clients = Layer.mergeAll(
  Ethereum.layer(config),
  Bitcoin.layer(config),
  Solana.layer(config)
).pipe(Layer.provide(FetchHttpClient.layer))

export const networks = {
  ethereum: "ethereum-sepolia",
  bitcoin: "bitcoin-testnet",
  solana: "solana-devnet"
} as const
export type Chain = keyof typeof networks
export const chains = ["ethereum", "bitcoin", "solana"] as const satisfies ReadonlyArray<Chain>
export const decimals = { ethereum: 18, bitcoin: 8, solana: 9 } as const satisfies Record<Chain, number>
// #endregion clients

// #region wallet
/** The words of the shop's wallet. Account 0 is the treasury, and each order has the account of its id. */
export class Wallet extends Context.Tag("shop/Wallet")<Wallet, { readonly mnemonic: Redacted.Redacted }>() {}

const makeAccount = {
  ethereum: (index: number) =>
    Effect.flatMap(Effect.all([Ethereum, Wallet]), ([client, { mnemonic }]) =>
      EvmSigner.make(client, { mnemonic, index })
    ),
  bitcoin: (index: number) =>
    Effect.flatMap(Effect.all([Bitcoin, Wallet]), ([client, { mnemonic }]) =>
      BitcoinSigner.make(client, { mnemonic, index })
    ),
  solana: (index: number) =>
    Effect.flatMap(Effect.all([Solana, Wallet]), ([client, { mnemonic }]) =>
      SolanaSigner.make(client, { mnemonic, index })
    )
}
// #endregion wallet

/** What the signers of all families have, as far as the shop pays with them. */
export interface Account {
  readonly address: string
  readonly prepare: (payment: EvmSigner.Payment) => Effect.Effect<unknown, EvmSigner.PrepareError>
  readonly send: (
    payment: EvmSigner.Payment & EvmSigner.SendOptions
  ) => Effect.Effect<unknown, EvmSigner.PrepareError | EvmSigner.SubmitError>
}

export const accountOf = (
  chain: Chain,
  index: number
): Effect.Effect<Account, EvmSigner.SignerError, Ethereum | Bitcoin | Solana | Wallet> =>
  makeAccount[chain](index)

/** The accounts that refunds are paid from (step 6). */
export const treasury = {
  ethereum: makeAccount.ethereum(0),
  bitcoin: makeAccount.bitcoin(0),
  solana: makeAccount.solana(0)
}
