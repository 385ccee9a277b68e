// @runtime both
import { describe, expect, it } from "vitest"
import { classify, endpoints } from "../../src/chains/Xrp.js"
import { makeRpcNode, runError, runValue } from "./wire.js"

const transaction = {
  TransactionType: "Payment",
  Account: "rA",
  Amount: { currency: "USD", issuer: "rI", value: "1" },
  Memos: [{ Memo: { MemoData: "00", userKey: "x" } }]
}

describe("an XRP Ledger server", () => {
  it("is sent one object of snake_case names, and transactions as they are", async () => {
    const { client, result, sent } = makeRpcNode(endpoints)
    result("{}")
    await runValue(client.accountInfo("rA", { ledgerIndex: "validated", signerLists: true }))
    expect(sent()).toEqual({
      method: "account_info",
      params: [{ account: "rA", ledger_index: "validated", signer_lists: true }]
    })
    await runValue(client.submit(transaction, { failHard: true, seedHex: "00".repeat(16) }))
    expect(sent()).toEqual({
      method: "submit",
      params: [{ tx_json: transaction, fail_hard: true, seed_hex: "00".repeat(16) }]
    })
    await runValue(client.signFor("rS", transaction, { keyType: "ed25519" }))
    expect(sent().params).toEqual([{ tx_json: transaction, account: "rS", key_type: "ed25519" }])
    await runValue(client.simulate(transaction, { binary: false }))
    expect(sent().params).toEqual([{ tx_json: transaction, binary: false }])
    const bridge = {
      LockingChainDoor: "rL",
      LockingChainIssue: { currency: "XRP" },
      IssuingChainDoor: "rI",
      IssuingChainIssue: { currency: "XRP" }
    }
    await runValue(client.ledgerEntry({ bridge, bridgeAccount: "rB", nftPage: "00" }))
    expect(sent().params).toEqual([{ bridge, bridge_account: "rB", nft_page: "00" }])
    await runValue(client.fee())
    expect(sent().params).toEqual([])
    await runValue(client.tx(undefined, { ctid: "C005523E00000000" }))
    expect(sent().params).toEqual([{ ctid: "C005523E00000000" }])
  })

  it("answers without an id, as rippled does", async () => {
    const { body, client } = makeRpcNode(endpoints)
    body('{"result":{"ledger_current_index":7,"status":"success"}}')
    expect(await runValue(client.ledgerCurrent())).toEqual({ ledger_current_index: 7, status: "success" })
    expect(await runValue(client.rawRpcCall({ method: "ledger_current" }))).toMatchObject({
      ledger_current_index: 7
    })
    body(
      '{"result":{"error":"actNotFound","error_code":19,"error_message":"Account not found.","status":"error"}}'
    )
    expect(await runError(client.accountInfo("rA"))).toMatchObject({
      _tag: "RpcError",
      code: 19,
      message: "actNotFound: Account not found."
    })
    body('{"id":"another","result":{"status":"success"}}')
    expect(await runError(client.ping())).toMatchObject({ _tag: "NodeError", kind: "malformed" })
  })

  it("that knows no batches is asked one by one", async () => {
    const { body, client } = makeRpcNode(endpoints)
    body("Unable to parse request: ", 400)
    const items = await runValue(client.rawBatchRpcCall([{ method: "fee" }, { method: "ping" }]))
    expect(items.map(({ _tag }) => _tag)).toEqual(["Left", "Left"])
  })

  it.each([
    ["slowDown", 10, "You are placing too much load on the server.", "node"],
    ["tooBusy", 9, "The server is too busy to help you now.", "node"],
    ["noNetwork", 17, "Not synced to the network.", "node"],
    ["noCurrent", 15, "Current ledger is unavailable.", "node"],
    ["lgrNotFound", 21, "ledgerNotFound", "elsewhere"],
    ["txnNotFound", 29, "Transaction not found.", "elsewhere"],
    ["unknownCmd", 32, "Unknown method.", "elsewhere"],
    ["notSupported", 75, "Signing is not supported by this server.", "elsewhere"],
    ["actNotFound", 19, "Account not found.", "caller"],
    ["actMalformed", 35, "Account malformed.", "caller"],
    ["invalidParams", 31, "Missing field 'account'.", "caller"],
    ["invalidTransaction", undefined, undefined, "caller"]
  ] as const)("that says %s inside HTTP 200 fails the call", async (word, code, message, whose) => {
    const { client, fault, result } = makeRpcNode(endpoints)
    const answer = { error: word, error_code: code, error_message: message, status: "error" }
    result(JSON.stringify(answer))
    const text = message === undefined ? word : `${word}: ${message}`
    const failure = await runError(client.accountInfo("rA"))
    expect(failure).toMatchObject({
      _tag: "RpcError",
      code: code ?? 0,
      message: text,
      data: JSON.parse(JSON.stringify(answer))
    })
    expect(fault()).toBe(whose)
    expect(classify({ code: code ?? 0, message: text })).toBe(whose)
    expect(await runError(client.rawRpcCall({ method: "account_info" }))).toMatchObject({ message: text })
  })

  it.each([{ status: "error" }, { error: "" }, { status: "error", error: {} }])(
    "that says no without a word has a message: %j",
    async (answer) => {
      const { client, result } = makeRpcNode(endpoints)
      result(JSON.stringify(answer))
      expect(await runError(client.accountInfo("rA"))).toMatchObject({
        message: "a refusal without a reason"
      })
    }
  )

  it.each([
    ["tesSUCCESS", 0, undefined],
    ["terQUEUED", -89, undefined],
    ["tecPATH_DRY", 128, undefined],
    ["tefALREADY", -198, undefined],
    ["temMALFORMED", -299, "caller"],
    ["tefPAST_SEQ", -190, "caller"],
    ["telINSUF_FEE_P", -394, "elsewhere"]
  ] as const)("that takes a transaction with %s", async (engine_result, code, whose) => {
    const { client, fault, result } = makeRpcNode(endpoints)
    const answer = {
      engine_result,
      engine_result_code: code,
      engine_result_message: "why",
      status: "success",
      applied: false
    }
    result(JSON.stringify(answer))
    for (const call of [client.submit("00"), client.submitMultisigned(transaction)]) {
      if (whose === undefined) expect(await runValue(call)).toEqual(answer)
      else
        expect(await runError(call)).toMatchObject({ code, message: `${engine_result}: why`, data: answer })
      expect(fault()).toBe(whose)
    }
    // a simulation is asked for the outcome, whatever it is
    expect(await runValue(client.simulate(transaction))).toEqual(answer)
  })

  it("is never asked twice to sign and send, but may be sent what is signed", async () => {
    const { call, client, result } = makeRpcNode(endpoints)
    result("{}")
    await runValue(client.submit("00"))
    expect(call().repeat).toBe("broadcast")
    await runValue(client.submit(transaction, { secret: "s" }))
    expect(call().repeat).toBe("write")
    await runValue(client.submitMultisigned(transaction))
    expect(call().repeat).toBe("broadcast")
    await runValue(client.rawRpcCall({ method: "submit", params: [{ tx_json: transaction, secret: "s" }] }))
    expect(call().repeat).toBe("write")
    await runValue(client.sign(transaction))
    expect(call().repeat).toBe("read")
  })

  it("gives integers as numbers, and refuses those that would lose digits", async () => {
    const { client, result } = makeRpcNode(endpoints)
    for (const seq of [1, 9007199254740991]) {
      result(`{"ledger_current_index":${seq}}`)
      expect((await runValue(client.ledgerCurrent())).ledger_current_index).toBe(seq)
    }
    for (const seq of ["9007199254740993", "18446744073709551616"]) {
      result(`{"ledger_current_index":${seq}}`)
      expect(await runError(client.ledgerCurrent())).toMatchObject({ _tag: "NodeError", kind: "malformed" })
    }
  })
})
