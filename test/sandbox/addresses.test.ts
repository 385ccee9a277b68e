/** Addresses under the names that the sandbox's nodes have for them, as other libraries write these. */
import { encodeCashAddress } from "@bitauth/libauth"
import { address as addresses } from "bitcoinjs-lib"
import * as fc from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { signer } from "../../src/entries/signers/Bitcoin.js"
import { init } from "../../src/promise.js"
import { toNetworkAccount, toNodeAddress } from "../../src/sandbox/nodes/addresses.js"
import { makeUtxoAccounts } from "../../src/sandbox/nodes/keys.js"
import { chains } from "../../src/signers/bitcoin/networks.js"

const hash = fc.uint8Array({ minLength: 20, maxLength: 20 })

describe("spelled", () => {
  it("gives the name that the node has for the same script", () => {
    const each = fc.property(hash, fc.uint8Array({ minLength: 32, maxLength: 32 }), (short, long) => {
      const { toBase58Check, toBech32 } = addresses
      for (const [network, own, nodes] of [
        ["bitcoin-testnet", toBase58Check(short, 0x6f), toBase58Check(short, 0x3c)],
        ["bitcoin-mainnet", toBase58Check(short, 0x05), toBase58Check(short, 0x26)],
        ["bitcoin-mainnet", toBech32(short, 0, "bc"), toBech32(short, 0, "rb")],
        ["bitcoin-testnet", toBech32(long, 0, "tb"), toBech32(long, 0, "rb")],
        ["doge-testnet", toBase58Check(short, 0x71), toBase58Check(short, 0x3c)]
      ] as const) {
        expect(toNodeAddress(network, own)).toBe(nodes)
        // the node's own is left as it is
        expect(toNodeAddress(network, nodes)).toBe(nodes)
      }
      const cash = (prefix: "bitcoincash" | "bchreg", type: "p2pkh" | "p2sh") =>
        encodeCashAddress({ prefix, type, payload: short }).address
      for (const type of ["p2pkh", "p2sh"] as const)
        expect(toNodeAddress("bitcoin-cash-mainnet", cash("bitcoincash", type))).toBe(cash("bchreg", type))
    })
    fc.assert(each, { numRuns: 50 })
  })

  it("knows the checksum of later versions of SegWit", () => {
    const point = Buffer.from("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", "hex")
    expect(toNodeAddress("bitcoin-mainnet", addresses.toBech32(point, 1, "bc"))).toBe(
      addresses.toBech32(point, 1, "rb")
    )
  })

  it("leaves addresses of other networks and chains", () => {
    for (const address of ["", "nobody", addresses.toBech32(new Uint8Array(20), 0, "bc")])
      expect(toNodeAddress("bitcoin-testnet", address)).toBe(address)
    expect(toNodeAddress("ethereum-mainnet", "0xA")).toBe("0xA")
  })
})

describe("the accounts of a node", () => {
  const node = { address: 0x3c, privateKey: 0x5a, bech32: "rb" }
  const networks = Object.entries(chains).filter(([id]) => !/^(litecoin|zcash)-/.test(id))

  it.each(networks)("have the keys and addresses that signers of %s have", async (id, { types: [type] }) => {
    const network = id as "bitcoin-testnet"
    const sdk = await init({ network, rpc: { nodes: [{ url: "http://127.0.0.1:9" }] }, quiet: true })
    for (const account of makeUtxoAccounts(node, type).accounts) {
      const { address, privateKey } = toNetworkAccount(network, account)
      const { data, error } = await signer(sdk, { privateKey })
      expect(error?.message).toBeUndefined()
      expect(data?.address).toBe(address)
      expect((await signer(sdk, { privateKey: account.privateKey })).status).toBe("ERROR")
      if (toNodeAddress(network, address) !== account.address) expect(id).toMatch(/^(bch|bitcoin-cash)-/)
    }
    await sdk.destroy()
  })

  it("of other kinds stay as they are", () => {
    const account = { address: "A", privateKey: "K" }
    expect(toNetworkAccount("solana-devnet", account)).toEqual(account)
  })
})
