/**
 * Follows docs/architecture.md in a copy of the repository: adds a chain family, a service, an endpoint and an error where
 * its table says and nowhere else, checks the types, and runs the tests that cover them.
 */
import { execFile } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "../..")

/** What belongs to no source, and is large. */
const isLeftOut = (path: string): boolean =>
  ["node_modules", ".git", "dist", "coverage", basename(import.meta.filename)].includes(basename(path))

/** The paths that a row of the table "Where to add what" names. */
const placesOf = (what: string): ReadonlyArray<string> => {
  const row = readFileSync(join(root, "docs/architecture.md"), "utf8")
    .split("\n")
    .find((line) => line.startsWith(`| ${what} `))
  return [...(row ?? "").matchAll(/`([\w./-]+\/[\w./-]+)`/g)].map(([, path = ""]) => path)
}

/** A change: a file that is new, or what stands before a piece of one that is there. */
type Change =
  | { readonly file: string; readonly text: string }
  | { readonly file: string; readonly before: string; readonly insert: string }

const family: ReadonlyArray<Change> = [
  {
    file: "src/chains/Radix.ts",
    text: `/**
 * Radix: the REST API of its nodes. Integers are \`bigint\`; amounts are in octas (10^-8 XRD).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { type Family, type FamilyAccounts, fieldAt, getProbe, type ReadNativeBalances } from "../balancer/Family.js"
import { get, group, post } from "../data/Endpoint.js"
import type { Client, RawRpc } from "../transport/Client.js"

/**
 * How high the chain is.
 *
 * @since 0.1.0
 * @category types
 */
export interface Ledger {
  readonly chain_id: number
  readonly block_height: string
}

/**
 * The endpoints of Radix.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = group(
  {},
  {
    /** How high the chain is. */
    getLedger: get("/v1").returns<Ledger>(),
    /** Balance of an asset, in its smallest unit. */
    getBalance: get("/v1/accounts/{address}/balance/{asset}").returns<number>(),
    /** Sends a signed transaction, and yields it as it waits. */
    submitTransaction: post("/v1/transactions").body<object>().returns<{ readonly hash: string }>().write()
  }
)

/**
 * The client of Radix.
 *
 * @since 0.1.0
 * @category clients
 */
export interface RadixRpc extends Client<typeof endpoints>, RawRpc {}

/** Balances in octas. */
const nativeBalances: ReadNativeBalances = (makeCalls, addresses) => {
  const nodes = makeCalls(group({}, { getBalance: endpoints.getBalance }))
  return Effect.forEach(addresses, (address) =>
    Effect.map(nodes.getBalance({ address, asset: "0x1::radix_coin::RadixCoin" }), BigInt)
  )
}

/**
 * The family of Radix.
 *
 * @since 0.1.0
 * @category families
 */
export const radix: Family<typeof endpoints, RadixRpc> = {
  endpoints,
  probe: () => ({ ...getProbe("/v1", []), height: fieldAt("block_height") })
}

/**
 * What addresses of Radix look like, and where their balances are.
 *
 * @since 0.1.0
 * @category families
 */
export const accounts = {
  address: [/^0x[0-9a-f]{1,64}$/, "0x and up to 64 hexadecimal digits"],
  nativeBalances
} satisfies FamilyAccounts
`
  },
  {
    file: "src/chains/registry.ts",
    before: "  near: familyEntry(",
    insert: `  radix: familyEntry(() => import("./loaded/Radix.js"), "radix"),\n`
  },
  {
    file: "src/data/Network.ts",
    before: `  "avalanche-c-mainnet": {`,
    insert: `  "radix-mainnet": { family: "radix", currency: "XRD", symbol: "XRD", decimals: 8 },\n`
  },
  {
    file: "src/data/constantNames.ts",
    before: `  "avalanche-c-mainnet": {`,
    insert: `  "radix-mainnet": { name: "RADIX" },\n`
  },
  {
    file: "src/data/serviceCoverage.ts",
    before: `"aptos", "hedera-mirror", "solana", "sui", "tron", "xrp"`,
    insert: `"radix", `
  },
  {
    file: "test/balancer/Probe.test.ts",
    before: "  tezos: [\n",
    insert: `  radix: [
    { network: "radix-mainnet", verb: "GET", path: "/v1", reply: { chain_id: 1, block_height: "7" }, height: 7 }
  ],
`
  },
  {
    file: "docs/balancer.md",
    before: "| `flow` ",
    insert: "| `radix` | the REST API of a node (`/v1`): `http://127.0.0.1:3333` | | |\n"
  },
  {
    file: "test/specs/layouts.ts",
    before: `  "avalanche-p": {`,
    insert: `  radix: { network: "radix-mainnet", programs: [{ option: "url", routes: ["/v1"] }] },\n`
  },
  {
    file: "test/chains/listings/radix.txt",
    text: `getLedger: GET /v1
getBalance: GET /v1/accounts/{address}/balance/{asset}
submitTransaction: POST /v1/transactions, write
`
  }
]

