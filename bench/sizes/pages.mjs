/** Pages with one natural use of what they import, for every entry that a browser can load, and for other clients. */
import { folder } from "../tatum.mjs"

/** How a page is shipped: as one file, or in chunks, of which it loads some at first. */
export const forms = ["one file", "first load"]
const [oneFile, firstLoad] = forms

export const promise = (entry, network, call) => `
  import { init } from "${entry}"
  const sdk = await init({ network: "${network}" })
  console.log(await sdk.rpc.${call})`

const picked = (entry, network, endpoint = "getBalance") => `
  import { ${network} } from "effect-chains/chains"
  import { createClient, ${endpoint} } from "${entry}"
  const client = await createClient({ network: ${network}, endpoints: { ${endpoint} } })
  console.log(await client.rpc.${endpoint}("0"))`

const query = `
  import { QueryClient } from "@tanstack/react-query"
  import { init } from "effect-chains/chains/Ethereum"
  import { rpcQueryOptions } from "effect-chains/query"
  const sdk = await init({ network: "ethereum-mainnet" })
  new QueryClient().fetchQuery(rpcQueryOptions(sdk, "getBalance", ["0x0"])).then(console.log)`

const signing = `
  import { init } from "effect-chains/chains/Ethereum"
  import { signer } from "effect-chains/signers/Evm"
  const sdk = await init({ network: "ethereum-mainnet" })
  const made = await signer(sdk, { privateKey: "a" })
  if (made.status === "SUCCESS") console.log(await made.data.send({ to: "0x0", amount: "1.5" }))`

const sweeping = `
  import { init } from "effect-chains/chains/Ethereum"
  import { signer } from "effect-chains/signers/Evm"
  import { sweepToken } from "effect-chains/signers/sweep"
  const sdk = await init({ network: "ethereum-mainnet" })
  const [from, gas] = [await signer(sdk, { privateKey: "a" }), await signer(sdk, { privateKey: "b" })]
  if (from.status === "SUCCESS" && gas.status === "SUCCESS")
    console.log(await sweepToken({ from: from.data, gas: gas.data, token: "0x0", to: "0x0", maxGas: "0.01" }))`

const permitting = `
  import { init } from "effect-chains/chains/Ethereum"
  import { signer } from "effect-chains/signers/Evm"
  import { preparePermit, signPermit } from "effect-chains/signers/permit"
  const sdk = await init({ network: "ethereum-mainnet" })
  const made = await signer(sdk, { privateKey: "a" })
  if (made.status === "ERROR") throw made.error
  const permit = await preparePermit(sdk, { owner: made.data.address, token: "0x0", spender: "0x0", amount: "1", until: new Date() })
  if (permit.status === "SUCCESS") console.log(await signPermit(sdk, made.data, permit.data))`

const staking = `
  import { init } from "effect-chains/chains/Cosmos"
  import { signer } from "effect-chains/signers/Cosmos"
  import { prepareStaking } from "effect-chains/signers/staking"
  const sdk = await init({ network: "cosmos-mainnet" })
  const made = await signer(sdk, { privateKey: "a" })
  if (made.status === "ERROR") throw made.error
  const prepared = await prepareStaking(sdk, made.data, { action: "delegate", validator: "a", amount: "1" })
  if (prepared.status === "SUCCESS") console.log(await made.data.submit(prepared.data))`

const simulating = `
  import { init } from "effect-chains/chains/Ethereum"
  import { signer } from "effect-chains/signers/Evm"
  import { simulate } from "effect-chains/signers/simulate"
  const sdk = await init({ network: "ethereum-mainnet" })
  const made = await signer(sdk, { privateKey: "a" })
  if (made.status === "ERROR") throw made.error
  const prepared = await made.data.prepare({ to: "0x0", amount: "1.5" })
  if (prepared.status === "SUCCESS") console.log(await simulate(sdk, prepared.data))`

const proposing = `
  import { init } from "effect-chains/chains/Ethereum"
  import { signer } from "effect-chains/signers/Evm"
  import { approve, execute, propose } from "effect-chains/signers/proposal"
  const sdk = await init({ network: "ethereum-mainnet" })
  const made = await signer(sdk, { privateKey: "a" })
  if (made.status === "ERROR") throw made.error
  const proposal = await propose(sdk, { from: "0x0", to: "0x0", amount: "1.5" })
  if (proposal.status === "ERROR") throw proposal.error
  const approved = await approve(sdk, made.data, proposal.data)
  if (approved.status === "SUCCESS") console.log(await execute(sdk, approved.data, { signer: made.data }))`

