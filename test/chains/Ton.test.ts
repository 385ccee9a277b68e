// @runtime both
import { Address } from "@ton/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { endpoints } from "../../src/chains/Ton.js"
import { specOf } from "../../src/data/Endpoint.js"
import { makeRawRpc } from "../../src/transport/Client.js"
import { makeWire, runError, runValue } from "./wire.js"

const account = "0:97264395bd65a255a429b11326c84128b7d70ffed7949abae3036d506ba38621"
const block = "(-1,8000000000000000,40000000)"

describe("what is sent", () => {
  it("has addresses and blocks in paths, and queries in snake_case", async () => {
    const { client, sent } = makeWire(endpoints)
    await runValue(client.getRawListBlockTransactions(block, 0, 10, account, 2n ** 64n))
    expect(sent()).toEqual([
      "GET",
      `/v2/liteserver/list_block_transactions/${encodeURIComponent(block)}?mode=0&count=10&account_id=${encodeURIComponent(account)}&lt=18446744073709551616`,
      undefined
    ])
    await runValue(client.getBlockchainAccountTransactions(account))
    expect(sent()[1]).toMatch(/transactions\?sort_order=desc$/)
    await runValue(client.getBlockchainAccountTransactions(account, 1n, undefined, undefined, "asc"))
    expect(sent()[1]).toMatch(/\?after_lt=1&sort_order=asc$/)
    await runValue(client.getAccountEvents(account, 20))
    expect(sent()[1]).toMatch(/\/events\?limit=20$/)
  })

  it("has several currencies as one value, and several arguments as many", async () => {
    const { client, sent } = makeWire(endpoints)
    await runValue(client.getRates(["ton", account], ["usd", "eur"]))
    expect(sent()[1]).toBe(`/v2/rates?tokens=ton%2C${encodeURIComponent(account)}&currencies=usd%2Ceur`)
    await runValue(client.execGetMethodForBlockchainAccount(account, "get", ["5", "6"]))
    expect(sent()[1]).toMatch(/\/methods\/get\?args=5&args=6$/)
    await runValue(client.getMigrationWallets({ account_ids: [account] }, ["usd", "eur"]))
    expect(sent()).toEqual([
      "POST",
      "/v2/migration/wallets?currencies=usd%2Ceur",
      JSON.stringify({ account_ids: [account] })
    ])
  })

  it("renames nothing in bodies", async () => {
    const { client, sent } = makeWire(endpoints)
    const meta = { userKey: "a", user_key: "b", UserKey: "c" }
    await runValue(client.sendBlockchainMessage({ boc: "AA==", meta }))
    expect(sent()[2]).toBe(JSON.stringify({ boc: "AA==", meta }))
    const params = { address: account, innerKey: [{ deepKey: 1 }] }
    await runValue(client.jsonRPC({ method: "getAddressInformation", params }))
    expect(sent()).toEqual(["POST", "/jsonRPC", JSON.stringify({ method: "getAddressInformation", params })])
    await runValue(client.emulateMessageToAccountEvent(account, { boc: "AA==" }, true))
    expect(sent()).toEqual([
      "POST",
      `/v2/accounts/${encodeURIComponent(account)}/events/emulate?ignore_signature_check=true`,
      '{"boc":"AA=="}'
    ])
  })

  it("has integers of any size, as digits", async () => {
    const { client, sent } = makeWire(endpoints)
    await runValue(client.lookupBlock({ workchain: -1, shard: -9223372036854775808n, lt: 2n ** 53n + 1n }))
    expect(sent()[1]).toBe("/lookupBlock?workchain=-1&shard=-9223372036854775808&lt=9007199254740993")
    await runValue(
      client.runGetMethod({ address: account, method: "get", stack: [["num", 18446744073709551616n]] })
    )
    expect(sent()[2]).toBe(`{"address":"${account}","method":"get","stack":[["num",18446744073709551616]]}`)
    await runValue(
      client.emulateMessageToWallet({ boc: "", params: [{ address: account, balance: 2n ** 64n }] })
    )
    expect(sent()[2]).toContain('"balance":18446744073709551616')
  })

  it("is refused where an integer has lost its digits already", async () => {
    const { calls, client } = makeWire(endpoints)
    const shard = -9223372036854775000
    for (const failed of [
      await runError(client.getBlockHeader({ workchain: -1, shard, seqno: 1 })),
      await runError(client.getRawShardInfo(block, -1, shard, true))
    ]) {
      expect(failed).toMatchObject({
        _tag: "InvalidArgument",
        reason: "shard is above 2^53: it must be a bigint or text"
      })
    }
    expect(calls).toHaveLength(0)
  })

  it("has logical times by their right names, however they are spelt", async () => {
    const { client, sent } = makeWire(endpoints)
    await runValue(client.getTransactions({ address: account, It: 5, to_It: 3 }))
    expect(sent()[1]).toBe(`/getTransactions?lt=5&to_lt=3&address=${encodeURIComponent(account)}`)
    await runValue(client.getTransactions({ address: account, It: 5, lt: 6 }))
    expect(sent()[1]).toContain("lt=6&")
  })

  it("reads the past of an account at a block of the masterchain", async () => {
    const { client, sent } = makeWire(endpoints)
    const at = `address=${encodeURIComponent(account)}&seqno=5`
    await runValue(client.getAddressInformation(account, 5n))
    expect(sent()[1]).toBe(`/getAddressInformation?${at}`)
    await runValue(client.getExtendedAddressInformation(account, 5n))
    expect(sent()[1]).toBe(`/getExtendedAddressInformation?${at}`)
    await runValue(client.getWalletInformation(account, 5n))
    expect(sent()[1]).toBe(`/getWalletInformation?${at}`)
    await runValue(client.getAddressBalance(account, 5n))
    expect(sent()[1]).toBe(`/getAddressBalance?${at}`)
    await runValue(client.getAddressState(account, 5n))
    expect(sent()[1]).toBe(`/getAddressState?${at}`)
    await runValue(client.getShardAccountCell(account))
    expect(sent()[1]).toBe(`/getShardAccountCell?address=${encodeURIComponent(account)}`)
  })

  it("asks TON Center at the paths of version 2.1", async () => {
    const { client, sent } = makeWire(endpoints)
    await runValue(client.getOutMsqQueueSizes())
    expect(sent()[1]).toBe("/getOutMsgQueueSize")
    await runValue(client.getShards(5))
    expect(sent()[1]).toBe("/getShards?seqno=5")
    await runValue(client.detectHash("ab"))
    expect(sent()[1]).toBe("/detectHash?hash=ab")
    await runValue(client.dnsResolveEntries({ address: "a", name: "b", ttl: 2 }))
    expect(sent()[1]).toBe("/dnsResolve?address=a&name=b&ttl=2")
    // a server reads the one name or the other, by its version
    await runValue(client.getConfigParam({ config_id: 15, seqno: 5 }))
    expect(sent()[1]).toBe("/getConfigParam?param=15&config_id=15&seqno=5")
    const stack = [
      { "@type": "tvm.stackEntryNumber", number: { "@type": "tvm.numberDecimal", number: "1" } }
    ] as const
    await runValue(client.runGetMethodStd({ address: "a", method: "b", stack }))
    expect(sent()).toEqual(["POST", "/runGetMethodStd", JSON.stringify({ address: "a", method: "b", stack })])
  })

  it("has languages and tokens as headers, and a backup as it is", async () => {
    const { client, headers, sent } = makeWire(endpoints)
    await runValue(client.getEvent("abc", "ru"))
    expect(headers()).toEqual({ "accept-language": "ru" })
    expect(sent()[1]).toBe("/v2/events/abc")
    await runValue(client.getEvent("abc"))
    expect(headers()).toEqual({})
    await runValue(client.getWalletBackup("token"))
    expect(headers()).toEqual({ "X-TonConnect-Auth": "token" })
    for (const dump of [new Uint8Array([1, 2]), new Blob([new Uint8Array([1, 2])])]) {
      await runValue(client.setWalletBackup("token", dump))
      expect(sent()).toEqual(["POST", "/v2/wallet/backup", new Uint8Array([1, 2])])
      expect(headers()).toMatchObject({ "X-TonConnect-Auth": "token" })
    }
  })

  it("has no body where there is none", async () => {
    const { client, sent } = makeWire(endpoints)
    await runValue(client.getAccounts())
    expect(sent()).toEqual(["POST", "/v2/accounts/_bulk", undefined])
    await runValue(client.reindexAccount(account))
    expect(sent()[2]).toBeUndefined()
  })

  it("goes to the classic JSON-RPC where it is raw, and to the root elsewhere", async () => {
    const { calls, transport } = makeWire(endpoints)
    const { rawRpcCall } = makeRawRpc(endpoints, transport, { archive: false, batchArchive: false })
    await runError(rawRpcCall({ method: "getMasterchainInfo" }))
    expect(calls[0]?.path).toBe("/jsonRPC")
  })

  it("is refused where something is missing", async () => {
    const { calls, client } = makeWire(endpoints)
    // @ts-expect-error the account is missing
    expect(await runError(client.getAccount())).toMatchObject({
      _tag: "InvalidArgument",
      reason: "accountId is missing"
    })
    expect((await runError(client.getBlockchainBlock("")))._tag).toBe("InvalidArgument")
    // @ts-expect-error the message is missing
    expect((await runError(client.sendBoc()))._tag).toBe("InvalidArgument")
    // @ts-expect-error the message is an object
    expect((await runError(client.decodeMessage("AA==")))._tag).toBe("InvalidArgument")
    expect(calls).toHaveLength(0)
  })

  it("is repeated only where that does nothing more", () => {
    const repeats = Object.entries(endpoints).flatMap(([name, endpoint]) => {
      const repeat = specOf(endpoint)?.repeat
      return repeat === undefined || repeat === "read" ? [] : [[name, repeat]]
    })
    expect(Object.fromEntries(repeats)).toEqual({
      sendBoc: "broadcast",
      sendBocReturnHash: "broadcast",
      sendQuery: "broadcast",
      jsonRPC: "broadcast",
      sendBlockchainMessage: "broadcast",
      gaslessSend: "broadcast",
      sendRawMessage: "broadcast",
      reindexAccount: "write",
      setWalletBackup: "write"
    })
  })
})

