/** Requests to the sandbox's usual address go to the one of a test, and no others do. */
import { expect, it } from "vitest"
import { SANDBOX_URL } from "../src/config/resolveConfig.js"
import { redirect } from "./sandboxPort.js"

it.each(["", "/", "/ethereum-mainnet/list.json?a=b"])(
  "a request of the sandbox goes elsewhere: %j",
  (path) => {
    expect(redirect(SANDBOX_URL + path, SANDBOX_URL, "http://127.0.0.1:1")).toBe(`http://127.0.0.1:1${path}`)
  }
)

it.each(["http://127.0.0.1:41007/list.json", "http://127.0.0.1/list.json", "http://127.0.0.1:1/4100"])(
  "another request stays: %s",
  (url) => {
    expect(redirect(url, SANDBOX_URL, "http://127.0.0.1:41007")).toBe(url)
  }
)
