import { describe, expect, it } from "vitest"
import { join, queryString, route } from "../../src/wire/route.js"

describe("join", () => {
  it.each([
    ["https://node.example", "/v2/status", "https://node.example/v2/status"],
    ["https://node.example/key", "/v2/status?a=1", "https://node.example/key/v2/status?a=1"],
    ["https://node.example/?key=abc", "/v2/status", "https://node.example/v2/status?key=abc"],
    ["https://node.example?key=abc", "/v2/status?a=1", "https://node.example/v2/status?a=1&key=abc"],
    ["https://node.example/?key=a?b", "/v2", "https://node.example/v2?key=a?b"],
    ["https://node.example/?key=abc", "", "https://node.example/?key=abc"]
  ])("puts %s and %s together, with the url's query behind", (url, path, joined) => {
    expect(join(url, path)).toBe(joined)
  })
})

describe("route", () => {
  it("encodes what is filled in, so that no value can leave its segment", () => {
    expect(route("/accounts/{address}/x").build({ address: "../a?b#c/d" })).toBe(
      "/accounts/..%2Fa%3Fb%23c%2Fd/x"
    )
  })

  it("keeps the slashes of {+name}, and nothing that would lead out of it", () => {
    const { build, path } = route("/denoms/{+denom}/x")
    expect([...path]).toEqual(["denom"])
    expect(build({ denom: "ibc/A?B" })).toBe("/denoms/ibc/A%3FB/x")
    expect(build({ denom: "uatom" })).toBe("/denoms/uatom/x")
    for (const denom of ["ibc/../a", "./a", "/a", "a/", "a//b"]) {
      expect(() => build({ denom })).toThrow("denom must not have empty segments")
    }
  })

  it("knows which names belong to the path and which to the query", () => {
    const { build, path, query } = route("/a/{b}/c{?d,e}")
    expect(build({ b: 1, d: 2 })).toBe("/a/1/c")
    expect([...path]).toEqual(["b"])
    expect([...query]).toEqual(["d", "e"])
  })
})

describe("queryString", () => {
  it("is nothing where there is nothing to say", () => {
    expect(queryString([])).toBe("")
    expect(queryString([["a", ""]])).toBe("")
  })

  it("leaves out what is empty, keeps zero and false, and repeats lists", () => {
    const pairs = [
      ["a", undefined],
      ["b", null],
      ["c", ""],
      ["d", 0],
      ["e", false],
      ["f", ["x", "y"]]
    ] as const
    expect(queryString(pairs)).toBe("?d=0&e=false&f=x&f=y")
  })
})
