// Packs the packages and uses them as an application does: with both ends of the peer range, with types and at run
// time, by import and by require, with the newest TypeScript and the oldest that README names. A command in the arguments runs
// in the repository before that, once the packages are built.
import { execFile } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { pack } from "./pack.mjs"
import { runtimesIn } from "./runtimes.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "effect-chains-"))
const execute = promisify(execFile)

/**
 * Whether all is looked at, as at night (`NIGHT=true`): every entry, every Node, and each end of the peers with both compilers. Each commit has the
 * oldest Node and the newest, and one compiler for each end.
 */
const isNight = process.env.NIGHT === "true"

/**
 * Runs a program in a folder, and yields its output. The sandbox packages that this user has installed are hidden from
 * it.
 */
const sh = async (command, args, cwd) => {
  const env = { ...process.env, EFFECT_CHAINS_CACHE: join(folder, "cache") }
  const options = { cwd, env, maxBuffer: 2 ** 26, shell: process.platform === "win32" }
  return (await execute(command, args, options)).stdout
}

/** The packages that only applications with React install. */
const react = ["react@19.3.1", "react-dom@19.3.1", "@types/react@19.3.0", "@effect-rx/rx-react@0.42.4"]

/** The entry points of React, rendered on a server, where they fetch nothing. */
const page = `
import { renderToString } from "react-dom/server"
import { SdkProvider, useBalance, useRpc, useWrite } from "effect-chains/react"
import { balanceQueryOptions } from "effect-chains/query"

const Balance = () => {
  const { status } = useBalance({ address: "0x0" }, { network: "ethereum-mainnet" })
  return <b>{status}</b>
}
/** Calls by their names, which types have to find. */
export const Typed = () => {
  const { data } = useRpc("beacon.v1.getStateRoot", [{ stateId: "head" }], { network: "ethereum-mainnet" })
  const { run } = useWrite("rpc.sendRawTransaction", { network: "polygon-mainnet" })
  // @ts-expect-error there is no such method
  useRpc("getBalances", ["0x0"], { network: "ethereum-mainnet" })
  // @ts-expect-error a number is no address
  useRpc("getBalance", [0], { network: "ethereum-mainnet" })
  return <button onClick={() => run("0x")}>{data?.data.root.slice(2)}</button>
}
const html = renderToString(
  <SdkProvider config={{ network: "ethereum-mainnet" }}>
    <Balance />
  </SdkProvider>
)
if (html !== "<b>loading</b>") throw new Error(html)
if (typeof balanceQueryOptions !== "function") throw new Error("there are no options for TanStack Query")
console.log("rendered")
`

const program = `
import { Effect } from "effect"
import { FetchHttpClient } from "@effect/platform"
import { Http, Sdk } from "effect-chains"
import { init } from "effect-chains/promise"
import * as Network from "effect-chains/networks"
import { init as evm } from "effect-chains/chains/Evm"
import { make as makeEthereum } from "effect-chains/effect/chains/Ethereum"
import * as Sandbox from "effect-chains/sandbox"
import { makeAdmin } from "effect-chains/sandbox/client"
import { decode, verify } from "effect-chains/webhook"

const fetch: typeof globalThis.fetch = async (_, request) => {
  const { id } = JSON.parse(String(request?.body))
  return new Response(JSON.stringify({ jsonrpc: "2.0", id, result: "0x1" }))
}
const rpc = { nodes: [{ url: "http://127.0.0.1:59321" }] }
const config = { network: "polygon-mainnet", rpc, fetch, verifyChain: false, quiet: true } as const
for (const sdk of [await init(config), await evm(config)]) {
  const height = await sdk.rpc.blockNumber()
  if (height.status !== "SUCCESS" || height.data !== 1n) throw new Error(JSON.stringify(height.error))
  await sdk.destroy()
}
const ethereum = { network: Network.ETHEREUM, rpc, verifyChain: false, quiet: true } as const
for (const made of [Sdk.make(ethereum), makeEthereum(ethereum)]) {
  const effect = Effect.gen(function* () {
    const sdk = yield* made
    return yield* sdk.rpc.beacon.v1.getGenesis()
  }).pipe(
    Effect.scoped,
    Effect.provide(Http.layerPlatform),
    Effect.provide(FetchHttpClient.layer),
    Effect.catchTag("NodeError", (error) => Effect.succeed(error.kind))
  )
  if ((await Effect.runPromise(effect)) !== "connect") throw new Error("a closed port was reached")
}
// its packages are optional, and the error names the command that installs them
const sandbox = await Effect.runPromise(Effect.flip(Effect.scoped(Sandbox.make())))
if (sandbox.reason !== "package" || !sandbox.message.includes("npm install")) throw sandbox
if (typeof makeAdmin !== "function") throw new Error("there is no client of the sandbox")
if (await verify({ body: "{}", signature: null, secret: "x" })) throw new Error("a forged webhook was accepted")
if (decode("{}").status !== "ERROR") throw new Error("an empty webhook was decoded")
console.log("used")
`

