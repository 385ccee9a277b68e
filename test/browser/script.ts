/** Scripts of pages, as a browser gets them in production. */
import { fileURLToPath } from "node:url"
import { build, type Plugin } from "esbuild"

/** One file of a program of these tests, by its path from here. */
export const scriptOf = async (path: string, plugins: ReadonlyArray<Plugin> = []): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(path, import.meta.url))],
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [...plugins],
    write: false,
    logLevel: "silent"
  })
  return outputFiles[0]?.text ?? ""
}