const guarded = `
  import { init } from "effect-chains/chains/Ethereum"
  import { signer } from "effect-chains/signers/Evm"
  import { policy } from "effect-chains/signers/policy"
  const sdk = await init({ network: "ethereum-mainnet" })
  const rules = await policy({ limits: [{ network: "ethereum-mainnet", amount: "1" }] })
  if (rules.status === "ERROR") throw rules.error
  const made = await signer(sdk, { privateKey: "a", policy: rules.data })
  if (made.status === "SUCCESS") console.log(await made.data.send({ to: "0x0", amount: "1.5" }))`

const kms = `
  import { awsKms } from "effect-chains/accounts/aws-kms"
  awsKms({ client: globalThis.kms, keyId: "alias/treasury" }).then(console.log)`

const googleKms = `
  import { googleKms } from "effect-chains/accounts/google-kms"
  googleKms({ client: globalThis.kms, name: "projects/p" }).then(console.log)`

const azureKeyVault = `
  import { azureKeyVault } from "effect-chains/accounts/azure-key-vault"
  azureKeyVault({ client: globalThis.vault, keyName: "treasury" }).then(console.log)`

const signingServer = `
  import { makeSigningServer } from "effect-chains/accounts/server"
  globalThis.handle = makeSigningServer({ accounts: {}, token: "a", authorize: () => true })`

const ledger = `
  import { ledgerEvm } from "effect-chains/accounts/ledger"
  ledgerEvm({ app: globalThis.eth }).then(console.log)`

const remote = `
  import { remote } from "effect-chains/accounts/remote"
  remote({ url: "https://signer.internal", token: "a", account: "treasury" }).then(console.log)`

const contracts = `
  import { init } from "effect-chains/chains/Ethereum"
  import { contract } from "effect-chains/contracts"
  const sdk = await init({ network: "ethereum-mainnet" })
  console.log(await contract(sdk, { address: "0x0", abi: [] }).read.name())`

const constant = (entry) => `
  import { ETHEREUM } from "${entry}"
  console.log(ETHEREUM)`

const webhook = `
  import { decode, signatureHeader, verify } from "effect-chains/webhook"
  const { body, headers } = await (await fetch("a")).json()
  if (await verify({ body, signature: headers[signatureHeader], secret: "b" })) console.log(decode(body))`

/** On the Effect surface a page has of Effect what the client needs, and what runs it. */
const effect = (imports, make, call = `getBalance("0x0")`) => `
  import * as Effect from "effect/Effect"
  ${imports}
  const program = Effect.flatMap(${make}, (sdk) => sdk.rpc.${call})
  Effect.runPromise(Effect.provide(Effect.scoped(program), Http.layerFetch)).then(console.log)`

export const whole = effect(
  `import { Http, Sdk } from "effect-chains"`,
  `Sdk.makeHttp({ network: "ethereum-mainnet" })`
)

export const family = effect(
  `import * as Http from "effect-chains/effect/http"
  import { make } from "effect-chains/effect/chains/Ethereum"`,
  `make({ network: "ethereum-mainnet" })`
)

const pickedEffect = (entry, network, endpoint = "getBalance") =>
  effect(
    `import * as Http from "effect-chains/effect/http"
  import { ${network} } from "effect-chains/chains"
  import { createClient, ${endpoint} } from "${entry}"`,
    `createClient({ network: ${network}, endpoints: { ${endpoint} } })`,
    `${endpoint}("0x0")`
  )

const signingEffect = effect(
  `import * as Http from "effect-chains/effect/http"
  import { make as makeClient } from "effect-chains/effect/chains/Ethereum"
  import { make } from "effect-chains/effect/signers/Evm"
  const paying = (config) => Effect.flatMap(makeClient(config), (sdk) =>
    Effect.map(make(sdk, { privateKey: "a" }), (signer) => ({ rpc: { getBalance: (to) => signer.send({ to, amount: "1.5" }) } })))`,
  `paying({ network: "ethereum-mainnet" })`
)

