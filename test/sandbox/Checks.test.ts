/** Networks on recordings take what is signed for them, and refuse all else as their nodes do. */
import { DirectSecp256k1HdWallet, encodePubkey, makeAuthInfoBytes, makeSignDoc } from "@cosmjs/proto-signing"
import { Account, Asset, Keypair, Networks, Operation, TransactionBuilder } from "@stellar/stellar-base"
import { LocalForger } from "@taquito/local-forging"
import { InMemorySigner } from "@taquito/signer"
import * as algosdk from "algosdk"
import { MsgSend } from "cosmjs-types/cosmos/bank/v1beta1/tx"
import { TxBody, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as fc from "effect/FastCheck"
import * as Scope from "effect/Scope"
import { afterAll, describe, expect, it } from "vitest"
import { Wallet } from "xrpl"
import type { Network } from "../../src/data/Network.js"
import { signer as algorand } from "../../src/entries/signers/Algorand.js"
import { signer as cosmos } from "../../src/entries/signers/Cosmos.js"
import { signer as stellar } from "../../src/entries/signers/Stellar.js"
import { signer as tezos } from "../../src/entries/signers/Tezos.js"
import { signer as tron } from "../../src/entries/signers/Tron.js"
import { signer as xrp } from "../../src/entries/signers/Xrp.js"
import { init } from "../../src/promise.js"
import type { HandlerRequest } from "../../src/sandbox/Handler.js"
import { listen, parseBody } from "../../src/sandbox/Loopback.js"
import { answerTransaction } from "../../src/sandbox/recorded/checks/TransactionCheck.js"
import { makeHandler } from "../../src/sandbox/recorded/Recorded.js"
import { RecordedRefusal } from "../../src/sandbox/recorded/Recording.js"
import { addressFromPrivateKey, makeSignHash, signVerified } from "../../src/signers/tron/curve.js"
import { computeId, encodeRawData } from "../../src/signers/tron/protobuf.js"
import { isNight } from "../night.js"
import { take } from "../results.js"

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64")

const scope = Effect.runSync(Scope.make())
const clients: Array<AsyncDisposable> = []
afterAll(async () => {
  await Promise.all(clients.map((sdk) => sdk[Symbol.asyncDispose]()))
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

const mnemonic = `${"abandon ".repeat(11)}about`

/** A network on recordings: its client, the requests that it got, and what it answers to one. */
const world = async <N extends Network>(network: N) => {
  const handler = await Effect.runPromise(makeHandler(network))
  const received: Array<HandlerRequest> = []
  const watched = (one: HandlerRequest) => {
    received.push(one)
    return handler(one)
  }
  const url = `http://127.0.0.1:${await Effect.runPromise(Scope.extend(listen(watched), scope))}`
  const sdk = await init({ network, quiet: true, verifyChain: false, rpc: { nodes: [{ url }] } })
  clients.push(sdk)
  const post = async (one: HandlerRequest) => {
    const answer = await Effect.runPromise(handler(one))
    if (answer === "drop") throw new Error("it is answered")
    return { status: answer.status, body: parseBody(answer.body) }
  }
  return { post, received, sdk }
}

/** Where a family has the bytes of its transaction in the body of a request. */
interface Place {
  readonly read: (body: string) => Buffer
  readonly write: (body: string, bytes: Buffer) => string | Buffer
}

const inJson = (field: string, encoding: "hex" | "base64"): Place => ({
  read: (body) => Buffer.from(Object(JSON.parse(body))[field], encoding),
  write: (body, bytes) => JSON.stringify({ ...JSON.parse(body), [field]: bytes.toString(encoding) })
})

interface Sent {
  readonly request: HandlerRequest
  readonly hash: string
  readonly post: (one: HandlerRequest) => Promise<{ readonly status: number; readonly body: unknown }>
}

const to = {
  cosmos: "cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh",
  algorand: "HNVCPPGOW2SC2YVDVDICU3YNONSTEFLXDXREHJR2YBEKDC2Z3IUZSC6YGI",
  tezos: "tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb",
  tron: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  stellar: "GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN",
  xrp: "rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe"
}

/** What a signer of ours sends, as it came. */
const signed = async (
  family: "Algorand" | "Cosmos" | "Stellar" | "Tezos" | "Tron" | "XRP"
): Promise<Sent> => {
  const isSent = ({ body, method, path }: HandlerRequest) =>
    method === "POST" &&
    (/\/txs$|\/transactions$|\/injection\/operation|\/wallet\/broadcast/.test(path) ||
      body.includes("tx_blob"))
  const of = async <N extends Network>(
    network: N,
    pay: (sdk: Awaited<ReturnType<typeof world<N>>>["sdk"]) => Promise<{ readonly hash: string }>
  ): Promise<Sent> => {
    const { post, received, sdk } = await world(network)
    const { hash } = await pay(sdk)
    const request = received.find(isSent)
    if (request === undefined) throw new Error("nothing was sent")
    return { request, hash, post }
  }
  const from = { mnemonic }
  switch (family) {
    case "Algorand":
      return of("algorand-mainnet-algod", async (sdk) =>
        take(await take(await algorand(sdk, from)).send({ to: to.algorand, amount: "0.15" }))
      )
    case "Cosmos":
      return of("cosmos-mainnet", async (sdk) =>
        take(await take(await cosmos(sdk, from)).send({ to: to.cosmos, amount: "1.5" }))
      )
    case "Stellar":
      return of("stellar-mainnet", async (sdk) =>
        take(await take(await stellar(sdk, from)).send({ to: to.stellar, amount: "1.5" }))
      )
    case "XRP":
      return of("ripple-mainnet", async (sdk) =>
        take(await take(await xrp(sdk, from)).send({ to: to.xrp, amount: "1.5" }))
      )
    case "Tezos":
      return of("tezos-mainnet", async (sdk) =>
        take(await take(await tezos(sdk, from)).send({ to: to.tezos, amount: "1.5" }))
      )
    case "Tron":
      return of("tron-mainnet", async (sdk) =>
        take(await take(await tron(sdk, from)).send({ to: to.tron, amount: "1.5" }))
      )
  }
}

const sender = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 7))

const stellarOf = (passphrase: string) => {
  const options = { fee: "100", networkPassphrase: passphrase }
  const payment = { destination: Keypair.random().publicKey(), asset: Asset.native(), amount: "1.5" }
  const transaction = new TransactionBuilder(new Account(sender.publicKey(), "1"), options)
    .addOperation(Operation.payment(payment))
    .setTimeout(60)
    .build()
  transaction.sign(sender)
  return { envelope: transaction.toXDR(), hash: transaction.hash().toString("hex") }
}

const requestOf = (path: string, type: string, body: string | Buffer): HandlerRequest => ({
  method: "POST",
  path,
  headers: { "content-type": type },
  body: Buffer.from(body)
})

const stellarRequest = (envelope: string, path = "/transactions") =>
  requestOf(path, "application/x-www-form-urlencoded", new URLSearchParams({ tx: envelope }).toString())

const wallet = Wallet.fromEntropy(Buffer.alloc(16, 7))

const xrpOf = (fields: object = {}) =>
  wallet.sign({
    TransactionType: "Payment",
    Account: wallet.classicAddress,
    Destination: "rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe",
    Amount: "1500000",
    Fee: "12",
    Sequence: 1,
    LastLedgerSequence: 99_000_000,
    ...fields
  })

const xrpRequest = (tx_blob: string) =>
  requestOf("/", "application/json", JSON.stringify({ method: "submit", params: [{ tx_blob }] }))

const whole: Place = { read: (body) => Buffer.from(body, "latin1"), write: (_, bytes) => bytes }

/** Each family: what is sent, where its bytes are, what an answer has of its hash, and the forms of its nodes' refusals. */
const families: ReadonlyArray<{
  readonly name: string
  readonly send: () => Promise<Sent>
  readonly places: ReadonlyArray<Place>
  readonly taken: (hash: string) => unknown
  readonly refusals: ReadonlyArray<{ readonly status: number; readonly body: unknown }>
}> = [
  {
    name: "Tron",
    send: () => signed("Tron"),
    places: [inJson("transaction", "hex")],
    taken: (txid) => ({ result: true, txid }),
    refusals: [
      { status: 200, body: { code: "SIGERROR", message: expect.stringMatching(/^56616c6964617465/) } },
      { status: 200, body: { code: "TAPOS_ERROR" } },
      { status: 200, body: { code: "TRANSACTION_EXPIRATION_ERROR" } },
      { status: 200, body: { Error: expect.stringContaining("InvalidProtocolBufferException") } }
    ]
  },
  {
    name: "Cosmos",
    send: () => signed("Cosmos"),
    places: [inJson("tx_bytes", "base64")],
    taken: (txhash) => ({ tx_response: { code: 0, txhash } }),
    refusals: [
      { status: 200, body: { tx_response: { code: 4, codespace: "sdk" } } },
      { status: 200, body: { tx_response: { code: 2, raw_log: expect.stringContaining("tx parse error") } } }
    ]
  },
  {
    name: "Algorand",
    send: () => signed("Algorand"),
    places: [whole],
    taken: (txId) => ({ txId }),
    refusals: [
      { status: 400, body: { message: "At least one signature didn't pass verification" } },
      { status: 400, body: { message: expect.stringMatching(/^msgpack decode error/) } },
      {
        status: 400,
        body: { message: expect.stringMatching(/^TransactionPool.Remember: .* does not match/s) }
      }
    ]
  },
  {
    name: "Tezos",
    send: () => signed("Tezos"),
    places: [
      {
        read: (body) => Buffer.from(JSON.parse(body), "hex"),
        write: (_, bytes) => JSON.stringify(bytes.toString("hex"))
      }
    ],
    taken: (hash) => hash,
    refusals: [
      { status: 500, body: [{ kind: "permanent", id: expect.stringMatching(/^proto\./) }] },
      { status: 500, body: [{ kind: "branch" }] },
      { status: 500, body: [{ kind: "permanent", id: "node.prevalidation.parse_error" }] }
    ]
  },
  {
    name: "Stellar",
    send: () => signed("Stellar"),
    places: [
      {
        read: (body) => Buffer.from(new URLSearchParams(body).get("tx") ?? "", "base64"),
        write: (_, bytes) => new URLSearchParams({ tx: bytes.toString("base64") }).toString()
      }
    ],
    taken: (hash) => ({ hash, successful: true }),
    refusals: [
      { status: 400, body: { extras: { result_codes: { transaction: "tx_bad_auth" } } } },
      { status: 400, body: { title: "Transaction Malformed" } }
    ]
  },
  {
    name: "XRP",
    send: () => signed("XRP"),
    places: [
      {
        read: (body) => Buffer.from(JSON.parse(body).params[0].tx_blob, "hex"),
        write: (_, bytes) =>
          JSON.stringify({ method: "submit", params: [{ tx_blob: bytes.toString("hex") }] })
      }
    ],
    taken: (hash) => ({ result: { engine_result: "tesSUCCESS", tx_json: { hash } } }),
    refusals: [
      { status: 200, body: { result: { status: "error", error: "invalidTransaction" } } },
      { status: 200, body: { result: { engine_result: "tefBAD_AUTH" } } }
    ]
  }
]

const fits = (answer: unknown, form: unknown): boolean => {
  try {
    expect(answer).toMatchObject(Object(form))
    return true
  } catch {
    return false
  }
}

describe.each(families)("what is sent to $name on recordings", ({ places, refusals, send, taken }) => {
  it("is taken as it was signed, and refused with any bit another one", async () => {
    const { hash, post, request } = await send()
    const good = await post(request)
    expect(good.status).toBe(200)
    if (typeof taken(hash) === "string") expect(good.body).toBe(hash)
    else expect(good.body).toMatchObject(Object(taken(hash)))
    for (const { read, write } of places) {
      const body = request.body.toString("latin1")
      const bytes = read(body)
      const flipped = fc.asyncProperty(fc.nat(bytes.length * 8 - 1), async (bit) => {
        const other = Buffer.from(bytes)
        other.writeUInt8(other.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
        const answer = await post({ ...request, body: Buffer.from(write(body, other)) })
        expect(
          refusals.some((form) => fits(answer, form)),
          `bit ${bit}: ${JSON.stringify(answer)}`
        ).toBe(true)
      })
      await fc.assert(flipped, { numRuns: isNight ? 300 : 30 })
      // cut short, and with something behind it
      for (const other of [bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.of(0)]), Buffer.alloc(0)]) {
        const answer = await post({ ...request, body: Buffer.from(write(body, other)) })
        expect(
          refusals.some((form) => fits(answer, form)),
          JSON.stringify(answer)
        ).toBe(true)
      }
    }
  })
})

