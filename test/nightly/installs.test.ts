/**
 * New projects with the packed tarball, as bundlers, frameworks and compilers have them: what is installed, the files, the lines that build
 * it, and a look at what was built. All of them ask the same sandbox. Whatever npm, a compiler or a bundler prints as a warning fails,
 * but for what a row says of its own framework.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { dirname, extname, join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freePort } from "../../scripts/freePort.mjs"
import { sandbox } from "../../scripts/pack.mjs"
import { isRunnable, launch } from "../browser/chromium.js"
import { packed, terminal } from "./terminal.js"

type Terminal = ReturnType<typeof terminal>
type Sandbox = Awaited<ReturnType<typeof sandbox>>

const browsers = isRunnable("what bundlers build, in a browser")
let served: Sandbox
let browser: Browser | undefined
beforeAll(async () => {
  served = await sandbox()
  if (browsers) browser = await launch()
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await served?.end()
})

/** The first account of the sandbox, and its words. */
const address = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
const mnemonic = "test test test test test test test test test test test junk"

/** The Promise surface: a whole client and its services, picked calls, an account. It is given the provider by whoever runs it. */
const use = `
import { ETHEREUM } from "effect-chains/chains"
import { createClient, getBalance } from "effect-chains/evm"
import { init } from "effect-chains/promise"
import { signer } from "effect-chains/signers/Evm"

const taken = (result) => {
  if (result.status === "ERROR") throw result.error.cause
  return result.data
}

export const use = async (provider) => {
  const options = { provider, quiet: true }
  const sdk = await init({ network: "ethereum-mainnet", ...options })
  const account = taken(await signer(sdk, { mnemonic: "${mnemonic}" }))
  const [asset] = taken(await sdk.address.getBalance({ addresses: [account.address] }))
  const refused = await sdk.rpc.getBalance("0x0")
  await sdk.destroy()
  const picked = await createClient({ network: ETHEREUM, endpoints: { getBalance }, ...options })
  const wei = taken(await picked.rpc.getBalance("${address}"))
  await picked.destroy()
  return { asset: asset.balance, wei: String(wei), refused: refused.error.cause._tag }
}
`

/** The Effect surface beside it. */
const useEffect = `
import { FetchHttpClient } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Sdk } from "effect-chains"
import { use } from "./use.js"

class Eth extends Sdk.Tag("Eth", "ethereum-mainnet")() {}

export const useAll = async (provider) => {
  const program = Effect.gen(function* () {
    return yield* (yield* Eth).rpc.getBalance("${address}")
  }).pipe(Effect.provide(Eth.layer({ provider, quiet: true }).pipe(Layer.provide(FetchHttpClient.layer))))
  return { ...(await use(provider)), effect: String(await Effect.runPromise(program)) }
}
`

/** The same program in TypeScript: whatever the compiler does not know of a call's types would be an error. */
const typed = `
import { ETHEREUM } from "effect-chains/chains"
import { createClient, getBalance } from "effect-chains/evm"
import { init, isSdkError, type Result } from "effect-chains/promise"
import { signer } from "effect-chains/signers/Evm"

export interface Provider {
  readonly baseUrl: string
  readonly nodeListUrl: string
  readonly domain: string
}

const taken = <A, E>(result: Result<A, E>): A => {
  if (result.status === "ERROR") throw result.error.cause
  return result.data
}

export const use = async (provider: Provider) => {
  const options = { provider, quiet: true }
  const sdk = await init({ network: "ethereum-mainnet", ...options })
  const account = taken(await signer(sdk, { mnemonic: "${mnemonic}" }))
  const [asset] = taken(await sdk.address.getBalance({ addresses: [account.address] }))
  const refused = await sdk.rpc.getBalance("0x0")
  // @ts-expect-error a number is no address
  await sdk.rpc.getBalance(0)
  await sdk.destroy()
  if (refused.status !== "ERROR" || !isSdkError(refused.error.cause)) throw refused
  const picked = await createClient({ network: ETHEREUM, endpoints: { getBalance }, ...options })
  const wei: bigint = taken(await picked.rpc.getBalance("${address}"))
  await picked.destroy()
  return { asset: asset?.balance, wei: String(wei), refused: refused.error.cause._tag }
}
`

/** Prints what the program answers. */
const printing = (from: string) => `import { use } from "${from}"
use(JSON.parse(process.argv[2] ?? "{}")).then((answers) => console.log(JSON.stringify(answers)))
`

/** Reads alone, for a test runner whose \`require\` reads no ES modules. */
const reads = `
const { ETHEREUM } = require("effect-chains/chains")
const { createClient, getBalance } = require("effect-chains/evm")
const { init, isSdkError } = require("effect-chains/promise")

test("balances of the sandbox", async () => {
  const options = { provider: JSON.parse(process.env.PROVIDER), quiet: true }
  const sdk = await init({ network: "ethereum-mainnet", ...options })
  const picked = await createClient({ network: ETHEREUM, endpoints: { getBalance }, ...options })
  for (const { rpc } of [sdk, picked]) expect((await rpc.getBalance("${address}")).data).toBe(10n ** 22n)
  const refused = await sdk.rpc.getBalance("0x0")
  expect(isSdkError(refused.error.cause)).toBe(true)
  expect(refused.error.cause._tag).toBe("RpcError")
  await sdk.destroy()
  await picked.destroy()
})
`

/** The project of an application in CommonJS. */
const commonJs = JSON.stringify({ name: "app", private: true })