describe("answers of /v2", () => {
  it.each([
    ["0", 0n],
    ["9007199254740993", 9007199254740993n],
    ["18446744073709551616", 18446744073709551616n]
  ])("have the amount %s exactly", async (digits, amount) => {
    const { answers, client } = makeWire(endpoints)
    answers(`{"address":"${account}","balance":${digits},"last_activity":1720860269}`)
    expect(await runValue(client.getAccount(account))).toEqual({
      address: account,
      balance: amount,
      last_activity: 1720860269,
      get_methods: []
    })
  })

  it("have prices and yields as numbers, even whole ones", async () => {
    const { answers, client } = makeWire(endpoints)
    answers('{"rates":{"TON":{"prices":{"USD":7,"EUR":6.5},"diff_24h":{"USD":"+1%"}}}}')
    expect((await runValue(client.getRates(["ton"], ["usd"]))).rates.TON?.prices).toEqual({
      USD: 7,
      EUR: 6.5
    })
    answers('{"balances":[{"balance":"1","price":{"prices":{"USD":1}}}]}')
    expect((await runValue(client.getAccountJettonsBalances(account))).balances[0]?.price?.prices).toEqual({
      USD: 1
    })
    answers('{"points":[[1668436763,7],[1668436764,7.25]]}')
    expect((await runValue(client.getChartRates("ton"))).points).toEqual([
      [1668436763, 7],
      [1668436764, 7.25]
    ])
    answers('{"apy":[{"apy":5,"time":1668436763}]}')
    expect((await runValue(client.getStakingPoolHistory(account))).apy).toEqual([
      { apy: 5, time: 1668436763 }
    ])
    for (const [text, number] of [
      ["13", 13],
      ["12.5", 12.5]
    ] as const) {
      answers(text)
      expect(await runValue(client.getRewardsApy())).toBe(number)
    }
  })

  it("have weights as bigints in the configuration, and as fractions in rewards", async () => {
    const { answers, client } = makeWire(endpoints)
    answers('{"raw":"","34":{"utime_since":1,"list":[{"public_key":"","weight":1152921504606846975}]}}')
    const { 34: set } = await runValue(client.getBlockchainConfig())
    expect(set?.list[0]?.weight).toBe(1152921504606846975n)
    expect(set?.utime_since).toBe(1)
    answers('{"election_id":1740053384,"validators":[{"rank":1,"weight":1,"reward":9007199254740993}]}')
    const { validators } = await runValue(client.getRoundRewards())
    expect(validators[0]).toEqual({ rank: 1, weight: 1, reward: 9007199254740993n })
    // the prices of a bridge are amounts
    answers('{"raw":"","79":{"jetton_bridge_params":{"state_flags":1,"prices":{"bridge_burn_fee":1}}}}')
    const { 79: bridge } = await runValue(client.getBlockchainConfig())
    expect(bridge?.jetton_bridge_params).toEqual({ state_flags: 1, prices: { bridge_burn_fee: 1n } })
  })

  it("have what users wrote as it is, whatever its names and sizes", async () => {
    const { answers, client } = makeWire(endpoints)
    answers(
      `{"nft_items":[{"address":"a","index":5,"metadata":{"id":99999999999999999999,"decimals":1,"list":[{"seqno":2}]}}]}`
    )
    const { nft_items: items } = await runValue(client.getAccountNftItems(account))
    expect(items).toEqual([
      {
        address: "a",
        index: 5n,
        metadata: { id: 99999999999999999999n, decimals: 1n, list: [{ seqno: 2n }] }
      }
    ])
    answers('{"in_msg":{"created_at":1,"value":2,"decoded_body":{"seqno":18446744073709551615}},"utime":3}')
    expect(await runValue(client.getBlockchainTransaction("a"))).toEqual({
      in_msg: { created_at: 1, value: 2n, decoded_body: { seqno: 18446744073709551615n } },
      utime: 3,
      out_msgs: []
    })
  })

  it.each([
    [500, "error code: 0 message: cannot apply external message to current state", "caller"],
    [500, "inbound external message rejected by transaction: exitcode=33", "caller"],
    [406, "duplicate message", "caller"],
    [400, "can't decode address", "caller"],
    [404, "entity not found", "elsewhere"],
    [404, "no such account", "elsewhere"],
    [500, "lt not in db", "elsewhere"],
    [500, "LITE_SERVER_NOTREADY: not in db", "elsewhere"],
    [500, "internal error", "node"],
    [429, "rate limit: too many requests", "node"],
    [401, "illegal base32 data", "unclear"]
  ])("with status %i and %s blame: %s", async (status, message, whose) => {
    const { answers, client, fault } = makeWire(endpoints)
    answers({ error: message }, status)
    const failed = await runError(client.getAccount(account))
    expect(fault()).toBe(whose)
    expect(failed.message).toContain(message)
    expect(failed._tag).toBe(whose === "node" || whose === "unclear" ? "NodeError" : "RequestRejected")
  })
})

