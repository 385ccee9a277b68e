import { describe, expect, it } from "vitest"
import { joinUrl, parseRoute, toQueryString } from "../../src/wire/route.js"

describe("join", () => {
  it.each([
    ["https://node.example", "/v2/status", "https://node.example/v2/status"],
    ["https://node.example/key", "/v2/status?a=1", "https://node.example/key/v2/status?a=1"],
    ["https://node.example/?key=abc", "/v2/status", "https://node.example/v2/status?key=abc"],
    ["https://node.example?key=abc", "/v2/status?a=1", "https://node.example/v2/status?a=1&key=abc"],
    ["https://node.example/?key=a?b", "/v2", "https://node.example/v2?key=a?b"],
    ["https://node.example/?key=abc", "", "https://node.example/?key=abc"]
  ])("puts %s and %s together, with the url's query behind", (url, path, joined) => {
    expect(joinUrl(url, path)).toBe(joined)
  })
})

describe("route", () => {
  it("encodes what is filled in, so that no value can leave its segment", () => {
    expect(parseRoute("/accounts/{address}/x").build({ address: "../a?b#c/d" })).toBe(
      "/accounts/..%2Fa%3Fb%23c%2Fd/x"
    )
  })

  it("keeps the slashes of {+name}, and nothing that would lead out of it", () => {
    const { build, pathNames } = parseRoute("/denoms/{+denom}/x")
    expect([...pathNames]).toEqual(["denom"])
    expect(build({ denom: "ibc/A?B" })).toBe("/denoms/ibc/A%3FB/x")
    expect(build({ denom: "uatom" })).toBe("/denoms/uatom/x")
    for (const denom of ["ibc/../a", "./a", "/a", "a/", "a//b"]) {
      expect(() => build({ denom })).toThrow("denom must not have empty segments")
    }
  })

  it("knows which names belong to the path and which to the query", () => {
    const { build, pathNames, queryNames } = parseRoute("/a/{b}/c{?d,e}")
    expect(build({ b: 1, d: 2 })).toBe("/a/1/c")
    expect([...pathNames]).toEqual(["b"])
    expect([...queryNames]).toEqual(["d", "e"])
  })
})

describe("queryString", () => {
  it("is nothing where there is nothing to say", () => {
    expect(toQueryString([])).toBe("")
    expect(toQueryString([["a", ""]])).toBe("")
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
    expect(toQueryString(pairs)).toBe("?d=0&e=false&f=x&f=y")
  })
})