/** The program of a project without Effect, or with another version. Its types compile without `skipLibCheck`. */
const plain = `
import { init, isSdkError, type PromiseSdk } from "effect-chains/promise"
import { init as evm } from "effect-chains/chains/Evm"
import { createClient, getBalance, batch } from "effect-chains/evm"
import { ETHEREUM } from "effect-chains/chains"
import * as Network from "effect-chains/networks"

const fetch: typeof globalThis.fetch = async (_, request) => {
  const { id } = JSON.parse(String(request?.body))
  return new Response(JSON.stringify({ jsonrpc: "2.0", id, result: "0x1" }))
}
const rpc = { nodes: [{ url: "http://127.0.0.1:59321" }] }
const rest = { rpc, fetch, verifyChain: false, quiet: true }
const polygon = { network: "polygon-mainnet", ...rest } as const
for (const sdk of [await init(polygon), await evm(polygon)]) {
  const height = await sdk.rpc.blockNumber()
  if (height.status !== "SUCCESS" || height.data !== 1n) throw new Error(JSON.stringify(height.error))
  await sdk.destroy()
}
const sdk: PromiseSdk<"ethereum-mainnet"> = await init({ network: Network.ETHEREUM, ...rest })
const balance = await sdk.rpc.getBalance("0x")
if (balance.status === "ERROR") {
  const tag: string = balance.error.cause._tag
  if (isSdkError(balance.error.cause)) console.log(tag)
}
// @ts-expect-error a number is no address
await sdk.rpc.getBalance(0)
await sdk.destroy()
const client = await createClient({ network: ETHEREUM, endpoints: { getBalance }, layers: { batch }, ...rest })
const picked = await client.rpc.getBalance("0x0000000000000000000000000000000000000000")
if (picked.status !== "SUCCESS" || picked.data !== 1n) throw new Error(JSON.stringify(picked.error))
await client.destroy()
console.log("used")
`

/** A transaction signed by viem, with the first account of the mnemonic below. */
const SIGNED =
  "0x02f862018001038252089470997970c51812dc3a010c7d01b50e0d17dc79c80180c080a02b977746d495a86a5e91230143247c559271c83200e4bdb8aa0359d424ea49dba064e73397a7f57c8e5f8dba11899441a764f8bcba8700b85b14e8ada25139289c"

/** A signer without its library and with the newest one. Its transaction equals viem's. */
const signing = `
import { signer } from "effect-chains/signers/Evm"
import { init } from "effect-chains/promise"

const sdk = await init({ network: "ethereum-mainnet", rpc: { nodes: [{ url: "http://127.0.0.1:59321" }] }, quiet: true })
const made = await signer(sdk, { mnemonic: "test test test test test test test test test test test junk" })
if (made.status === "ERROR") {
  const { cause } = made.error
  console.log(cause._tag === "MissingPeer" ? cause.install : cause)
} else {
  const to = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
  const fees = { gas: 21_000n, maxFeePerGas: 3n, maxPriorityFeePerGas: 1n }
  const signed = await made.data.sign({ chainId: 1, nonce: 0, to, value: 1n, ...fees })
  console.log(signed.status === "SUCCESS" ? signed.data.raw : signed.error.cause)
}
await sdk.destroy()
`

/** The oldest TypeScript that README names. It accepts Effect's own declarations with skipLibCheck only. */
const oldest = "typescript@5.4.5"

/** The options of all compilations. */
const strictly = [
  "--strict",
  "--exactOptionalPropertyTypes",
  "--target",
  "es2022",
  "--lib",
  "es2023,dom,dom.iterable,esnext.disposable",
  "--types",
  "node"
]
const strict = [...strictly, "--jsx", "react-jsx", "program.mts", "page.tsx"]
const nodenext = ["--module", "nodenext"]
const bundler = ["--module", "esnext", "--moduleResolution", "bundler"]

