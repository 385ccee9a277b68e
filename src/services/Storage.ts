/**
 * Files on IPFS, through the provider: uploads and downloads.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { type GatewayCallError, InvalidArgument, type LoadError, reasonOf } from "../data/SdkError.js"
import { Gateway } from "./Gateway.js"
import { NonEmptyText, queryStruct } from "./internal/dataInput.js"
import { makeAnswerReader, makeInputCheck } from "./internal/schema.js"

/**
 * A source of an upload: a blob or file, bytes, text, a stream or any iterable of bytes (read into memory), or the path of a
 * file (Node 20 and later; it is read while it is sent).
 *
 * @since 0.1.0
 * @category models
 */
export type FileSource =
  | Blob
  | Uint8Array
  | ArrayBuffer
  | string
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | { readonly path: string }

/**
 * The progress of an upload, in bytes of the file, without the form around it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Progress {
  readonly sent: number
  readonly total: number
}

/**
 * A file to upload, with its `filename` (default: the name of a `File`, or `blob`) and `contentType`. `onProgress` gets the progress. The
 * file is then sent as a stream, which browsers only do over HTTP/2.
 *
 * @since 0.1.0
 * @category models
 */
export interface Upload {
  readonly file: FileSource
  readonly filename?: string
  readonly contentType?: string
  readonly onProgress?: (progress: Progress) => void
}

/**
 * The errors of uploads and downloads.
 *
 * @since 0.1.0
 * @category errors
 */
export type StorageError = GatewayCallError | InvalidArgument | LoadError

/**
 * Files on IPFS.
 *
 * @since 0.1.0
 * @category models
 */
export interface StorageService {
  /** Uploads a file, and yields its content identifier (CID). Never sent twice. */
  readonly uploadFile: (upload: Upload) => Effect.Effect<{ readonly ipfsHash: string }, StorageError>
  /** The file of a content identifier, with its content type, in memory: up to `maxResponseBytes`. */
  readonly getFile: (query: { readonly id: string }) => Effect.Effect<Blob, StorageError>
  /** The bytes of a content identifier as a stream of any length. More bytes are read as they are consumed. */
  readonly streamFile: (query: { readonly id: string }) => Stream.Stream<Uint8Array, StorageError>
}

/**
 * Files on IPFS, as a service.
 *
 * @since 0.1.0
 * @category services
 */
export class Storage extends /*#__PURE__*/ Context.Tag("effect-chains/services/Storage")<
  Storage,
  StorageService
>() {}

const CALL = "ipfs.uploadFile"
const KINDS =
  "file must be a Blob, bytes, text, a stream or iterable of bytes, or { path } of a file where Node is"

const isIterable = (file: object): file is AsyncIterable<Uint8Array> => Symbol.asyncIterator in file

const isStream = (file: object): file is ReadableStream<Uint8Array> =>
  typeof ReadableStream === "function" && file instanceof ReadableStream

/** In one piece, as the parts of a form have to be. */
const collect = async (chunks: AsyncIterable<Uint8Array>): Promise<Blob> => {
  const parts: Array<Uint8Array<ArrayBuffer>> = []
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array)) throw new Error("its chunks must be bytes")
    parts.push(new Uint8Array(chunk))
  }
  return new Blob(parts)
}

/** On Node, a file is read while it is sent, and is never in memory as a whole. */
const openFile = (path: string): Promise<Blob> => {
  const fs = globalThis.process?.getBuiltinModule?.("node:fs")
  if (fs === undefined) throw new Error(KINDS)
  return fs.openAsBlob(path)
}

const blobOf = async (file: unknown): Promise<Blob> => {
  if (file instanceof Blob) return file
  if (typeof file === "string") return new Blob([file])
  if (file instanceof Uint8Array) return new Blob([new Uint8Array(file)])
  if (file instanceof ArrayBuffer) return new Blob([file])
  if (typeof file !== "object" || file === null) throw new Error(KINDS)
  if (isStream(file)) return new Response(file).blob()
  if (isIterable(file)) return collect(file)
  if ("path" in file && typeof file.path === "string" && file.path !== "") return openFile(file.path)
  throw new Error(KINDS)
}

const fileNameOf = (file: unknown): string =>
  typeof File === "function" && file instanceof File && file.name !== "" ? file.name : "blob"

const isListener = (value: unknown): value is NonNullable<Upload["onProgress"]> => typeof value === "function"

