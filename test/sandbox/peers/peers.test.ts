/** The clients that people have already, against the sandbox as against the provider and its nodes. */
import { spawn } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as kit from "@solana/kit"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as ethers from "ethers"
import { createPublicClient, createWalletClient, http, parseEther } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { mainnet } from "viem/chains"
import { Web3 } from "web3"
import { version } from "../../../bench/tatum.mjs"
import { ensure, homeOf, load, type Packages } from "../../../scripts/cached.mjs"
import surface from "../../../src/cli/migrate/tatum.json" with { type: "json" }
import { isNetwork } from "../../../src/data/Network.js"
import { init } from "../../../src/promise.js"
import * as Sandbox from "../../../src/sandbox/index.js"
import { alice, bob } from "../tokens.js"
import { type Call, fill, later, type Refused, reads, refused, topic, type World, writes } from "./calls.js"

/** Packages that this repository does not depend on. */
const incumbent: Packages = { "@tatumio/tatum": version }
const solana: Packages = { "@solana/web3.js": "1.98.4" }
const core: Packages = { "bitcoin-core": "5.0.0" }

const scope = Effect.runSync(Scope.make())
let sandbox: Sandbox.SandboxService

beforeAll(async () => {
  sandbox = await Effect.runPromise(
    Scope.extend(
      Sandbox.make({
        dataApi: "v4",
        networks: [
          { network: "ethereum-mainnet", nodes: 2, archive: 1 },
          { network: "solana-mainnet" },
          { network: "bitcoin-mainnet" }
        ]
      }),
      scope
    )
  )
  for (const packages of [incumbent, solana, core]) {
    const problem = ensure(packages)
    if (problem !== undefined) throw new Error(problem)
  }
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const gateway = (network: string): string => `${sandbox.baseUrl}/v4/blockchain/node/${network}`
/** The first account of the sandbox, which everybody knows. */
const key = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
const account = privateKeyToAccount(key)

const Line = Schema.parseJson(
  Schema.Struct({
    answer: Schema.optional(Schema.Unknown),
    thrown: Schema.optional(Schema.String),
    routes: Schema.Array(Schema.String)
  })
)

/** What a client was answered, or what it was refused with. */
type Outcome = { readonly answer: unknown } | { readonly refusal: string }

/** Numbers as their digits, whichever of their types they have, and fields in the order of their names. */
const plain = (value: unknown): unknown =>
  typeof value === "bigint" || typeof value === "number"
    ? String(value)
    : Array.isArray(value)
      ? value.map(plain)
      : typeof value === "object" && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .flatMap(([name, item]) => (item === undefined ? [] : [[name, plain(item)] as const]))
              .sort(([one], [other]) => (one < other ? -1 : 1))
          )
        : value

const at = (value: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((inner, name) => Reflect.get(Object(inner), name), value)

/** The incumbent's answers are in envelopes: those of the provider have a status, those of nodes an id. */
const toOutcome = ({
  answer,
  thrown
}: {
  readonly answer?: unknown
  readonly thrown?: string | undefined
}): Outcome => {
  if (thrown !== undefined) return { refusal: thrown }
  const [status, id, data, result] = ["status", "id", "data", "result"].map((name) => at(answer, [name]))
  const error = at(answer, ["error"])
  const isOfNode = id !== undefined && (result !== undefined || Boolean(error))
  if (status === "ERROR" || (isOfNode && Boolean(error)))
    return { refusal: [at(error, ["message"])].flat().join() }
  return { answer: status === "SUCCESS" ? data : isOfNode ? result : answer }
}

/** A call with the arguments that it has in a world. */
interface Made {
  readonly network: string
  readonly target: string
  readonly args: ReadonlyArray<unknown>
}

/** The incumbent's SDK, in a process of its own. */
const theirs = async (calls: ReadonlyArray<Made>) => {
  const folder = await mkdtemp(join(tmpdir(), "peers-"))
  try {
    const file = join(folder, "calls.json")
    await writeFile(file, JSON.stringify(calls))
    const program = fileURLToPath(new URL("./incumbent.cjs", import.meta.url))
    const child = spawn(process.execPath, [program, homeOf(incumbent), sandbox.baseUrl, file], {
      stdio: ["ignore", "pipe", "inherit"],
      timeout: 300_000
    })
    let output = ""
    child.stdout.on("data", (chunk) => {
      output += String(chunk)
    })
    const code = await new Promise((resolve) => child.on("close", resolve))
    expect(code, output).toBe(0)
    const lines = output
      .trim()
      .split("\n")
      .map((line) => Schema.decodeSync(Line)(line))
    return lines.map((line) => ({ ...toOutcome(line), routes: line.routes }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** This SDK, with its default configuration. */
const ours = async (calls: ReadonlyArray<Made>) => {
  const clients = new Map<string, AsyncDisposable>()
  const answers: Array<unknown> = []
  let routes: Array<string> = []
  /** Arguments, with bytes and parts of earlier answers in the place of what stands for them. */
  const given = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value
    if (Array.isArray(value)) return value.map(given)
    if ("$bytes" in value) return Buffer.from(String(value.$bytes), "base64")
    if ("$answer" in value)
      return at(answers[Number(value.$answer)], "path" in value ? [value.path].flat().map(String) : [])
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, given(item)]))
  }
  const clientOf = async (network: string): Promise<object> => {
    const known = clients.get(network)
    if (known !== undefined) return known
    if (!isNetwork(network)) throw new Error(`${network} is in no table`)
    const made = await init({
      ...sandbox.config(network),
      quiet: true,
      retryCount: 0,
      fetch: async (input, options) => {
        const response = await fetch(input, options)
        const { pathname } = new URL(input instanceof Request ? input.url : input)
        routes.push(`${pathname} ${response.status}`)
        return response
      }
    })
    clients.set(network, made)
    return made
  }
  const one = async ({ args, network, target }: Made): Promise<Outcome> => {
    const path = target.split(".")
    const owner = at(await clientOf(network), path.slice(0, -1))
    const method = at(owner, path.slice(-1))
    if (typeof method !== "function") throw new Error(`${network} has no ${target}`)
    const said: unknown = await Reflect.apply(method, owner, args.map(given))
    const status = at(said, ["status"])
    if (status === "ERROR") return { refusal: [at(said, ["error", "message"])].flat().join() }
    const data = status === "SUCCESS" ? at(said, ["data"]) : said
    return { answer: plain(data instanceof Blob ? await data.text() : data) }
  }
  try {
    const all: Array<Outcome & { readonly routes: ReadonlyArray<string> }> = []
    for (const call of calls) {
      routes = []
      const made = await one(call)
      answers.push("answer" in made ? made.answer : undefined)
      all.push({ ...made, routes })
    }
    return all
  } finally {
    await Promise.all([...clients.values()].map((client) => client[Symbol.asyncDispose]()))
  }
}

/** Names for what each client's own calls have made: hashes, contracts and subscriptions, in the order in which they are met. */
const renaming = (known: string) => {
  const names = new Map<string, string>()
  return (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value ?? null).replace(/0x[0-9a-f]{40}(?:[0-9a-f]{24})?\b|\b[0-9a-f]{24}\b/g, (id) => {
        if (known.includes(id)) return id
        const name = names.get(id) ?? `#${names.size + 1}`
        names.set(id, name)
        return name
      })
    )
}

const titleOf = ({ network, target }: Call | Refused, i: number): string =>
  `${i + 1}: ${target} of ${network}`

describe("the incumbent's SDK, from npm, over living routes", () => {
  let world: World
  const answers: Record<
    "reads" | "writes" | "refused",
    Record<"theirs" | "ours", Awaited<ReturnType<typeof ours>>>
  > = {
    reads: { theirs: [], ours: [] },
    writes: { theirs: [], ours: [] },
    refused: { theirs: [], ours: [] }
  }

  beforeAll(async () => {
    world = await Effect.runPromise(fill(sandbox))
    for (const [name, calls] of Object.entries({ reads, refused, writes })) {
      const made = calls.map(({ args, network, target }) => ({ network, target, args: args(world) }))
      // one after the other: what is made by writing is what the lists have
      const there = await theirs(made)
      Object.assign(answers, { [name]: { theirs: there, ours: await ours(made) } })
    }
  })

  const compare = (
    { differs }: Call,
    { ours, theirs }: Record<"theirs" | "ours", Outcome | undefined>,
    renamed: Record<"theirs" | "ours", (value: unknown) => unknown>
  ): void => {
    const { both = (value: unknown) => value, theirs: read = (value: unknown) => value } = differs ?? {}
    const answerOf = (made: Outcome | undefined) => {
      if (made !== undefined && "answer" in made) return made.answer
      throw new Error(`refused: ${made?.refusal}`)
    }
    const [here, there] = [renamed.ours(plain(answerOf(ours))), renamed.theirs(plain(answerOf(theirs)))]
    const asHere = both(read(there))
    expect(asHere).toEqual(both(here))
    // a difference that is none any more is no entry of the table
    if (differs !== undefined && differs.because !== later) expect(there).not.toEqual(here)
  }

  it.each(reads.map((call, i) => [titleOf(call, i), call, i] as const))("%s", (_, call, i) => {
    const same = (value: unknown): unknown => value
    compare(
      call,
      { theirs: answers.reads.theirs[i], ours: answers.reads.ours[i] },
      { theirs: same, ours: same }
    )
  })

  it("has the same from all calls that change something", () => {
    const known = JSON.stringify([world, alice, bob, topic])
    const renamed = { theirs: renaming(known), ours: renaming(known) }
    for (const [i, call] of writes.entries()) {
      const pair = { theirs: answers.writes.theirs[i], ours: answers.writes.ours[i] }
      try {
        compare(call, pair, renamed)
      } catch (cause) {
        throw new Error(titleOf(call, i), { cause })
      }
    }
  })

  it.each(refused.map((call, i) => [titleOf(call, i), call, i] as const))("is refused %s", (_, call, i) => {
    const [there, here] = [answers.refused.theirs[i], answers.refused.ours[i]]
    expect(there).toMatchObject({ refusal: call.refusal(world) })
    expect(there?.routes.map((route) => route.replace(/^GET |[?].*$/g, ""))).toEqual(
      call.route === undefined ? [] : [call.route(world)]
    )
    expect(here).toMatchObject({ answer: call.ours(world) })
  })

  it("asks no other route that is gone, and this SDK asks none", () => {
    const gone = (client: "theirs" | "ours") =>
      Object.values(answers)
        .flatMap((each) => each[client])
        .flatMap(({ routes }) => routes)
        .filter((route) => route.endsWith(" 404"))
    expect(gone("theirs")).toHaveLength(refused.filter(({ route }) => route !== undefined).length)
    expect(gone("ours")).toEqual([])
  })

  it("has every call of the incumbent's services in it", () => {
    const made = new Set([...reads, ...writes, ...refused].map(({ target }) => target))
    const declared = Object.entries(surface.clients.Ethereum.members)
      .filter(([member]) => member !== "rpc")
      .flatMap(([member, suite]) =>
        Object.values(Object(Reflect.get(surface.suites, suite))).flatMap((names) =>
          String(names)
            .split(" ")
            .map((name) => `${member}.${name}`)
        )
      )
    expect(declared.filter((target) => !made.has(target))).toEqual([])
  })
})

describe("clients of EVM nodes", () => {
  const to = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

  it("viem sends and waits, over the gateway and over a node", async () => {
    for (const url of [gateway("ethereum-mainnet"), sandbox.network("ethereum-mainnet").urls[0]]) {
      const transport = http(url)
      const wallet = createWalletClient({ account, chain: { ...mainnet, id: 1 }, transport })
      const reader = createPublicClient({ chain: mainnet, transport })
      const before = await reader.getBalance({ address: to })
      const hash = await wallet.sendTransaction({ to, value: parseEther("1") })
      expect(await reader.waitForTransactionReceipt({ hash, pollingInterval: 50 })).toMatchObject({
        status: "success"
      })
      expect((await reader.getBalance({ address: to })) - before).toBe(parseEther("1"))
    }
  })

  it("ethers sends and waits", async () => {
    const provider = new ethers.JsonRpcProvider(gateway("ethereum-mainnet"), 1, { pollingInterval: 50 })
    try {
      const signer = new ethers.Wallet(key, provider)
      const sent = await signer.sendTransaction({ to, value: 1n })
      expect((await sent.wait())?.status).toBe(1)
    } finally {
      provider.destroy()
    }
  })

  it("web3 sends and waits", async () => {
    const web3 = new Web3(gateway("ethereum-mainnet"))
    web3.eth.transactionPollingInterval = 50
    web3.eth.accounts.wallet.add(key)
    const { status } = await web3.eth.sendTransaction({ from: account.address, to, value: "1" })
    expect(status).toBe(1n)
  })
})

/** What of @solana/web3.js is used here. */
interface SolanaWeb3 {
  readonly Connection: new (
    url: string,
    commitment: "processed"
  ) => {
    readonly requestAirdrop: (to: unknown, lamports: number) => Promise<string>
    readonly getBalance: (of: unknown) => Promise<number>
    readonly getLatestBlockhash: () => Promise<{ readonly blockhash: string }>
  }
  readonly Keypair: { readonly generate: () => { readonly publicKey: unknown } }
}

const until = async <A>(what: () => Promise<A>, isRight: (value: A) => boolean): Promise<A> => {
  const end = Date.now() + 300_000
  for (;;) {
    const value = await what()
    if (isRight(value) || Date.now() > end) return value
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe("clients of Solana", () => {
  it("@solana/kit reads and airdrops", async () => {
    const rpc = kit.createSolanaRpc(gateway("solana-mainnet"))
    const { address } = await kit.generateKeyPairSigner()
    expect(await rpc.getSlot().send()).toBeGreaterThan(0n)
    await kit
      .createSolanaRpc<kit.DevnetUrl>(kit.devnet(gateway("solana-mainnet")))
      .requestAirdrop(address, kit.lamports(1_000_000n))
      .send()
    const balance = () => rpc.getBalance(address, { commitment: "processed" }).send()
    expect((await until(balance, ({ value }) => value > 0n)).value).toBe(1_000_000n)
  })

  it("@solana/web3.js reads and airdrops", async () => {
    // the declarations of this package are not installed
    const { Connection, Keypair } = load(solana, "@solana/web3.js") as SolanaWeb3
    const connection = new Connection(gateway("solana-mainnet"), "processed")
    const { publicKey } = Keypair.generate()
    expect((await connection.getLatestBlockhash()).blockhash).not.toBe("")
    await connection.requestAirdrop(publicKey, 2_000_000)
    expect(
      await until(
        () => connection.getBalance(publicKey),
        (value) => value > 0
      )
    ).toBe(2_000_000)
  })
})

/** What of bitcoin-core is used here. */
interface CoreClient {
  readonly command: (method: string, ...params: ReadonlyArray<unknown>) => Promise<unknown>
}

describe("a client of Bitcoin Core", () => {
  it("bitcoin-core reads blocks", async () => {
    // the declarations of this package are not installed
    const Client = load(core, "bitcoin-core") as new (options: { readonly host: string }) => CoreClient
    for (const host of [gateway("bitcoin-mainnet"), sandbox.network("bitcoin-mainnet").urls[0] ?? ""]) {
      const client = new Client({ host })
      const height = await client.command("getblockcount")
      const hash = await client.command("getblockhash", height)
      expect(await client.command("getblock", hash)).toMatchObject({ hash, height })
      await expect(client.command("getblockhash", -1)).rejects.toThrow()
    }
  })
})
