/** The types of clients of picked endpoints: the compiler checks this file with the rest of the project, nothing runs it. */
import type * as Effect from "effect/Effect"
import { describe, expectTypeOf, it } from "vitest"
import type { RpcOf } from "../../src/chains/registry.js"
import type { Result } from "../../src/data/CallResult.js"
import { ARBITRUM_ONE, BITCOIN, BITCOIN_CASH, DOGECOIN, ETHEREUM, SOLANA } from "../../src/data/rows.js"
import type { BlockNotReached, NoQuorum } from "../../src/data/SdkError.js"
import type { init as initBitcoin } from "../../src/entries/Bitcoin.js"
import type { init } from "../../src/entries/Ethereum.js"
import type { init as initEvm } from "../../src/entries/Evm.js"
import * as Bitcoin from "../../src/pick/bitcoin.js"
import * as OnEffect from "../../src/pick/effect/evm.js"
import * as Evm from "../../src/pick/evm.js"

type Made<P> =
  P extends Promise<infer A> ? A : P extends Effect.Effect<infer A, infer _E, infer _R> ? A : never

const { createClient, getBalance, getBlockByNumber, getTransactionReceipt, rawRpcCall, waitForTransaction } =
  Evm
const endpoints = { getBalance, getBlockByNumber, getTransactionReceipt, waitForTransaction, rawRpcCall }

const promise = () => createClient({ network: ETHEREUM, endpoints })
const rollup = () => createClient({ network: ARBITRUM_ONE, endpoints })
const effect = () => OnEffect.createClient({ network: ETHEREUM, endpoints })

describe("clients of picked endpoints", () => {
  it("have exactly the methods that were picked, typed as in the full client", () => {
    type Full = Pick<Made<ReturnType<typeof init<"ethereum-mainnet">>>["rpc"], keyof typeof endpoints>
    expectTypeOf<Made<ReturnType<typeof promise>>["rpc"]>().toEqualTypeOf<Full>()
    type FullEffect = Pick<RpcOf<"ethereum-mainnet">, keyof typeof endpoints>
    expectTypeOf<Made<ReturnType<typeof effect>>["rpc"]>().toEqualTypeOf<FullEffect>()
    expectTypeOf<Made<ReturnType<typeof promise>>["network"]>().toEqualTypeOf<"ethereum-mainnet">()
  })

  it("have the answers of rollups where the network is one", () => {
    type Full = Pick<Made<ReturnType<typeof initEvm<"arbitrum-one-mainnet">>>["rpc"], keyof typeof endpoints>
    expectTypeOf<Made<ReturnType<typeof rollup>>["rpc"]>().toEqualTypeOf<Full>()
  })

  it("take rows of EVM chains, and the options of the layers that they have", () => {
    // @ts-expect-error: a row of another family
    void createClient({ network: SOLANA, endpoints })
    // @ts-expect-error: the id in place of the row
    void createClient({ network: "ethereum-mainnet", endpoints })
    // @ts-expect-error: batches are a layer
    void createClient({ network: ETHEREUM, endpoints, batch: true })
    void createClient({ network: ETHEREUM, endpoints, layers: { batch: Evm.batch }, batch: true })
    // @ts-expect-error: no endpoint
    void createClient({ network: ETHEREUM, endpoints: { getBalance: "eth_getBalance" } })
  })

  it("have the errors that options bring", async () => {
    const client = await createClient({
      network: ETHEREUM,
      endpoints: { getBalance },
      layers: { quorum: Evm.quorum }
    })
    type Causes<C> = C extends {
      readonly rpc: { readonly getBalance: (address: string) => Promise<Result<bigint, infer E>> }
    }
      ? E
      : never
    type Plain = Causes<typeof client>
    const agreed = client.with({ quorum: { nodes: 3, agree: 2 } })
    expectTypeOf<Exclude<Causes<typeof agreed>, Plain>>().toEqualTypeOf<NoQuorum>()
    const late = client.with({ minBlock: 1n })
    expectTypeOf<Exclude<Causes<typeof late>, Plain>>().toEqualTypeOf<BlockNotReached>()
    const bare = await createClient({ network: ETHEREUM, endpoints: { getBalance } })
    const steady = await createClient({
      network: ETHEREUM,
      endpoints: { getBalance },
      consistency: "monotonic"
    })
    expectTypeOf<Exclude<Causes<typeof steady>, Plain>>().toEqualTypeOf<BlockNotReached>()
    // @ts-expect-error: quorums are a layer
    bare.with({ quorum: { nodes: 3, agree: 2 } })
  })

  it("are those of Bitcoin, typed as in the full clients", () => {
    const { createClient, estimateFee, getBlock, rawRpcCall, waitForTransaction } = Bitcoin
    const picked = { getBlock, rawRpcCall, waitForTransaction }
    const bitcoin = () => createClient({ network: BITCOIN, endpoints: picked })
    type Full = Pick<Made<ReturnType<typeof initBitcoin<"bitcoin-mainnet">>>["rpc"], keyof typeof picked>
    expectTypeOf<Made<ReturnType<typeof bitcoin>>["rpc"]>().toEqualTypeOf<Full>()
    const cash = () => createClient({ network: BITCOIN_CASH, endpoints: { estimateFee } })
    type FullCash = Pick<Made<ReturnType<typeof initBitcoin<"bitcoin-cash-mainnet">>>["rpc"], "estimateFee">
    expectTypeOf<Made<ReturnType<typeof cash>>["rpc"]>().toEqualTypeOf<FullCash>()
    // @ts-expect-error: its nodes take other arguments
    void createClient({ network: DOGECOIN, endpoints: { getBlock } })
  })
})
