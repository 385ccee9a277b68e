import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { build, type Metafile } from "esbuild"
import ts from "typescript"
import { describe, expect, it } from "vitest"
import { plugin } from "../scripts/lean.mjs"
import { entryRows } from "../scripts/sizesPage.mjs"
import { entries } from "../scripts/sources.js"
import { checker, exportsOf, root, typeIn } from "./types/program.js"

/** The entries of a folder by the modules of chains that they are of. */
const entriesIn = (folder: string): ReadonlyArray<readonly [module: string, file: string]> =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => [file.replace(/\.ts$/, ""), `${folder}/${file}`])

const promise = entriesIn("src/entries")
const effect = entriesIn("src/entries/effect")

/** The names that a module has at run time. */
const namesOf = async (file: string): Promise<ReadonlyArray<string>> =>
  Object.keys(await import(/* @vite-ignore */ join(root, file))).sort()

/** Whether a name is a value in the types. What is exported by `export type *` counts: a program may call it, and it is not there. */
const isValue = (symbol: ts.Symbol): boolean => {
  const { flags } = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  return (flags & ts.SymbolFlags.Value) !== 0
}

describe("every entry", () => {
  it("has at run time what its types have as values, and no other value", async () => {
    for (const [entry, file] of Object.entries(entries)) {
      // the fleet's sources import the built package
      if (entry.startsWith("@effect-chains/")) continue
      const values = [...exportsOf(file)].flatMap(([name, symbol]) => (isValue(symbol) ? [name] : []))
      expect(values.sort(), entry).toEqual(await namesOf(file))
    }
  })
})

describe("the entries of Effect", () => {
  it("import Effect by module, as do their packages: its index takes half a second to load", async () => {
    const { peerDependencies }: { readonly peerDependencies: Readonly<Record<string, string>> } = JSON.parse(
      readFileSync(join(root, "package.json"), "utf8")
    )
    const bundled = ["effect", "@effect/platform"]
    const { metafile } = await build({
      entryPoints: Object.entries(entries).flatMap(([entry, source]) =>
        entry.startsWith("@effect-chains/") ? [] : [join(root, source)]
      ),
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      outdir: "out",
      external: Object.keys(peerDependencies).filter((name) => !bundled.includes(name)),
      write: false,
      metafile: true,
      logLevel: "silent"
    })
    const imports = Object.entries(metafile.inputs).flatMap(([importer, { imports }]) =>
      imports.map(({ path }) => ({ importer, path }))
    )
    expect(imports.some(({ path }) => path.endsWith("/effect/dist/esm/Effect.js"))).toBe(true)
    const indices = /\/node_modules\/(?:effect|@effect\/platform)\/dist\/esm\/index\.js$/
    expect(imports.filter(({ path }) => indices.test(`/${path}`))).toEqual([])
  })
})

describe("the table of entries in README", () => {
  const {
    dependencies,
    exports
  }: {
    readonly dependencies: Readonly<Record<string, string>>
    readonly exports: Readonly<Record<string, { readonly default: string }>>
  } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

  const isOfPattern = (pattern: string, entry: string): boolean =>
    pattern.endsWith("*") && entry.startsWith(`effect-chains${pattern.slice(1, -1)}`)

  /** Whether the package has an entry on the lean runtime. */
  const isLean = (entry: string): boolean => {
    const pattern = Object.keys(exports).find(
      (each) => each === `.${entry.slice("effect-chains".length)}` || isOfPattern(each, entry)
    )
    return exports[pattern ?? ""]?.default.startsWith("./dist/lean/") === true
  }

  /** Bundles the sources of one runtime together: what entries share is read once. */
  const bundle = async (isOnLean: boolean): Promise<Metafile["outputs"]> => {
    const { metafile } = await build({
      entryPoints: Object.entries(entries).flatMap(([entry, source]) =>
        entry.startsWith("effect-chains") && isLean(entry) === isOnLean ? [join(root, source)] : []
      ),
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      packages: "external",
      plugins: isOnLean ? [plugin] : [],
      outdir: "out",
      write: false,
      metafile: true,
      logLevel: "silent"
    })
    return metafile.outputs
  }

  /** The packages that an entry imports before anything is called, but for those that are installed with this one. */
  const needsOf = (outputs: Metafile["outputs"], entry: string, source: string): ReadonlyArray<string> => {
    const found = new Set<string>()
    const seen = new Set<string>()
    const visit = (file: string | undefined): void => {
      if (file === undefined || seen.has(file)) return
      seen.add(file)
      for (const { external, kind, path } of outputs[file]?.imports ?? []) {
        if (kind !== "import-statement" || path.startsWith("node:")) continue
        if (external === true) found.add(/^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path)
        else visit(path)
      }
    }
    const output = Object.keys(outputs).find(
      (file) => outputs[file]?.entryPoint === relative(root, join(root, source))
    )
    expect(output, entry).toBeDefined()
    visit(output)
    return [...found].filter((name) => !(name in dependencies))
  }

  it("has each entry once", () => {
    const names = entryRows.flatMap((row) => row.entries)
    const declared = Object.keys(exports).filter((entry) => entry !== "./package.json")
    expect(names.map((name) => (name === "." ? "." : `./${name}`)).sort()).toEqual(declared.sort())
  })

  it("names what they import, and nothing else", async () => {
    const onLean = await bundle(true)
    const onEffect = await bundle(false)
    for (const { entries: names, needs } of entryRows) {
      const found = new Set<string>()
      for (const [entry, source] of Object.entries(entries)) {
        const isOfRow = names.some((name) =>
          name === "."
            ? entry === "effect-chains"
            : entry === `effect-chains/${name}` || isOfPattern(`./${name}`, entry)
        )
        if (isOfRow)
          for (const name of needsOf(isLean(entry) ? onLean : onEffect, entry, source)) found.add(name)
      }
      expect([...found].sort(), names.join()).toEqual([...needs].sort())
    }
  })
})

