/**
 * The incumbent's SDK as its users run it, in a process of its own: `node incumbent.cjs HOME SANDBOX CALLS`, where CALLS is a file with the
 * calls to make, as `calls.ts` has them. The SDK has no option for the provider's address and asks hosts of tatum.io alone, so the names
 * lead to the sandbox here, and the urls of nodes in its lists get such names. Prints a line of JSON for each call: what it answered or
 * threw, and the provider's routes that it asked.
 */
const { readFileSync } = require("node:fs")
const { createRequire } = require("node:module")
const { join } = require("node:path")

const [, , home, sandbox, file] = process.argv
const send = globalThis.fetch
const node = /^https:\/\/(\d+)\.nodes\.tatum\.io/

/** What the call that is made now has asked of the provider. */
let routes = []

globalThis.fetch = async (input, init) => {
  const url = String(input.url ?? input)
  const port = node.exec(url)?.[1]
  if (port !== undefined) return send(url.replace(node, `http://127.0.0.1:${port}`), init)
  const { hostname, pathname, search } = new URL(url)
  if (!hostname.endsWith(".tatum.io")) throw new Error(`${url} is no part of the provider`)
  const response = await send(`${sandbox}${pathname}${search}`, init)
  if (!pathname.endsWith("/list.json"))
    routes.push(`${init?.method ?? "GET"} ${pathname}${search} ${response.status}`)
  if (!pathname.endsWith("/list.json") || !response.ok) return response
  const text = await response.text()
  return new Response(text.replace(/http:\/\/127\.0\.0\.1:(\d+)/g, "https://$1.nodes.tatum.io"), response)
}

const { TatumSDK } = createRequire(join(home, "package.json"))("@tatumio/tatum")

/** What JSON has no form for: numbers of any size as their digits, and files as their text. */
const plain = async (value) => {
  if (value instanceof Blob) return value.text()
  if (typeof value === "bigint") return String(value)
  if (typeof value !== "object" || value === null) return value
  if (typeof value.toFixed === "function") return value.toFixed()
  if (Array.isArray(value)) return Promise.all(value.map(plain))
  const entries = Object.entries(value).map(async ([name, item]) => [name, await plain(item)])
  return Object.fromEntries(await Promise.all(entries))
}

const answers = []

/** What an answer is about, in whichever envelope it is. */
const contentOf = (answer) => answer?.data ?? answer?.result ?? answer

/** Arguments, with bytes and parts of earlier answers in the place of what stands for them. */
const given = (value) => {
  if (typeof value !== "object" || value === null) return value
  if (value.$bytes !== undefined) return Buffer.from(value.$bytes, "base64")
  if (value.$answer !== undefined)
    return value.path.reduce((inner, key) => inner?.[key], contentOf(answers[value.$answer]))
  if (Array.isArray(value)) return value.map(given)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, given(item)]))
}

const main = async () => {
  const calls = JSON.parse(readFileSync(file, "utf8"))
  const clients = new Map()
  for (const { network, target, args } of calls) {
    if (!clients.has(network))
      clients.set(
        network,
        await TatumSDK.init({ network, apiKey: { v4: "peer" }, quiet: true, retryCount: 0 })
      )
    routes = []
    const path = target.split(".")
    const method = path.pop()
    const line = {}
    try {
      const owner = path.reduce((inner, key) => inner[key], clients.get(network))
      line.answer = await plain(await owner[method](...given(args)))
    } catch (error) {
      line.thrown = String(error?.message ?? error)
    }
    answers.push(line.answer)
    console.log(JSON.stringify({ ...line, routes }))
  }
  for (const client of clients.values()) await client.destroy()
}

main().then(() => process.exit(0))
