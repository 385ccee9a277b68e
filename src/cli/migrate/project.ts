/** The types of the user's program, by the TypeScript of that project. */
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import type ts from "typescript"
import names from "./tatum.json" with { type: "json" }

/** The module `typescript`. */
export type Compiler = typeof ts

/** The last version of the old package's folder in a path. */
const OLD_PACKAGE = /[\\/]node_modules[\\/]@tatumio[\\/]tatum[\\/]/

/** Whether a module is the old package, or one of its entries. */
export const isOldModuleName = (name: string): boolean => /^@tatumio\/tatum(\/|$)/.test(name)

/** Whether a file is JavaScript. */
export const isScript = (path: string): boolean => /\.[cm]?jsx?$/.test(path)

/** Whether a declaration belongs to the old package. */
export const isOldDeclaration = (declaration: ts.Node | undefined): boolean =>
  declaration !== undefined && OLD_PACKAGE.test(declaration.getSourceFile().fileName)

/** Whether a type or value belongs to the old package. */
export const isOldSymbol = (symbol: ts.Symbol | undefined): boolean =>
  symbol?.declarations?.some(isOldDeclaration) === true

const isCompiler = (module: unknown): module is Compiler =>
  typeof module === "object" && module !== null && typeof Reflect.get(module, "createProgram") === "function"

/** The TypeScript of a project, or the one beside this package; undefined if there is none with an API. */
export const loadCompiler = (folder: string): Compiler | undefined => {
  for (const from of [join(folder, "package.json"), fileURLToPath(import.meta.url)]) {
    try {
      const module: unknown = createRequire(from)("typescript")
      if (isCompiler(module)) return module
    } catch {
      // the next place
    }
  }
  return undefined
}

/** This package's own types of `effect-chains/promise`, for projects that have not installed it yet. */
const findOwnTypes = (): string | undefined => {
  const own = fileURLToPath(import.meta.url)
  for (let folder = dirname(own); dirname(folder) !== folder; folder = dirname(folder)) {
    const manifest = join(folder, "package.json")
    if (!existsSync(manifest) || !readFileSync(manifest, "utf8").includes('"name": "effect-chains"')) continue
    const built = join(folder, "dist/lean/types/src/promise.d.ts")
    // in the repository the sources are newer than what was built
    return own.endsWith(".ts") || !existsSync(built) ? join(folder, "src/promise.ts") : built
  }
  return undefined
}

const networkMap = (): string =>
  Object.entries(names.clients)
    .flatMap(([client, { networks }]) =>
      networks.split(" ").map((network) => `"${network}": import("../../index").${client}`)
    )
    .join("; ")

const INIT_OVERLOAD = `static init<const N extends import("../../dto").Network | \`\${import("../../dto").Network}\`>(config: Omit<TatumConfig, "network"> & { network: N }): Promise<\`\${N}\` extends keyof ClientByNetwork ? ClientByNetwork[\`\${N}\`] : TatumSdkChain>;`

/**
 * The client's type by its network, as an overload: the old `init` knows it only from a type argument, which JavaScript
 * does not have.
 */
const addOverload = (declarations: string): string =>
  `${declarations.replace("static init<", `${INIT_OVERLOAD}\n    static init<`)}\ninterface ClientByNetwork { ${networkMap()} }\n`

export interface ProjectOptions {
  /** Where the project's configuration is looked for. */
  readonly folder: string
  /** The files whose texts are given. */
  readonly texts: ReadonlyMap<string, string>
}

/** Makes programs of one project from texts that may differ from those on disk. */
export class Project {
  private readonly options: ts.CompilerOptions
  private readonly rootNames: ReadonlyArray<string>
  private readonly parsed = new Map<string, ts.SourceFile | undefined>()
  private readonly ownTypes = findOwnTypes()

  constructor(
    readonly compiler: Compiler,
    { folder, texts }: ProjectOptions
  ) {
    const config = compiler.findConfigFile(folder, compiler.sys.fileExists)
    const read =
      config === undefined
        ? undefined
        : compiler.parseJsonConfigFileContent(
            compiler.readConfigFile(config, compiler.sys.readFile).config,
            compiler.sys,
            dirname(config)
          )
    const defaults: ts.CompilerOptions = {
      esModuleInterop: true,
      jsx: compiler.JsxEmit.Preserve,
      module: compiler.ModuleKind.ESNext,
      moduleResolution: compiler.ModuleResolutionKind.Bundler,
      strict: true,
      target: compiler.ScriptTarget.ES2022
    }
    const { composite: _, incremental: __, ...own } = read?.options ?? defaults
    const hasScripts = [...texts.keys()].some(isScript)
    this.options = {
      ...own,
      ...(hasScripts ? { allowJs: true, checkJs: true } : {}),
      maxNodeModuleJsDepth: 0,
      noEmit: true,
      resolveJsonModule: true,
      skipLibCheck: true
    }
    this.rootNames = [...new Set([...(read?.fileNames ?? []), ...texts.keys()].map((path) => resolve(path)))]
  }

  private resolve(host: ts.CompilerHost, name: string, from: string, mode: ts.ResolutionMode) {
    const found = this.compiler.resolveModuleName(name, from, this.options, host, undefined, undefined, mode)
    if (found.resolvedModule !== undefined || name !== "effect-chains/promise" || this.ownTypes === undefined)
      return found
    const extension = this.ownTypes.endsWith(".d.ts") ? ".d.ts" : ".ts"
    return { resolvedModule: { resolvedFileName: this.ownTypes, extension } }
  }

  /** The program of these texts. */
  makeProgram(texts: ReadonlyMap<string, string>, previous?: ts.Program): ts.Program {
    const { compiler, options } = this
    const overlay = new Map([...texts].map(([path, text]) => [resolve(path), text]))
    const host = compiler.createCompilerHost(options, true)
    const { fileExists, getSourceFile, readFile } = host
    host.readFile = (path) => {
      const text = overlay.get(resolve(path)) ?? readFile.call(host, path)
      const isInit = text !== undefined && /[\\/]service[\\/]tatum[\\/]tatum\.d\.ts$/.test(path)
      return isInit && OLD_PACKAGE.test(path) ? addOverload(text) : text
    }
    host.fileExists = (path) => overlay.has(resolve(path)) || fileExists.call(host, path)
    host.getSourceFile = (path, ...rest) => {
      if (overlay.has(resolve(path))) return getSourceFile.call(host, path, ...rest)
      if (!this.parsed.has(path)) this.parsed.set(path, getSourceFile.call(host, path, ...rest))
      return this.parsed.get(path)
    }
    host.resolveModuleNameLiterals = (literals, from, ...[, used, source]) =>
      literals.map((literal) =>
        this.resolve(host, literal.text, from, compiler.getModeForUsageLocation(source, literal, used))
      )
    return compiler.createProgram({
      host,
      options,
      rootNames: [...this.rootNames],
      ...(previous === undefined ? {} : { oldProgram: previous })
    })
  }
}