describe("every module of chains", () => {
  it("has an entry of either surface", () => {
    expect(promise.length).toBeGreaterThan(20)
    expect(effect.map(([module]) => module)).toEqual(promise.map(([module]) => module))
  })

  it("has the same beside its maker on both: init alone for Promises, make alone for Effects", async () => {
    const layers = await namesOf("src/transport/layers.ts")
    expect(layers).toEqual(["batch", "coalesce", "quorum"])
    for (const [module, file] of promise) {
      const own = await namesOf(`src/chains/${module}.ts`)
      expect(await namesOf(file), file).toEqual([...own, ...layers, "init"].sort())
    }
    for (const [module, file] of effect) {
      const own = await namesOf(`src/chains/${module}.ts`)
      expect(await namesOf(file), file).toEqual([...own, ...layers, "make"].sort())
    }
  })

  it("has no other maker in its types either", () => {
    const makers = [...promise, ...effect].map(([, file]) => {
      const names = exportsOf(file)
      return ["init", "make"].filter((name) => names.has(name)).join()
    })
    expect(makers).toEqual([...promise.map(() => "init"), ...effect.map(() => "make")])
  })
})

describe("every module of picked endpoints", () => {
  const modules = readdirSync(join(root, "src/pick")).filter((file) => file.endsWith(".ts"))

  it("has an entry of either surface in the package", () => {
    const { exports }: { readonly exports: Readonly<Record<string, { readonly default: string }>> } =
      JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    expect(modules).toEqual(readdirSync(join(root, "src/pick/effect")))
    for (const name of modules.map((file) => file.replace(/\.ts$/, ""))) {
      expect(exports[`./${name}`]?.default).toBe(`./dist/lean/pick/${name}.js`)
      expect(exports[`./effect/${name}`]?.default).toBe(`./dist/src/pick/effect/${name}.js`)
    }
  })

  it("exports all endpoints of its table, and the same beside them on both surfaces, but for EIP-1193 of EVM chains", async () => {
    for (const file of modules) {
      const names = await namesOf(`src/pick/${file}`)
      const folder = `src/chains/${file.replace(/\.ts$/, "")}`
      const tables = readdirSync(join(root, folder)).filter((each) => !/^(table|Types)\.ts$/.test(each))
      const endpoints = (await Promise.all(tables.map((each) => namesOf(`${folder}/${each}`)))).flat()
      expect(endpoints.filter((name) => !names.includes(name))).toEqual([])
      const onEffect = await namesOf(`src/pick/effect/${file}`)
      const ofPromises = file === "evm.ts" ? ["ProviderRpcError", "eip1193"] : []
      expect(names.filter((name) => !onEffect.includes(name))).toEqual(ofPromises)
      expect(onEffect.filter((name) => !names.includes(name))).toEqual([])
      expect(names).toContain("createClient")
    }
  })
})

describe("contracts", () => {
  it("have the same names on both surfaces, which are entries of the package", async () => {
    const { exports }: { readonly exports: Readonly<Record<string, { readonly default: string }>> } =
      JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    expect(exports["./contracts"]?.default).toBe("./dist/lean/contracts.js")
    expect(exports["./effect/contracts"]?.default).toBe("./dist/src/contracts/index.js")
    const names = await namesOf("src/contracts.ts")
    expect(names).toContain("contract")
    expect(await namesOf("src/contracts/index.ts")).toEqual(names)
  })
})

