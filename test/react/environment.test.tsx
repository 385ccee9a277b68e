/** Hooks on the provider of the environment, which server rendering and tests have. */
import { cleanup, renderHook, waitFor } from "@testing-library/react"
import type { ReactNode } from "react"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { SdkProvider, useRpc } from "../../react/index.js"
import { startProvider } from "../providerDouble.js"

const config = { network: "ethereum-mainnet", quiet: true } as const

let provider: Awaited<ReturnType<typeof startProvider>>
beforeEach(async () => {
  provider = await startProvider()
  vi.stubGlobal("fetch", provider.fetch)
})
afterEach(async () => {
  cleanup()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  await provider.close()
})

const readBlock = async (given: Parameters<typeof SdkProvider>[0]["config"]): Promise<unknown> => {
  const { result } = renderHook(() => useRpc("blockNumber", [], { network: "ethereum-mainnet" }), {
    wrapper: ({ children }: { readonly children: ReactNode }) => (
      <SdkProvider config={given}>{children}</SdkProvider>
    )
  })
  await waitFor(() => expect(["success", "error"]).toContain(result.current.status))
  return result.current.data
}

it("SdkProvider goes to the provider of EFFECT_CHAINS_PROVIDER, and nowhere else", async () => {
  vi.stubEnv("EFFECT_CHAINS_PROVIDER", provider.url)
  expect(await readBlock(config)).toBe(16n)
  expect(provider.asked).toContain("/ethereum-mainnet/list.json")
  expect(provider.elsewhere).toEqual([])
})

it("SdkProvider goes to the provider that its config names", async () => {
  vi.stubEnv("EFFECT_CHAINS_PROVIDER", "http://127.0.0.1:1")
  expect(await readBlock({ ...config, provider: "sandbox" })).toBe(16n)
  expect(provider.elsewhere).toEqual([])
})
