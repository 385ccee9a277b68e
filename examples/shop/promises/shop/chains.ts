/** Step 1: the clients of the three chains that the shop takes payments on. */
import { init, type Result, type SdkError } from "effect-chains/promise"

// #region connect
export interface Connection {
  readonly provider?: string
  readonly apiKey?: string
}

/** Without `provider` the clients ask the hosted provider, and payments are real ones of the test networks. */
export const connect = async (connection: Connection = { provider: "sandbox" }) => ({
  ethereum: await init({ network: "ethereum-sepolia", ...connection }),
  bitcoin: await init({ network: "bitcoin-testnet", ...connection }),
  solana: await init({ network: "solana-devnet", ...connection })
})

export type Clients = Awaited<ReturnType<typeof connect>>
export type Chain = keyof Clients
// #endregion connect

export const chains = ["ethereum", "bitcoin", "solana"] as const satisfies ReadonlyArray<Chain>

export const decimals = { ethereum: 18, bitcoin: 8, solana: 9 } as const satisfies Record<Chain, number>

export const disconnect = async (clients: Clients): Promise<void> => {
  for (const chain of chains) await clients[chain].destroy()
}

// #region unwrap
/** The data of a result. Throws its error. */
export const unwrap = <A>(result: Result<A, SdkError>): A => {
  if (result.status === "ERROR") throw result.error.cause
  return result.data
}
// #endregion unwrap
