// Runs one program on every runtime of docs/runtimes.md, as users run it: calls, sockets, a payment, the Effect
// surface.
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"
import { freePort } from "./freePort.mjs"
import { project, runQuietly, sandbox, startProgram } from "./pack.mjs"

/** The program. Its answers are the same on all runtimes, except for their sockets. */
const use = `
import { FetchHttpClient } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Sdk } from "effect-chains"
import { ETHEREUM } from "effect-chains/chains"
import { batch, createClient, getBalance } from "effect-chains/evm"
import { init } from "effect-chains/promise"
import { signer } from "effect-chains/signers/Evm"
import { decode, verify } from "effect-chains/webhook"

const network = "ethereum-mainnet"
const mnemonic = "test test test test test test test test test test test junk"

const taken = (result) => {
  if (result.status === "ERROR") throw result.error.cause
  return result.data
}

export const use = async ({ provider, index }) => {
  const options = { provider, quiet: true }
  const to = "0x" + String(index).padStart(40, "d")
  const sdk = await init({ network, ...options })
  const account = taken(await signer(sdk, { mnemonic, index }))
  let mode
  const subscribed = new Promise((resolve) => {
    const onMode = (now) => resolve((mode ??= now))
    sdk.heads = (async () => {
      // heads of other payments are polled while the socket opens, so the loop continues until the mode is known
      for await (const head of sdk.rpc.subscribe.newHeads({ onMode })) if (mode !== undefined) return typeof taken(head).number
    })()
  })
  const [asset] = taken(await sdk.address.getBalance({ addresses: [account.address] }))
  await subscribed
  taken(await account.send({ to, amount: "0.001", maxFee: "1", confirmations: 1 }))
  const head = await sdk.heads
  const refused = await sdk.rpc.getBalance("0x0")
  await sdk.destroy()

  const picked = await createClient({ network: ETHEREUM, endpoints: { getBalance }, layers: { batch }, batch: true, ...options })
  const [paid, none] = await Promise.all([picked.rpc.getBalance(to), picked.rpc.getBalance("0x" + "e".repeat(40))])
  await picked.destroy()

  class Eth extends Sdk.Tag("Eth", network)() {}
  const effect = Effect.gen(function* () {
    return yield* (yield* Eth).rpc.getBalance(to)
  }).pipe(Effect.provide(Eth.layer(options).pipe(Layer.provide(FetchHttpClient.layer))))

  const answers = {
    asset: asset.balance,
    refused: refused.error?.cause._tag,
    head,
    paid: String(taken(paid)),
    none: String(taken(none)),
    effect: String(await Effect.runPromise(effect)),
    forged: await verify({ body: "{}", signature: null, secret: "x" }),
    webhook: decode("{}").status
  }
  return { answers, mode }
}
`

const main = `
import { use } from "./use.mjs"
const [given] = "Deno" in globalThis ? Deno.args : process.argv.slice(2)
console.log(JSON.stringify(await use(JSON.parse(given))))
`

const required = `
const { init } = require("effect-chains/promise")
const { Sdk } = require("effect-chains")
const { createClient } = require("effect-chains/evm")
console.log(typeof init, typeof Sdk.make, typeof createClient)
`

const worker = `
import { use } from "./use.mjs"
export default { fetch: async (request) => Response.json(await use(await request.json())) }
`

const EXPECTED = JSON.stringify({
  asset: "10000",
  refused: "RpcError",
  head: "string",
  paid: "1000000000000000",
  none: "0",
  effect: "1000000000000000",
  forged: false,
  webhook: "ERROR"
})

/** The oldest Node in the manifest and the newest one of all, and those of the other lines, at night. */
const nodesOf = (isNight) => ["20.19.0", ...(isNight ? ["22", "24"] : []), "26"]

/** The programs in a folder of packages, for any platform. */
const programsIn = (folder, versions) => {
  const findScoped = (scope, ...path) => {
    const [name] = readdirSync(join(folder, "node_modules", scope))
    return join(folder, "node_modules", scope, name, ...path)
  }
  return {
    bun: findScoped("@oven", "bin", "bun"),
    deno: findScoped("@deno", "deno"),
    workerd: findScoped("@cloudflare", "bin", "workerd"),
    nodes: versions.map((major) => join(folder, "node_modules", `node${major}`, "bin", "node"))
  }
}