const simulatingEffect = effect(
  `import * as Http from "effect-chains/effect/http"
  import { make as makeClient } from "effect-chains/effect/chains/Ethereum"
  import { make } from "effect-chains/effect/signers/Evm"
  import { simulate } from "effect-chains/effect/signers/simulate"
  const paying = (config) => Effect.flatMap(makeClient(config), (sdk) =>
    Effect.map(make(sdk, { privateKey: "a" }), (signer) => ({ rpc: { getBalance: (to) => Effect.flatMap(signer.prepare({ to, amount: "1.5" }), (prepared) => simulate(sdk, prepared)) } })))`,
  `paying({ network: "ethereum-mainnet" })`
)

const sweepingEffect = effect(
  `import * as Http from "effect-chains/effect/http"
  import { make as makeClient } from "effect-chains/effect/chains/Ethereum"
  import { make } from "effect-chains/effect/signers/Evm"
  import { sweepToken } from "effect-chains/effect/signers/sweep"
  const paying = (config) => Effect.flatMap(makeClient(config), (sdk) =>
    Effect.map(Effect.all([make(sdk, { privateKey: "a" }), make(sdk, { privateKey: "b" })]), ([from, gas]) => ({ rpc: { getBalance: (to) => sweepToken({ from, gas, to, token: "0x0", maxGas: "0.01" }) } })))`,
  `paying({ network: "ethereum-mainnet" })`
)

const permittingEffect = effect(
  `import * as Http from "effect-chains/effect/http"
  import { make as makeClient } from "effect-chains/effect/chains/Ethereum"
  import { make } from "effect-chains/effect/signers/Evm"
  import { preparePermit, signPermit } from "effect-chains/effect/signers/permit"
  const paying = (config) => Effect.flatMap(makeClient(config), (sdk) =>
    Effect.map(make(sdk, { privateKey: "a" }), (signer) => ({ rpc: { getBalance: (spender) => Effect.flatMap(preparePermit(sdk, { owner: signer.address, token: "0x0", spender, amount: "1", until: new Date() }), (permit) => signPermit(sdk, signer, permit)) } })))`,
  `paying({ network: "ethereum-mainnet" })`
)

const stakingEffect = effect(
  `import * as Http from "effect-chains/effect/http"
  import { make as makeClient } from "effect-chains/effect/chains/Cosmos"
  import { make } from "effect-chains/effect/signers/Cosmos"
  import { prepareStaking } from "effect-chains/effect/signers/staking"
  const paying = (config) => Effect.flatMap(makeClient(config), (sdk) =>
    Effect.map(make(sdk, { privateKey: "a" }), (signer) => ({ rpc: { getBalance: (validator) => Effect.flatMap(prepareStaking(sdk, signer, { action: "delegate", validator, amount: "1" }), (prepared) => signer.submit(prepared)) } })))`,
  `paying({ network: "cosmos-mainnet" })`
)

const proposingEffect = effect(
  `import * as Http from "effect-chains/effect/http"
  import { make as makeClient } from "effect-chains/effect/chains/Ethereum"
  import { make } from "effect-chains/effect/signers/Evm"
  import { approve, execute, propose } from "effect-chains/effect/signers/proposal"
  const paying = (config) => Effect.flatMap(makeClient(config), (sdk) =>
    Effect.map(make(sdk, { privateKey: "a" }), (signer) => ({ rpc: { getBalance: (to) => propose(sdk, { from: "0x0", to, amount: "1.5" }).pipe(Effect.flatMap((proposal) => approve(sdk, signer, proposal)), Effect.flatMap((proposal) => execute(sdk, proposal, { signer }))) } })))`,
  `paying({ network: "ethereum-mainnet" })`
)

const guardedEffect = effect(
  `import * as Http from "effect-chains/effect/http"
  import { make as makeClient } from "effect-chains/effect/chains/Ethereum"
  import { make } from "effect-chains/effect/signers/Evm"
  import { make as makePolicy } from "effect-chains/effect/signers/policy"
  const paying = (config) => Effect.flatMap(Effect.all([makeClient(config), makePolicy({ limits: [{ network: "ethereum-mainnet", amount: "1" }] })]), ([sdk, policy]) =>
    Effect.map(make(sdk, { privateKey: "a", policy }), (signer) => ({ rpc: { getBalance: (to) => signer.send({ to, amount: "1.5" }) } })))`,
  `paying({ network: "ethereum-mainnet" })`
)

