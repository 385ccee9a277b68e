// @vitest-environment node
import { readFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { bundle, loaded, sizeOf, viteBundle } from "../../bench/sizes/bundle.mjs"

/**
 * Bytes after gzip: of all hooks, and of a page that reads a balance, which has no others. That a network may be a definition is 0.1 kB, and
 * what a client has spent, in `useNodePool`, 0.05; that lists keep their pages, that an empty one is an answer and that streams end is 0.1;
 * one entry for the spellings of an EVM address 0.04. The page lost 0.3 to what only pages with a wallet or a list of nodes load. All hooks
 * together gained as much: two providers share what keeps clients, and the members of rx are those of modules, which saves 2.9 on Effect 4.
 */
const LIMIT = 9_750
const PLAIN = 5_950

/**
 * Bytes after gzip of a page that reads a balance by the hooks over a client of picked calls, without React: the measured size, and half a
 * percent more. None of it can be split. rx with its registry needs 90.3 by esbuild, which keeps every member of a namespace that another
 * file exports, and 57.9 by Vite; with the client it is 130.2 and 96.4, and the hooks are the rest. Effect 4 has the registry itself, which is
 * 44.2 with its results, and 89.2 with the client.
 */
const PICKED = { esbuild: 136_200, vite: 103_400, effect4: 96_200 }

/** The same of a page over TanStack Query, which is 10 of it: the options are 0.8, and the client is the rest. */
const PICKED_QUERY = 51_000

/** What an application has that uses rx-react and the client without the bindings. */
const base = `
  import { Registry, Result, Rx } from "@effect-rx/rx-react"
  import { RegistryContext, scheduleTask } from "@effect-rx/rx-react/RegistryContext"
  import * as Effect from "effect/Effect"
  import * as Layer from "effect/Layer"
  import { Http, makeFetch } from "./src/http/service.ts"
  import { make } from "./src/client/Sdk.ts"
  const family = Rx.family((address) =>
    Rx.make(Effect.scoped(Effect.flatMap(make({ network: "ethereum-mainnet" }), (sdk) => sdk.rpc.getBalance(address))).pipe(
      Effect.provide(Layer.sync(Http, () => makeFetch())))
  ))
  const pages = Rx.withServerValueInitial(Rx.pull(() => family.stream))
  const write = Rx.fn((address) => family(address))
  console.log(family("0x0"), Registry.make({ scheduleTask }), Result.isSuccess, RegistryContext, pages, write)`

const hooks = `${base}
  import * as bindings from "./react/index.ts"
  console.log(bindings)`

const plain = `${base}
  import { SdkProvider, useBalance } from "./react/index.ts"
  console.log(SdkProvider, useBalance)`

const steered = `${plain}
  import { useInvalidate, usePrefetch, useSetData } from "./react/index.ts"
  console.log(useInvalidate, usePrefetch, useSetData)`

/** A page that shows a balance over TanStack Query, and over the hooks: all of it but React. */
const withQuery = `
  import { createElement } from "react"
  import { createRoot } from "react-dom/client"
  import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query"
  import { init } from "./src/entries/Ethereum.ts"
  import { rpcQueryOptions } from "./react/query.ts"
  const sdk = await init({ network: "ethereum-mainnet" })
  const client = new QueryClient()
  const Balance = () => String(useQuery(rpcQueryOptions(sdk, "getBalance", ["0x0"])).data)
  createRoot(document.body).render(createElement(QueryClientProvider, { client }, createElement(Balance)))`

const withHooks = `
  import { createElement } from "react"
  import { createRoot } from "react-dom/client"
  import { SdkProvider, useRpc } from "./react/index.ts"
  const Balance = () => String(useRpc("getBalance", ["0x0"]).data)
  const config = { network: "ethereum-mainnet" }
  createRoot(document.body).render(createElement(SdkProvider, { config }, createElement(Balance)))`

/** The same pages over a client of the one call that they make. */
const withPickedQuery = withQuery
  .replace(
    `import { init } from "./src/entries/Ethereum.ts"`,
    `import { ETHEREUM } from "./src/data/rows.ts"
  import { createClient, getBalance } from "./src/pick/evm.ts"`
  )
  .replace(
    `init({ network: "ethereum-mainnet" })`,
    `createClient({ network: ETHEREUM, endpoints: { getBalance } })`
  )

const withPickedHooks = `
  import { createElement } from "react"
  import { createRoot } from "react-dom/client"
  import { ETHEREUM } from "./src/data/rows.ts"
  import { createClient, getBalance } from "./src/pick/effect/evm.ts"
  import { ClientProvider, useRpc } from "./react/clients.ts"
  const Balance = () => String(useRpc("getBalance", ["0x0"]).data)
  const network = "ethereum-mainnet"
  const clients = { [network]: createClient({ network: ETHEREUM, endpoints: { getBalance } }) }
  createRoot(document.body).render(createElement(ClientProvider, { network, clients }, createElement(Balance)))`

const first = async (code: string): Promise<number> =>
  sizeOf(loaded(await bundle(code, { splitting: true }), "app.ts"))

describe("effect-chains/react", () => {
  it("adds at most 10 kB to rx-react and the core, and what is not used adds nothing", async () => {
    const [without, all, page, steers] = await Promise.all([base, hooks, plain, steered].map(first))
    if (without === undefined || all === undefined || page === undefined || steers === undefined)
      throw new Error("there are four bundles")
    console.log(`a page: ${page - without} B, with the hooks that steer ${steers - without} B`)
    expect(page - without).toBeLessThan(PLAIN)
    expect(steers - page).toBeGreaterThan(300)
    console.log(`effect-chains/react: ${((all - without) / 1000).toFixed(2)} kB gzip over ${without}`)
    expect(without).toBeGreaterThan(50_000)
    expect(all - without).toBeGreaterThan(1_000)
    expect(all - without).toBeLessThan(LIMIT)
  })
})

describe("effect-chains/effect4/react", () => {
  it("weighs what its page says", async () => {
    const external = ["react", "react-dom", "react-dom/client"]
    const outputs = await bundle(withHooks, { splitting: true, external, effect4: true })
    const page = loaded(outputs, "app.ts", "src/chains/Ethereum.ts")
    const inputs = page.flatMap(({ inputs }) => inputs)
    expect(inputs).toContain("node_modules/effect4/dist/reactivity/AtomRegistry.js")
    expect(inputs.filter((file) => /node_modules\/(effect|@effect[^/]*|scheduler)\//.test(file))).toEqual([])
    console.log(`the hooks on Effect 4: ${sizeOf(page)} B`)
    const docs = await readFile("docs/react.md", "utf8")
    const [, documented] = /a page that reads a balance loads (\d+) kB/.exec(docs) ?? []
    expect(Math.abs(sizeOf(page) / 1000 - Number(documented))).toBeLessThan(2)
  })
})

describe("effect-chains/react/clients", () => {
  it("loads the client that the application makes, and no other", async () => {
    const external = ["react", "react-dom", "react-dom/client"]
    const outputs = {
      esbuild: await bundle(withPickedHooks, { splitting: true, external }),
      vite: await viteBundle(withPickedHooks, { splitting: true, external }),
      effect4: await bundle(withPickedHooks, { splitting: true, external, effect4: true })
    }
    for (const bundler of ["esbuild", "vite", "effect4"] as const) {
      const page = loaded(outputs[bundler], "app.ts")
      const inputs = page.flatMap((output) => output.inputs)
      expect(inputs.filter((file) => /\/react\/ClientStore|^react\/ClientStore/.test(file))).toHaveLength(1)
      // neither the client of all networks nor what only some hooks need
      expect(
        inputs.filter((file) =>
          /src\/(client\/(Sdk|allNetworks)|chains\/registry|services\/Services)/.test(file)
        )
      ).toEqual([])
      expect(inputs.filter((file) => /react\/(SdkProvider|NodePool|Wallet)/.test(file))).toEqual([])
      console.log(`a page over a picked client, ${bundler}: ${sizeOf(page)} B`)
      expect(sizeOf(page)).toBeLessThan(PICKED[bundler])
    }
  })
})

describe("effect-chains/query", () => {
  it("is a page of 51 kB over a client of picked calls, TanStack Query included", async () => {
    const external = ["react", "react-dom", "react-dom/client"]
    const [page] = await bundle(withPickedQuery, { lean: true, external })
    console.log(`TanStack Query over a picked client: ${page?.gzip} B`)
    expect(page?.inputs).toContain("node_modules/@tanstack/query-core/build/modern/query.js")
    expect(page?.inputs).toContain("react/query.ts")
    expect(page?.gzip).toBeLessThan(PICKED_QUERY)
  })
})

describe("the two ways to read in React", () => {
  it("weigh what the docs say", async () => {
    const external = ["react", "react-dom", "react-dom/client"]
    const [lean] = await bundle(withQuery, { lean: true, external })
    const outputs = await bundle(withHooks, { splitting: true, external })
    const hooks = sizeOf(loaded(outputs, "app.ts", "src/chains/Ethereum.ts"))
    const sizes = [lean?.gzip ?? 0, hooks]
    console.log(`TanStack Query: ${sizes[0]} B, the hooks: ${sizes[1]} B`)
    const docs = await readFile("docs/react/tanstack-query.md", "utf8")
    const [, ...documented] = /^\| gzip .*?\| (\d+) kB\s+\| (\d+) kB/m.exec(docs) ?? []
    expect(documented).toHaveLength(2)
    for (const [i, kilobytes] of documented.entries())
      expect(Math.abs((sizes[i] ?? 0) / 1000 - Number(kilobytes))).toBeLessThan(2)
  })
})
