// @runtime promise
import { describe, expect, expectTypeOf, it } from "vitest"
import { type ServiceName, serviceNeeds, supports } from "../src/data/Coverage.js"
import { type Network, networks } from "../src/data/Network.js"
import { init } from "../src/promise.js"
import { catalogue, type Services } from "../src/services/Services.js"

const names = Object.keys(catalogue) as ReadonlyArray<keyof Services>
const ids = Object.keys(networks) as ReadonlyArray<Network>

describe("the services of a network", () => {
  it("are told by its row", () => {
    const of = (network: Network) => names.filter((name) => supports(network, name))
    expect(of("algorand-mainnet-algod")).toEqual(
      names.filter((name) => serviceNeeds[name].some((needs) => Object.keys(needs).length === 0))
    )
    expect(of("ethereum-mainnet")).toContain("wallet")
    expect(of("tron-mainnet")).not.toContain("wallet")
    expect(supports("bsc-mainnet", "wallet.transferNative")).toBe(true)
    expect(supports("tron-mainnet", "wallet.transferNative")).toBe(false)
    expect(ids.filter((id) => supports(id, "rates"))).toEqual(ids)
  })

  it("are those of the type", () => {
    expectTypeOf<ServiceName<"ethereum-mainnet">>().toExtend<keyof Services>()
    expectTypeOf<"wallet">().toExtend<ServiceName<"ethereum-mainnet">>()
    expectTypeOf<"wallet">().not.toExtend<ServiceName<"tron-mainnet">>()
    expectTypeOf<"wallet">().not.toExtend<ServiceName<"dot-mainnet">>()
    expectTypeOf<"rates">().toExtend<ServiceName<"algorand-mainnet-algod">>()
    // of any network, only what all have
    expectTypeOf<"wallet">().not.toExtend<ServiceName<Network>>()
  })

  it("are not on the type of a client without them", async () => {
    const sdk = await init({
      network: "tron-mainnet",
      quiet: true,
      rpc: { nodes: [{ url: "http://127.0.0.1:9" }] }
    })
    // @ts-expect-error Tron has no browser wallet
    expect(sdk.wallet).toBeDefined()
    await sdk.destroy()
  })
})
