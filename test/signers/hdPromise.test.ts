/** Accounts with many addresses, over the client and the data API of the Promise surface. */
import { expect, it } from "vitest"
import { hdSigner, watchHdAccount } from "../../src/entries/signers/Bitcoin.js"
import { take } from "../results.js"

const zpub =
  "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs"
const first = "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"

const succeed = async <A>(data: A) => ({ status: "SUCCESS" as const, data })

const client = (incoming: string) =>
  ({
    network: "bitcoin-mainnet",
    rpc: {},
    data: {
      getUtxosByAddress: () => succeed([]),
      blockchains: {
        getBalanceBatch: ({ addresses }: { readonly addresses: ReadonlyArray<string> }) =>
          succeed(
            addresses.map((address) => ({
              address,
              balance: "0",
              incoming: address === first ? incoming : "0"
            }))
          )
      }
    }
    // the client has no other calls, and a scan needs none
  }) as unknown as Parameters<typeof watchHdAccount>[0]

it("reads balances in the data API, whose calls are in groups", async () => {
  const account = take(await watchHdAccount(client("0.5"), { extendedKey: zpub }))
  expect(account.address).toBe(first)
  const found = take(await account.scan())
  expect(found.used).toEqual([{ address: first, path: "0/0" }])
  expect(found.receive.path).toBe("0/1")
  expect(take(await account.addressAt(0)).address).toBe(first)
  const wrong = await account.addressAt(-1)
  expect(wrong.status).toBe("ERROR")
})

it("makes signers of words, which are text", async () => {
  const account = take(await hdSigner(client("0"), { mnemonic: `${"abandon ".repeat(11)}about` }))
  expect(account.address).toBe(first)
  expect(take(await account.scan()).used).toEqual([])
})
