/** Payments on real nodes with keys that are elsewhere: in key services, by the providers' own clients, and on a signing server. */
// @covers accounts on anvil: evm
// @covers accounts on Surfpool: solana
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { keccak256, serializeTransaction, toHex } from "viem"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { awsKms } from "../../src/accounts/awsKms.js"
import { azureKeyVault } from "../../src/accounts/azureKeyVault.js"
import { googleKms } from "../../src/accounts/googleKms.js"
import { remote } from "../../src/accounts/remote.js"
import { makeSigningServer, type RemoteRequest } from "../../src/accounts/server.js"
import { signer as evmSigner } from "../../src/entries/signers/Evm.js"
import { signer as solanaSigner } from "../../src/entries/signers/Solana.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import * as Surfpool from "../../src/sandbox/nodes/Surfpool.js"
import type { Account, KeyScheme } from "../../src/signers/Signer.js"
import {
  awsClient,
  azureClient,
  googleClient,
  type KeyService,
  makeServiceKey,
  startAws,
  startAzure,
  startGoogle
} from "../accounts/keyServices.js"
import { nodeLimits } from "../nodeLimits.js"
import { take } from "../results.js"
import { type Front, requireBinary, startFront } from "./process.js"

const found = await Effect.runPromise(Effect.either(Anvil.binary))
if (found._tag === "Left") {
  if (process.env.CI === "true") throw found.left
  console.log("left out: accounts on real nodes (no anvil binary)")
}
const surfpool = requireBinary("surfpool", "accounts on a real node of Solana")

const once = { confirmations: 1 }
const token = "0123456789abcdef0123456789abcdef"

/** The key services of a test, with a key of a scheme in each that has it. */
const startServices = async (scheme: KeyScheme) => {
  const services: Array<KeyService> = await Promise.all([startAws(), startGoogle(), startAzure()])
  const [aws, google, azure] = services as [KeyService, KeyService, KeyService]
  const googleName = "projects/p/locations/global/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1"
  aws.keys.set("alias/k", makeServiceKey(scheme))
  google.keys.set(googleName, makeServiceKey(scheme))
  azure.keys.set("k", makeServiceKey(scheme))
  return {
    aws: () => awsKms({ client: awsClient(aws), keyId: "alias/k" }),
    google: () => googleKms({ client: googleClient(google), name: googleName }),
    azure: () => azureKeyVault({ client: azureClient(azure), keyName: "k" }),
    close: () => Promise.all(services.map((each) => each.close()))
  }
}

/** Whether a server signs the payment that it sees, in coins of an EVM chain: as on the page about keys in a KMS. */
const isAsPreviewed = (request: RemoteRequest): boolean => {
  if (request.kind !== "payment") return false
  const { prepared } = request
  const transaction = prepared.transaction as Readonly<Record<string, string>>
  const { chainId, gas = 0, maxFeePerGas = 0, maxPriorityFeePerGas = 0, nonce } = transaction
  const own = serializeTransaction({
    type: "eip1559",
    chainId: Number(chainId),
    nonce: Number(nonce),
    to: prepared.to as `0x${string}`,
    value: prepared.amount,
    gas: BigInt(gas),
    maxFeePerGas: BigInt(maxFeePerGas),
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas)
  })
  return keccak256(own) === toHex(request.bytes)
}

/** The account of a signing server that has another one, and what the server was asked. */
const startRemote = async (account: Account) => {
  const asked: Array<RemoteRequest> = []
  const handle = makeSigningServer({
    accounts: { treasury: account },
    token,
    authorize: (request) => {
      asked.push(request)
      return request.kind === "payment" || "payments only"
    }
  })
  const fetch = (url: string, given: RequestInit) => handle(new Request(url, given))
  return {
    asked,
    account: await remote({ url: "https://signer.internal", token, account: "treasury", fetch })
  }
}

