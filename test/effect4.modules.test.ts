/** What the sources use of Effect 3's modules is there on Effect 4, in `src/effect4` or in Effect itself. The compiler checks the types. */
import { join } from "node:path"
import { expect, it } from "vitest"
import { placeOf } from "../scripts/effect4.mjs"
import { filesIn, usesIn } from "../scripts/lean.mjs"

const root = join(import.meta.dirname, "..")

/** Sources that run on Effect 3 alone, and those that have a twin. */
const isLeftOut = (file: string): boolean => /^src\/(sandbox|lean|effect4|cli)\//.test(file)
const twins = new Set(
  filesIn("src")
    .filter((file) => file.endsWith(".effect4.ts"))
    .map((file) => file.replace(".effect4", ""))
)

/** Types, which interfaces extend. */
const types = ["effect/Context.TagClass", "effect/Request.Request"]

it("has all of them", async () => {
  const used = new Map<string, Set<string>>()
  for (const file of filesIn("src").filter((each) => !isLeftOut(each) && !twins.has(each)))
    for (const { member, module } of usesIn(file, /^(@?effect\/.+)$/))
      used.set(module, (used.get(module) ?? new Set()).add(member))
  expect(used.size).toBeGreaterThan(25)
  const lacking: Array<string> = []
  for (const [module, members] of used) {
    const place = placeOf(module)
    const file = place?.file ?? join(root, "node_modules/effect4/dist", `${place?.path}.js`)
    const there: object = await import(/* @vite-ignore */ file)
    for (const member of members) if (!(member in there)) lacking.push(`${module}.${member}`)
  }
  expect(lacking).toEqual(types)
})

it("has twins for sources alone, and uses each", () => {
  const sources = filesIn("src")
  expect(twins.size).toBeGreaterThan(2)
  for (const twin of twins) expect(sources).toContain(twin)
})