const service: ReadonlyArray<Change> = [
  {
    file: "src/services/Pulse.ts",
    text: `/**
 * Whether the provider is there.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { type GatewayCallError, NoPulse } from "../data/SdkError.js"
import { Gateway } from "./Gateway.js"

/**
 * Whether the provider is there.
 *
 * @since 0.1.0
 * @category models
 */
export interface PulseService {
  /** The provider's version. */
  readonly getPulse: () => Effect.Effect<string, GatewayCallError | NoPulse>
}

/**
 * Makes the service over the provider's REST API.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<PulseService, never, Gateway> = Effect.map(Gateway, (gateway) => ({
  getPulse: () =>
    Effect.flatMap(gateway.request<unknown>({ method: "GET", path: "pulse" }), (answer) =>
      typeof answer === "object" && answer !== null && "version" in answer
        ? Effect.succeed(String(answer.version))
        : Effect.fail(new NoPulse({ path: "pulse" }))
    )
}))
`
  },
  {
    file: "src/services/Services.ts",
    before: `import type { RatesService } from`,
    insert: `import type { PulseService } from "./Pulse.js"\n`
  },
  {
    file: "src/services/Services.ts",
    before: `  /** Exchange rates. */`,
    insert: `  /** Whether the provider is there. */\n  readonly pulse: PulseService\n`
  },
  {
    file: "src/services/Services.ts",
    before: `  rates: { getCurrentRate:`,
    insert: `  pulse: { getPulse: "read" },\n`
  },
  {
    file: "src/data/serviceCoverage.ts",
    before: `  rates: [{}],`,
    insert: `  pulse: [{}],\n`
  },
  {
    file: "src/client/lazyServices.ts",
    before: `export { make as rates }`,
    insert: `export { make as pulse } from "../services/Pulse.js"\n`
  },
  {
    file: "src/client/serviceLoaders.ts",
    before: `  rates: () => import`,
    insert: `  pulse: () => import("../services/Pulse.js"),\n`
  }
]

const failure: ReadonlyArray<Change> = [
  {
    file: "src/data/SdkError.ts",
    before: `/**\n * Why a node could not serve a call:`,
    insert: `/**
 * The provider has answered something else than its version.
 *
 * @since 0.1.0
 * @category services
 */
export class NoPulse extends /*#__PURE__*/ Base("NoPulse")<FieldsOf<"NoPulse">> {
  override get message(): string {
    return \`The provider has no pulse at \${this.path}.\`
  }
}

`
  },
  {
    file: "src/data/errorDeclarations.ts",
    before: `export const RetryTimeout`,
    insert: `export const NoPulse = { fields: { path: "string" }, exit: "refused" } as const satisfies ErrorDeclaration\n\n`
  },
  {
    file: "src/data/SdkErrorSchema.ts",
    before: `/** The schema of {@link E.NodeError}`,
    insert: `/** The schema of {@link E.NoPulse}. @since 0.1.0 @category schemas */
export const NoPulse: ErrorSchema<"NoPulse"> = /*#__PURE__*/ makeErrorSchema(
  "NoPulse",
  E.NoPulse,
  declarations.NoPulse
)

`
  },
  {
    file: "src/data/SdkErrorSchema.ts",
    before: `  RetryTimeout,\n`,
    insert: `  NoPulse,\n`
  },
  {
    file: "docs/errors/nopulse.md",
    text: `# NoPulse\n\n\n\nThe provider answered something else than its version.\n\n**What to do:** ask again later.\n\n[All errors](../errors.md)\n`
  },
  {
    file: "docs/errors.md",
    before: `| [NoActiveNode](errors/noactivenode.md) `,
    insert: `| [NoPulse](errors/nopulse.md) | the provider has no version |\n`
  },
  {
    file: "test/SdkError.test.ts",
    before: `  ["ChainNotSupported", new ChainNotSupported`,
    insert: `  ["NoPulse", new SdkError.NoPulse({ path: "p" }), "The provider has no pulse at p.", []],\n`
  }
]

