/** A populated sandbox, seen through the SDK. */
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { init, type PromiseSdk } from "../../src/promise.js"
import * as Sandbox from "../../src/sandbox/index.js"
import { nodeLimits } from "../nodeLimits.js"

const scope = Effect.runSync(Scope.make())
let sandbox: Sandbox.SandboxService
let sdk: PromiseSdk<"ethereum-mainnet">

beforeAll(async () => {
  const networks = [{ network: "ethereum-mainnet", nodes: 2, archive: 0 }, { network: "bitcoin-mainnet" }]
  sandbox = await Effect.runPromise(Scope.extend(Sandbox.make({ networks, populated: true }), scope))
  sdk = await init({ ...sandbox.config("ethereum-mainnet"), apiKey: "key", quiet: true, ...nodeLimits })
})
afterAll(async () => {
  await sdk.destroy()
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

const right = <A>(
  result: { readonly status: "SUCCESS"; readonly data: A } | { readonly status: "ERROR" }
): A => {
  if (result.status === "SUCCESS") return result.data
  throw new Error(JSON.stringify(result))
}

describe("a populated sandbox", () => {
  it("has varied balances of coins and tokens", async () => {
    const addresses = sandbox.accounts.slice(0, 8).map(({ address }) => address)
    const balances = right(await sdk.address.getBalance({ addresses: addresses.slice(0, 4), pageSize: 50 }))
    const coins = balances.filter(({ type }) => type === "native").map(({ balance }) => balance)
    expect(new Set(coins).size).toBe(4)
    const tokens = balances.filter(({ type }) => type === "fungible")
    expect(new Set(tokens.map(({ asset }) => asset))).toEqual(new Set(["SBD", "SAND"]))
    expect(new Set(tokens.map(({ balance }) => balance)).size).toBeGreaterThan(4)
    expect(balances.some(({ type }) => type === "multitoken")).toBe(true)
  })

  it("has a history of more than one page", async () => {
    const [, account] = sandbox.accounts
    const address = account?.address ?? ""
    const first = right(await sdk.address.getTransactions({ address, pageSize: 10 }))
    const second = right(await sdk.address.getTransactions({ address, pageSize: 10, page: 1 }))
    expect(first).toHaveLength(10)
    expect(second.length).toBeGreaterThan(0)
    expect(new Set(first.map(({ transactionType }) => transactionType)).size).toBeGreaterThan(1)
  })

  it("has NFTs with pictures", async () => {
    const addresses = sandbox.accounts.map(({ address }) => address)
    const owned = right(await sdk.nft.getBalance({ addresses, pageSize: 50 }))
    const animals = owned.filter(({ type }) => type === "nft")
    expect(animals).toHaveLength(8)
    const [{ tokenAddress, tokenId } = { tokenAddress: "", tokenId: "" }] = animals
    const detail = right(await sdk.nft.getNftMetadata({ tokenAddress, tokenId: tokenId ?? "" }))
    const { image, name } = Object(detail?.metadata)
    expect(name).toMatch(/^[A-Z][a-z]+ #\d$/)
    const file = right(await sdk.ipfs.getFile({ id: String(image).slice("ipfs://".length) }))
    expect(file.type).toBe("image/svg+xml")
    expect(await file.text()).toMatch(/^<svg /)
  })

  it("has names of its first accounts", async () => {
    const found = await Promise.all(
      ["alice.eth", "bob.eth", "carol.eth"].map(async (name) =>
        right(await sdk.data.names.resolve({ chain: "ethereum-mainnet", name }))
      )
    )
    expect(found.flat().map(({ address, resolved }) => [address, resolved])).toEqual(
      sandbox.accounts.slice(0, 3).map(({ address }) => [address.toLowerCase(), true])
    )
  })

  it("has coins in different amounts on other chains", async () => {
    const { accounts } = sandbox.network("bitcoin-mainnet")
    const bitcoin = await init({
      ...sandbox.config("bitcoin-mainnet"),
      apiKey: "key",
      quiet: true,
      ...nodeLimits
    })
    const amounts = await Promise.all(
      accounts.slice(1, 4).map(async ({ address }) => {
        const [row] = right(await bitcoin.address.getBalance({ addresses: [address] }))
        return row?.balance
      })
    )
    await bitcoin.destroy()
    expect(new Set(amounts).size).toBe(3)
  })

  it("is the same on every node", async () => {
    const heads = await Promise.all(
      sandbox.network("ethereum-mainnet").urls.map(async (url) => {
        const body = JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "eth_getBlockByNumber",
          params: ["latest", false]
        })
        const headers = { "content-type": "application/json" }
        const answer: unknown = await (await fetch(url, { method: "POST", headers, body })).json()
        return Object(Object(answer).result).hash
      })
    )
    expect(new Set(heads).size).toBe(1)
    expect(heads[0]).toMatch(/^0x/)
  })
})