/** The newest Node that a tool asks for, where the one of this process is older: on the path of the lines after these. */
const newer = 'PATH="$PWD/tools/node_modules/node/bin:$PATH"'
const path = `export ${newer}`
const newerNode = [
  `npm i --prefix tools --ignore-scripts node@npm:node-${process.platform}-${process.arch}@24`,
  path
]

const promised = { asset: "10000", wei: "10000000000000000000000", refused: "RpcError" }
const all = { ...promised, effect: promised.wei }

const compiler = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, target: "es2022" }

/** A server of a folder, for the time of a look at it. */
const hosting = async <A>(folder: string, look: (url: string) => Promise<A>): Promise<A> => {
  const types: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" }
  const server = createServer((request, response) => {
    const file = join(folder, request.url === "/" ? "index.html" : (request.url ?? ""))
    try {
      const body = readFileSync(file)
      response.writeHead(200, { "content-type": types[extname(file)] ?? "text/plain" }).end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  try {
    return await look(`http://127.0.0.1:${port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** A page, whose console has to stay empty. */
const visiting = async (url: string, see: (page: Page) => Promise<void>): Promise<void> => {
  const page = await browser?.newPage()
  if (page === undefined) return
  const said: Array<string> = []
  page.on("console", (line) => {
    if (["warning", "error"].includes(line.type())) said.push(line.text())
  })
  page.on("pageerror", (error) => said.push(String(error)))
  await page.addInitScript((provider) => Object.assign(globalThis, { provider }), served.provider)
  await page.goto(url)
  await see(page)
  await page.close()
  expect(said).toEqual([])
}

/** Every entry of a package that a project has installed, by what its manifest says and the files that patterns stand for. */
const entriesIn = (project: string, name: string): ReadonlyArray<string> => {
  const home = join(project, "node_modules", name)
  const { exports }: { readonly exports: Readonly<Record<string, string | { readonly types: string }>> } =
    JSON.parse(readFileSync(join(home, "package.json"), "utf8"))
  return Object.entries(exports).flatMap(([entry, target]) => {
    if (typeof target === "string") return []
    const path = `${name}${entry.slice(1)}`
    if (!entry.includes("*")) return [path]
    return readdirSync(join(home, dirname(target.types)))
      .filter((file) => file.endsWith(".d.ts"))
      .map((file) => path.replace("*", file.replace(/\.d\.ts$/, "")))
  })
}

/** Versions of the optional peers that a project with all of them takes: those for Effect 3, and for Node 20. */
const chosen: Readonly<Record<string, string>> = { effect: "3", "@solana/kit": "6.9" }
const peersOf = (manifest: string): Readonly<Record<string, string>> => {
  const { peerDependencies }: { readonly peerDependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(import.meta.dirname, "../..", manifest), "utf8")
  )
  return peerDependencies
}
const peers = (): string =>
  Object.entries({ ...peersOf("packages/fleet/package.json"), ...peersOf("package.json"), ...chosen })
    .filter(([name]) => !name.startsWith("@foundry-rs/") && name !== "effect-chains")
    .map(([name, range]) => `'${name}@${range}'`)
    .join(" ")

const effect = "effect@3 @effect/platform"
const account = "ox @scure/bip39"

interface Project {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly install: ReadonlyArray<string>
  /** After the installation, as a project may have files by what is installed. */
  readonly prepare?: (reader: Terminal) => void
  readonly build: ReadonlyArray<string>
  /** Warnings of the framework's own: they are there without the package, too. */
  readonly own?: ReadonlyArray<string>
  readonly check?: (reader: Terminal) => Promise<void>
}

const oldest = "5.4.5"

/** What a program that was compiled for CommonJS is run as, by the version of TypeScript and the options that matter. */
const compilations = [
  [oldest, { module: "commonjs", skipLibCheck: true }],
  [oldest, { module: "node16", skipLibCheck: true }],
  ["5.7", { module: "commonjs" }],
  ["5.7", { module: "node16" }],
  ["6", { module: "commonjs" }],
  ["6", { module: "commonjs", moduleResolution: "node10", ignoreDeprecations: "6.0" }],
  ["6", { module: "node16" }],
  ["7", { module: "commonjs" }],
  ["7", { module: "node16" }],
  ["7", { module: "nodenext" }]
] as const

const typescript = `npm i --ignore-scripts -D ${[oldest, "5.7", "6", "7"].map((version) => `ts-${version}@npm:typescript@${version}`).join(" ")}`

/** What Node says of each entry of the package that is for the other version of Effect, by the entries. */
const toldByNode = async (reader: Terminal, isOfOther: RegExp): Promise<ReadonlyArray<readonly string[]>> => {
  const others = entriesIn(reader.at("."), "effect-chains").filter((entry) => isOfOther.test(entry))
  expect(others.length).toBeGreaterThan(40)
  writeFileSync(
    reader.at("others.mjs"),
    `for (const entry of ${JSON.stringify(others)})
  await import(entry).then(
    () => console.log(JSON.stringify([entry, "is there"])),
    ({ message }) => console.log(JSON.stringify([entry, message]))
  )
`
  )
  const said = (await reader.run("node others.mjs")).trim().split("\n")
  return said.map((line): readonly string[] => JSON.parse(line))
}

/** A program in TypeScript for one version of Effect. */
const nodenext = JSON.stringify({
  compilerOptions: {
    ...compiler,
    noEmit: false,
    module: "nodenext",
    lib: ["es2023", "dom", "dom.iterable", "esnext.disposable"],
    types: ["node"],
    skipLibCheck: true
  },
  include: ["app.ts"]
})

const compileWrong =
  "npx tsc --ignoreConfig --noEmit --skipLibCheck --module nodenext --types node wrong.ts | sed 's/error TS/TS/' || true"

const projects: ReadonlyArray<Project> = [
  {
    name: "Effect 3, whose compiler and Node name the entry",
    install: [
      `npm i --ignore-scripts effect-chains ${effect} react@19 ox`,
      "npm i --ignore-scripts -D typescript@6 @types/node@20"
    ],
    files: {
      "tsconfig.json": nodenext,
      "app.ts": `import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { Sdk } from "effect-chains"

class Eth extends Sdk.Tag("Eth", "ethereum-mainnet")<Eth>() {}

const provider = JSON.parse(process.argv[2] ?? "{}")
const program = Effect.gen(function* () {
  const wei: bigint = yield* (yield* Eth).rpc.getBalance("${address}")
  return String(wei)
}).pipe(Effect.provide(Eth.layer({ provider, quiet: true }).pipe(Layer.provide(FetchHttpClient.layer))))

console.log(await Effect.runPromise(program))
`,
      "wrong.ts": `import { Sdk } from "effect-chains/effect4"
export const made = Sdk.make({ network: "ethereum-mainnet" })
`
    },
    build: ["npx tsc"],
    check: async (reader) => {
      expect((await reader.run(`node app.js '${JSON.stringify(served.provider)}'`)).trim()).toBe(promised.wei)
      expect(await reader.run(compileWrong)).toContain("with Effect 3, import effect-chains")
      for (const [entry = "", said] of await toldByNode(reader, /^effect-chains\/effect4(\/|$)/))
        expect([entry, said]).toEqual([
          entry,
          expect.stringContaining(`${entry} needs effect@4.1 or later. With Effect 3, import "effect-chains`)
        ])
    }
  },
  {
    name: "Effect 4 with React, as Vite builds it",
    install: [
      "npm i --ignore-scripts effect-chains effect@4 react@19 react-dom@19 ox",
      "npm i --ignore-scripts -D vite@8 typescript@6 @types/react@19 @types/react-dom@19"
    ],
    files: {
      "index.html": `<!doctype html><html lang="en"><head><link rel="icon" href="data:"></head><body><div id="root"></div><script type="module" src="/app.tsx"></script></body></html>`,
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          ...compiler,
          module: "esnext",
          moduleResolution: "bundler",
          jsx: "react-jsx",
          lib: ["es2023", "dom", "dom.iterable", "esnext.disposable"],
          types: [],
          skipLibCheck: true
        },
        include: ["app.tsx"]
      }),
      "app.tsx": `import { SdkProvider, useRpc } from "effect-chains/effect4/react"
import { createRoot } from "react-dom/client"

interface Provider {
  readonly baseUrl: string
  readonly nodeListUrl: string
  readonly domain: string
}
declare const provider: Provider
const network = "ethereum-mainnet"

const Balance = () => {
  const { data, error } = useRpc("getBalance", ["${address}"], { network })
  const wei: bigint | undefined = data
  return <p>{error === undefined || error === null ? String(wei) : error.message}</p>
}

const root = document.getElementById("root")
if (root !== null)
  createRoot(root).render(
    <SdkProvider config={{ network, provider, quiet: true }}>
      <Balance />
    </SdkProvider>
  )
`
    },
    build: ["npx tsc", "npx vite build --logLevel error"],
    check: async (reader) => {
      await hosting(reader.at("dist"), (url) =>
        visiting(url, async (page) => {
          await page.waitForFunction(`document.body.textContent.includes("${promised.wei}")`)
        })
      )
      for (const [entry = "", said] of await toldByNode(
        reader,
        /^effect-chains($|\/(effect|react|sandbox)(\/|$))/
      ))
        expect([entry, said]).toEqual([
          entry,
          expect.stringMatching(
            /needs effect@3.*(With Effect 4, import "effect-chains\/effect4|not there for Effect 4)/
          )
        ])
    }
  },
  {
    name: "Effect 4, whose compiler and Node name the entry",
    install: ["npm i effect-chains effect@4", "npm i --ignore-scripts -D typescript@6 @types/node@20"],
    files: {
      "tsconfig.json": nodenext,
      "app.ts": `import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { Sdk } from "effect-chains/effect4"

class Eth extends Sdk.Tag("Eth", "ethereum-mainnet")<Eth>() {}

const provider = JSON.parse(process.argv[2] ?? "{}")
const program = Effect.gen(function* () {
  const wei: bigint = yield* (yield* Eth).rpc.getBalance("${address}")
  return String(wei)
}).pipe(Effect.provide(Eth.layer({ provider, quiet: true }).pipe(Layer.provide(FetchHttpClient.layer))))

console.log(await Effect.runPromise(program))
`,
      "wrong.ts": `import { Sdk } from "effect-chains"
export const made = Sdk.make({ network: "ethereum-mainnet" })
`
    },
    build: ["npx tsc"],
    check: async (reader) => {
      expect((await reader.run(`node app.js '${JSON.stringify(served.provider)}'`)).trim()).toBe(promised.wei)
      expect(await reader.run(compileWrong)).toContain("import effect-chains/effect4")
      expect(
        await reader.run(`node -e 'import("effect-chains").catch(({ message }) => console.log(message))'`)
      ).toContain('With Effect 4, import "effect-chains/effect4".')
    }
  },
  {
    name: "webpack, for browsers and for Node",
    install: [`npm i --ignore-scripts effect-chains ${effect} ${account} webpack@5 webpack-cli@6`],
    files: {
      "use.js": use,
      "all.js": useEffect,
      "page.js": `import { useAll } from "./all.js"
useAll(globalThis.provider).then((answers) => { document.body.textContent = JSON.stringify(answers) })`,
      "program.js": `import { useAll } from "./all.js"
console.log(JSON.stringify(await useAll(JSON.parse(process.argv[2]))))`,
      "webpack.config.js": `const of = (name, target, output) => ({ name, target, mode: "production", entry: \`./\${name}.js\`, output })
export default [
  of("page", "web", { path: import.meta.dirname + "/page" }),
  of("program", "node20.19", { path: import.meta.dirname + "/program", module: true, chunkFormat: "module", library: { type: "module" } })
].map((config) => ({ ...config, experiments: { outputModule: config.name === "program" }, performance: { hints: false } }))`,
      "page/index.html": `<!doctype html><link rel="icon" href="data:,"><body><script src="main.js"></script>`
    },
    build: ["npx webpack"],
    check: async (reader) => {
      const given = JSON.stringify(served.provider)
      expect(JSON.parse(await reader.run(`node program/main.mjs '${given}'`))).toEqual(all)
      await hosting(reader.at("page"), (url) =>
        visiting(url, async (page) => {
          await page.waitForFunction("document.body.textContent.trim().startsWith('{')")
          expect(JSON.parse((await page.textContent("body")) ?? "")).toEqual(all)
        })
      )
    }
  },
  ...["", " --webpack"].map(
    (bundler): Project => ({
      name: `Next${bundler}`,
      install: [
        `npm i --ignore-scripts effect-chains ${effect} @effect-rx/rx-react @tanstack/react-query next react react-dom`,
        "npm i --ignore-scripts -D typescript@6 @types/node@20 @types/react @types/react-dom"
      ],
      files: {
        "tsconfig.json": JSON.stringify({
          compilerOptions: {
            ...compiler,
            lib: ["dom", "dom.iterable", "esnext"],
            module: "esnext",
            moduleResolution: "bundler",
            jsx: "react-jsx",
            allowJs: true,
            skipLibCheck: false,
            isolatedModules: true,
            resolveJsonModule: true,
            esModuleInterop: true,
            incremental: true,
            plugins: [{ name: "next" }]
          },
          include: ["next-env.d.ts", "**/*.ts", "**/*.tsx", ".next/types/**/*.ts", ".next/dev/types/**/*.ts"],
          exclude: ["node_modules"]
        }),
        "app/provider.ts": `export const provider = JSON.parse(process.env.PROVIDER ?? '"sandbox"')
export const address = "${address}"
`,
        "app/layout.tsx": `import type { ReactNode } from "react"
export default function Layout({ children }: { readonly children: ReactNode }) {
  return <html lang="en"><head><link rel="icon" href="data:," /></head><body>{children}</body></html>
}
`,
        "app/page.tsx": `import { init } from "effect-chains/chains/Ethereum"
import { Hooks, Queries } from "./client"
import { address, provider } from "./provider"

export const dynamic = "force-dynamic"

export default async function Page() {
  const sdk = await init({ network: "ethereum-mainnet", provider, rpc: { oneTimeLoadBalancing: true }, quiet: true })
  const balance = await sdk.rpc.getBalance(address)
  await sdk.destroy()
  return (
    <main>
      <p>server {balance.status === "SUCCESS" ? String(balance.data) : balance.error.message}</p>
      <Hooks provider={provider} address={address} />
      <Queries provider={provider} address={address} />
    </main>
  )
}
`,
        "app/client.tsx": `"use client"
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query"
import { init, type PromiseSdk } from "effect-chains/promise"
import { rpcQueryOptions } from "effect-chains/query"
import { SdkProvider, useRpc } from "effect-chains/react"
import { useEffect, useState } from "react"

interface Props {
  readonly provider: { readonly baseUrl: string; readonly nodeListUrl: string; readonly domain: string }
  readonly address: string
}

const network = "ethereum-mainnet"

const Hook = ({ address }: { readonly address: string }) => {
  const { data, error } = useRpc("getBalance", [address], { network })
  return <p>hook {error === undefined || error === null ? String(data) : error.message}</p>
}
export const Hooks = ({ provider, address }: Props) => (
  <SdkProvider config={{ network, provider, quiet: true }}>
    <Hook address={address} />
  </SdkProvider>
)

const queries = new QueryClient()
const Query = ({ sdk, address }: { readonly sdk: PromiseSdk<typeof network>; readonly address: string }) => {
  const { data, error } = useQuery(rpcQueryOptions(sdk, "getBalance", [address]))
  return <p>query {error === null ? String(data) : error.message}</p>
}
export const Queries = ({ provider, address }: Props) => {
  const [sdk, setSdk] = useState<PromiseSdk<typeof network>>()
  useEffect(() => {
    void init({ network, provider, quiet: true }).then(setSdk)
  }, [provider])
  return <QueryClientProvider client={queries}>{sdk && <Query sdk={sdk} address={address} />}</QueryClientProvider>
}
`,
        "app/edge/route.ts": `import { ETHEREUM } from "effect-chains/chains"
import { createClient, getBalance } from "effect-chains/evm"
import { address, provider } from "../provider"

export const runtime = "edge"

export async function GET(): Promise<Response> {
  const sdk = await createClient({
    network: ETHEREUM,
    endpoints: { getBalance },
    provider,
    rpc: { oneTimeLoadBalancing: true },
    quiet: true
  })
  const balance = await sdk.rpc.getBalance(address)
  await sdk.destroy()
  return balance.status === "SUCCESS"
    ? Response.json({ edge: String(balance.data) })
    : Response.json({ error: balance.error.message }, { status: 503 })
}
`
      },
      // of this version of Next, whoever has such a route, though it answers with an empty object
      own: [
        `⚠ The Edge Runtime is deprecated. You can use the "nodejs" runtime instead. Learn more: https://nextjs.org/docs/messages/edge-runtime-deprecated`,
        "⚠ Using edge runtime on a page currently disables static generation for that page"
      ],
      build: ["export NEXT_TELEMETRY_DISABLED=1", `npx next build${bundler}`],
      check: async (reader) => {
        const port = await freePort()
        const start = `PROVIDER='${JSON.stringify(served.provider)}' NEXT_TELEMETRY_DISABLED=1 npx next start -H 127.0.0.1 -p ${port}`
        await using server = await reader.start(start, /Ready in/)
        const url = `http://127.0.0.1:${port}`
        expect(await (await fetch(url)).text()).toMatch(new RegExp(`server (<!-- -->)?${promised.wei}<`))
        expect(await (await fetch(`${url}/edge`)).json()).toEqual({ edge: promised.wei })
        await visiting(url, async (page) => {
          for (const by of ["server", "hook", "query"])
            await page.getByText(`${by} ${promised.wei}`).waitFor()
        })
        server.output()
      }
    })
  ),
  {
    name: "Metro, for React Native",
    install: [
      `npm i --ignore-scripts effect-chains ${account} react-native react react-native-url-polyfill`,
      "npm i --ignore-scripts -D metro @react-native/metro-config @react-native/babel-preset @babel/plugin-transform-class-static-block@7 jsdom"
    ],
    files: {
      // static blocks are in classes of ox
      "babel.config.cjs": `module.exports = {
  presets: ["module:@react-native/babel-preset"],
  plugins: ["@babel/plugin-transform-class-static-block"]
}`,
      "metro.config.cjs": `const { getDefaultConfig } = require("@react-native/metro-config")
const config = getDefaultConfig(__dirname)
module.exports = { ...config, serializer: { ...config.serializer, getModulesRunBeforeMainModule: () => [] } }`,
      "use.js": use,
      "index.js": `import "react-native/Libraries/Network/fetch"
import "react-native-url-polyfill/auto"
import { use } from "./use.js"
use(globalThis.provider).then((answers) => globalThis.print(JSON.stringify(answers)))`,
      // in place of the native half: an engine's own objects, and of the web's what React Native has, its fetch being over XMLHttpRequest
      "host.mjs": `import { readFileSync } from "node:fs"
import { createContext, runInContext } from "node:vm"
import { JSDOM } from "jsdom"
const [file, given] = process.argv.slice(2)
const provider = JSON.parse(given)
const { window } = new JSDOM("", { url: provider.baseUrl })
const { Blob, FileReader, FormData, XMLHttpRequest } = window
const print = (line) => {
  console.log(line)
  window.close()
}
const context = createContext({
  ...{ AbortController, TextDecoder, TextEncoder, btoa, console, performance, queueMicrotask },
  ...{ clearInterval, clearTimeout, setInterval, setTimeout },
  ...{ Blob, FileReader, FormData, XMLHttpRequest },
  ...{ nativeModuleProxy: { PlatformConstants: { getConstants: () => ({ isTesting: true }) } }, print, provider }
})
runInContext("globalThis.self = globalThis.global = globalThis.window = globalThis", context)
runInContext(readFileSync(file, "utf8"), context, file)
`
    },
    build: [
      ...["ios", "android"].map(
        (platform) =>
          `npx metro build index.js --config metro.config.cjs --platform ${platform} --minify false --out ${platform}.js`
      ),
      // what an application ships is the bytecode of its engine
      "node_modules/hermes-compiler/hermesc/linux64-bin/hermesc -w -O -emit-binary -out android.hbc android.js"
    ],
    check: async (reader) => {
      for (const platform of ["ios", "android"]) {
        const printed = await reader.run(`node host.mjs ${platform}.js '${JSON.stringify(served.provider)}'`)
        expect(JSON.parse(printed)).toEqual(promised)
      }
    }
  },
  {
    name: "TypeScript, a CommonJS project",
    install: [`npm i --ignore-scripts effect-chains ${account} @types/node@20`, typescript],
    files: {
      "package.json": commonJs,
      "use.ts": typed,
      "main.ts": printing("./use"),
      ...Object.fromEntries(
        compilations.map(([, options], i) => [
          `tsconfig.${i}.json`,
          JSON.stringify({
            compilerOptions: {
              ...compiler,
              ...options,
              noEmit: false,
              outDir: `out${i}`,
              rootDir: ".",
              lib: ["es2023", "dom", "dom.iterable", "esnext.disposable"],
              types: ["node"]
            },
            files: ["main.ts"]
          })
        ])
      )
    },
    build: compilations.map(
      ([version], i) => `node node_modules/ts-${version}/bin/tsc -p tsconfig.${i}.json`
    ),
    check: async (reader) => {
      for (const i of compilations.keys())
        expect(
          JSON.parse(await reader.run(`node out${i}/main.js '${JSON.stringify(served.provider)}'`))
        ).toEqual(promised)
    }
  },
  ...["29", "30"].map(
    (version): Project => ({
      name: `Jest ${version}`,
      install: [
        `npm i --ignore-scripts effect-chains ${effect} ${account} @effect-rx/rx-react react@19 react-dom@19`,
        `npm i --ignore-scripts -D jest@${version} jest-environment-jsdom@${version} @types/jest@${version} @types/node@20`,
        "npm i --ignore-scripts -D ts-jest typescript@5.9 @swc/core @swc/jest"
      ],
      files: {
        "package.json": commonJs,
        "tsconfig.json": JSON.stringify({
          compilerOptions: { ...compiler, module: "commonjs", lib: ["es2023", "dom", "esnext.disposable"] }
        }),
        "plain.test.js": reads,
        "page.test.js": `const { renderToString } = require("react-dom/server")
const { createElement } = require("react")
const { SdkProvider, useBalance } = require("effect-chains/react")

const Balance = () => createElement("b", null, useBalance({ address: "${address}" }).status)

test("a page before its first answer", () => {
  const page = createElement(SdkProvider, { config: { network: "ethereum-mainnet" } }, createElement(Balance))
  expect(renderToString(page)).toBe("<b>loading</b>")
})
`,
        "typed.test.ts": `import { init } from "effect-chains/promise"
test("a balance of the sandbox", async () => {
  const sdk = await init({ network: "ethereum-mainnet", provider: JSON.parse(process.env.PROVIDER ?? ""), quiet: true })
  const balance = await sdk.rpc.getBalance("${address}")
  // @ts-expect-error a number is no address
  await sdk.rpc.getBalance(0)
  expect(balance.data).toBe(10n ** 22n)
  await sdk.destroy()
})
`,
        "use.ts": typed,
        "signers.test.ts": `import { use } from "./use"
test("an account of the sandbox", async () => {
  expect(await use(JSON.parse(process.env.PROVIDER ?? ""))).toEqual(${JSON.stringify(promised)})
})
`,
        "jest.config.js": `const of = (displayName, config = {}) => ({ displayName, testMatch: ["<rootDir>/" + displayName + ".test.*"], ...config })
module.exports = {
  projects: [
    of("plain"),
    of("page"),
    of("typed", { preset: "ts-jest" }),
    of("signers", {
      transform: { "^.+\\\\.[jt]s$": ["@swc/jest", { jsc: { parser: { syntax: "typescript" } } }] },
      transformIgnorePatterns: ["/node_modules/(?!(ox|@noble|@scure)/)"]
    })
  ]
}
`
      },
      build: [],
      check: async (reader) => {
        // it prints on the stream of errors
        const printed = await reader.run(`PROVIDER='${JSON.stringify(served.provider)}' npx jest 2>&1`)
        expect(printed).toMatch(/^Tests: +4 passed, 4 total$/m)
      }
    })
  ),
  {
    name: "ts-node and tsx",
    install: [
      `npm i --ignore-scripts effect-chains ${account}`,
      "npm i --ignore-scripts -D ts-node tsx typescript@5.9 @types/node@20"
    ],
    files: {
      "package.json": commonJs,
      "use.ts": typed,
      "main.ts": printing("./use"),
      "esm/package.json": JSON.stringify({ type: "module" }),
      "esm/use.ts": typed,
      "esm/main.ts": printing("./use.js"),
      ...Object.fromEntries(
        ["commonjs", "node16"].map((module) => [
          `tsconfig.${module}.json`,
          JSON.stringify({
            compilerOptions: { ...compiler, module, lib: ["es2023", "dom", "esnext.disposable"] }
          })
        ])
      )
    },
    build: [],
    check: async (reader) => {
      for (const run of [
        "ts-node -P tsconfig.commonjs.json main.ts",
        "ts-node -P tsconfig.node16.json main.ts",
        "tsx main.ts",
        "tsx esm/main.ts"
      ])
        expect(JSON.parse(await reader.run(`npx ${run} '${JSON.stringify(served.provider)}'`)), run).toEqual(
          promised
        )
    }
  },
  {
    name: "Vitest",
    install: [
      ...newerNode,
      `npm i --ignore-scripts effect-chains ${account}`,
      "npm i --ignore-scripts -D vitest"
    ],
    files: {
      "use.ts": typed,
      "use.test.ts": `import { expect, test } from "vitest"
import { use } from "./use"
test("balances of the sandbox", async () => {
  expect(await use(JSON.parse(process.env.PROVIDER ?? ""))).toEqual(${JSON.stringify(promised)})
})
`
    },
    build: [],
    check: async (reader) => {
      const printed = await reader.run(path, `PROVIDER='${JSON.stringify(served.provider)}' npx vitest run`)
      expect(printed).toMatch(/Tests +1 passed/)
    }
  },
  ...["11", "12"].map(
    (version): Project => ({
      name: `NestJS ${version}`,
      // 12 asks for a newer Node than the oldest of this package
      install: [
        ...(version === "11" ? [] : newerNode),
        `npm i --ignore-scripts effect-chains ${account} @nestjs/core@${version} @nestjs/common@${version} @nestjs/platform-express@${version} reflect-metadata rxjs`,
        `npm i --ignore-scripts -D @nestjs/cli@${version} typescript@5.9 @types/node@20`
      ],
      files: {
        "package.json": JSON.stringify({
          name: "app",
          private: true,
          type: version === "11" ? "commonjs" : "module"
        }),
        "nest-cli.json": JSON.stringify({ sourceRoot: "src" }),
        "tsconfig.json": JSON.stringify({
          compilerOptions: {
            ...compiler,
            // as \`nest new\` has it
            ...(version === "11" ? { module: "commonjs" } : { module: "nodenext" }),
            noEmit: false,
            outDir: "dist",
            rootDir: "src",
            emitDecoratorMetadata: true,
            experimentalDecorators: true,
            lib: ["es2023", "dom", "esnext.disposable"],
            types: ["node"]
          },
          include: ["src"]
        }),
        "src/use.ts": typed,
        "src/main.ts": `import "reflect-metadata"
import { Controller, Get, Injectable, Module, type OnModuleDestroy, type OnModuleInit } from "@nestjs/common"
import { NestFactory } from "@nestjs/core"
import { init, type PromiseSdk } from "effect-chains/promise"
import { use } from "./use${version === "11" ? "" : ".js"}"

const provider = JSON.parse(process.env.PROVIDER ?? '"sandbox"')

@Injectable()
class Ethereum implements OnModuleInit, OnModuleDestroy {
  sdk!: PromiseSdk<"ethereum-mainnet">
  async onModuleInit() {
    this.sdk = await init({ network: "ethereum-mainnet", provider, quiet: true })
  }
  onModuleDestroy() {
    return this.sdk.destroy()
  }
}

@Controller()
class Balances {
  constructor(private readonly ethereum: Ethereum) {}
  @Get("balance")
  async balance() {
    const { data } = await this.ethereum.sdk.rpc.getBalance("${address}")
    return { wei: String(data) }
  }
  @Get("use")
  use() {
    return use(provider)
  }
}

@Module({ controllers: [Balances], providers: [Ethereum] })
class App {}

const main = async () => {
  const app = await NestFactory.create(App)
  app.enableShutdownHooks()
  await app.listen(Number(process.env.PORT), "127.0.0.1")
  console.log("listening")
}
void main()
`
      },
      build: [...(version === "11" ? [] : [path]), "npx nest build"],
      check: async (reader) => {
        const port = await freePort()
        const start = `PROVIDER='${JSON.stringify(served.provider)}' PORT=${port} ${version === "11" ? "" : newer} node dist/main.js`
        await using server = await reader.start(start, /^listening$/m)
        const answer = async (path: string) => (await fetch(`http://127.0.0.1:${port}/${path}`)).json()
        expect(await answer("balance")).toEqual({ wei: promised.wei })
        expect(await answer("use")).toEqual(promised)
        server.output()
      }
    })
  ),
  {
    // Electron's own program is not on npm: what its main process loads is run by Node
    name: "Electron, the main process as electron-vite builds it",
    install: [
      ...newerNode,
      `npm i --ignore-scripts effect-chains ${account}`,
      "npm i --ignore-scripts -D electron electron-vite vite@7"
    ],
    own: ["(!) renderer and preload config is missing"],
    files: {
      "package.json": JSON.stringify({ name: "app", private: true, main: "out/main/index.js" }),
      "electron.vite.config.mjs": `export default { main: {} }`,
      "src/main/use.ts": typed,
      "src/main/index.ts": printing("./use")
    },
    build: [path, "npx electron-vite build"],
    check: async (reader) => {
      const printed = await reader.run(path, `node out/main/index.js '${JSON.stringify(served.provider)}'`)
      expect(JSON.parse(printed)).toEqual(promised)
    }
  },
  {
    name: "Cloudflare",
    install: [
      ...newerNode,
      `npm i --ignore-scripts effect-chains ${account}`,
      "npm i --ignore-scripts -D wrangler@4 vitest@4 @cloudflare/vitest-plugin"
    ],
    files: {
      "use.ts": typed,
      "worker.ts": `import { use } from "./use"
interface Env { readonly PROVIDER: string }
export default {
  fetch: async (_: Request, env: Env): Promise<Response> => Response.json(await use(JSON.parse(env.PROVIDER)))
}
`,
      "wrangler.json": JSON.stringify({
        name: "balances",
        main: "worker.ts",
        compatibility_date: "2026-08-01"
      }),
      "worker.test.ts": `import { exports } from "cloudflare:workers"
import { expect, it } from "vitest"
it("answers with balances of the sandbox", async () => {
  const answer = await exports.default.fetch(new Request("http://worker.local/"))
  expect(await answer.json()).toEqual(${JSON.stringify(promised)})
})
`,
      "vitest.config.ts": `import { cloudflareTest } from "@cloudflare/vitest-plugin"
import { defineConfig } from "vitest/config"
export default defineConfig({
  plugins: [
    cloudflareTest({ wrangler: { configPath: "./wrangler.json" }, miniflare: { bindings: { PROVIDER: process.env.PROVIDER ?? "" } } })
  ],
  // a library of signers is transformed when it is first loaded, which takes seconds
  test: { testTimeout: 60_000 }
})
`
    },
    build: [],
    check: async (reader) => {
      const given = JSON.stringify(served.provider)
      const port = await freePort()
      const quiet = "CLOUDFLARE_CF_FETCH_ENABLED=false WRANGLER_SEND_METRICS=false WRANGLER_LOG_PATH=logs"
      const start = `${newer} ${quiet} npx wrangler dev --ip 127.0.0.1 --port ${port} --var 'PROVIDER:${given}'`
      {
        await using server = await reader.start(start, /Ready on/)
        expect(await (await fetch(`http://127.0.0.1:${port}`)).json()).toEqual(promised)
        server.output()
      }
      const printed = await reader.run(path, `PROVIDER='${given}' ${quiet} npx vitest run`)
      expect(printed).toMatch(/Tests +1 passed/)
    }
  },
  {
    name: "a fleet of processes, over one file",
    install: [
      `npm i --ignore-scripts effect-chains @effect-chains/fleet ${effect} ${account}`,
      "npm i --ignore-scripts @effect/platform-node@0.108 @effect/cluster @effect/workflow @effect/rpc @effect/sql @effect/experimental",
      "npm i --ignore-scripts @effect/sql-libsql"
    ],
    files: {
      "pay.js": `import { FetchHttpClient } from "@effect/platform"
import { Context, Effect, Layer, Redacted } from "effect"
import { Sdk } from "effect-chains"
import * as Evm from "effect-chains/effect/signers/Evm"
import * as EvmTransactions from "@effect-chains/fleet/evm"
import * as Libsql from "@effect-chains/fleet/libsql"

class Eth extends Sdk.Tag("Eth", "ethereum-mainnet")() {}
class Payments extends Context.Tag("Payments")() {}

const to = "0x00000000000000000000000000000000000f1ee7"
const accounts = Effect.map(Effect.all([Eth, Payments]), ([client, signer]) => [{ client, signer }])
const client = Eth.layer({ provider: JSON.parse(process.argv[2]), quiet: true }).pipe(Layer.provide(FetchHttpClient.layer))
const transactions = EvmTransactions.layer(accounts).pipe(
  Layer.provide(Evm.layer(Payments, Eth, { mnemonic: Redacted.make("${mnemonic}") })),
  Layer.provide(Libsql.layer({ name: "payments", file: "payments.db" })),
  Layer.provideMerge(client)
)
const program = Effect.gen(function* () {
  const { send } = yield* EvmTransactions.EvmTransactions
  const payment = { to, amount: "0.25", maxFee: "0.05" }
  const paid = yield* send({ key: "invoice-7", network: "ethereum-mainnet", from: "${address}", payment, confirmations: 1 })
  return { hash: paid.hash, balance: String(yield* (yield* Eth).rpc.getBalance(to)) }
})
console.log(JSON.stringify(await Effect.runPromise(Effect.provide(program, transactions))))`
    },
    build: [],
    check: async (reader) => {
      const pay = async () => JSON.parse(await reader.run(`node pay.js '${JSON.stringify(served.provider)}'`))
      const paid = await pay()
      expect(paid).toEqual({ hash: expect.stringMatching(/^0x[0-9a-f]{64}$/), balance: "250000000000000000" })
      // another process that asks for the same learns what became of it
      expect(await pay()).toEqual(paid)
    }
  },
  {
    name: "TypeScript, every entry of both packages for Effect 3 beside all optional peers",
    install: [
      `npm i --ignore-scripts effect-chains @effect-chains/fleet ${peers()} react-dom@19 @types/react@19 @types/node@20 @types/ws`,
      `npm i --ignore-scripts -D ${[oldest, "5.7", "7"].map((version) => `ts-${version}@npm:typescript@${version}`).join(" ")}`
    ],
    files: {
      ...Object.fromEntries(
        [false, true].flatMap((skipLibCheck) =>
          [
            { module: "nodenext" },
            { module: "node16", file: "entries.cts" },
            { module: "commonjs", moduleResolution: "node10", file: "entries.cts" },
            { module: "esnext", moduleResolution: "bundler" }
          ].map(({ file = "entries.ts", ...resolution }) => [
            `${resolution.moduleResolution ?? resolution.module}${skipLibCheck ? "-lenient" : ""}.json`,
            JSON.stringify({
              compilerOptions: {
                ...compiler,
                ...resolution,
                skipLibCheck,
                jsx: "react-jsx",
                lib: ["es2023", "dom", "dom.iterable", "esnext.disposable"],
                types: ["node"]
              },
              files: [file]
            })
          ])
        )
      )
    },
    prepare: (reader) => {
      // those for Effect 4 have projects of their own
      const entries = ["effect-chains", "@effect-chains/fleet"]
        .flatMap((name) => entriesIn(reader.at("."), name))
        .filter((entry) => !/^effect-chains\/effect4(\/|$)/.test(entry))
      expect(entries.length).toBeGreaterThan(95)
      const text = entries
        .map(
          (entry, i) => `import * as entry${i} from "${entry}"\nexport type Of${i} = keyof typeof entry${i}\n`
        )
        .join("")
      for (const file of ["entries.ts", "entries.cts"]) writeFileSync(reader.at(file), text)
    },
    build: [
      ...["nodenext", "bundler"].flatMap((resolution) => [
        `node node_modules/ts-7/bin/tsc -p ${resolution}.json`,
        `node node_modules/ts-5.7/bin/tsc -p ${resolution}.json`,
        `node node_modules/ts-${oldest}/bin/tsc -p ${resolution}-lenient.json`
      ]),
      // as a CommonJS project has them
      ...["7", "5.7", oldest].map(
        (version) => `node node_modules/ts-${version}/bin/tsc -p node16-lenient.json`
      ),
      ...["5.7", oldest].map((version) => `node node_modules/ts-${version}/bin/tsc -p node10-lenient.json`)
    ]
  }
]

describe("new projects", () => {
  it.each(projects)("$name", async ({ build, check, files, install, own, prepare }) => {
    const home = mkdtempSync(join(tmpdir(), "effect-chains-installs-"))
    try {
      const reader = terminal(home, own)
      const manifest = JSON.stringify({ name: "app", private: true, type: "module" })
      for (const [name, text] of Object.entries({ "package.json": manifest, ...files })) {
        mkdirSync(dirname(reader.at(name)), { recursive: true })
        writeFileSync(reader.at(name), text)
      }
      await reader.run(...install.map(packed))
      prepare?.(reader)
      await reader.run(...build)
      await check?.(reader)
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  })
})