describe("classic answers", () => {
  it("are whole, with small integers as numbers and large ones as text", async () => {
    const { answers, client } = makeWire(endpoints)
    const last = { workchain: -1, shard: "-9223372036854775808", seqno: 40000000 }
    answers({ ok: true, result: { last } })
    expect(await runValue(client.getMasterchainInfo())).toEqual({ ok: true, result: { last } })
  })

  it.each([
    ["1000", 1000n],
    ["9007199254740993", 9007199254740993n],
    ["18446744073709551616", 18446744073709551616n]
  ])("have the supply %s of a token exactly", async (digits, supply) => {
    const { answers, client } = makeWire(endpoints)
    answers(`{"ok":true,"result":{"contract_type":"jetton_master","total_supply":${digits}}}`)
    expect((await runValue(client.getTokenData(account))).result).toMatchObject({ total_supply: supply })
  })

  it.each([
    [500, "LITE_SERVER_UNKNOWN: cannot apply external message to current state", "caller"],
    [422, "Incorrect address", "caller"],
    [500, "LITE_SERVER_UNKNOWN: cannot locate transaction in block with specified logical time", "elsewhere"],
    [500, "LITE_SERVER_NOTREADY: ltdb: block not found", "elsewhere"],
    [429, "Ratelimit exceed", "node"],
    [504, "timeout", "node"]
  ])("that say no (%i %s) are errors and blame: %s, with any status", async (code, message, whose) => {
    for (const status of [200, code]) {
      const { answers, client, fault } = makeWire(endpoints)
      answers({ ok: false, error: message, code }, status)
      const failed = await runError(client.getTransactions({ address: account }))
      expect([status, fault()]).toEqual([status, whose])
      expect(failed.message).toContain(message)
      answers({ ok: false, error: message, code }, status)
      await runError(client.sendBoc({ boc: "AA==" }))
      expect(fault()).toBe(whose)
    }
  })

  it("that say no without a reason are errors, too", async () => {
    const { answers, client } = makeWire(endpoints)
    answers({ ok: false })
    expect((await runError(client.getMasterchainInfo())).message).toContain("the call was refused")
  })

  it("of raw calls that say no are errors", async () => {
    const { answers, fault, transport } = makeWire(endpoints)
    const { rawRpcCall } = makeRawRpc(endpoints, transport, { archive: false, batchArchive: false })
    answers({ ok: false, error: "Incorrect address", code: 422, id: "1", jsonrpc: "2.0" })
    const failed = await runError(rawRpcCall({ method: "getAddressInformation", id: "1" }))
    expect([failed._tag, fault()]).toEqual(["RpcError", "caller"])
    answers({ ok: true, result: { balance: "1" }, id: "1", jsonrpc: "2.0" })
    expect(await runValue(rawRpcCall({ method: "getAddressInformation", id: "1" }))).toEqual({ balance: "1" })
    // ids come back as text
    expect(await runValue(rawRpcCall({ method: "getAddressInformation", id: 1 }))).toEqual({ balance: "1" })
    expect((await runError(rawRpcCall({ method: "getAddressInformation", id: 2 })))._tag).toBe("NodeError")
  })
})

