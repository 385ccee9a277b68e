/** Bundles by esbuild, as a browser gets them. */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { build as vite } from "vite"
import { plugin } from "../../scripts/lean.mjs"

const root = fileURLToPath(new URL("../..", import.meta.url))

/**
 * The outputs of a program in TypeScript whose imports begin at the root of the repository: their sizes after gzip, what
 * is left in them, and what they import. `alias` gives packages from elsewhere; `lean` puts the sources on the lean runtime, as the
 * entries of families are built.
 */
export const bundle = async (code, { splitting = false, alias = {}, lean = false } = {}) => {
  const { metafile, outputFiles } = await build({
    stdin: { contents: code, resolveDir: root, sourcefile: "app.ts", loader: "ts" },
    absWorkingDir: root,
    outdir: "out",
    bundle: true,
    minify: true,
    splitting,
    platform: "browser",
    format: "esm",
    target: "es2022",
    external: ["react"],
    alias,
    plugins: lean ? [plugin] : [],
    metafile: true,
    write: false,
    logLevel: "silent"
  })
  const sizes = new Map(
    outputFiles.map(({ path, contents }) => [
      path.slice(root.length),
      gzipSync(contents, { level: 9 }).byteLength
    ])
  )
  const texts = new Map(outputFiles.map(({ path, text }) => [path.slice(root.length), text]))
  return Object.entries(metafile.outputs).map(([path, output]) => ({
    path,
    text: texts.get(path) ?? "",
    gzip: sizes.get(path) ?? Number.NaN,
    bytes: output.bytes,
    entryPoint: output.entryPoint,
    inputs: Object.entries(output.inputs).flatMap(([file, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [file] : []
    ),
    imports: output.imports.map(({ path: target, kind }) => ({
      path: target,
      dynamic: kind === "dynamic-import"
    }))
  }))
}

const APP = "app.js"

/**
 * The same by Vite, which names no entry: a chunk is that of the files that are in it. Programs are JavaScript without aliases.
 */
export const viteBundle = async (code, { splitting = false } = {}) => {
  const { output } = await vite({
    root,
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      rollupOptions: { input: APP, output: { codeSplitting: splitting } }
    },
    plugins: [
      {
        name: "app",
        enforce: "pre",
        resolveId: (id, importer) =>
          id === APP
            ? `\0${APP}`
            : importer === `\0${APP}` && id.startsWith("./")
              ? join(root, id)
              : undefined,
        load: (id) => (id === `\0${APP}` ? code : undefined)
      }
    ]
  })
  return output
    .filter(({ type }) => type === "chunk")
    .map(({ code: text, dynamicImports, fileName, imports, isEntry, moduleIds }) => ({
      path: fileName,
      text,
      gzip: gzipSync(text, { level: 9 }).byteLength,
      bytes: Buffer.byteLength(text),
      entryPoint: isEntry ? "app.ts" : moduleIds[0]?.slice(root.length),
      inputs: moduleIds,
      imports: [
        ...imports.map((path) => ({ path, dynamic: false })),
        ...dynamicImports.map((path) => ({ path, dynamic: true }))
      ]
    }))
}

/** What a browser loads for these entries: their outputs, and all that those import at once. */
export const loaded = (outputs, ...entries) => {
  const found = new Set()
  const visit = (output) => {
    if (output === undefined || found.has(output)) return
    found.add(output)
    for (const { path, dynamic } of output.imports) {
      if (!dynamic) visit(outputs.find((other) => other.path === path))
    }
  }
  for (const entry of entries) visit(outputs.find(({ entryPoint }) => entryPoint === entry))
  return [...found]
}

/** Bytes after gzip of outputs together. */
export const sizeOf = (outputs) => outputs.reduce((sum, { gzip }) => sum + gzip, 0)
