/**
 * Key services on 127.0.0.1, which answer as the HTTP interfaces of AWS KMS, Google Cloud KMS and Azure Key Vault do. Their keys are those of
 * OpenSSL, which signs on secp256k1 in DER, with another nonce each time, and with the higher `s` half of the time.
 */
import { execFileSync } from "node:child_process"
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { EventEmitter } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { KMS } from "@aws-sdk/client-kms"
import { KeyClient } from "@azure/keyvault-keys"
import { KeyManagementServiceClient } from "@google-cloud/kms"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import type { KeyScheme } from "../../src/signers/Signer.js"

export type KeyKind = KeyScheme | "p256"

/** A key in a service: its public key (SubjectPublicKeyInfo), and signatures of digests, or of messages with Ed25519. */
export interface ServiceKey {
  readonly kind: KeyKind
  readonly publicKey: KeyObject
  readonly sign: (bytes: Uint8Array) => Uint8Array
}

const folder = mkdtempSync(join(tmpdir(), "effect-chains-keys-"))
process.once("exit", () => rmSync(folder, { recursive: true, force: true }))

const curves = { secp256k1: "secp256k1", p256: "prime256v1" } as const

let made = 0

export const makeServiceKey = (kind: KeyKind): ServiceKey => {
  if (kind === "ed25519") {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519")
    return { kind, publicKey, sign: (bytes) => sign(null, bytes, privateKey) }
  }
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: curves[kind] })
  const file = join(folder, `${made++}.pem`)
  writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 })
  return {
    kind,
    publicKey,
    // node:crypto hashes what it signs with these keys, and OpenSSL signs a digest as it is
    sign: (bytes) => execFileSync("openssl", ["pkeyutl", "-sign", "-inkey", file], { input: bytes })
  }
}

/** A fault of a service: an answer in place of its own, or none at all. */
export type Fault = { readonly status: number; readonly body: unknown } | "silence"

/** A service, with its keys by their names there. `faults` are met by the next signatures, in their order. */
export interface KeyService {
  readonly url: string
  readonly port: number
  readonly keys: Map<string, ServiceKey>
  readonly requests: Array<{ readonly path: string; readonly body: RequestBody }>
  readonly faults: Array<Fault>
  /** Tells of each request that gets no answer: `silence`. */
  readonly events: EventEmitter
  readonly close: () => Promise<void>
}

/** The fields of requests that signing has, of all services. */
interface RequestBody {
  readonly KeyId?: string
  readonly Message?: string
  readonly MessageType?: string
  readonly SigningAlgorithm?: string
  readonly data?: string
  readonly digest?: { readonly sha256?: string }
  readonly alg?: string
  readonly value?: string
}

interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const startService = async (
  respond: (request: IncomingMessage, body: RequestBody, service: KeyService) => Answer,
  isSigning: (request: IncomingMessage) => boolean
): Promise<KeyService> => {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await readBody(request)
    const body: RequestBody = text === "" ? {} : JSON.parse(text)
    service.requests.push({ path: request.url ?? "", body })
    const fault = isSigning(request) ? service.faults.shift() : undefined
    if (fault === "silence") return void service.events.emit("silence")
    const answer: Answer = fault ?? respond(request, body, service)
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers })
    response.end(JSON.stringify(answer.body))
  }
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const service: KeyService = {
    url: `http://127.0.0.1:${port}`,
    port,
    keys: new Map(),
    requests: [],
    faults: [],
    events: new EventEmitter(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
  return service
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64")

/** AWS KMS: JSON 1.1, with the operation in a header. */
export const startAws = (): Promise<KeyService> =>
  startService(
    ({ headers }, { KeyId = "", Message = "", MessageType, SigningAlgorithm }, { keys }) => {
      const refuse = (type: string, message: string): Answer => ({
        status: 400,
        body: { __type: type, message }
      })
      const key = keys.get(KeyId)
      if (key === undefined) return refuse("NotFoundException", `Key '${KeyId}' does not exist`)
      if (headers["x-amz-target"] === "TrentService.GetPublicKey")
        return {
          status: 200,
          body: {
            KeyId,
            PublicKey: base64(key.publicKey.export({ type: "spki", format: "der" })),
            KeyUsage: "SIGN_VERIFY"
          }
        }
      if (headers["x-amz-target"] !== "TrentService.Sign")
        return refuse("UnknownOperationException", "no such operation")
      const bytes = Buffer.from(Message, "base64")
      if (bytes.length < 1 || bytes.length > 4_096)
        return refuse("ValidationException", "a message has 1 to 4096 bytes")
      const expected = key.kind === "ed25519" ? "RAW ED25519_SHA_512" : "DIGEST ECDSA_SHA_256"
      if (`${MessageType} ${SigningAlgorithm}` !== expected)
        return refuse("ValidationException", `the key takes ${expected}`)
      if (key.kind !== "ed25519" && bytes.length !== 32)
        return refuse("ValidationException", "Digest is invalid length for algorithm ECDSA_SHA_256.")
      return { status: 200, body: { KeyId, SigningAlgorithm, Signature: base64(key.sign(bytes)) } }
    },
    ({ headers }) => headers["x-amz-target"] === "TrentService.Sign"
  )

export const awsClient = ({ url }: KeyService): KMS =>
  new KMS({
    region: "eu-central-1",
    endpoint: url,
    maxAttempts: 1,
    credentials: { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" }
  })

/** Google Cloud KMS by REST. */
export const startGoogle = (): Promise<KeyService> =>
  startService(
    ({ url = "" }, { data, digest }, { keys }) => {
      const refuse = (code: number, status: string, message: string): Answer => ({
        status: code,
        body: { error: { code, status, message } }
      })
      const [, name = "", action] = /^\/v1\/(.+?)(\/publicKey|:asymmetricSign)(?:\?.*)?$/.exec(url) ?? []
      const key = keys.get(decodeURIComponent(name))
      if (key === undefined) return refuse(404, "NOT_FOUND", `${name} not found.`)
      if (action === "/publicKey")
        return { status: 200, body: { name, pem: key.publicKey.export({ type: "spki", format: "pem" }) } }
      const given = key.kind === "ed25519" ? data : digest?.sha256
      if (typeof given !== "string")
        return refuse(400, "INVALID_ARGUMENT", "the algorithm takes the other field")
      const bytes = Buffer.from(given, "base64")
      if (key.kind !== "ed25519" && bytes.length !== 32)
        return refuse(400, "INVALID_ARGUMENT", "a digest of SHA-256 has 32 bytes")
      return { status: 200, body: { name, signature: base64(key.sign(bytes)) } }
    },
    ({ url = "" }) => url.includes(":asymmetricSign")
  )

export const googleClient = ({ port }: KeyService): KeyManagementServiceClient => {
  // what gax calls of an auth client, without one of Google's tokens
  const authClient = {
    universeDomain: "googleapis.com",
    getRequestHeaders: async () => new Headers({ authorization: "Bearer ya29.EXAMPLE" }),
    fetch: (url: string, init: RequestInit) => fetch(url, init)
  }
  return new KeyManagementServiceClient({
    fallback: true,
    apiEndpoint: "127.0.0.1",
    port,
    protocol: "http",
    authClient: authClient as never
  })
}

const base64Url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url")

export const NEWEST_VERSION = "0123456789abcdef0123456789abcdef"

/** Azure Key Vault. Like the service, it begins with a challenge, and signs as JSON Web Signatures do: 64 bytes. */
export const startAzure = (): Promise<KeyService> =>
  startService(
    ({ headers, url = "" }, { alg, value = "" }, { keys, url: vault }) => {
      const refuse = (status: number, code: string, message: string): Answer => ({
        status,
        body: { error: { code, message } },
        ...(status === 401
          ? {
              headers: {
                "www-authenticate":
                  'Bearer authorization="https://login.example.com/tenant", resource="https://vault.azure.net"'
              }
            }
          : {})
      })
      if (headers.authorization !== "Bearer EXAMPLE") return refuse(401, "Unauthorized", "AKV10000: no token")
      const [, name = "", version, action] =
        /^\/keys\/([^/?]+)\/?([^/?]+)?(\/sign)?(?:\?.*)?$/.exec(url) ?? []
      const key = keys.get(name)
      if (key === undefined) return refuse(404, "KeyNotFound", `A key with (name/id) ${name} was not found`)
      const kid = `${vault}/keys/${name}/${version ?? NEWEST_VERSION}`
      if (action === undefined) {
        const { x, y } = key.publicKey.export({ format: "jwk" })
        const crv = key.kind === "secp256k1" ? "P-256K" : "P-256"
        return {
          status: 200,
          body: {
            key: { kid, kty: "EC", crv, x, y, key_ops: ["sign", "verify"] },
            attributes: { enabled: true }
          }
        }
      }
      if (alg !== "ES256K" || key.kind !== "secp256k1")
        return refuse(400, "BadParameter", "Key and alg do not match")
      const der = key.sign(Buffer.from(value, "base64url"))
      const signature = secp256k1.Signature.fromBytes(new Uint8Array(der), "der").toBytes("compact")
      return { status: 200, body: { kid, value: base64Url(signature) } }
    },
    ({ url = "" }) => url.includes("/sign?")
  )

export const azureClient = ({ url }: KeyService): KeyClient =>
  new KeyClient(
    url,
    { getToken: async () => ({ token: "EXAMPLE", expiresOnTimestamp: Date.now() + 3_600_000 }) },
    {
      disableChallengeResourceVerification: true,
      retryOptions: { maxRetries: 0 },
      additionalPolicies: [
        {
          position: "perCall",
          policy: {
            name: "loopback",
            sendRequest: (request, next) => next(Object.assign(request, { allowInsecureConnection: true }))
          }
        }
      ]
    }
  )
