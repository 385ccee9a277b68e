/** What all files of these tests share, made once: the programs that they start, and the data of a new Postgres. */
import { mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import type { TestProject } from "vitest/node"
import { makeCluster, makeFolder, postgresPrograms } from "./servers.js"

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder of the bundled programs. */
    readonly programs: string
    /** The data of a new Postgres, to be copied. Undefined where Postgres is not installed. */
    readonly cluster: string | undefined
  }
}

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

/** Programs that are started by hand, and not by tests. */
const BY_HAND = new Set(["healthShare.ts", "quotaShare.ts", "watchCosts.ts"])

/**
 * Bundles the programs into a folder beside the packages: each is up with half of the work that reading a thousand files takes. What they
 * have in common is bundled once, and what is no JavaScript stays outside.
 */
const bundlePrograms = async (outdir: string): Promise<void> => {
  mkdirSync(outdir, { recursive: true })
  await build({
    entryPoints: readdirSync(pathOf("programs"))
      .filter((name) => !BY_HAND.has(name))
      .map((name) => join(pathOf("programs"), name)),
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    packages: "bundle",
    external: ["@libsql/*", "libsql", "lmdb", "pg-native"],
    conditions: ["development", "node"],
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
    banner: {
      js: 'import { createRequire as requiring } from "node:module"; const require = requiring(import.meta.url)'
    }
  })
}

export default async ({ provide }: TestProject): Promise<() => void> => {
  const programs = pathOf(`../../../node_modules/.cache/effect-chains/fleet-${process.pid}`)
  const bin = postgresPrograms()
  const folder = bin === undefined ? undefined : makeFolder()
  const cluster = folder === undefined ? undefined : join(folder, "data")
  const bundling = bundlePrograms(programs)
  if (bin !== undefined && cluster !== undefined) makeCluster(bin, cluster)
  await bundling
  provide("programs", programs)
  provide("cluster", cluster)
  return () => {
    rmSync(programs, { recursive: true, force: true })
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
}
