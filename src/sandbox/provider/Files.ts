/**
 * Files of the sandbox. They have the content identifiers of IPFS, and are not uploaded anywhere.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Multipart from "@effect/platform/Multipart"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { encodeBase58 } from "../../chains/internal/base58.js"
import { group } from "../api/Files.js"
import { type Invalid, makeInvalid, makeMissing, makeUnavailable } from "../api/Refusal.js"
import { withRealClock } from "../Loopback.js"
import { blackHole, unixfs } from "../Packages.js"
import type { SandboxError } from "../SandboxError.js"
import { Store } from "../Store.js"

/**
 * An uploaded file.
 *
 * @since 0.1.0
 * @category models
 */
export interface StoredFile {
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly name: string
}

/**
 * The store of files by their content identifier of version 0. A second upload of the same content replaces type and
 * name. Fails if the database does (`store`).
 *
 * @since 0.1.0
 * @category models
 */
export interface FileStoreService {
  readonly put: (
    cid: string,
    bytes: Uint8Array,
    contentType: string,
    name: string
  ) => Effect.Effect<void, SandboxError>
  readonly get: (cid: string) => Effect.Effect<StoredFile | undefined, SandboxError>
}

/**
 * The files of a sandbox.
 *
 * @since 0.1.0
 * @category services
 */
export class FileStore extends Context.Tag("effect-chains/sandbox/FileStore")<
  FileStore,
  FileStoreService
>() {}

/**
 * Keeps files in memory.
 *
 * @since 0.1.0
 * @category layers
 */
export const memoryLayer: Layer.Layer<FileStore> = Layer.sync(FileStore, () => {
  const files = new Map<string, StoredFile>()
  return {
    put: (cid, bytes, contentType, name) => Effect.sync(() => files.set(cid, { bytes, contentType, name })),
    get: (cid) => Effect.sync(() => files.get(cid))
  }
})

const Row = Schema.Struct({ bytes: Schema.Uint8ArrayFromSelf, type: Schema.String, name: Schema.String })

/**
 * Keeps files in the sandbox's database.
 *
 * @since 0.1.0
 * @category layers
 */
export const storeLayer: Layer.Layer<FileStore, never, Store> = Layer.effect(
  FileStore,
  Effect.map(Store, ({ transact }) => ({
    put: (cid, bytes, contentType, name) =>
      transact(({ run }) =>
        run(
          "INSERT OR REPLACE INTO files (cid, bytes, type, name) VALUES (?, ?, ?, ?)",
          cid,
          bytes,
          contentType,
          name
        )
      ),
    get: (cid) =>
      Effect.map(
        transact(({ all }) => all(Row, "SELECT bytes, type, name FROM files WHERE cid = ?", cid)),
        ([row]) => row && { bytes: row.bytes, contentType: row.type, name: row.name }
      )
  }))
)

/**
 * The content identifier of a file, as `ipfs add` makes it: UnixFS in dag-pb, chunks of 256 KiB (262144 bytes), a
 * balanced tree with up to 174 children per node, SHA-256. Version 0 (`Qm…`) has UnixFS leaves; version 1 (`bafk…`,
 * `bafy…`) has raw ones. Fails without the packages (`package`).
 *
 * @since 0.1.0
 * @category getters
 */
export const computeCid = (bytes: Uint8Array, version: 0 | 1 = 0): Effect.Effect<string, SandboxError> =>
  Effect.gen(function* () {
    const { importFile } = yield* unixfs
    const { BlackHoleBlockstore } = yield* blackHole
    const { cid } = yield* Effect.promise(() =>
      importFile({ content: bytes }, new BlackHoleBlockstore(), {
        cidVersion: version,
        rawLeaves: version === 1
      })
    )
    return cid.toString()
  })

/** The first bytes of every version 1 identifier of dag-pb with SHA-256. */
const DAG_PB = [0x01, 0x70, 0x12, 0x20]

/** Converts an identifier of version 1 to version 0, if it has one. */
const toStoredCid = (cid: string): string => {
  if (!/^b[a-z2-7]{58}$/i.test(cid)) return cid
  let bits = 0n
  for (const digit of cid.slice(1).toLowerCase())
    bits = bits * 32n + BigInt("abcdefghijklmnopqrstuvwxyz234567".indexOf(digit))
  const hex = (bits >> 2n).toString(16).padStart(72, "0")
  const bytes = Uint8Array.from({ length: 36 }, (_, i) => Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16))
  return DAG_PB.every((byte, i) => bytes[i] === byte) ? encodeBase58(bytes.subarray(2)) : cid
}