describe.runIf(found._tag === "Right")("accounts on anvil", () => {
  const scope = Effect.runSync(Scope.make())
  const receiver = "0x000000000000000000000000000000000000bEEF"
  let services: Awaited<ReturnType<typeof startServices>>
  let seen: Front
  let sdk: PromiseSdk<"ethereum-mainnet">

  const fundedSigner = async (account: Account) => {
    const made = take(await evmSigner(sdk, { account }))
    const params = [made.address, "0x8ac7230489e80000"]
    take(await sdk.rpc.rawRpcCall({ method: "anvil_setBalance", params }))
    return made
  }
  const balance = async (): Promise<bigint> => take(await sdk.rpc.getBalance(receiver))

  beforeAll(async () => {
    services = await startServices("secp256k1")
    const { url } = await Effect.runPromise(Scope.extend(Anvil.start({ chainId: 1 }), scope))
    seen = await startFront(url)
    sdk = await init({
      network: "ethereum-mainnet",
      rpc: { nodes: [{ url: seen.url }] },
      quiet: true,
      ...nodeLimits
    })
  })
  afterAll(async () => {
    await sdk?.destroy()
    await seen?.close()
    await services?.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it.each(["aws", "google", "azure"] as const)("pay with a key of %s", async (name) => {
    const made = await fundedSigner(await services[name]())
    const before = await balance()
    // several, since their signatures have the higher s half of the time
    for (let at = 0; at < 4; at++) take(await made.send({ to: receiver, amount: "0.5", ...once }))
    expect((await balance()) - before).toBe(2_000_000_000_000_000_000n)
  })

  it("pay by a signing server, which sees the preview, and refuses what it does not want", async () => {
    const { account, asked } = await startRemote(await services.aws())
    const made = await fundedSigner(account)
    const prepared = take(await made.prepare({ to: receiver, amount: "0.25" }))
    const before = await balance()
    take(await made.submit(prepared, once))
    expect((await balance()) - before).toBe(250_000_000_000_000_000n)
    const { transaction: _, ...preview } = prepared
    expect(asked).toMatchObject([
      {
        ...{ kind: "payment", network: "ethereum-mainnet", address: made.address },
        prepared: { ...preview, transaction: { nonce: expect.any(Number) } }
      }
    ])
    expect(asked.map(isAsPreviewed)).toEqual([true])
    expect(
      asked.map((each) => isAsPreviewed({ ...each, bytes: each.bytes.map((byte) => byte ^ 1) }))
    ).toEqual([false])
    const hidden = asked.map((each) =>
      each.kind === "payment" ? { ...each, prepared: { ...each.prepared, amount: 1n } } : each
    )
    expect(hidden.map(isAsPreviewed)).toEqual([false])
    expect((await made.signMessage("hello")).error?.cause).toMatchObject({
      _tag: "SigningFailed",
      reason: "the signing server: payments only"
    })
  })

  it("send nothing that another key has signed, or that is another payment, and leave no hole", async () => {
    const account = await services.aws()
    const other = await services.google()
    const misbehaving: ReadonlyArray<Account["sign"]> = [
      other.sign,
      (request) => account.sign({ ...request, bytes: request.bytes.fill(1) }),
      async () => new Uint8Array(64).fill(1),
      () => Promise.reject(new Error("the key is disabled"))
    ]
    const { address } = await fundedSigner(account)
    const nonce = take(await sdk.rpc.getTransactionCount(address))
    const sent = seen.count("eth_sendRawTransaction")
    for (const sign of misbehaving) {
      const made = await fundedSigner({ ...account, sign })
      expect((await made.send({ to: receiver, amount: "0.1" })).error?.cause).toMatchObject({
        _tag: "SigningFailed"
      })
    }
    let isLocked = true
    const locked = await fundedSigner({
      ...account,
      sign: (request) => (isLocked ? Promise.reject(new Error("locked")) : account.sign(request))
    })
    expect(await locked.send({ to: receiver, amount: "0.1" })).toMatchObject({ status: "ERROR" })
    expect(seen.count("eth_sendRawTransaction")).toBe(sent)
    isLocked = false
    const paid = take(await locked.send({ to: receiver, amount: "0.1", ...once }))
    expect(paid.prepared.transaction.nonce).toBe(Number(nonce))
  })
})

describe.runIf(surfpool !== undefined)("accounts on Surfpool", () => {
  const scope = Effect.runSync(Scope.make())
  let services: Awaited<ReturnType<typeof startServices>>
  let node: Surfpool.SurfpoolNode
  let seen: Front
  let sdk: PromiseSdk<"solana-devnet">
  const receiver = "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk"

  const fundedSigner = async (account: Account) => {
    const made = take(await solanaSigner(sdk, { account }))
    await Effect.runPromise(node.fund(made.address, "10"))
    return made
  }
  const lamports = async (address: string): Promise<bigint> =>
    take(await sdk.rpc.getBalance(address, { commitment: "confirmed" })).value

  beforeAll(async () => {
    services = await startServices("ed25519")
    // a transaction is valid for 150 slots, within which a busy machine has to confirm it
    node = await Effect.runPromise(Scope.extend(Surfpool.start({ slotTime: 60 }), scope))
    seen = await startFront(node.url)
    sdk = await init({
      network: "solana-devnet",
      rpc: { nodes: [{ url: seen.url }] },
      quiet: true,
      ...nodeLimits
    })
  })
  afterAll(async () => {
    await sdk?.destroy()
    await seen?.close()
    await services?.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it.each(["aws", "google"] as const)("pay with a key of %s", async (name) => {
    const made = await fundedSigner(await services[name]())
    const before = await lamports(receiver)
    take(await made.send({ to: receiver, amount: "1.5", ...once }))
    expect((await lamports(receiver)) - before).toBe(1_500_000_000n)
  })

  it("pay by a signing server, and send nothing that it has signed in another way", async () => {
    const own = await services.google()
    const { account, asked } = await startRemote(own)
    const made = await fundedSigner(account)
    take(await made.send({ to: receiver, amount: "0.5", ...once }))
    expect(asked).toMatchObject([
      { kind: "payment", prepared: { from: made.address, to: receiver, amount: 500_000_000n } }
    ])
    const other = await services.aws()
    const sent = seen.count("sendTransaction")
    const wrong = await startRemote({ ...own, sign: other.sign })
    const lying = await fundedSigner(wrong.account)
    expect((await lying.send({ to: receiver, amount: "0.5" })).error?.cause).toMatchObject({
      _tag: "SigningFailed",
      reason: `the signature is not that of ${lying.address}`
    })
    expect(seen.count("sendTransaction")).toBe(sent)
  })
})
