/** The providers' own clients, over HTTP on 127.0.0.1: accounts of keys that are in a service. */
import { once } from "node:events"
import { recoverMessageAddress } from "viem"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { awsKms } from "../../src/accounts/awsKms.js"
import { azureKeyVault } from "../../src/accounts/azureKeyVault.js"
import { googleKms } from "../../src/accounts/googleKms.js"
import { signer as evmSigner } from "../../src/entries/signers/Evm.js"
import { signer as solanaSigner } from "../../src/entries/signers/Solana.js"
import { signer as xrpSigner } from "../../src/entries/signers/Xrp.js"
import type { Account, KeyScheme } from "../../src/signers/Signer.js"
import {
  awsClient,
  azureClient,
  googleClient,
  type KeyService,
  makeServiceKey,
  NEWEST_VERSION,
  startAws,
  startAzure,
  startGoogle
} from "./keyServices.js"

interface Provider {
  readonly name: string
  readonly start: () => Promise<KeyService>
  readonly connect: (service: KeyService, key: string) => Promise<Account>
  readonly keyName: (key: string) => string
  readonly schemes: ReadonlyArray<KeyScheme>
  /** A refusal as the service writes it, and the words of it that an application sees. */
  readonly denied: { readonly status: number; readonly body: unknown; readonly words: RegExp }
  readonly missing: RegExp
}

const providers: ReadonlyArray<Provider> = [
  {
    name: "AWS KMS",
    start: startAws,
    connect: (service, keyId) => awsKms({ client: awsClient(service), keyId }),
    keyName: (key) => `alias/${key}`,
    schemes: ["secp256k1", "ed25519"],
    denied: {
      status: 400,
      body: { __type: "AccessDeniedException", message: "not authorized to perform: kms:Sign" },
      words: /^AWS KMS: AccessDeniedException: not authorized to perform: kms:Sign$/
    },
    missing: /^AWS KMS: NotFoundException: Key 'alias\/nobody' does not exist$/
  },
  {
    name: "Google Cloud KMS",
    start: startGoogle,
    connect: (service, name) => googleKms({ client: googleClient(service), name }),
    keyName: (key) => `projects/p/locations/global/keyRings/r/cryptoKeys/${key}/cryptoKeyVersions/1`,
    schemes: ["secp256k1", "ed25519"],
    denied: {
      status: 403,
      body: { error: { code: 403, status: "PERMISSION_DENIED", message: "cloudkms.useToSign denied" } },
      words: /^Google Cloud KMS: .*cloudkms.useToSign denied/
    },
    missing: /^Google Cloud KMS: .*not found/
  },
  {
    name: "Azure Key Vault",
    start: startAzure,
    connect: (service, keyName) => azureKeyVault({ client: azureClient(service), keyName }),
    keyName: (key) => key,
    schemes: ["secp256k1"],
    denied: {
      status: 403,
      body: { error: { code: "Forbidden", message: "Caller is not authorized to perform sign" } },
      words: /^Azure Key Vault: RestError: .*Caller is not authorized to perform sign/
    },
    missing: /^Azure Key Vault: RestError: .*was not found/
  }
]

/** Nodes that nobody asks: messages are signed without one. */
const client = (network: string) => ({ network, rpc: {} }) as never

const signerOf = async (scheme: KeyScheme, account: Account) => {
  const made =
    scheme === "secp256k1"
      ? await evmSigner(client("ethereum-mainnet"), { account })
      : await solanaSigner(client("solana-mainnet"), { account })
  if (made.status === "ERROR") throw made.error.cause
  return made.data
}

