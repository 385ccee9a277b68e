/**
 * `npm start` on a fresh clone has the packages of `scripts/tourPackages.mjs` and no others. A nightly test runs it there; this one
 * follows the imports of its bundle.
 */
import { readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Metafile, Plugin } from "esbuild"
import { describe, expect, it } from "vitest"
import { bundled } from "../scripts/program.mjs"
import { cut, names, options } from "../scripts/tourPackages.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))

/** esbuild's description of the tour's bundle. No file is written. */
const bundleOfTour = async (): Promise<Metafile> => {
  let metafile: Metafile | undefined
  const reader: Plugin = {
    name: "reader",
    setup: (build) => {
      Object.assign(build.initialOptions, { metafile: true, write: false, absWorkingDir: root })
      build.onEnd((result) => {
        metafile = result.metafile
      })
    }
  }
  await bundled(join(root, "scripts/tour.ts"), "tour.test", { ...options, plugins: [reader] })
  if (metafile === undefined) throw new Error("esbuild has no metafile")
  return metafile
}

type Imports = Metafile["outputs"][string]["imports"]

/** The packages among imports. */
const packagesOf = (imports: Imports): ReadonlyArray<string> =>
  imports
    .filter(({ external, path }) => external === true && !isBuiltin(path))
    .map(({ path }) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path)

/** The imports of a file of the bundle when it is loaded, with those of the files that it loads. */
const importsAtStart = (outputs: Metafile["outputs"], path: string, seen = new Set([path])): Imports =>
  (outputs[path]?.imports ?? []).flatMap((each) => {
    if (each.kind === "dynamic-import") return []
    if (each.external === true) return [each]
    if (seen.has(each.path)) return []
    seen.add(each.path)
    return importsAtStart(outputs, each.path, seen)
  })

/** Imports that the tour has no use for: it uploads no file, knows no mnemonic, and sends nothing to chains that are recorded. */
const UNUSED = [
  "src/sandbox/Packages.ts: blockstore-core",
  "src/sandbox/Packages.ts: ipfs-unixfs-importer",
  "src/sandbox/recorded/checks/Algorand.ts: @noble/curves",
  "src/sandbox/recorded/checks/Algorand.ts: algosdk",
  "src/sandbox/recorded/checks/Cosmos.ts: @noble/curves",
  "src/sandbox/recorded/checks/Cosmos.ts: cosmjs-types",
  "src/sandbox/recorded/checks/Stellar.ts: @stellar/stellar-base",
  "src/sandbox/recorded/checks/Tezos.ts: @noble/curves",
  "src/sandbox/recorded/checks/Tezos.ts: @taquito/local-forging",
  "src/sandbox/recorded/checks/Tron.ts: @noble/curves",
  "src/sandbox/recorded/checks/Xrp.ts: ripple-binary-codec",
  "src/sandbox/recorded/checks/Xrp.ts: ripple-keypairs",
  "src/signers/keys/bip39.ts: @scure/bip39"
]

const sorted = (lines: Iterable<string>): ReadonlyArray<string> => [...new Set(lines)].sort()

describe("the tour's packages", () => {
  it("are those that its bundle imports, and esbuild", async () => {
    const { inputs, outputs } = await bundleOfTour()
    const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === "scripts/tour.ts") ?? ""
    const atStart = packagesOf(importsAtStart(outputs, entry))
    const all = Object.entries(inputs).flatMap(([file, { imports }]) =>
      packagesOf(imports).map((name) => ({ file, name }))
    )
    const lacking = all.filter(({ name }) => !names.includes(name))
    expect(sorted(atStart)).toEqual(expect.arrayContaining(["@effect/platform", "effect"]))
    expect(sorted(atStart.filter((name) => !names.includes(name)))).toEqual([])
    expect(sorted(lacking.map(({ file, name }) => `${file}: ${name}`))).toEqual(UNUSED)
    // and none of them is there for nothing
    expect(names.filter((name) => all.every((each) => each.name !== name))).toEqual(["esbuild"])
  })

  it("have the versions and integrities of the lockfile, with all that they depend on", () => {
    const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"))
    const kept = cut(packages, names)
    for (const [place, { integrity, version, ...entry }] of Object.entries(kept)) {
      expect({ place, version, integrity }).toEqual({
        place,
        version: packages[place].version,
        integrity: expect.stringMatching(/^sha512-/)
      })
      expect(integrity).toBe(packages[place].integrity)
      for (const name of Object.keys(entry.dependencies ?? {}))
        expect(
          Object.keys(kept).some((each) => each.endsWith(`node_modules/${name}`)),
          name
        ).toBe(true)
    }
    expect(Object.keys(kept).length).toBeLessThan(Object.keys(packages).length / 10)
  })
})

describe("a cut lockfile", () => {
  const packages = {
    "": {},
    "node_modules/a": { version: "1.0.0", dev: true, dependencies: { b: "^1.0.0", c: "^1.0.0" } },
    "node_modules/a/node_modules/b": { version: "1.0.0", dependencies: { "@s/d": "^1.0.0" } },
    "node_modules/b": { version: "2.0.0" },
    "node_modules/c": { version: "1.1.0", peerDependencies: { a: "*", b: "*", e: "*" } },
    "node_modules/@s/d": { version: "1.0.0", optionalDependencies: { f: "1.0.0", g: "1.0.0" } },
    "node_modules/f": { version: "1.0.0", optional: true },
    "node_modules/h": { version: "1.0.0" }
  }
  const optionalPeer = {
    ...packages,
    "node_modules/c": { ...packages["node_modules/c"], peerDependenciesMeta: { e: { optional: true } } }
  }

  it("has packages where Node finds them, peers, and optional ones that are there", () => {
    const kept = cut(optionalPeer, ["a"])
    expect(Object.keys(kept).sort()).toEqual([
      "node_modules/@s/d",
      "node_modules/a",
      "node_modules/a/node_modules/b",
      "node_modules/b",
      "node_modules/c",
      "node_modules/f"
    ])
    expect(kept["node_modules/a"]).not.toHaveProperty("dev")
    expect(kept["node_modules/@s/d"]?.optionalDependencies).toEqual({ f: "1.0.0" })
  })

  it("throws where the lockfile lacks a package", () => {
    expect(() => cut(packages, ["a"])).toThrow("package-lock.json has no e for node_modules/c")
    expect(() => cut(packages, ["i"])).toThrow("package-lock.json has no i for the tour")
  })
})
