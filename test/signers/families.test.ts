/** Each family of networks has a signer, or a line on the page that says what it waits for. */
import { readdirSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { ids } from "../../src/data/ids.js"
import { evmFamilies } from "../../src/data/Network.js"

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")

/** The families that signers are made for, by the list that each of them checks a network with; EVM chains have one by name. */
const listed = readdirSync(new URL("../../src/signers", import.meta.url))
  .filter((name) => /^[A-Z].*\.ts$/.test(name))
  .flatMap((name) => [...read(`src/signers/${name}`).matchAll(/loadNetworkRow\(network, \[([^\]]+)\]\)/g)])
  .flatMap(([, list = ""]) => [...list.matchAll(/"([^"]+)"/g)])
  .map(([, family]) => family ?? "")

const signed: ReadonlyArray<string> = [...listed, ...evmFamilies]

/** The families of the table, in its first column. */
const waiting = read("docs/signers/capabilities.md")
  .split("## Families that are read only")[1]
  ?.split("\n")
  .filter((line) => line.startsWith("| `"))
  .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)])
  .map(([, family]) => family ?? "")

it("have a signer, or a line that says what it waits for", () => {
  // those of today, so that the pattern above has found them
  expect(listed).toHaveLength(11)
  const all = [...signed, ...(waiting ?? [])]
  expect([...all].sort()).toEqual([...new Set(all)].sort())
  expect([...all].sort()).toEqual(Object.keys(ids).sort())
})