describe("what is sent to networks on recordings", () => {
  it("is refused where it is signed for another chain, or by another account", async () => {
    const ripple = await world("ripple-mainnet")
    const named = await ripple.post(xrpRequest(xrpOf({ NetworkID: 21_338 }).tx_blob))
    expect(named.body).toMatchObject({ result: { engine_result: "telNETWORK_ID_MAKES_TX_NON_CANONICAL" } })
    const others = await ripple.post(
      xrpRequest(xrpOf({ Account: "rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe" }).tx_blob)
    )
    expect(others.body).toMatchObject({ result: { engine_result: "tefBAD_AUTH", engine_result_code: -196 } })

    const horizon = await world("stellar-mainnet")
    const { envelope, hash } = stellarOf(Networks.TESTNET)
    expect((await horizon.post(stellarRequest(envelope))).body).toMatchObject({
      extras: { envelope_xdr: envelope, result_codes: { transaction: "tx_bad_auth" } }
    })
    const soon = await (await world("stellar-testnet")).post(stellarRequest(envelope, "/transactions_async"))
    expect(soon).toMatchObject({ status: 200, body: { tx_status: "PENDING", hash } })

    const sent = await signed("Algorand")
    const elsewhere = await (await world("algorand-testnet-algod")).post(sent.request)
    expect(elsewhere.body).toMatchObject({
      message: expect.stringContaining("tx.GenesisID <mainnet-v1.0> does not match expected <testnet-v1.0>")
    })
  })

  it("is refused on Stellar with a signature too few or too many", async () => {
    const { post } = await world("stellar-testnet")
    const [another, bystander] = [Keypair.random(), Keypair.random()]
    const asset = Asset.native()
    const destination = bystander.publicKey()
    // an operation of another account needs its signature beside that of the transaction's
    const of = (source: Keypair, by: ReadonlyArray<Keypair>): HandlerRequest => {
      const options = { fee: "100", networkPassphrase: Networks.TESTNET }
      const transaction = new TransactionBuilder(new Account(sender.publicKey(), "1"), options)
        .addOperation(Operation.payment({ destination, asset, amount: "1", source: source.publicKey() }))
        .setTimeout(60)
        .build()
      transaction.sign(...by)
      return stellarRequest(transaction.toXDR())
    }
    const refusal = { extras: { result_codes: { transaction: "tx_bad_auth" } } }
    for (const [source, by, answer] of [
      [sender, [sender], { successful: true }],
      [another, [sender, another], { successful: true }],
      [another, [sender], refusal],
      [another, [another], refusal],
      [sender, [sender, bystander], refusal],
      [sender, [], refusal]
    ] as const)
      expect((await post(of(source, by))).body).toMatchObject(answer)
  })

  it("is refused on Algorand by the hash of the chain alone, and by a key that the account has not named", async () => {
    const { post, sdk } = await world("algorand-mainnet-algod")
    const parameters = take(await sdk.rpc.getTransactionParams())
    const { addr, sk } = algosdk.generateAccount()
    const other = algosdk.generateAccount()
    const payment = (genesisHash: string) =>
      algosdk.makePaymentTxnWithSuggestedParamsFromObject({
        sender: addr,
        receiver: to.algorand,
        amount: 5n,
        suggestedParams: {
          fee: 1_000,
          flatFee: true,
          minFee: 1_000,
          firstValid: BigInt(parameters["last-round"]),
          lastValid: BigInt(parameters["last-round"]) + 1_000n,
          genesisHash: new Uint8Array(Buffer.from(genesisHash, "base64"))
        }
      })
    const own = payment(parameters["genesis-hash"])
    const elsewhere = payment(toBase64(new Uint8Array(32).fill(7)))
    const request = (bytes: Uint8Array) =>
      requestOf("/v2/transactions", "application/x-binary", Buffer.from(bytes))
    expect((await post(request(own.signTxn(sk)))).body).toEqual({ txId: own.txID() })
    expect((await post(request(elsewhere.signTxn(sk)))).body).toMatchObject({
      message: expect.stringContaining("tx.GenesisHash")
    })
    // the account would have had to name this key before
    expect((await post(request(own.signTxn(other.sk)))).body).toMatchObject({
      message: expect.stringContaining(`authorized by ${addr} but was actually authorized by ${other.addr}`)
    })
  })

  it.each([
    ["cosmoshub-4", 1, "cosmos", 0],
    ["other-1", 1, "cosmos", 4],
    ["cosmoshub-4", 2, "cosmos", 4],
    // another one's coins
    ["cosmoshub-4", 1, "other", 4]
  ] as const)("is signed on Cosmos for %s, account %s of %s: %s", async (chainId, number, whose, code) => {
    const owner = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic)
    const [account] = await owner.getAccounts()
    if (account === undefined) throw new Error("it has an account")
    const fromAddress = whose === "cosmos" ? account.address : to.cosmos
    const value = MsgSend.fromPartial({
      fromAddress,
      toAddress: to.cosmos,
      amount: [{ denom: "uatom", amount: "1" }]
    })
    const bodyBytes = TxBody.encode(
      TxBody.fromPartial({ messages: [{ typeUrl: MsgSend.typeUrl, value: MsgSend.encode(value).finish() }] })
    ).finish()
    const pubkey = encodePubkey({ type: "tendermint/PubKeySecp256k1", value: toBase64(account.pubkey) })
    const authInfoBytes = makeAuthInfoBytes([{ pubkey, sequence: 0 }], [], 100_000, undefined, undefined)
    const document = makeSignDoc(bodyBytes, authInfoBytes, chainId, number)
    const { signature } = await owner.signDirect(account.address, document)
    const signatures = [new Uint8Array(Buffer.from(signature.signature, "base64"))]
    const bytes = TxRaw.encode({ bodyBytes, authInfoBytes, signatures }).finish()
    const { post } = await world("cosmos-mainnet")
    const body = JSON.stringify({ tx_bytes: toBase64(bytes), mode: "BROADCAST_MODE_SYNC" })
    const answer = await post(requestOf("/api/cosmos/tx/v1beta1/txs", "application/json", body))
    expect(answer.body).toMatchObject({ tx_response: { code } })
  })

  it("is refused on Tezos for a block of another chain, and without the key of its source", async () => {
    const { post, sdk } = await world("tezos-mainnet")
    const keys = InMemorySigner.fromMnemonic({ mnemonic })
    const [source, public_key] = await Promise.all([keys.publicKeyHash(), keys.publicKey()])
    const costs = { source, fee: "500", gas_limit: "1000", storage_limit: "0" }
    const reveal = { kind: "reveal", ...costs, counter: "1", public_key }
    const another = await InMemorySigner.fromMnemonic({
      mnemonic,
      derivationPath: "44'/1729'/1'/0'"
    }).publicKey()
    const payment = { kind: "transaction", ...costs, counter: "2", amount: "5", destination: to.tezos }
    const own = take(await sdk.rpc.getBlockHash())
    for (const [branch, contents, answer] of [
      [own, [reveal, payment], { status: 200 }],
      [
        "BLzyjjHKEKMULtvkpSHxuZxx6ei6fpntH2BTkYZiLgs8zLVstvX",
        [reveal, payment],
        { body: [{ kind: "branch" }] }
      ],
      [own, [payment], { body: [{ id: expect.stringMatching(/unrevealed_key$/) }] }],
      [
        own,
        [{ ...reveal, public_key: another }, payment],
        { body: [{ id: expect.stringMatching(/inconsistent_hash$/) }] }
      ]
    ] as const) {
      const forged = await new LocalForger().forge({ branch, contents } as never)
      const { sbytes } = await keys.sign(forged, Uint8Array.of(3))
      const request = requestOf("/injection/operation", "application/json", JSON.stringify(sbytes))
      expect(await post(request)).toMatchObject(answer)
    }
  })

  it("is refused on Tron for a block of another chain, and when its time is over", async () => {
    const { post, sdk } = await world("tron-mainnet")
    const key = Uint8Array.from({ length: 32 }, (_, i) => i + 1)
    const from = addressFromPrivateKey(key)
    const own = take(await sdk.rpc.getNowBlock()).blockID
    const now = BigInt(Date.now())
    const other = `${own.slice(0, 16)}${"ab".repeat(24)}`
    for (const [payer, blockId, expiration, answer] of [
      [from, own, now + 60_000n, { result: true }],
      [from, other, now + 60_000n, { code: "TAPOS_ERROR" }],
      [from, own, now - 1n, { code: "TRANSACTION_EXPIRATION_ERROR" }],
      [to.tron, own, now + 60_000n, { code: "SIGERROR" }]
    ] as const) {
      const reference = { blockId, expiration, timestamp: now }
      const raw = encodeRawData({ from: payer, to: to.tron, amount: 5n }, reference)
      const signature = await signVerified(computeId(raw), makeSignHash(key), from)
      const [hex, id] = [raw, computeId(raw)].map((each) => Buffer.from(each).toString("hex"))
      const body = { raw_data_hex: hex, txID: id, signature: [Buffer.from(signature).toString("hex")] }
      const request = requestOf("/wallet/broadcasttransaction", "application/json", JSON.stringify(body))
      expect((await post(request)).body).toMatchObject(answer)
    }
  })

  it("is refused, with the command that helps, where the libraries are missing", async () => {
    const said = await Effect.runPromise(
      answerTransaction({
        peers: "no-such-package",
        load: () => Promise.reject(new Error("Cannot find package")),
        find: () => true,
        taken: () => "taken",
        refused: () => new RecordedRefusal("refused"),
        failed: (message) => new RecordedRefusal(message, 501)
      })
    )
    expect(said).toMatchObject({ status: 501, body: expect.stringContaining("npm install no-such-package") })
  })
})
