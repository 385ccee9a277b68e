// @runtime both
import { describe, expect, it } from "vitest"
import { cardano, endpoints, type Operation, rosettaProbe } from "../../src/chains/Cardano.js"
import { networks } from "../../src/data/Network.js"
import { makeWire, runError, runValue } from "./wire.js"

const networkIdentifier = { blockchain: "cardano", network: "mainnet" }
const network_identifier = networkIdentifier
const big = 9007199254740993n
const huge = 18446744073709551616n
const address = "addr1vpfwv0ezc5g8a4mkku8hhy3y3vp92t7s3ul8g778g5yegsgalc6gc"

/** The body that was sent, read. */
const read = (body: unknown): unknown => JSON.parse(String(body))

/** An error as Rosetta has it. */
const said = (message: string, retriable: boolean, details?: object): object => ({
  code: 4001,
  message,
  retriable,
  ...(details === undefined ? {} : { details })
})

describe("a route of Rosetta", () => {
  it("gets an object, even if there is nothing to say", async () => {
    const { client, sent } = makeWire(endpoints)
    await runValue(client.getNetworkList())
    expect(sent()).toEqual(["POST", "/network/list", "{}"])
    await runValue(client.getNetworkList({ metadata: { shard: "1" } }))
    expect(sent()).toEqual(["POST", "/network/list", `{"metadata":{"shard":"1"}}`])
  })

  it("gets names in snake_case, at any depth, and lists as they are", async () => {
    const { client, sent } = makeWire(endpoints)
    await runValue(
      client.deriveAccount({
        networkIdentifier,
        publicKey: { hex_bytes: "ab", curve_type: "edwards25519" },
        metadata: { addressType: "Base", stakingCredential: { hex_bytes: "cd", curve_type: "edwards25519" } }
      })
    )
    expect(read(sent()[2])).toEqual({
      network_identifier,
      public_key: { hex_bytes: "ab", curve_type: "edwards25519" },
      metadata: { address_type: "Base", staking_credential: { hex_bytes: "cd", curve_type: "edwards25519" } }
    })
    await runValue(
      client.getTransactionConstructionMetadata({ networkIdentifier, options: { relativeTtl: 9 } })
    )
    expect(read(sent()[2])).toEqual({ network_identifier, options: { relative_ttl: 9 } })
  })

  it("keeps the arguments of a procedure, which is never repeated by itself", async () => {
    const { client, sent } = makeWire(endpoints)
    const parameters = { blockIndex: 5, tokenIds: ["a", "b"], nested: { camelCase: 1, snake_case: 2 } }
    await runValue(client.call({ networkIdentifier, method: "getTip", parameters }))
    expect(read(sent()[2])).toEqual({ network_identifier, method: "getTip", parameters })
    expect(endpoints.call.spec.repeat).toBe("write")
    expect(endpoints.submitTransaction.spec.repeat).toBe("broadcast")
    expect(endpoints.constructionPreprocess.spec.repeat).toBe("read")
  })

  it("keeps what operations say beyond the interface, and the protocol's parameters", async () => {
    const { client, sent } = makeWire(endpoints)
    const metadata = {
      tokenBundle: [{ policyId: "ab", tokens: [] }],
      staking_credential: { hex_bytes: "cd", curve_type: "edwards25519" as const },
      newKind: { newField: 1 }
    }
    const operations: ReadonlyArray<Operation> = [
      {
        operation_identifier: { index: 0 },
        type: "output",
        account: { address, sub_account: { address, metadata: { chainCode: "v" } } },
        metadata
      }
    ]
    const protocolParameters = {
      coinsPerUtxoSize: "34482",
      maxTxSize: 16384,
      maxValSize: 5000,
      keyDeposit: "2000000",
      maxCollateralInputs: 3,
      minFeeCoefficient: 44,
      minFeeConstant: 155381,
      minPoolCost: "340000000",
      poolDeposit: "500000000",
      protocol: 8
    }
    const sentOperation = {
      ...operations[0],
      account: { address, sub_account: { address, metadata: { chain_code: "v" } } }
    }
    const given = { networkIdentifier, operations }
    await runValue(
      client.generateUnsignedTransactionAndSigningPayloads({
        ...given,
        metadata: { ttl: "65294", protocolParameters }
      })
    )
    expect(read(sent()[2])).toEqual({
      network_identifier,
      operations: [sentOperation],
      metadata: { ttl: "65294", protocol_parameters: protocolParameters }
    })
    const depositParameters = { keyDeposit: "2000000", poolDeposit: "500000000" }
    await runValue(
      client.constructionPreprocess({ ...given, metadata: { relativeTtl: 1, depositParameters } })
    )
    expect(read(sent()[2])).toEqual({
      network_identifier,
      operations: [sentOperation],
      metadata: { relative_ttl: 1, deposit_parameters: depositParameters }
    })
  })

  it("takes and gives integers of any size, and amounts as digits", async () => {
    const { answers, client, sent } = makeWire(endpoints)
    await runValue(client.getBlock({ networkIdentifier, blockIdentifier: { index: big } }))
    expect(sent()[2]).toContain(`"index":9007199254740993`)
    for (const seen of [5n, big, huge]) {
      answers(`{"result":{"seen":${seen}},"idempotent":true}`)
      const { result } = await runValue(client.call({ networkIdentifier, method: "a", parameters: { seen } }))
      expect(result).toEqual({ seen })
      expect(sent()[2]).toContain(`"seen":${seen}`)
    }
    answers(`{"block_identifier":{"index":5,"hash":"ab"},"balances":[
      {"value":"${huge}","currency":{"symbol":"ADA","decimals":6,"metadata":{"decimals":6}}}],"metadata":{"nonce":7}}`)
    const balance = await runValue(
      client.getAccountBalance({ networkIdentifier, accountIdentifier: { address } })
    )
    expect(balance).toEqual({
      block_identifier: { index: 5, hash: "ab" },
      balances: [
        {
          value: String(huge),
          currency: { symbol: "ADA", decimals: 6, metadata: { decimals: 6n } }
        }
      ],
      metadata: { nonce: 7n }
    })
  })

  it("answers with numbers where the interface has them, or with no answer at all", async () => {
    const { answers, client } = makeWire(endpoints)
    answers(`{"current_block_identifier":{"index":9007199254740991,"hash":"ab"},"current_block_timestamp":1770067263000,
      "genesis_block_identifier":{"index":0,"hash":"cd"},"sync_status":{"current_index":5,"target_index":6,"synced":false},
      "peers":[{"peer_id":"a","metadata":{"port":1}}]}`)
    expect(await runValue(client.getNetworkStatus({ networkIdentifier }))).toEqual({
      current_block_identifier: { index: 9007199254740991, hash: "ab" },
      current_block_timestamp: 1770067263000,
      genesis_block_identifier: { index: 0, hash: "cd" },
      sync_status: { current_index: 5, target_index: 6, synced: false },
      peers: [{ peer_id: "a", metadata: { port: 1n } }]
    })
    answers(`{"max_sequence":9007199254740993,"events":[]}`)
    expect(await runError(client.getEventsBlocks({ networkIdentifier }))).toMatchObject({
      _tag: "NodeError",
      kind: "malformed"
    })
  })
})

