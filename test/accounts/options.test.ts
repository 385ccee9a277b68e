/** Accounts that are made of what is no client, no device and no name: the caller's mistake, of which no service is asked. */
import { describe, expect, it } from "vitest"
import { awsKms } from "../../src/accounts/awsKms.js"
import { azureKeyVault } from "../../src/accounts/azureKeyVault.js"
import { googleKms } from "../../src/accounts/googleKms.js"
import { ledgerEvm, ledgerSolana, ledgerTron } from "../../src/accounts/ledger.js"
import { remote } from "../../src/accounts/remote.js"

const asked: Array<string> = []
/** A library that has these calls, and notes that it was asked. */
const library = (...calls: ReadonlyArray<string>) =>
  Object.fromEntries(
    calls.map((name) => [
      name,
      async () => {
        asked.push(name)
        throw new Error(`${name} was asked`)
      }
    ])
  )

const makers: ReadonlyArray<
  readonly [string, (options: never) => Promise<unknown>, Record<string, unknown>]
> = [
  ["awsKms", awsKms, { client: library("getPublicKey", "sign"), keyId: "alias/k" }],
  ["azureKeyVault", azureKeyVault, { client: library("getKey", "getCryptographyClient"), keyName: "k" }],
  ["googleKms", googleKms, { client: library("getPublicKey", "asymmetricSign"), name: "k" }],
  [
    "ledgerEvm",
    ledgerEvm,
    {
      app: library(
        ...["getAddress", "signTransaction", "signPersonalMessage"],
        ...["signEIP712Message", "signEIP712HashedMessage"]
      )
    }
  ],
  ["ledgerSolana", ledgerSolana, { app: library("getAddress", "signTransaction") }],
  ["ledgerTron", ledgerTron, { app: library("getAddress", "signTransaction", "signPersonalMessage") }],
  ["remote", remote, { url: "http://127.0.0.1:1", token: "t".repeat(32), account: "a" }]
]

describe.each(makers)("%s", (call, make, options) => {
  const refusalOf = (given: unknown): Promise<unknown> =>
    make(given as never).then(
      () => "made",
      (error: unknown) => error
    )

  it("says which option cannot be used, and asks nobody", async () => {
    asked.length = 0
    const wrong: ReadonlyArray<readonly [unknown, string]> = [
      ...[undefined, null, "x", []].map((given) => [given, "its options are an object"] as const),
      ...Object.keys(options).flatMap((name) =>
        [undefined, null, 7, ""].map((value) => [{ ...options, [name]: value }, name] as const)
      ),
      ...Object.entries(options).flatMap(([name, value]) =>
        typeof value !== "object" || value === null
          ? []
          : Object.keys(value).map(
              (gone) =>
                [
                  { ...options, [name]: { ...value, [gone]: undefined } },
                  `must have the call ${gone}`
                ] as const
            )
      ),
      ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, "5 seconds", null].map(
        (timeout) => [{ ...options, timeout }, "timeout must be a number of milliseconds"] as const
      )
    ]
    for (const [given, reason] of wrong)
      expect(await refusalOf(given), reason).toMatchObject({
        _tag: "InvalidArgument",
        call,
        reason: expect.stringContaining(reason)
      })
    expect(asked).toEqual([])
  })

  it("asks where its options can be used", async () => {
    expect(await refusalOf({ ...options, timeout: 2_000 })).toMatchObject({ _tag: "SigningFailed" })
  })
})
