/** The sandbox as a whole: the promises to its users, through the SDK alone. */
import { createServer } from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { privateKeyToAccount } from "viem/accounts"
import { init, type PromiseSdk } from "../../src/promise.js"
import * as Sandbox from "../../src/sandbox/index.js"
import { decode, signatureHeader, verify } from "../../src/webhook.js"
import { startReceiver } from "../receiver.js"

const stranger = "0x00000000000000000000000000000000000000b7"
const SOON = 300_000

const scope = Effect.runSync(Scope.make())
let sandbox: Sandbox.SandboxService
let sdk: PromiseSdk<"ethereum-mainnet">
const received: Array<{
  readonly body: string
  readonly signature: string | undefined
}> = []
let receiver = ""

const until = async <A>(what: () => Promise<A | undefined>, limit = SOON): Promise<A> => {
  const end = Date.now() + limit
  for (;;) {
    const found = await what()
    if (found !== undefined) return found
    if (Date.now() > end) throw new Error("waited in vain")
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

beforeAll(async () => {
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk) => {
      body += String(chunk)
    })
    request.on("end", () => {
      const signature = request.headers[signatureHeader]
      received.push({ body, signature: typeof signature === "string" ? signature : undefined })
      response.end("ok")
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
  const address = server.address()
  receiver = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
  await Effect.runPromise(
    Scope.addFinalizer(
      scope,
      Effect.sync(() => void server.close())
    )
  )
  sandbox = await Effect.runPromise(Scope.extend(Sandbox.make(), scope))
  sdk = await init({ ...sandbox.config("ethereum-mainnet"), apiKey: "key", quiet: true })
})
afterAll(async () => {
  await sdk.destroy()
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

const right = <A>(result: {
  readonly status: string
  readonly data: A | null
  readonly error?: unknown
}): A => {
  if (result.data === null) throw new Error(JSON.stringify(result.error))
  return result.data
}

const pay = async (value: bigint): Promise<string> => {
  const [account] = sandbox.accounts
  if (account === undefined) throw new Error("there are no accounts")
  const signer = privateKeyToAccount(account.privateKey)
  const raw = await signer.signTransaction({
    chainId: 1,
    nonce: Number(right(await sdk.rpc.getTransactionCount(account.address, "pending"))),
    maxPriorityFeePerGas: 10n ** 9n,
    maxFeePerGas: 10n ** 11n,
    gas: 21_000n,
    to: stranger,
    value
  })
  return right(await sdk.rpc.sendRawTransaction(raw))
}

describe("the sandbox", () => {
  it("shows a transaction in the history, in the balance and at a webhook", async () => {
    right(await sdk.notification.subscribe.incomingNativeTx({ address: stranger, url: receiver }))
    await sdk.notification.enableHmac("a secret")
    const hash = await pay(1_500_000_000_000_000_000n)
    const row = await until(async () =>
      right(await sdk.address.getTransactions({ address: stranger })).find((each) => each.hash === hash)
    )
    expect(row).toMatchObject({ amount: "1.5", transactionSubtype: "incoming", address: stranger })
    const [balance] = right(await sdk.address.getBalance({ addresses: [stranger], tokenTypes: ["native"] }))
    expect(balance?.balance).toBe("1.5")
    const hook = await until(async () => received.find(({ body }) => body.includes(hash)))
    expect(await verify({ body: hook.body, signature: hook.signature, secret: "a secret" })).toBe(true)
    expect(right(decode(hook.body))).toMatchObject({
      format: "enriched",
      subscriptionType: "INCOMING_NATIVE_TX",
      to: stranger,
      value: "1500000000000000000",
      tokenMetadata: { type: "native", decimals: 18, symbol: "ETH" },
      txId: hash
    })
    const listed = await until(async () =>
      right(await sdk.notification.getAllExecutedWebhooks()).find(({ data }) =>
        JSON.stringify(data).includes(hash)
      )
    )
    expect(listed.failed).toBe(false)
  })

  it("delivers to the server of docs/webhooks.md, which refuses what others sign", async () => {
    const payee = "0x00000000000000000000000000000000000000d9"
    const readme = await startReceiver("a secret")
    try {
      await sdk.notification.enableHmac("a secret")
      right(await sdk.notification.subscribe.incomingNativeTx({ address: payee, url: readme.url }))
      const { fund } = sandbox.network("ethereum-mainnet")
      const hash = await Effect.runPromise(fund(payee, "0.5"))
      await until(async () => readme.lines.find((line) => line === `${hash} 500000000000000000 ETH`))
      await sdk.notification.enableHmac("the secret of somebody else")
      const forged = await Effect.runPromise(fund(payee, "0.75"))
      const delivery = await until(async () =>
        right(await sdk.notification.getAllExecutedWebhooks()).find(({ data }) =>
          JSON.stringify(data).includes(forged)
        )
      )
      expect(JSON.stringify(delivery)).toContain("401")
      expect(readme.lines).toHaveLength(1)
    } finally {
      await sdk.notification.enableHmac("a secret")
      await readme.end()
    }
  })

  it("funds any address with a real transaction", async () => {
    const poor = "0x00000000000000000000000000000000000000c1"
    const { fund } = sandbox.network("ethereum-mainnet")
    const hash = await Effect.runPromise(fund(poor, "1.25"))
    const row = right(await sdk.address.getTransactions({ address: poor })).find((each) => each.hash === hash)
    expect(row).toMatchObject({ amount: "1.25", transactionSubtype: "incoming" })
    expect(await Effect.runPromise(Effect.flip(fund(poor, "much")))).toMatchObject({ reason: "options" })
  })

  it("mints what can then be seen by everybody", async () => {
    const [owner] = sandbox.accounts
    if (owner === undefined) throw new Error("there are no accounts")
    const created = right(
      await sdk.nft.createNftCollection({ name: "Cats", symbol: "CAT", owner: owner.address })
    )
    const receipt = await until(
      async () =>
        right(await sdk.rpc.getTransactionReceipt(`0x${created.txId.replace(/^0x/, "")}`)) ?? undefined
    )
    const contractAddress = String(receipt.contractAddress)
    right(
      await sdk.nft.mintNftWithMetadata({
        to: stranger,
        contractAddress,
        tokenId: "7",
        file: new Blob(["a picture"]),
        metadata: { name: "Seven" }
      })
    )
    const [held] = right(await sdk.nft.getBalance({ addresses: [stranger] }))
    expect(held).toMatchObject({ tokenId: "7", metadata: { name: "Seven" } })
    expect(
      right(await sdk.nft.checkNftOwner({ tokenAddress: contractAddress, tokenId: "7", owner: stranger }))
    ).toBe(true)
    const detail = right(await sdk.nft.getNftMetadata({ tokenAddress: contractAddress, tokenId: "7" }))
    const image = String(detail?.metadata?.image).replace("ipfs://", "")
    expect(await right(await sdk.ipfs.getFile({ id: image })).text()).toBe("a picture")
  })

  it("runs other networks when they are asked for", async () => {
    const bitcoin = await init({ ...sandbox.config("bitcoin-mainnet"), quiet: true })
    expect(Number(right(await bitcoin.rpc.getBlockCount()))).toBeGreaterThan(100)
    expect(
      right(await bitcoin.address.getTransactions({ address: "1BoatSLRHtKNngkdXEeobR76b53LETtpyT" }))
    ).toEqual([])
    await bitcoin.destroy()
    const network = await Effect.runPromise(sandbox.start("ripple-mainnet"))
    expect(network.recorded).toBe(true)
  })

  it("goes wrong where it is told to", async () => {
    await Effect.runPromise(
      sandbox.faults.add({ target: { route: "/rate/*" }, fault: { kind: "status", status: 503 }, times: 1 })
    )
    const rate = right(await sdk.rates.getCurrentRate("BTC", "USD"))
    expect(Number(rate.value)).toBeGreaterThan(0)
    const seen = await Effect.runPromise(sandbox.faults.requests(50))
    expect(seen.filter(({ status }) => status === 503)).toHaveLength(1)
  })
})