/**
 * Pairs of effect and @effect/platform, the lowest and the highest versions of the peer ranges, each with a module
 * resolution for the oldest TypeScript, and with the compiler of each commit.
 */
const ends = [
  ["3.20.0", "0.90.10", nodenext, oldest],
  ["3.22.4", "0.97.2", bundler, "the newest TypeScript"]
]

const use = async (tarball, [effect, platform, resolution, preferred]) => {
  const app = join(folder, `app-${platform}`)
  const node = (...args) => sh(process.execPath, args, app)
  mkdirSync(app)
  writeFileSync(join(app, "package.json"), JSON.stringify({ name: "app", private: true, type: "module" }))
  writeFileSync(join(app, "program.mts"), program)
  writeFileSync(join(app, "page.tsx"), page)
  await sh(
    "npm",
    [
      "install",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
      "--prefer-offline",
      "--ignore-scripts",
      tarball,
      `effect@${effect}`,
      `@effect/platform@${platform}`,
      "@types/node@20.19.43",
      "@types/react-dom@19.3.0",
      "@tanstack/react-query@5.108.0",
      oldest,
      ...react
    ],
    app
  )
  const compilers = {
    "the newest TypeScript": [join(root, "scripts/compile.mjs"), ...nodenext],
    [oldest]: [join(app, "node_modules/typescript/bin/tsc"), "--skipLibCheck", ...resolution]
  }
  const chosen = isNight ? Object.keys(compilers) : [preferred]
  for (const compiler of chosen) await node(...compilers[compiler], ...strict)
  await node("program.mjs")
  await node("page.js")
  await node(
    "--no-warnings",
    "-e",
    'if (typeof require("effect-chains/promise").init !== "function") process.exit(1)'
  )
  const help = await node(join(app, "node_modules/effect-chains/dist/cli/main.js"), "--help")
  if (!help.startsWith("effect-chains ")) throw new Error(`the command line printed: ${help}`)
  if (!readdirSync(join(app, "node_modules/.bin")).some((name) => name.startsWith("effect-chains")))
    throw new Error("the command line has no name")
  const [copies] = [readdirSync(join(app, "node_modules")).filter((name) => name === "effect").length]
  if (copies !== 1) throw new Error("effect is installed more than once")
  process.stdout.write(
    `effect ${effect}, @effect/platform ${platform}, ${chosen.join(" and ")}: types, import and require work\n`
  )
}

/**
 * Tests a project of the Promise surface alone, without Effect and then with Effect 4. Neither its dependencies nor
 * npm's messages mention Effect 3.
 */
const promisesIn = async (tarball) => {
  const app = join(folder, "promises")
  const node = (...args) => sh(process.execPath, args, app)
  mkdirSync(app)
  writeFileSync(join(app, "package.json"), JSON.stringify({ name: "app", private: true, type: "module" }))
  writeFileSync(join(app, "program.mts"), plain)
  writeFileSync(join(app, "signing.mts"), signing)
  const quietly = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"]
  const projects = [
    ["no effect", nodenext, [tarball, "@types/node@20.19.43"], "npm install ox"],
    ["effect 4.1.0, ox 1.8.3", bundler, ["effect@4.1.0", "ox@1.8.3", "@scure/bip39@2.4.0"], SIGNED]
  ]
  for (const [name, resolution, packages, signs] of projects) {
    const { stdout, stderr } = await execute("npm", ["install", ...quietly, ...packages], {
      cwd: app,
      shell: process.platform === "win32"
    })
    if (/ERESOLVE|peer/i.test(stdout + stderr)) throw new Error(`npm warns: ${stdout}${stderr}`)
    await node(join(root, "scripts/compile.mjs"), ...resolution, ...strictly, "program.mts", "signing.mts")
    const signed = await node("signing.mjs")
    if (signed !== `${signs}\n`) throw new Error(`the signer printed: ${signed}`)
    const said = await node("program.mjs")
    if (said !== "used\n") throw new Error(`the program printed: ${said}`)
    await node(
      "--no-warnings",
      "-e",
      'if (typeof require("effect-chains/promise").init !== "function") process.exit(1)'
    )
    process.stdout.write(`${name}: types, import and require of the Promise surface work\n`)
  }
}