const contractsEffect = effect(
  `import * as Http from "effect-chains/effect/http"
  import { make } from "effect-chains/effect/chains/Ethereum"
  import { contract } from "effect-chains/effect/contracts"
  const reading = (config) => Effect.map(make(config), (sdk) => ({ rpc: { getBalance: (owner) => contract(sdk, { address: "0x0", abi: [] }).read.balanceOf(owner) } }))`,
  `reading({ network: "ethereum-mainnet" })`
)

/** The same over a client of picked calls. */
const pickedQuery = `
  import { QueryClient } from "@tanstack/react-query"
  import { ETHEREUM } from "effect-chains/chains"
  import { createClient, getBalance } from "effect-chains/evm"
  import { rpcQueryOptions } from "effect-chains/query"
  const client = await createClient({ network: ETHEREUM, endpoints: { getBalance } })
  new QueryClient().fetchQuery(rpcQueryOptions(client, "getBalance", ["0x0"])).then(console.log)`

/** A page whose client is given what an entry exports. */
const given = (name, option) => `
  import { init } from "effect-chains/promise"
  import { ${name} } from "effect-chains/${name}"
  const sdk = await init({ network: "ethereum-mainnet", ${option} })
  console.log(await sdk.rpc.getBalance("0x0"))`

const react = (more, hook) => `
  import { createElement } from "react"
  import { createRoot } from "react-dom/client"
  import { SdkProvider, useRpc } from "effect-chains/react"
  ${more}
  const Balance = () => String(${hook}.data)
  const config = { network: "ethereum-mainnet" }
  createRoot(document.body).render(createElement(SdkProvider, { config }, createElement(Balance)))`

const reactPage = (name, more, hook) => ({
  name,
  code: react(more, hook),
  needs: ["dist/src/chains/Ethereum.js"],
  external: ["react", "react-dom"]
})

/** What no page on Effect, and no page with hooks, can leave out: their runtimes, with a value in place of a call. */
const alone = (name) => `${name}, alone`

const effectAlone = `
  import * as Effect from "effect/Effect"
  import * as Layer from "effect/Layer"
  Effect.runPromise(Effect.scoped(Effect.provide(Effect.succeed(1), Layer.scope))).then(console.log)`

const rxAlone = `
  import { Rx, useRxValue } from "@effect-rx/rx-react"
  import * as Effect from "effect/Effect"
  import { createElement } from "react"
  import { createRoot } from "react-dom/client"
  const value = Rx.make(Effect.succeed(1))
  const Value = () => String(useRxValue(value)._tag)
  createRoot(document.body).render(createElement(Value))`

/** The same with a client of one call: what hooks over it can't leave out. */
const rxAndClient = `
  import { Rx, useRxValue } from "@effect-rx/rx-react"
  import * as Effect from "effect/Effect"
  import { ETHEREUM } from "effect-chains/chains"
  import { createClient, getBalance } from "effect-chains/effect/evm"
  import { layerFetch } from "effect-chains/effect/http"
  import { createElement } from "react"
  import { createRoot } from "react-dom/client"
  const read = Effect.flatMap(createClient({ network: ETHEREUM, endpoints: { getBalance } }), (client) => client.rpc.getBalance("0x0"))
  const value = Rx.make(Effect.provide(Effect.scoped(read), layerFetch))
  const Value = () => String(useRxValue(value)._tag)
  createRoot(document.body).render(createElement(Value))`

const pickedHooks = `
  import { createElement } from "react"
  import { createRoot } from "react-dom/client"
  import { ETHEREUM } from "effect-chains/chains"
  import { createClient, getBalance } from "effect-chains/effect/evm"
  import { ClientProvider, useRpc } from "effect-chains/react/clients"
  const Balance = () => String(useRpc("getBalance", ["0x0"]).data)
  const network = "ethereum-mainnet"
  const clients = { [network]: createClient({ network: ETHEREUM, endpoints: { getBalance } }) }
  createRoot(document.body).render(createElement(ClientProvider, { network, clients }, createElement(Balance)))`

