import type { SolanaRpcApi } from "@solana/rpc-api"

export interface Answers extends SolanaRpcApi {}
