/**
 * The packages that the sandbox alone needs: optional peers, loaded at their first use.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { SandboxError } from "./SandboxError.js"

/** The versions that the sandbox is tested with. */
const versions = {
  "node-sqlite3-wasm": "0.8.60",
  "ipfs-unixfs-importer": "15.2.4",
  "blockstore-core": "4.4.1",
  ox: "0.14.45"
} as const

/** One command that installs them all. */
const installation = `npm install --save-dev ${Object.entries(versions)
  .map((pair) => pair.join("@"))
  .join(" ")}`

const optional = <A>(name: keyof typeof versions, load: () => Promise<A>): Effect.Effect<A, SandboxError> =>
  Effect.tryPromise({
    try: load,
    catch: (error) =>
      new SandboxError({
        reason: "package",
        message: `The sandbox needs ${name}, which did not load (${String(error).split("\n", 1)[0]}): run "${installation}"`
      })
  })

/**
 * SQLite as WebAssembly.
 *
 * @since 0.1.0
 * @category operations
 */
export const sqlite = optional("node-sqlite3-wasm", async () => {
  // Node finds no names in this CommonJS module
  const { default: module } = await import("node-sqlite3-wasm")
  return module
})

/**
 * Content identifiers of files.
 *
 * @since 0.1.0
 * @category operations
 */
export const unixfs = optional("ipfs-unixfs-importer", () => import("ipfs-unixfs-importer"))

/**
 * A store that forgets all blocks that are put into it.
 *
 * @since 0.1.0
 * @category operations
 */
export const blackHole = optional("blockstore-core", () => import("blockstore-core/black-hole"))

/**
 * The encoding of arguments and results of EVM contracts.
 *
 * @since 0.1.0
 * @category operations
 */
export const abi: Effect.Effect<
  {
    readonly AbiConstructor: typeof import("ox/AbiConstructor")
    readonly AbiFunction: typeof import("ox/AbiFunction")
    readonly AbiParameters: typeof import("ox/AbiParameters")
  },
  SandboxError
> = optional("ox", async () => ({
  AbiConstructor: await import("ox/AbiConstructor"),
  AbiFunction: await import("ox/AbiFunction"),
  AbiParameters: await import("ox/AbiParameters")
}))