/** Effect 4 as it is installed, in place of Effect 3. */
const onEffect4 = { alias: { effect: "effect4" }, external: ["react", "react-dom"] }

/** What no page with hooks on Effect 4 can leave out: its registry, with a value in place of a call. */
const atomAlone = `
  import * as Effect from "effect/Effect"
  import * as Atom from "effect/reactivity/Atom"
  import * as AtomRegistry from "effect/reactivity/AtomRegistry"
  import { createElement } from "react"
  import { createRoot } from "react-dom/client"
  const value = Atom.make(Effect.succeed(1))
  const Value = () => String(AtomRegistry.make().get(value)._tag)
  createRoot(document.body).render(createElement(Value))`

/** A page's code with the entries for Effect 4 in place of those for Effect 3. */
const toEffect4 = (code) =>
  code
    .replaceAll(`"effect-chains/effect/`, `"effect-chains/effect4/`)
    .replaceAll(`"effect-chains/react`, `"effect-chains/effect4/react`)

const viem = (client) => `
  import { ${client}, fallback, http } from "viem"
  import { mainnet } from "viem/chains"
  import { getBalance } from "viem/actions"
  const client = ${client}({ chain: mainnet, transport: fallback([http("a"), http("b")]) })
  getBalance(client, { address: "0x0" }).then(console.log)`

const ethers = `
  import { FallbackProvider, JsonRpcProvider } from "ethers"
  new FallbackProvider([new JsonRpcProvider("a")], 1).getBalance("0x0").then(console.log)`

const kit = `
  import { createSolanaRpc } from "@solana/kit"
  createSolanaRpc("a").getBalance("0").send().then(console.log)`

const tatum = `
  import { Network, TatumSDK } from "@tatumio/tatum"
  TatumSDK.init({ network: Network.ETHEREUM }).then((sdk) => sdk.rpc.getBalance("0x0")).then(console.log)`

/**
 * `needs` are files that the page loads for its one call, besides what it imports at once, `external` is what such a page has
 * anyway, `alias` gives packages from elsewhere, and `quick` is the form of a quick run.
 */