/** Runs the program in a worker, which is one file as in a deployment. */
const inWorkerd = async (workerd, app, given) => {
  const port = await freePort()
  await build({
    entryPoints: [join(app, "worker.mjs")],
    outfile: join(app, "worker.bundle.mjs"),
    bundle: true,
    format: "esm",
    target: "es2022",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "browser"],
    logLevel: "error"
  })
  writeFileSync(
    join(app, "config.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "loopback", network = (allow = ["private"]))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.bundle.mjs")],
  compatibilityDate = "2026-01-01",
  globalOutbound = "loopback"
);
`
  )
  const args = ["serve", "config.capnp", "--control-fd=1"]
  const { child, output } = await startProgram(workerd, args, app, /listen/)
  try {
    const answer = await fetch(`http://127.0.0.1:${port}`, { method: "POST", body: JSON.stringify(given) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${text}\n${output()}`)
    return text
  } finally {
    child.kill("SIGTERM")
  }
}

/** The version of a command-line runtime, and the answers of the program in it. */
const inRuntime = async ({ args, command, title = "", require }, app, given) => {
  const [version] = (await runQuietly(command, ["--version"], app)).split("\n")
  const printed = await runQuietly(command, [...args, "main.mjs", JSON.stringify(given)], app)
  const found = await runQuietly(command, [...require, "required.cjs"], app)
  if (found.trim() !== "function function function") throw new Error(`${command} requires ${found}`)
  return [`${title}${version.trim()}`, printed]
}

const DENO_ARGS = ["run", "--no-prompt", "--no-lock", "--allow-net=127.0.0.1", "--allow-read", "--allow-env"]

/** Fails where a runtime's answers differ from the expected ones. Yields how it gets new heads. */
const checkAnswers = (name, printed) => {
  const { answers, mode } = JSON.parse(printed)
  if (JSON.stringify(answers) !== EXPECTED) throw new Error(`${name} answers ${JSON.stringify(answers)}`)
  // Node has sockets from 22 on
  if (mode !== (name.startsWith("Node v20.") ? "polling" : "socket"))
    throw new Error(`${name} has heads by ${mode}`)
  return mode
}

/** Runs the program with the tarball on every runtime, and reports each with a line. */
export const runtimesIn = async (folder, tarball, isNight, say) => {
  const versions = nodesOf(isNight)
  const binary = `npm:node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`
  const packages = [
    "bun@1.4.5",
    "deno@2.9.6",
    "workerd@1.20261117.1",
    ...versions.map((major) => `node${major}@${binary}@${major}`)
  ]
  const effect = ["effect@3.22.4", "@effect/platform@0.97.2", "ox@0.14.45", "@scure/bip39@2.4.0"]
  const files = { "use.mjs": use, "main.mjs": main, "required.cjs": required, "worker.mjs": worker }
  const [app, home, served] = await Promise.all([
    project(join(folder, "everywhere"), [tarball, ...effect], files),
    project(join(folder, "runtimes"), packages),
    sandbox()
  ])
  try {
    const { bun, deno, nodes, workerd } = programsIn(home, versions)
    const programs = [
      ...nodes.map((node) => ({ command: node, title: "Node ", args: [], require: [] })),
      { command: bun, title: "Bun ", args: [], require: [] },
      { command: deno, args: DENO_ARGS, require: DENO_ARGS }
    ]
    const { provider } = served
    const answered = await Promise.all([
      ...programs.map((program, index) => inRuntime(program, app, { provider, index })),
      Promise.all([
        runQuietly(workerd, ["--version"], app).then((text) => text.trim()),
        inWorkerd(workerd, app, { provider, index: programs.length })
      ])
    ])
    for (const [name, printed] of answered)
      say(`${name}: calls, heads by ${checkAnswers(name, printed)}, a payment and the Effect surface work`)
  } finally {
    await served.end()
  }
}