const checkUpload = makeInputCheck(
  CALL,
  queryStruct({
    file: Schema.Unknown,
    filename: Schema.optional(NonEmptyText),
    contentType: Schema.optional(NonEmptyText),
    onProgress: Schema.optional(
      Schema.Unknown.pipe(Schema.filter(isListener, { message: () => "must be a function" }))
    )
  })
)

/** The slowest connection that a form is waited for, in bytes per millisecond: its progress cannot be seen. */
const MIN_BYTES_PER_MS = 16

/** The size of a chunk of an upload with progress, in bytes. */
const CHUNK_BYTES = 65_536

/** Makes a stream of a form that reports how much of its file is sent. */
const withProgress = (form: FormData, total: number, onProgress: (progress: Progress) => void) => {
  const encoded = new Response(form)
  const { body } = encoded
  if (body === null) throw new Error("the form is empty")
  const reader = body.getReader()
  let rest = new Uint8Array()
  let sent = 0
  const pieces = new ReadableStream<Uint8Array>({
    // the form yields chunks of any size, up to the whole file; a chunk counts as sent when the next one is read
    pull: async (controller) => {
      if (rest.byteLength === 0) {
        const next = await reader.read()
        if (next.done) {
          controller.close()
          return
        }
        rest = next.value
      }
      const piece = rest.subarray(0, CHUNK_BYTES)
      rest = rest.subarray(CHUNK_BYTES)
      sent = Math.min(total, sent + piece.byteLength)
      onProgress({ sent, total })
      controller.enqueue(piece)
    },
    cancel: (reason) => reader.cancel(reason)
  })
  return { body: pieces, type: encoded.headers.get("content-type") ?? "" }
}
const checkId = makeInputCheck(
  "ipfs.getFile",
  queryStruct({
    id: Schema.String.pipe(
      // CIDs of both versions, and a path behind them; nothing that leads anywhere else
      Schema.pattern(/^[A-Za-z0-9]+(\/[^/?#]+)*$/, {
        message: () => "must be a content identifier (CID), such as Qm… or bafy…"
      }),
      Schema.filter((id) => !/(^|\/)\.\.?(\/|$)/.test(id), {
        message: () => "must not have . or .. in its path"
      })
    )
  })
)
const readUpload = makeAnswerReader(CALL, Schema.Struct({ ipfsHash: NonEmptyText }))

const ipfsPathOf = (id: string): string => `ipfs/${id.split("/").map(encodeURIComponent).join("/")}`

/**
 * Makes the service over the provider's REST API.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<StorageService, never, Gateway> = Effect.map(Gateway, (gateway) => ({
  uploadFile: (upload) =>
    Effect.gen(function* () {
      const { contentType, file, filename = fileNameOf(file), onProgress } = yield* checkUpload(upload)
      const read = yield* Effect.tryPromise({
        try: () => blobOf(file),
        catch: (error) => new InvalidArgument({ call: CALL, reason: reasonOf(error) })
      })
      const form = new FormData()
      form.append("file", contentType === undefined ? read : read.slice(0, read.size, contentType), filename)
      const { size: total } = read
      const how = isListener(onProgress)
        ? { stream: withProgress(form, total, onProgress), idle: true }
        : { form, extraTimeout: total / MIN_BYTES_PER_MS }
      const answered = yield* gateway.request({ method: "POST", path: "ipfs", write: true, ...how })
      return yield* readUpload(answered)
    }),
  streamFile: (query) =>
    Stream.unwrap(
      Effect.map(checkId(query), ({ id }) =>
        Stream.asyncScoped<Uint8Array, GatewayCallError>(
          (emit) =>
            gateway
              .download({
                method: "GET",
                path: ipfsPathOf(id),
                template: "ipfs/{id}",
                idle: true,
                sink: (chunk) => emit.single(chunk)
              })
              .pipe(
                Effect.matchCauseEffect({
                  onFailure: (cause) => Effect.sync(() => void emit.halt(cause)),
                  onSuccess: () => Effect.sync(() => void emit.end())
                }),
                Effect.forkScoped
              ),
          1
        )
      )
    ),
  getFile: (query) =>
    Effect.flatMap(checkId(query), ({ id }) =>
      Effect.map(
        gateway.download({ method: "GET", path: ipfsPathOf(id), template: "ipfs/{id}", idle: true }),
        ({ bytes, contentType }) =>
          new Blob([new Uint8Array(bytes)], contentType === undefined ? {} : { type: contentType })
      )
    )
}))

/**
 * The service as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Storage, never, Gateway> = /*#__PURE__*/ Layer.effect(Storage, make)