describe("an error of Rosetta", () => {
  const ask = async (body: unknown, status = 500) => {
    const { answers, client, fault } = makeWire(endpoints)
    answers(body, status)
    return { error: await runError(client.getNetworkStatus({ networkIdentifier })), fault: fault() }
  }

  it("is the caller's, unless it may be different elsewhere", async () => {
    const faults: ReadonlyArray<readonly [message: string, retriable: boolean, fault: string]> = [
      ["Invalid staking key format", false, "caller"],
      ["Network not supported", false, "caller"],
      ["Error when sending the transaction", true, "elsewhere"],
      // servers call wrong addresses retriable: no node is to blame for what its callers send
      ["Provided address is invalid", true, "elsewhere"],
      ["Block not found", false, "elsewhere"],
      ["Transaction not found", false, "elsewhere"],
      ["This operation is not supported in offline mode", false, "elsewhere"],
      ["Not implemented", false, "elsewhere"],
      ["Downstream timeout", false, "node"],
      ["Unable to get data from the downstream gateway", false, "node"],
      ["request timed out", true, "node"]
    ]
    for (const [message, retriable, fault] of faults) {
      expect([message, (await ask(said(message, retriable))).fault]).toEqual([message, fault])
    }
  })

  it("tells what was wrong", async () => {
    const details = { message: "PolicyId x is not valid" }
    expect((await ask(said("Transaction outputs parameters errors", false, details))).error).toMatchObject({
      _tag: "RequestRejected",
      status: 500,
      messages: ["Transaction outputs parameters errors", "PolicyId x is not valid"]
    })
    expect((await ask(said("Bad", false, { hint: 1 }))).error).toMatchObject({ messages: ["Bad"] })
  })

  it("is never a success, whatever its status", async () => {
    const { error, fault } = await ask(said("Invalid blockchain", false), 200)
    expect(error).toMatchObject({ _tag: "RequestRejected", messages: ["Invalid blockchain"] })
    expect(fault).toBe("caller")
    expect((await ask(said("Block not found", false), 200)).fault).toBe("elsewhere")
  })

  it("is the node's if it is not Rosetta that speaks", async () => {
    for (const [body, status] of [
      [said("Bad", false), 503],
      [said("Bad", false), 429],
      ["<html>oops</html>", 500],
      [{ code: 500, message: "oops" }, 500],
      [{ code: "4001", message: "oops", retriable: false }, 500]
    ] as const) {
      expect([body, (await ask(body, status)).fault]).toEqual([body, "node"])
    }
  })
})

describe("a node of Cardano", () => {
  it("tells its height by Rosetta", () => {
    const probe = cardano.probe?.("cardano-preprod", networks["cardano-preprod"])
    expect(probe).toEqual({ ...rosettaProbe("cardano", "preprod"), height: expect.any(Function) })
    expect(probe?.height({ current_block_identifier: { index: 5 } })).toBe(5)
  })
})