describe("an answer", () => {
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((each) => Buffer.from(each))
  const place = fc.record({ workchain: fc.constantFrom(0, -1), hash: bytes })
  const spelling = fc.oneof(
    fc.constantFrom("lower", "upper"),
    fc.record({ bounceable: fc.boolean(), testOnly: fc.boolean(), urlSafe: fc.boolean() })
  )
  type Place = typeof place extends fc.Arbitrary<infer A> ? A : never
  type Spelling = typeof spelling extends fc.Arbitrary<infer A> ? A : never

  const written = ({ hash, workchain }: Place, how: Spelling): string => {
    const address = new Address(workchain, hash)
    if (typeof how === "object") return address.toString(how)
    const [chain, digits = ""] = address.toRawString().split(":")
    return `${chain}:${how === "upper" ? digits.toUpperCase() : digits}`
  }

  /** Calls whose answers name the account that was asked for. */
  const { answers, client } = makeWire(endpoints)
  const calls: ReadonlyArray<
    readonly [about: (asked: string) => Parameters<typeof runValue>[0], body: (told: string) => unknown]
  > = [
    [(asked) => client.getAccount(asked), (address) => ({ address })],
    [
      (asked) => client.getExtendedAddressInformation(asked),
      (account_address) => ({ ok: true, result: { address: { account_address } } })
    ],
    [
      (asked) => client.getTransactions({ address: asked }),
      (account_address) => ({ ok: true, result: [{ address: { account_address } }] })
    ],
    [(asked) => client.packAddress(asked), (result) => ({ ok: true, result })],
    [(asked) => client.getJettonInfo(asked), (address) => ({ metadata: { address } })]
  ]

  it("about the account that was asked for is taken in every spelling, and that about another one in none", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...calls),
        place,
        place,
        spelling,
        spelling,
        async ([about, body], account, other, one, another) => {
          fc.pre(written(account, "lower") !== written(other, "lower"))
          answers(body(written(account, another)))
          await runValue(about(written(account, one)))
          answers(body(written(other, another)))
          expect(await runError(about(written(account, one)))).toMatchObject({
            _tag: "NodeError",
            kind: "malformed"
          })
        }
      )
    )
  })

  it("about the same hash in the other workchain is about another account", async () => {
    const hash = Buffer.alloc(32, 7)
    answers({ address: new Address(-1, hash).toRawString() })
    expect(await runError(client.getAccount(new Address(0, hash).toString()))).toMatchObject({
      _tag: "NodeError"
    })
  })

  it("about the hash that was asked for is taken in every spelling, and that about another one in none", async () => {
    const encoding = fc.constantFrom("hex", "HEX", "base64", "base64url")
    const shown = (hash: Buffer, how: string): string =>
      how === "HEX"
        ? hash.toString("hex").toUpperCase()
        : hash.toString(how as "hex" | "base64" | "base64url")
    await fc.assert(
      fc.asyncProperty(bytes, bytes, encoding, encoding, async (hash, other, one, another) => {
        fc.pre(!hash.equals(other))
        answers({ hash: shown(hash, another) })
        await runValue(client.getBlockchainTransaction(shown(hash, one)))
        answers({ hash: shown(other, another) })
        expect(await runError(client.getBlockchainTransaction(shown(hash, one)))).toMatchObject({
          _tag: "NodeError"
        })
        answers({ ok: true, result: { hex: shown(hash, another) } })
        await runValue(client.detectHash(shown(hash, one)))
      })
    )
  })

  it("about an account that was asked for by its name is taken", async () => {
    answers({ address: account })
    for (const name of ["wallet.ton", `${"a".repeat(45)}.ton`]) await runValue(client.getAccount(name))
  })

  it("about a block is held against the height in its name", async () => {
    answers({ seqno: 40_000_000, prev_refs: [] })
    await runValue(client.getBlockchainBlock(block))
    expect(await runError(client.getBlockchainBlock("(-1,8000000000000000,40000001)"))).toMatchObject({
      _tag: "NodeError"
    })
    answers({ id: { seqno: 40_000_000 } })
    const whole = `(-1,8000000000000000,40000001,${"ab".repeat(32)},${"cd".repeat(32)})`
    expect(await runError(client.getRawBlockchainBlock(whole))).toMatchObject({ _tag: "NodeError" })
  })
})