const endpoint: ReadonlyArray<Change> = [
  {
    file: "src/chains/ZkSync.ts",
    before: `  /** Chain id of L1. */`,
    insert: `  /** Mood of a batch: no node has this method. */\n  zksGetBatchMood: rpc<[], object>("zks_getBatchMood"),\n`
  },
  {
    file: "test/chains/listings/zksync.txt",
    before: "zksL1ChainId: ",
    insert: "zksGetBatchMood: zks_getBatchMood\n"
  }
]

/** Tests of what was added, as every change has them: they call it all on a server, as an application does. */
const tests: ReadonlyArray<Change> = [
  {
    file: "test/added.test.ts",
    text: `import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, expectTypeOf, it } from "vitest"
import { RADIX, ZK_SYNC } from "../src/data/networks.js"
import type { CallTimeout, NoPulse } from "../src/data/SdkError.js"
import { parseDefinition } from "../src/config/defineNetwork.js"
import { init as initRadix } from "../src/entries/Radix.js"
import { init } from "../src/promise.js"

const answers: Readonly<Record<string, unknown>> = {
  "GET /v1": { chain_id: 1, block_height: "7" },
  "GET /v1/accounts/0xa/balance/0x1::radix_coin::RadixCoin": 150_000_000,
  "POST /v1/transactions": { hash: "0xb" },
  "GET /v4/pulse": {}
}
const server = createServer((request, response) => {
  const answer = answers[\`\${request.method} \${decodeURIComponent(request.url ?? "")}\`]
  response.statusCode = answer === undefined ? 404 : 200
  response.setHeader("content-type", "application/json")
  response.end(JSON.stringify(answer ?? { message: \`no \${request.method} \${request.url}\` }))
})
let url = ""
beforeAll(
  () =>
    new Promise<void>((done) => {
      server.listen(0, "127.0.0.1", () => {
        url = \`http://127.0.0.1:\${(server.address() as AddressInfo).port}\`
        done()
      })
    })
)
afterAll(() => {
  server.close()
})

it("has the family, in an entry of its own", async () => {
  const sdk = await initRadix({ network: RADIX, quiet: true, rpc: { nodes: [{ url }] } })
  expect((await sdk.rpc.getLedger()).data).toEqual({ chain_id: 1, block_height: "7" })
  expect((await sdk.rpc.submitTransaction({})).data).toEqual({ hash: "0xb" })
  await sdk.destroy()
  // nothing identifies its chains, so that applications define none
  const definition = { id: "my-radix", family: "radix", currency: { symbol: "XRD", decimals: 8 } }
  expect(() => parseDefinition(definition)).toThrow("family")
})

it("has its balances, and the service with its error", async () => {
  const sdk = await init({
    network: RADIX,
    quiet: true,
    retryCount: 0,
    provider: { baseUrl: url },
    rpc: { nodes: [{ url }] }
  })
  const { data } = await sdk.address.getBalance({ address: "0xa" })
  expect(data).toEqual([{ address: "0xa", asset: "XRD", decimals: 8, balance: "1.5", type: "native" }])
  const refused = await sdk.address.getBalance({ address: "a" })
  expect(refused.error?.message[0]).toContain(
    "is not an address of radix-mainnet, which is 0x and up to 64 hexadecimal digits"
  )
  expectTypeOf<CallTimeout>().toExtend<NonNullable<typeof refused.error>["cause"]>()
  const { error } = await sdk.pulse.getPulse()
  expectTypeOf<NoPulse>().toExtend<NonNullable<typeof error>["cause"]>()
  expect(error).toMatchObject({
    message: ["The provider has no pulse at pulse."],
    cause: { _tag: "NoPulse" }
  })
  await sdk.destroy()
})

it("has the endpoint on the client of its networks", async () => {
  const sdk = await init({ network: ZK_SYNC, quiet: true, rpc: { nodes: [{ url }] } })
  expectTypeOf(sdk.rpc.zksGetBatchMood).returns.resolves.toHaveProperty("data")
  expect(typeof sdk.rpc.zksGetBatchMood).toBe("function")
  await sdk.destroy()
})
`
  }
]

