/** Reads the tables of the sources as values. esbuild bundles them, since Node 20 does not read TypeScript. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import * as TourPackages from "./tourPackages.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))

/**
 * A family's loader is `() => import("./loaded/Evm.js")`. That file may not be written yet, so its name stands for it.
 */
const loadedModules = {
  name: "loaded modules",
  setup: (build) => {
    build.onResolve({ filter: /^\.\/loaded\// }, ({ path }) => ({ path, namespace: "loaded" }))
    build.onLoad({ filter: /.*/, namespace: "loaded" }, ({ path }) => ({
      contents: `export const module = ${JSON.stringify(basename(path, ".js"))}`
    }))
  }
}

/**
 * Tables of endpoints are written from these values. Until then, a family that includes another one's table gets an
 * empty one.
 */
const writtenTables = {
  name: "written tables",
  setup: (build) => {
    build.onResolve({ filter: /\/table\.js$/ }, ({ path }) => ({ path, namespace: "table" }))
    build.onLoad({ filter: /.*/, namespace: "table" }, () => ({
      contents: "module.exports = Object.create(new Proxy({}, { get: () => ({}) }))"
    }))
  }
}

/** Packages that are imported on demand stay imports. They are not used here, and may not be installed. */
const packagesAtUse = {
  name: "packages at use",
  setup: (build) => {
    build.onResolve({ filter: /^[@\w]/ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined
    )
  }
}

/** Bundles a program of the sources, and imports it. */
const importProgram = async (esbuild, contents, nodePaths) => {
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: join(root, "src"), loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "warning",
    nodePaths,
    plugins: [loadedModules, writtenTables, packagesAtUse]
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`)
}

/**
 * Imports the tables of networks, families and endpoints. `endpointFiles` are files of endpoints below `src/chains`.
 * `endpointsIn` lists the endpoints that such a file exports, as names with their JSON-RPC methods, in the file's
 * order.
 */
export const importTables = async (endpointFiles) => {
  const home = TourPackages.folder() ?? root
  const esbuild = createRequire(join(home, "/"))("esbuild")
  const modules = endpointFiles.map((file, i) => `export * as endpoints${i} from "./chains/${file}"`)
  const tables = await importProgram(
    esbuild,
    `export { constantNames } from "./data/constantNames.js"
export { specOf } from "./data/Endpoint.js"
export * as errorDeclarations from "./data/errorDeclarations.js"
export { EXIT_CODES } from "./cli/Failure.js"
export { networks } from "./data/Network.js"
export { registry } from "./chains/registry.js"
${modules.join("\n")}`,
    [join(home, "node_modules")]
  )
  const { EXIT_CODES, constantNames, errorDeclarations, networks, registry, specOf } = tables
  const moduleOfFamily = new Map()
  for (const [id, { load }] of Object.entries(registry)) moduleOfFamily.set(id, (await load()).module)

  const endpointsIn = (file) => {
    const text = readFileSync(join(root, "src/chains", file), "utf8")
    const placeOf = ([name]) => text.indexOf(`export const ${name} `)
    return Object.entries(tables[`endpoints${endpointFiles.indexOf(file)}`])
      .flatMap(([name, value]) => {
        const spec = specOf(value)
        return spec?.kind === "rpc" ? [[name, spec.method]] : []
      })
      .sort((one, other) => placeOf(one) - placeOf(other))
  }

  const hasExport = async (file, name) => {
    const { metafile } = await esbuild.build({
      entryPoints: [join(root, file)],
      outdir: "out",
      write: false,
      metafile: true,
      format: "esm",
      logLevel: "warning"
    })
    return Object.values(metafile.outputs).some(({ exports }) => exports.includes(name))
  }
  return {
    EXIT_CODES,
    constantNames,
    errorDeclarations,
    networks,
    moduleOfFamily,
    registry,
    endpointsIn,
    hasExport
  }
}