describe.each(providers)("keys of $name", ({ connect, denied, keyName, missing, schemes, start }) => {
  let service: KeyService
  beforeAll(async () => {
    service = await start()
    for (const kind of ["secp256k1", "ed25519", "p256"] as const)
      service.keys.set(keyName(kind), makeServiceKey(kind))
  })
  afterAll(() => service?.close())

  it.each(schemes)("sign with %s, with a higher s or a lower one", async (scheme) => {
    const account = await connect(service, keyName(scheme))
    expect(account.scheme).toBe(scheme)
    const { address, signMessage } = await signerOf(scheme, account)
    // half of the signatures have the higher s: that none of so many has it is as likely as 1 in 4,096
    for (let at = 0; at < 12; at++) {
      const signed = await signMessage(`hello ${at}`)
      if (signed.status === "ERROR") throw signed.error.cause
      if (scheme === "secp256k1") {
        const signature = signed.data as `0x${string}`
        expect(await recoverMessageAddress({ message: `hello ${at}`, signature })).toBe(address)
        expect(BigInt(`0x${signature.slice(66, 130)}`) * 2n).toBeLessThan(
          0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
        )
      }
    }
  })

  it("read the public key once", async () => {
    const account = await connect(service, keyName("secp256k1"))
    const { signMessage } = await signerOf("secp256k1", account)
    // the client of Azure looks at the key for itself before its first signature
    await signMessage("hello")
    const before = service.requests.length
    await signMessage("hello")
    expect(service.requests.length).toBe(before + 1)
  })

  it("are refused where the service has none, or one of another kind", async () => {
    await expect(connect(service, keyName("nobody"))).rejects.toMatchObject({
      _tag: "SigningFailed",
      reason: expect.stringMatching(missing)
    })
    await expect(connect(service, keyName("p256"))).rejects.toMatchObject({
      _tag: "InvalidKey",
      reason: expect.stringMatching(/: the key is none of the /)
    })
  })

  it("fail in the words of the service", async () => {
    const { signMessage } = await signerOf("secp256k1", await connect(service, keyName("secp256k1")))
    service.faults.push(denied)
    const { error } = await signMessage("hello")
    expect(error?.cause).toMatchObject({ _tag: "SigningFailed", reason: expect.stringMatching(denied.words) })
    // the next one is signed
    expect(await signMessage("hello")).toMatchObject({ status: "SUCCESS" })
  })

  it("fail after their time where the service is silent", async () => {
    const { signMessage } = await signerOf("secp256k1", await connect(service, keyName("secp256k1")))
    service.faults.push("silence")
    const silence = once(service.events, "silence")
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    try {
      const signing = signMessage("hello")
      await silence
      vi.advanceTimersByTime(30_000)
      expect((await signing).error?.cause).toMatchObject({
        _tag: "SigningFailed",
        reason: expect.stringMatching(/: no answer within 30000 milliseconds$/)
      })
    } finally {
      vi.useRealTimers()
    }
  })

  it("sign with no other key than the one that was read", async () => {
    const account = await connect(service, keyName("secp256k1"))
    const { address, signMessage } = await signerOf("secp256k1", account)
    const own = service.keys.get(keyName("secp256k1"))
    service.keys.set(keyName("secp256k1"), makeServiceKey("secp256k1"))
    const { error } = await signMessage("hello")
    if (own !== undefined) service.keys.set(keyName("secp256k1"), own)
    expect(error?.cause).toMatchObject({
      _tag: "SigningFailed",
      reason: `the signature is not that of ${address}`
    })
  })

  it("are accounts of the XRP Ledger, whatever the curve", async () => {
    for (const scheme of schemes) {
      const made = await xrpSigner(client("ripple-mainnet"), {
        account: await connect(service, keyName(scheme))
      })
      if (made.status === "ERROR") throw made.error.cause
      expect(await made.data.signMessage("hello")).toMatchObject({ status: "SUCCESS" })
    }
  })
})

describe("a key of Azure Key Vault", () => {
  it("keeps its version, which is the newest one or that which is named", async () => {
    const service = await startAzure()
    try {
      service.keys.set("k", makeServiceKey("secp256k1"))
      const client = azureClient(service)
      for (const [keyVersion, read] of [
        [undefined, "/keys/k/?"],
        ["77", "/keys/k/77?"]
      ] as const) {
        service.requests.length = 0
        const account = await azureKeyVault({
          client,
          keyName: "k",
          ...(keyVersion === undefined ? {} : { keyVersion })
        })
        const { signMessage } = await signerOf("secp256k1", account)
        expect(await signMessage("hello")).toMatchObject({ status: "SUCCESS" })
        const paths = service.requests.map(({ path }) => path)
        expect(paths.some((path) => path.startsWith(read))).toBe(true)
        const version = keyVersion ?? NEWEST_VERSION
        expect(paths.at(-1)?.startsWith(`/keys/k/${version}/sign?`)).toBe(true)
      }
    } finally {
      await service.close()
    }
  })
})
