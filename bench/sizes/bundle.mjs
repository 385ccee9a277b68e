/** Bundles by esbuild and by Vite, as a browser gets them. */
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { build as vite } from "vite"
import { plugin as effect4Plugin } from "../../scripts/effect4.mjs"
import { plugin } from "../../scripts/lean.mjs"

const root = fileURLToPath(new URL("../..", import.meta.url))

/**
 * The outputs of a program in TypeScript whose imports begin at the root of the repository: their sizes after gzip, what
 * is left in them, and what they import. `alias` gives packages from elsewhere, `external` leaves some out; `lean` puts the sources
 * on the lean runtime, as the entries of families are built, and `effect4` on Effect 4.
 */
export const bundle = async (
  code,
  { splitting = false, alias = {}, external = ["react"], lean = false, effect4 = false } = {}
) => {
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
    external,
    alias,
    plugins: lean ? [plugin] : effect4 ? [effect4Plugin] : [],
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

/** The program itself, among the entry points of its outputs. */
const APP = "app.ts"

/** The program for Vite, with the root of the repository for its imports. */
const app = (code) => ({
  name: "app",
  enforce: "pre",
  resolveId: (id) => (id === APP ? `${root}${APP}` : undefined),
  load: (id) => (id === `${root}${APP}` ? code : undefined)
})

/** The same by Vite. */
export const viteBundle = async (code, { splitting = false, alias = {}, external = ["react"] } = {}) => {
  const { output } = await vite({
    root,
    configFile: false,
    logLevel: "silent",
    resolve: { alias },
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      rolldownOptions: {
        input: APP,
        // their own entries too
        external: external.map((name) => new RegExp(`^${name}(/|$)`)),
        output: { codeSplitting: splitting }
      }
    },
    plugins: [app(code)]
  })
  return output
    .filter(({ type }) => type === "chunk")
    .map(({ code: text, dynamicImports, facadeModuleId, fileName, imports, modules }) => ({
      path: fileName,
      text,
      gzip: gzipSync(text, { level: 9 }).byteLength,
      bytes: Buffer.byteLength(text),
      entryPoint: facadeModuleId?.slice(root.length),
      inputs: Object.entries(modules).flatMap(([id, { renderedLength }]) =>
        renderedLength > 0 ? [id.slice(root.length)] : []
      ),
      imports: [
        ...imports.map((path) => ({ path, dynamic: false })),
        ...dynamicImports.map((path) => ({ path, dynamic: true }))
      ]
    }))
}

/** What a browser loads for these files: the outputs that they are the entries of or are in, and all that those import at once. */
export const loaded = (outputs, ...entries) => {
  const found = new Set()
  const visit = (output) => {
    if (output === undefined || found.has(output)) return
    found.add(output)
    for (const { path, dynamic } of output.imports) {
      if (!dynamic) visit(outputs.find((other) => other.path === path))
    }
  }
  for (const entry of entries) {
    const output =
      outputs.find(({ entryPoint }) => entryPoint === entry) ??
      outputs.find(({ inputs }) => inputs.includes(entry))
    if (output === undefined) throw new Error(`${entry} is in no output`)
    visit(output)
  }
  return [...found]
}

/** Bytes after gzip of outputs together. */
export const sizeOf = (outputs) => outputs.reduce((sum, { gzip }) => sum + gzip, 0)
