/**
 * The packages that the sandbox alone needs. They are optional peers, loaded at their first use from the project or
 * from the sandbox's own folder.
 *
 * @since 0.1.0
 */
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import * as Effect from "effect/Effect"
import * as Installation from "./Installation.js"
import { SandboxError } from "./SandboxError.js"

/** The versions that the sandbox is tested with. */
const packages = {
  "node-sqlite3-wasm": {
    version: "0.8.60",
    integrity:
      "sha512-woDEJy/Df0EBFKJ2N7HSL4SiH5UL1GDwxvBeBjaKvqmUApgTKapcoQiAgZKrLSUmrWU6VYyHz41Sz58Hi6YPmg=="
  },
  "ipfs-unixfs-importer": {
    version: "15.2.4",
    integrity:
      "sha512-3b7d/pLPwGvAEXvpJ0WyYlbn2pb2j7qY6FayuMSzbZNdFxdJ82l6VkJ9vK1d/G/AHx+0ZfB06eSdGKjX0GVCAg=="
  },
  "blockstore-core": {
    version: "4.4.1",
    integrity:
      "sha512-peXfL9ZLx1cb84QALocMjhT8CsQ4JsreI/AitlN1inipSdC/G+jcYVJCqeCD5ecSTv/0LMpg8NlAPH/eBYZLjA=="
  },
  ox: {
    version: "0.14.45",
    integrity:
      "sha512-jpsQ+p0JZh9mKCxxzxz0d5qFHZZg2/O9xW18IpEC/dNXXPVqmDJ0c//9RMz0CILkbSGPA42+cbU0fC/ghwJ03w=="
  },
  ws: {
    version: "8.23.0",
    integrity:
      "sha512-wCkmX8QMOrKjgO8HW2WyDbTSGeqkocxgDzS9iR79rEAexty6/2qzilx3Ag8Tqf9ykop3irLKle0MtVn5qjVnoQ=="
  }
} as const

/**
 * All packages, as they are installed in the sandbox's own folder.
 *
 * @since 0.1.0
 * @category constants
 */
export const installation: Installation.Installation = { name: "packages", packages }

const INSTALL_COMMAND = `npm install --save-dev ${Object.entries(packages)
  .map(([name, { version }]) => `${name}@${version}`)
  .join(" ")}`

const LOADER = "load.mjs"

/**
 * Imports with a module that lies in the sandbox's own folder, since Node resolves packages from the importing file.
 */
const importFromCache = async (specifier: string): Promise<unknown> => {
  const loader = join(Installation.folderOf(installation), LOADER)
  if (!existsSync(loader)) writeFileSync(loader, "export const load = (name) => import(name)\n")
  const { load } = await import(pathToFileURL(loader).href)
  return load(specifier)
}

/** A module of the project's package, or else of the sandbox's own, which has the same type. */
const loadPackage = <A>(specifier: string, load: () => Promise<A>): Promise<A> =>
  load().catch((error: unknown) => {
    if (!Installation.isInstalled(installation)) throw error
    return importFromCache(specifier) as Promise<A>
  })

const optionalPackage = <A>(
  name: keyof typeof packages,
  load: () => Promise<A>
): Effect.Effect<A, SandboxError> =>
  Effect.tryPromise({
    try: load,
    catch: (error) =>
      new SandboxError({
        reason: "package",
        message: `The sandbox needs ${name}, which did not load (${String(error).split("\n", 1)[0]}): run "${INSTALL_COMMAND}"`
      })
  })

/**
 * SQLite as WebAssembly.
 *
 * @since 0.1.0
 * @category operations
 */
export const sqlite = optionalPackage("node-sqlite3-wasm", async () => {
  // Node finds no named exports in this CommonJS module
  const { default: module } = await loadPackage("node-sqlite3-wasm", () => import("node-sqlite3-wasm"))
  return module
})

/**
 * Computes content identifiers of files.
 *
 * @since 0.1.0
 * @category operations
 */
export const unixfs = optionalPackage("ipfs-unixfs-importer", () =>
  loadPackage("ipfs-unixfs-importer", () => import("ipfs-unixfs-importer"))
)

/**
 * A block store that discards all blocks.
 *
 * @since 0.1.0
 * @category operations
 */
export const blackHole = optionalPackage("blockstore-core", () =>
  loadPackage("blockstore-core/black-hole", () => import("blockstore-core/black-hole"))
)

/**
 * Encodes arguments and results of EVM contracts.
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
> = optionalPackage("ox", async () => ({
  AbiConstructor: await loadPackage("ox/AbiConstructor", () => import("ox/AbiConstructor")),
  AbiFunction: await loadPackage("ox/AbiFunction", () => import("ox/AbiFunction")),
  AbiParameters: await loadPackage("ox/AbiParameters", () => import("ox/AbiParameters"))
}))

/**
 * Normalizes and hashes names.
 *
 * @since 0.1.0
 * @category operations
 */
export const ensPackage: Effect.Effect<typeof import("ox/Ens"), SandboxError> = optionalPackage("ox", () =>
  loadPackage("ox/Ens", () => import("ox/Ens"))
)

/**
 * WebSocket servers and clients.
 *
 * @since 0.1.0
 * @category operations
 */
export const webSockets: Effect.Effect<typeof import("ws"), SandboxError> = optionalPackage("ws", () =>
  loadPackage("ws", () => import("ws"))
)

/**
 * Whether all packages load.
 *
 * @since 0.1.0
 * @category operations
 */
export const areInstalled: Effect.Effect<boolean> = Effect.all([
  sqlite,
  unixfs,
  blackHole,
  abi,
  ensPackage,
  webSockets
]).pipe(Effect.isSuccess)