describe("sweeps", () => {
  it("have the same names on both surfaces, which are entries of the package", async () => {
    const { exports }: { readonly exports: Readonly<Record<string, { readonly default: string }>> } =
      JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    expect(exports["./signers/sweep"]?.default).toBe("./dist/lean/signers/sweep.js")
    expect(exports["./effect/signers/sweep"]?.default).toBe("./dist/src/signers/sweep.js")
    const names = await namesOf("src/sweep.ts")
    expect(names).toContain("sweepToken")
    expect(await namesOf("src/signers/sweep.ts")).toEqual(names)
  })
})

describe("simulations", () => {
  it("have the same names on both surfaces, which are entries of the package", async () => {
    const { exports }: { readonly exports: Readonly<Record<string, { readonly default: string }>> } =
      JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    expect(exports["./signers/simulate"]?.default).toBe("./dist/lean/signers/simulate.js")
    expect(exports["./effect/signers/simulate"]?.default).toBe("./dist/src/signers/simulate.js")
    const names = await namesOf("src/simulate.ts")
    expect(names).toEqual(["simulate"])
    expect(await namesOf("src/signers/simulate.ts")).toEqual(names)
  })
})

describe("proposals", () => {
  it("have the same names on both surfaces, which are entries of the package", async () => {
    const { exports }: { readonly exports: Readonly<Record<string, { readonly default: string }>> } =
      JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    expect(exports["./signers/proposal"]?.default).toBe("./dist/lean/signers/proposal.js")
    expect(exports["./effect/signers/proposal"]?.default).toBe("./dist/src/signers/proposal.js")
    const names = await namesOf("src/proposal.ts")
    expect(names).toEqual(["approve", "execute", "inspect", "merge", "propose"])
    expect(await namesOf("src/signers/proposal.ts")).toEqual(names)
  })
})

/** Whether a type is one of Effect's own. */
const isOfEffect = (type: ts.Type): boolean =>
  [type.aliasSymbol, type.symbol].some((symbol) =>
    /\/node_modules\/@?effect\//.test(symbol?.declarations?.[0]?.getSourceFile().fileName ?? "")
  )

/** The types inside a type: those of a union, of a list, of the fields of an object of ours, and what a variable may be. */
const within = (type: ts.Type): ReadonlyArray<readonly [name: string, type: ts.Type]> => {
  if (type.isUnionOrIntersection()) return type.types.map((one) => ["", one])
  if (type.flags & ts.TypeFlags.TypeParameter) {
    const most = checker.getBaseConstraintOfType(type)
    return most === undefined ? [] : [["", most]]
  }
  if (checker.isArrayLikeType(type))
    return checker.getTypeArguments(type as ts.TypeReference).map((one) => ["[]", one])
  // Pick and its like are declared by the compiler, and made of fields of ours
  const isMapped = "objectFlags" in type && Number(type.objectFlags) & ts.ObjectFlags.Mapped
  const isForeign = type.symbol?.declarations?.some((at) =>
    at.getSourceFile().fileName.includes("/node_modules/")
  )
  return isForeign && !isMapped
    ? []
    : type.getProperties().map((member) => [`.${member.name}`, checker.getTypeOfSymbol(member)])
}

/** The places at which a surface takes values of Effect: as options, as arguments, and as results of callbacks. */
const takenBy = (surface: ts.Type): ReadonlyArray<string> => {
  const found: Array<string> = []
  const seen = new Set<ts.Type>()
  const take = (type: ts.Type, path: string): void => {
    if (seen.has(type)) return
    if (!isOfEffect(type)) seen.add(type)
    if (isOfEffect(type)) found.push(`${path}: ${checker.typeToString(type)}`)
    else {
      for (const signature of type.getCallSignatures()) take(signature.getReturnType(), `${path}()`)
      for (const [name, one] of within(type)) take(one, path + name)
    }
  }
  const offer = (type: ts.Type, path: string): void => {
    const signatures = type.getCallSignatures()
    for (const { parameters } of signatures)
      for (const parameter of parameters)
        take(checker.getTypeOfSymbol(parameter), `${path}(${parameter.name})`)
    if (signatures.length === 0) for (const [name, one] of within(type)) offer(one, path + name)
  }
  offer(surface, "")
  return found
}

describe("the Promise surface", () => {
  it("takes no value of Effect", () => {
    const taken = takenBy(typeIn("test/types/promises.ts", "Surface"))
    // layers, caches and quotas are exports of the same entries, which are handed over as they are
    expect(taken.filter((path) => !/\.layers\.|\.(coalesce|health|quota)[.(]/.test(path))).toEqual([])
    expect(taken.some((path) => path.includes("(config).layers."))).toBe(true)
  })
})