export const pages = [
  {
    name: "effect-chains/promise",
    code: promise("effect-chains/promise", "ethereum-mainnet", `getBalance("0x0")`),
    needs: ["dist/lean/parts/chains/loaded/Ethereum.js"],
    quick: firstLoad
  },
  {
    name: "effect-chains/chains/Ethereum",
    code: promise("effect-chains/chains/Ethereum", "ethereum-mainnet", `getBalance("0x0")`),
    quick: oneFile
  },
  {
    name: "effect-chains/chains/Solana",
    code: promise("effect-chains/chains/Solana", "solana-mainnet", `getBalance("0")`)
  },
  {
    name: "effect-chains/chains/Bitcoin",
    code: promise("effect-chains/chains/Bitcoin", "bitcoin-mainnet", "getBlockCount()")
  },
  {
    name: "effect-chains/networks/define",
    code: `
  import { defineNetwork } from "effect-chains/networks/define"
  const currency = { symbol: "ETH", decimals: 18 }
  console.log(defineNetwork({ id: "my-chain", family: "evm", chainId: 7_777_777, currency }))`
  },
  {
    name: "effect-chains/effect/networks/define",
    code: `
  import { defineNetwork } from "effect-chains/effect/networks/define"
  const currency = { symbol: "ETH", decimals: 18 }
  console.log(defineNetwork({ id: "my-chain", family: "evm", chainId: 7_777_777, currency }))`
  },
  {
    name: "effect-chains/caip",
    code: `
  import { chainOf, parse } from "effect-chains/caip"
  console.log(chainOf("bitcoin-mainnet"), parse("eip155:1:block/17000000"))`
  },
  {
    name: "effect-chains/effect/caip",
    code: `
  import { chainOf, parse } from "effect-chains/effect/caip"
  console.log(chainOf("bitcoin-mainnet"), parse("eip155:1:block/17000000"))`
  },
  {
    name: "effect-chains/address",
    code: `
  import { isSameAddress } from "effect-chains/address"
  console.log(isSameAddress("0x742d35cc6634c0532925a3b844bc454e4438f44e", "0x", "ethereum-mainnet"))`
  },
  {
    name: "effect-chains/units",
    code: `
  import { formatAmount, parseAmount } from "effect-chains/units"
  console.log(formatAmount(parseAmount("1.5", "ton-mainnet"), "ton-mainnet"))`
  },
  {
    name: "effect-chains/identify",
    code: `
  import { identify } from "effect-chains/identify"
  console.log(identify("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"))`
  },
  { name: "effect-chains/evm", code: picked("effect-chains/evm", "ETHEREUM"), quick: oneFile },
  { name: "effect-chains/solana", code: picked("effect-chains/solana", "SOLANA") },
  { name: "effect-chains/bitcoin", code: picked("effect-chains/bitcoin", "BITCOIN", "getBlockCount") },
  {
    name: "effect-chains/cache",
    code: given("cache", `coalesce: cache()`),
    needs: ["dist/lean/parts/chains/loaded/Ethereum.js"]
  },
  {
    name: "effect-chains/health",
    code: given("health", `health: health({ join: () => ({ initialHints: [], publish() {}, leave() {} }) })`),
    needs: ["dist/lean/parts/chains/loaded/Ethereum.js"]
  },
  {
    name: "effect-chains/effect/health",
    code: `
  import { Sdk } from "effect-chains"
  import { health } from "effect-chains/effect/health"
  const board = { join: () => ({ initialHints: [], publish() {}, leave() {} }) }
  console.log(Sdk.makeHttp({ network: "ethereum-mainnet", health: health(board) }))`,
    needs: ["dist/src/chains/Ethereum.js"]
  },
  {
    name: "effect-chains/effect/http",
    code: `
  import { layerFetch } from "effect-chains/effect/http"
  import { Sdk } from "effect-chains"
  import * as Effect from "effect/Effect"
  const program = Effect.flatMap(Sdk.makeHttp({ network: "ethereum-mainnet" }), (sdk) => sdk.rpc.getBalance("0x0"))
  Effect.runPromise(Effect.scoped(Effect.provide(program, layerFetch))).then(console.log)`,
    needs: ["dist/src/chains/Ethereum.js"]
  },
  {
    name: "effect-chains/quota",
    code: given("quota", `quota: quota({ requestsPerSecond: 50 })`),
    needs: ["dist/lean/parts/chains/loaded/Ethereum.js"]
  },
  {
    name: "effect-chains/effect/quota",
    code: `
  import { Sdk } from "effect-chains"
  import { quota } from "effect-chains/effect/quota"
  console.log(Sdk.makeHttp({ network: "ethereum-mainnet", quota: quota({ requestsPerSecond: 50 }) }))`,
    needs: ["dist/src/chains/Ethereum.js"]
  },
  { name: "effect-chains/query", code: query, external: ["@tanstack/react-query"] },
  { name: "effect-chains/query, picked", code: pickedQuery, external: ["@tanstack/react-query"] },
  { name: "effect-chains", code: whole, needs: ["dist/src/chains/Ethereum.js"] },
  { name: "effect-chains/effect/chains/Ethereum", code: family },
  { name: "effect-chains/effect/evm", code: pickedEffect("effect-chains/effect/evm", "ETHEREUM") },
  { name: "effect-chains/effect/solana", code: pickedEffect("effect-chains/effect/solana", "SOLANA") },
  {
    name: "effect-chains/effect/bitcoin",
    code: pickedEffect("effect-chains/effect/bitcoin", "BITCOIN", "getBlockCount")
  },
  { name: alone("effect"), code: effectAlone },
  { name: alone("@effect-rx/rx-react"), code: rxAlone, external: ["react", "react-dom"] },
  { name: alone("@effect-rx/rx-react and a client"), code: rxAndClient, external: ["react", "react-dom"] },
  reactPage("effect-chains/react", "", `useRpc("getBalance", ["0x0"])`),
  { name: "effect-chains/react/clients", code: pickedHooks, external: ["react", "react-dom"] },
  { name: alone("effect/reactivity of Effect 4"), code: atomAlone, ...onEffect4 },
  {
    name: "effect-chains/react, on Effect 4",
    code: toEffect4(react("", `useRpc("getBalance", ["0x0"])`)),
    needs: ["dist/effect4/src/chains/Ethereum.js"],
    ...onEffect4
  },
  { name: "effect-chains/react/clients, on Effect 4", code: toEffect4(pickedHooks), ...onEffect4 },
  reactPage(
    "effect-chains/react/contracts",
    `import { useReadContract } from "effect-chains/react/contracts"`,
    `useReadContract({ address: "0x0", abi: [], functionName: "balanceOf" })`
  ),
  reactPage(
    "effect-chains/react/data",
    `import { useData } from "effect-chains/react/data"`,
    `useData("rates.getBySymbol", [{ symbol: "ETH" }])`
  ),
  {
    ...reactPage("effect-chains/react/devtools", "", ""),
    code: `
  import { createElement } from "react"
  import { createRoot } from "react-dom/client"
  import { SdkProvider, useRpc } from "effect-chains/react"
  import { Devtools } from "effect-chains/react/devtools"
  const Balance = () => String(useRpc("getBalance", ["0x0"]).data)
  const config = { network: "ethereum-mainnet" }
  createRoot(document.body).render(createElement(SdkProvider, { config }, createElement(Balance), createElement(Devtools)))`
  },
  {
    ...reactPage("effect-chains/react/persistence", "", ""),
    code: `
  import { layerStorage } from "@effect/platform/KeyValueStore"
  import { createElement } from "react"
  import { createRoot } from "react-dom/client"
  import { SdkProvider, useRpc } from "effect-chains/react"
  import { PersistProvider } from "effect-chains/react/persistence"
  const store = layerStorage(() => localStorage)
  const Balance = () => String(useRpc("getBalance", ["0x0"]).data)
  const page = createElement(PersistProvider, { store }, createElement(Balance))
  createRoot(document.body).render(createElement(SdkProvider, { config: { network: "ethereum-mainnet" } }, page))`
  },
  reactPage(
    "effect-chains/react/reads",
    `import { read, useReads } from "effect-chains/react/reads"`,
    `useReads([read("rpc.getBalance", ["0x0"])])[0]`
  ),
  reactPage(
    "effect-chains/react/signers",
    `import { useSend, useSigner } from "effect-chains/react/signers"
  import { make } from "effect-chains/effect/signers/Solana"`,
    `useSend(useSigner(make, { privateKey: "a" }).data)`
  ),
  { name: "effect-chains/webhook", code: webhook },
  { name: "effect-chains/signers/Evm", code: signing },
  { name: "effect-chains/effect/signers/Evm", code: signingEffect },
  { name: "effect-chains/signers/permit", code: permitting },
  { name: "effect-chains/effect/signers/permit", code: permittingEffect },
  { name: "effect-chains/signers/staking", code: staking },
  { name: "effect-chains/effect/signers/staking", code: stakingEffect },
  { name: "effect-chains/signers/policy", code: guarded },
  { name: "effect-chains/effect/signers/policy", code: guardedEffect },
  { name: "effect-chains/signers/proposal", code: proposing },
  { name: "effect-chains/effect/signers/proposal", code: proposingEffect },
  { name: "effect-chains/signers/simulate", code: simulating },
  { name: "effect-chains/effect/signers/simulate", code: simulatingEffect },
  { name: "effect-chains/signers/sweep", code: sweeping },
  { name: "effect-chains/effect/signers/sweep", code: sweepingEffect },
  { name: "effect-chains/accounts/aws-kms", code: kms },
  { name: "effect-chains/accounts/google-kms", code: googleKms },
  { name: "effect-chains/accounts/azure-key-vault", code: azureKeyVault },
  { name: "effect-chains/accounts/ledger", code: ledger },
  { name: "effect-chains/accounts/remote", code: remote },
  { name: "effect-chains/accounts/server", code: signingServer },
  { name: "effect-chains/contracts", code: contracts },
  { name: "effect-chains/effect/contracts", code: contractsEffect },
  { name: "effect-chains/networks", code: constant("effect-chains/networks") },
  { name: "effect-chains/chains", code: constant("effect-chains/chains") },
  { name: "@tatumio/tatum", code: tatum, alias: { "@tatumio/tatum": folder }, quick: oneFile },
  { name: "viem, public client", code: viem("createPublicClient"), quick: oneFile },
  { name: "viem, client and one action", code: viem("createClient"), quick: oneFile },
  { name: "ethers", code: ethers, quick: oneFile },
  { name: "@solana/kit", code: kit, quick: oneFile }
]