/** The tests that hold what belongs to every family, service, endpoint and error. */
const covering = [
  "added",
  "Caip",
  "Network",
  "Services",
  "SdkError",
  "SdkErrorSchema",
  "balancer/Probe",
  "chains/listings",
  "services/Address",
  "specs/layouts"
].map((name) => `test/${name}.test.ts`)

const all = { "a chain family": family, "a service": service, "a failure": failure, "an endpoint": endpoint }

/** What a program of the copy says, and how it ends. It runs beside this one, which has to answer vitest meanwhile. */
const run = (folder: string, ...args: ReadonlyArray<string>) =>
  new Promise<{ readonly failed: boolean; readonly output: string }>((resolve) => {
    // a process of its own, which writes elsewhere than this one, and without the facts of others: they lack the new network
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST|CI$|EFFECT_CHAINS_SHARED$)/.test(name))
    )
    execFile(process.execPath, args, { cwd: folder, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ failed: error !== null, output: `${stdout}${stderr}` })
    })
  })

const apply = (folder: string, change: Change): void => {
  const path = join(folder, change.file)
  if ("text" in change) {
    if (existsSync(path)) throw new Error(`${change.file} is there already`)
    writeFileSync(path, change.text)
    return
  }
  const text = readFileSync(path, "utf8")
  if (text.split(change.before).length !== 2)
    throw new Error(`${change.file} has not one place with ${change.before}`)
  writeFileSync(
    path,
    text.replace(change.before, () => change.insert + change.before)
  )
}

describe("CONTRIBUTING", () => {
  let folder = ""
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "effect-chains-"))
    cpSync(root, folder, { recursive: true, filter: (path) => !isLeftOut(path) })
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction")
    for (const change of [...Object.values(all).flat(), ...tests]) apply(folder, change)
    expect(await run(folder, "scripts/entries.mjs")).toEqual({ failed: false, output: "" })
  })
  afterAll(() => {
    rmSync(folder, { recursive: true })
  })

  it.each(Object.entries(all))("names every place of %s", (what, changes) => {
    // a family comes with its networks
    const places = [...placesOf(what), ...(what === "a chain family" ? placesOf("a network") : [])]
    const named = (file: string): boolean => places.some((place) => file === place || dirname(file) === place)
    expect(changes.map(({ file }) => file).filter((file) => !named(file))).toEqual([])
  })

  it("names all that does not compile without", async () => {
    const compiler = "scripts/compile.mjs"
    expect(await run(folder, compiler, "--noEmit", "-p", "tsconfig.json", "--pretty", "false")).toEqual({
      failed: false,
      output: ""
    })
  }, 600_000)

  it("names all that tests hold", async () => {
    const runner = "node_modules/vitest/vitest.mjs"
    const { failed, output } = await run(
      folder,
      runner,
      "run",
      "--project",
      "unit",
      "--project",
      "effect",
      "--project",
      "build",
      ...covering
    )
    expect(failed, output).toBe(false)
  }, 600_000)
})
