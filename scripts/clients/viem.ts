import type { BundlerRpcSchema, PublicRpcSchema, TestRpcSchema, WalletRpcSchema } from "viem"

/** The answers of a list of methods. */
export type Of<S extends ReadonlyArray<{ readonly Method: string; readonly ReturnType: unknown }>> = {
  readonly [M in S[number] as M["Method"]]: M["ReturnType"]
}

/** `txpool_content` is declared with viem's own transactions, which are not nodes' answers. */
type Pool = Pick<Of<TestRpcSchema<"anvil">>, "txpool_inspect" | "txpool_status">

export interface Answers extends Of<PublicRpcSchema>, Pool, Omit<Of<BundlerRpcSchema>, "eth_chainId"> {
  readonly eth_syncing: Of<WalletRpcSchema>["eth_syncing"]
}
