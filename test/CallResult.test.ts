import { describe, expect, it } from "@effect/vitest"
import { failure, getOrThrow, isFailure, isSuccess, type Result, success } from "../src/data/CallResult.js"
import { Aborted, GatewayError, NodeError, NoRpcUrls, RpcError, Unexpected } from "../src/data/SdkError.js"

const url = "https://node.example"

describe("a result", () => {
  it("of a call that worked is SUCCESS with its data, whatever it is", () => {
    for (const data of [1n, null, undefined, 0, "", false, { a: 1 }, []]) {
      const result: Result<unknown> = success(data)
      expect(result).toEqual({ status: "SUCCESS", data })
      expect([isSuccess(result), isFailure(result)]).toEqual([true, false])
    }
  })

  it("of a call that failed is ERROR with null, the sentence and the tagged error", () => {
    const cause = new NoRpcUrls({ network: "x" })
    const result: Result<number, NoRpcUrls> = failure(cause)
    expect(result).toEqual({
      status: "ERROR",
      data: null,
      error: { message: ["No RPC URLs provided"], cause }
    })
    expect(isFailure(result) && result.error.cause).toBe(cause)
    expect([isSuccess(result), isFailure(result)]).toEqual([false, true])
    expect(Object.keys(result.error ?? {})).toEqual(["message", "cause"])
  })

  it("repeats the provider's messages, code and log", () => {
    const cause = new GatewayError({
      call: "GET x",
      kind: "status",
      messages: ["one", "two"],
      status: 400,
      code: "validation.failed",
      dashboardLog: "https://d.example"
    })
    expect(failure(cause).error).toEqual({
      message: ["one", "two"],
      code: "validation.failed",
      dashboardLog: "https://d.example",
      cause
    })
  })

  it("has the JSON-RPC code as text, and no code where there is none", () => {
    const rpc = new RpcError({ method: "m", code: -32000, rpcMessage: "no", url })
    expect(failure(rpc).error.code).toBe("-32000")
    const node = new NodeError({ kind: "timeout", call: "m", url, reason: "late" })
    expect(failure(node).error).not.toHaveProperty("code")
    const refused = new NodeError({ kind: "rpc", call: "m", url, reason: "late", code: 0 })
    expect(failure(refused).error.code).toBe("0")
  })

  it("holds aborted calls and defects like all others, whatever was thrown", () => {
    expect(failure(new Aborted({ reason: "x" })).error.message).toEqual(["The call was aborted"])
    expect(failure(new Unexpected({ defect: Object.create(null) })).error.message).toEqual([
      "[object Object]"
    ])
  })

  it("narrows by its status", () => {
    const read = (result: Result<number, NoRpcUrls>): number | string =>
      result.status === "SUCCESS" ? result.data + 1 : result.error.cause._tag
    expect(read(success(1))).toBe(2)
    expect(read(failure(new NoRpcUrls({ network: "x" })))).toBe("NoRpcUrls")
  })

  it("gives its data, or throws the tagged error", async () => {
    for (const data of [1n, null, undefined, 0, "", false]) expect(getOrThrow(success(data))).toBe(data)
    const cause = new NoRpcUrls({ network: "x" })
    const failed: Promise<Result<bigint, NoRpcUrls>> = Promise.resolve(failure(cause))
    await expect(failed.then(getOrThrow)).rejects.toBe(cause)
  })
})