const joinChunks = (chunks: Chunk.Chunk<Uint8Array>): Uint8Array => {
  const bytes = new Uint8Array(Chunk.reduce(chunks, 0, (size, chunk) => size + chunk.length))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

const makeMalformed = (what: string): Invalid =>
  makeInvalid("validation.failed", "Request validation failed.", [what])

const none: ReadonlyArray<StoredFile> = []

/** The `file` of a form. The other parts have to be read too, since they precede or follow it in the stream. */
const readFile = (
  parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>
): Effect.Effect<StoredFile, Invalid> =>
  Stream.runFoldEffect(parts, none, (found, part) => {
    const { contentType, key } = part
    const file =
      part._tag === "Field"
        ? Effect.succeed({ bytes: new TextEncoder().encode(part.value), contentType, name: key })
        : Effect.map(Stream.runCollect(part.content), (chunks) => ({
            bytes: joinChunks(chunks),
            contentType,
            name: part.name
          }))
    return Effect.map(file, (read) => (key === "file" ? [...found, read] : found))
  }).pipe(
    // JSON files are not fields
    Multipart.withFieldMimeTypes([]),
    Effect.mapError(({ reason }) => makeMalformed(`the form cannot be read: ${reason}`)),
    Effect.flatMap(([file, ...more]) =>
      file === undefined || more.length > 0
        ? Effect.fail(makeMalformed("file must be in the form once"))
        : Effect.succeed(file)
    )
  )

const api = HttpApi.make("provider").add(group)

/**
 * Uploads and downloads. An upload answers with the content identifier of version 0 (see `computeCid`), and a download
 * takes either version. A file is held in memory during the request.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<
  HttpApiGroup.ApiGroup<"provider", "files">,
  never,
  FileStore
> = HttpApiBuilder.group(api, "files", (handlers) =>
  Effect.map(FileStore, ({ get, put }) =>
    handlers
      .handle("upload", ({ payload }) =>
        Effect.gen(function* () {
          const { bytes, contentType, name } = yield* readFile(payload)
          const ipfsHash = yield* computeCid(bytes)
          yield* put(ipfsHash, bytes, contentType, name)
          return { ipfsHash }
        }).pipe(Effect.catchTag("SandboxError", ({ message }) => Effect.fail(makeUnavailable(message))))
      )
      .handle("download", ({ path: { cid }, request }) =>
        Effect.gen(function* () {
          const file = yield* Effect.mapError(get(toStoredCid(cid)), ({ message }) =>
            makeUnavailable(message)
          )
          if (file === undefined)
            return yield* Effect.fail(
              makeMissing(
                "file.not.found",
                `The sandbox has no file ${cid}: it has those that were uploaded to it`
              )
            )
          const headers = { etag: `"${cid}"`, "cache-control": "public, max-age=31536000, immutable" }
          return request.headers["if-none-match"] === headers.etag
            ? HttpServerResponse.empty({ status: 304, headers })
            : HttpServerResponse.uint8Array(file.bytes, { contentType: file.contentType, headers })
        })
      )
  )
)

/** The size limit of `resolveDocument` in bytes. */
const MAX_DOCUMENT_BYTES = 1_048_576

const RESOLVE_TIMEOUT = "2 seconds"

const isLoopback = ({ hostname, protocol }: URL): boolean =>
  /^https?:$/.test(protocol) && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)

const fetchDocument = (url: URL): Effect.Effect<Uint8Array | undefined> =>
  Effect.tryPromise(async (signal) => {
    const response = await fetch(url, { signal, redirect: "error" })
    const chunks: Array<Uint8Array> = []
    let size = 0
    // a body that is not read to its end is cancelled
    if (response.ok && response.body !== null)
      for await (const chunk of response.body) {
        chunks.push(chunk)
        size += chunk.length
        if (size > MAX_DOCUMENT_BYTES) return undefined
      }
    return response.ok ? joinChunks(Chunk.unsafeFromArray(chunks)) : undefined
  }).pipe(
    Effect.timeout(RESOLVE_TIMEOUT),
    Effect.orElseSucceed(() => undefined),
    withRealClock
  )

const decodeDataUrl = (uri: string): Uint8Array | undefined => {
  const [, base64, data] = /^data:[^,]*?(;base64)?,(.*)$/is.exec(uri) ?? []
  if (data === undefined) return undefined
  try {
    const text = decodeURIComponent(data)
    return base64 === undefined
      ? new TextEncoder().encode(text)
      : Encoding.decodeBase64(text).pipe((read) => (read._tag === "Right" ? read.right : undefined))
  } catch {
    return undefined
  }
}

const readBytes = (uri: string): Effect.Effect<Uint8Array | undefined, never, FileStore> =>
  Effect.gen(function* () {
    const [, cid] = /^ipfs:\/\/(?:ipfs\/)?([A-Za-z0-9]+)\/?$/.exec(uri) ?? []
    if (cid !== undefined) {
      const { get } = yield* FileStore
      const file = yield* Effect.orElseSucceed(get(toStoredCid(cid)), () => undefined)
      return file?.bytes
    }
    if (/^data:/i.test(uri)) return decodeDataUrl(uri)
    const url = URL.canParse(uri) ? new URL(uri) : undefined
    return url !== undefined && isLoopback(url) ? yield* fetchDocument(url) : undefined
  })

/**
 * The JSON document of a metadata URI: a file of the sandbox (`ipfs://`), the URI itself (`data:`), or a server on
 * loopback (`http:`, `https:`, without redirections). Undefined for everything else: other URIs, documents that are not
 * JSON, that exceed 1 MiB, or that take longer than 2 seconds.
 *
 * @since 0.1.0
 * @category getters
 */
export const resolveDocument = (uri: string): Effect.Effect<unknown, never, FileStore> =>
  Effect.map(readBytes(uri), (bytes) => {
    if (bytes === undefined || bytes.length > MAX_DOCUMENT_BYTES) return undefined
    try {
      const document: unknown = JSON.parse(new TextDecoder().decode(bytes))
      return document
    } catch {
      return undefined
    }
  })
