/** Types of hooks and of options over clients of picked calls: the compiler checks this file with the rest of the project, nothing runs it. */
import type * as Effect from "effect/Effect"
import { describe, expectTypeOf, it } from "vitest"
import { ClientProvider, type HookClient } from "../../react/clients.js"
import { rpcQueryOptions } from "../../react/query.js"
import { ETHEREUM } from "../../src/data/rows.js"
import type { make } from "../../src/entries/effect/Ethereum.js"
import * as OnEffect from "../../src/pick/effect/evm.js"
import * as Evm from "../../src/pick/evm.js"

const picked = OnEffect.createClient({
  network: ETHEREUM,
  endpoints: { getBalance: OnEffect.getBalance },
  consistency: "monotonic"
})

describe("hooks over clients that the application makes", () => {
  it("take picked clients, and those of a family", () => {
    expectTypeOf(picked).toExtend<HookClient>()
    expectTypeOf<ReturnType<typeof make<"ethereum-mainnet">>>().toExtend<HookClient>()
    expectTypeOf<Effect.Effect<string>>().not.toExtend<HookClient>()
  })

  it("have a client of the network of hooks that name none", () => {
    void ClientProvider({ network: "ethereum-mainnet", clients: { "ethereum-mainnet": picked } })
    // @ts-expect-error: no client of this network
    void ClientProvider({ network: "base-mainnet", clients: { "ethereum-mainnet": picked } })
  })
})

describe("options for TanStack Query", () => {
  it("have the picked calls of a client, and no others", async () => {
    const client = await Evm.createClient({ network: ETHEREUM, endpoints: { getBalance: Evm.getBalance } })
    const { queryFn } = rpcQueryOptions(client, "getBalance", ["0x0"])
    expectTypeOf<Awaited<ReturnType<typeof queryFn>>>().toEqualTypeOf<bigint>()
    // @ts-expect-error: not picked
    void rpcQueryOptions(client, "getCode", ["0x0"])
  })
})
