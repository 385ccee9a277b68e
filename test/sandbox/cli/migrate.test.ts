/** The codemod, by the program as it is published. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "@effect/vitest"
import { UserProject } from "../../migrate/programs.js"
import { viem } from "../../migrated.js"
import { parseLines, program, run } from "./program.js"

const text = `import { TatumSDK, Network, Ethereum } from "@tatumio/tatum"

const tatum = await TatumSDK.init<Ethereum>({ network: Network.ETHEREUM })
await tatum.destroy()
`
let project: UserProject
let folder = ""
let file = ""

beforeAll(() => {
  project = new UserProject([{ path: "src/app.ts", text }])
  folder = project.folder
  file = join(folder, "src", "app.ts")
  writeFileSync(join(folder, "node_modules", "theirs.ts"), text)
})
afterAll(() => project[Symbol.dispose]())

it("shows what would change, and changes nothing", async () => {
  // a program over viem, which is rewritten by its syntax: types take seconds to read
  const bare = mkdtempSync(join(tmpdir(), "effect-chains-cli-"))
  try {
    const path = join(bare, "app.ts")
    writeFileSync(path, viem)
    const shown = await run(program, ["migrate", bare, "--from", "viem"])
    expect(shown.code, shown.err).toBe(0)
    expect(shown.out).toContain(`to rewrite  ${path}`)
    expect(shown.out).toContain("1 files would change; --write rewrites them")
    expect(readFileSync(path, "utf8")).toBe(viem)
  } finally {
    rmSync(bare, { recursive: true })
  }
})

it("rewrites programs of @tatumio/tatum where that is wanted", async () => {
  const written = await run(program, ["migrate", folder, "--write", "--json"])
  expect(parseLines(written)).toMatchObject([[{ path: file, changed: true }]])
  const after = readFileSync(file, "utf8")
  expect(after).toContain("effect-chains")
  expect(after).not.toContain("@tatumio/tatum")
  expect(readFileSync(join(folder, "node_modules", "theirs.ts"), "utf8")).toBe(text)
})

it("says what has to be installed first, and changes nothing", async () => {
  const bare = mkdtempSync(join(tmpdir(), "effect-chains-cli-"))
  try {
    const path = join(bare, "app.ts")
    writeFileSync(path, text)
    const shown = await run(program, ["migrate", bare, "--write"])
    expect(shown.out).toContain("the types of @tatumio/tatum are not installed here")
    expect(parseLines(await run(program, ["migrate", bare, "--write", "--json"]))).toMatchObject([
      [{ path, changed: false }]
    ])
    expect(readFileSync(path, "utf8")).toBe(text)
  } finally {
    rmSync(bare, { recursive: true })
  }
})

it("refuses another source, and files that are not there", async () => {
  expect(await run(program, ["migrate", folder, "--from", "web3"])).toMatchObject({ code: 1, out: "" })
  expect((await run(program, ["migrate", join(folder, "none")])).err).toContain("no such file")
})
