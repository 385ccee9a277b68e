/** The reference of services and families: every member is on the page of each surface, in that surface's types, and its example compiles. */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { makeReference, type ReferencePage } from "../scripts/reference.js"
import { networks } from "../src/data/Network.js"
import { catalogue } from "../src/services/Services.js"
import { type Block, compile } from "./pages.js"

const root = dirname(import.meta.dirname)

/** The paths of all methods of a service, and their kinds. */
const methodsIn = (group: object, prefix = ""): ReadonlyArray<readonly [path: string, kind: string]> =>
  Object.entries(group).flatMap(([name, value]: readonly [string, string | object]) =>
    typeof value === "string" ? [[`${prefix}${name}`, value] as const] : methodsIn(value, `${prefix}${name}.`)
  )

const services = Object.entries(catalogue)

/** The parts of a page under the names of methods. */
const partsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .split(/^### /m)
      .slice(1)
      .map((part) => [part.slice(0, part.indexOf("\n")), part])
  )

/** What an example leaves to its reader, whom the compiler does not see. */
const leftover = (body: string): string =>
  Array.from(body.matchAll(/^const (\{[^}]+\}|\w+) = /gm), ([, names = ""]) =>
    names.replace(/[{}]/g, "")
  ).join(", ")

/** The examples of a page as one file: their imports, and each program in a function of its own. */
const toBlock = ({ examples, path }: ReferencePage): Block => {
  const imports = new Set(examples.flatMap((code) => code.match(/^import .*$/gm) ?? []))
  const bodies = examples.map((code, i) => {
    const body = code.replace(/^import .*\n/gm, "")
    return `export const use${i} = ${path.startsWith("promise/") ? "async " : ""}() => {\n${body}\nreturn [${leftover(body)}]\n}`
  })
  const names = [...imports].map((line) => /\{(.*)\}/.exec(line)?.[1] ?? "")
  const code = [...imports, ...bodies, `export const imported = [${names.join(", ")}]`]
  return { at: path, kind: "ts", code: code.join("\n") }
}

describe("the reference", () => {
  let pages: ReadonlyMap<string, ReferencePage>
  const pageOf = (path: string): ReferencePage => {
    const page = pages.get(path)
    if (page === undefined) throw new Error(`no ${path}`)
    return page
  }

  beforeAll(() => {
    pages = new Map(makeReference(root).map((page) => [page.path, page]))
  })

  it.each(services)("has each method of %s: its signature, errors and an example", (service, methods) => {
    for (const surface of ["promise", "effect", "react"]) {
      const parts = partsOf(pageOf(`${surface}/${service}.md`).text)
      // a list that is read item by item is a stream, which hooks are not
      const expected = methodsIn(methods)
        .filter(([, kind]) => surface !== "react" || kind === "read" || kind === "write")
        .map(([path]) => path)
      expect([...parts.keys()].sort()).toEqual([...expected].sort())
      for (const [path, part] of parts) {
        expect(part, path).toMatch(/\n\nErrors: \[|\n\nIt has no errors of its own\./)
        expect(part.match(/^```ts$/gm), path).toHaveLength(2)
        expect(part.split("\n")[2], path).toMatch(/^[A-Z].*\.$/)
      }
    }
  })

  it("has a page of each family, with the errors of its calls, and of Effect where Effect is meant alone", () => {
    const families = new Set(Object.values(networks).map(({ family }) => family))
    for (const family of families) {
      for (const surface of ["promise", "effect"]) {
        const { text } = pageOf(`${surface}/nodes-${family}.md`)
        expect(text.match(/^\| `\w/gm)?.length ?? 0, family).toBeGreaterThan(5)
        expect(text, family).toContain("[NodeError](../../errors/nodeerror.md)")
      }
    }
    const isOfEffect = (text: string): boolean => /\b(Effect|Stream)(\.\w+)?</.test(text)
    const foreign = [...pages.values()].filter(
      ({ path, text }) => !path.startsWith("effect/") && isOfEffect(text)
    )
    expect(foreign.map(({ path }) => path)).toEqual([])
    expect(isOfEffect(pageOf("effect/address.md").text)).toBe(true)
    expect(pageOf("promise/address.md").text).toContain(
      "sdk.address.getBalance(query: BalanceQuery): Promise<Result<readonly AddressBalance[], E>>"
    )
    expect(pageOf("promise/nodes-evm.md").text).toContain(
      "| `getBalance` | `address: string, block?: OptionalBlock` | `bigint` | Balance of an address, in wei. |"
    )
  })

  it("has the declaration of each type that it links to, and a page for each error", () => {
    const types = partsOf(pageOf("types.md").text)
    const names = new Set([...types.keys()].map((name) => name.toLowerCase()))
    const links = [...pages.values()].flatMap(({ path, text }) =>
      Array.from(text.matchAll(/\]\(([^)]+)\)/g), ([, to = ""]) => ({ path, to }))
    )
    const dead = links.filter(({ path, to }) => {
      const [file = "", anchor] = to.split("#")
      const at = join(dirname(path), file)
      if (anchor !== undefined) return at !== "types.md" || !names.has(anchor)
      return !pages.has(at) && !existsSync(join(root, "docs/api", at))
    })
    expect(links.length).toBeGreaterThan(1_000)
    expect(dead).toEqual([])
    expect(types.get("AddressBalance")).toContain("readonly tokenAddress?: string")
  })

  it("has examples that compile, each on its surface", () => {
    const blocks = [...pages.values()].filter(({ examples }) => examples.length > 0).map(toBlock)
    expect(blocks).toHaveLength(3 * services.length)
    // beside one that does not, since the compiler has to look at them
    const wrong: Block = { at: "wrong.md", kind: "ts", code: "export const height: string = 1" }
    expect(compile([...blocks, wrong]).map(({ at }) => at)).toEqual([wrong.at])
  })
})