/** Entries that are ES modules alone, which Node can require too: the sandbox, and those of Effect 4, which is so itself. */
const isModuleAlone = (entry) => /^\.\/(sandbox$|effect4(\/|$))/.test(entry)

/** The entries of a package that have both formats. */
const entriesOf = (workspace) => {
  const home = join(root, workspace)
  const { exports } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"))
  return Object.entries(exports).flatMap(([entry, target]) => {
    if (isModuleAlone(entry) || typeof target === "string") return []
    const [before, after] = target.types.split("*")
    return after === undefined
      ? [entry]
      : readdirSync(join(home, before))
          .filter((file) => file.endsWith(after))
          .map((file) => entry.replace("*", file.slice(0, -after.length)))
  })
}

/**
 * Runs linters of packages on a tarball: on its manifest, and at night on what each module resolution of TypeScript finds at each entry, which takes
 * the compiler ten seconds an entry.
 */
const lint = async (tarball, workspace) => {
  const tool = (path, ...args) => sh(process.execPath, [join(root, "node_modules", path), ...args], root)
  await tool("publint/src/cli.js", "--strict", tarball)
  if (isNight)
    await tool("@arethetypeswrong/cli/dist/index.js", tarball, "--entrypoints", ...entriesOf(workspace))
  process.stdout.write(
    `${tarball.split("/").at(-1)}: ${isNight ? "publint and attw find" : "publint finds"} no problems\n`
  )
}

/**
 * Checks that a tarball contains what it names: sources of source maps, imported modules, and the pages and pictures of
 * its pages.
 */
const isWhole = async (tarball) => {
  const home = mkdtempSync(join(folder, "whole-"))
  await sh("tar", ["xzf", tarball, "-C", home], home)
  const at = join(home, "package")
  const missing = []
  const needs = (file, target) => {
    if (!existsSync(join(at, target))) missing.push(`${file} names ${target}`)
  }
  for (const file of readdirSync(at, { recursive: true }).map((name) => name.split("\\").join("/"))) {
    if (!/\.([cm]?[jt]s|map|md)$/.test(file) || file.startsWith("src/") || file.startsWith("react/")) continue
    const text = readFileSync(join(at, file), "utf8")
    if (file.endsWith(".map"))
      for (const source of JSON.parse(text).sources) needs(file, join(dirname(file), source))
    else if (file.endsWith(".md")) {
      // pages are read in the repository and offline. npm finds README's pictures by the package's `repository`
      for (const [, picture, target] of text.matchAll(/(!?)\[[^\]]*\]\(([^)#\s]+)[^)]*\)/g)) {
        if (picture === "!" && target.includes("://"))
          missing.push(`${file} shows ${target}, which needs that host`)
        else if (picture === "!" && file === "README.md") needs(file, target)
        else if (!target.includes("://") && /^docs\/.*\.md$/.test(join(dirname(file), target)))
          needs(file, join(dirname(file), target))
      }
    } else
      for (const [, target] of text.matchAll(
        /(?:\bfrom|\b(?:import|require)\(|^import)\s*"(\.[^"]+\.c?js)"/gm
      )) {
        const path = join(dirname(file), target)
        needs(file, /\.d\.c?ts$/.test(file) ? path.replace(/\.js$/, ".d.ts") : path)
      }
  }
  if (missing.length > 0) throw new Error(`${tarball}:\n${missing.join("\n")}`)
}

/** Runs a command in the repository. */
const runHere = async ([command, ...args]) => {
  if (command !== undefined) process.stdout.write(await sh(command, args, root))
}

try {
  const tarball = pack(folder)
  const fleet = pack(folder, "packages/fleet")
  // one after another: other steps of the tests run beside them, and each of these has a compiler, an installation or a bundler
  await runHere(process.argv.slice(2))
  for (const end of ends) await use(tarball, end)
  await promisesIn(tarball)
  await runtimesIn(folder, tarball, isNight, (line) => process.stdout.write(`${line}\n`))
  await lint(tarball, ".")
  await lint(fleet, "packages/fleet")
  await isWhole(tarball)
  await isWhole(fleet)
} catch (error) {
  process.stderr.write(`${error.message}\n${error.stdout ?? ""}${error.stderr ?? ""}\n`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
