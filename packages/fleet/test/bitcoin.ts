/** What tests of durable payments of Bitcoin's kind have in common: accounts on three chains, and what these say of them. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { address as addresses, Transaction } from "bitcoinjs-lib"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { Http, Sdk } from "effect-chains"
import * as Bitcoin from "effect-chains/effect/signers/Bitcoin"
import * as BitcoinTransactions from "../src/BitcoinTransactions.js"
import { ask, type CallOptions } from "./evm.js"

const mnemonic = `${"abandon ".repeat(11)}about`

const undici = Layer.provide(Http.layerPlatform, NodeHttpClient.layerUndici)

interface Unspent {
  readonly txid: string
  readonly vout: number
  /** In the smallest unit. */
  readonly amount: bigint
}

/** The url of a node, or those of the nodes of a chain. */
export type Urls = string | ReadonlyArray<string>

/** What an account signs with, in the place of its signer's own. */
export type Signing = (sign: Bitcoin.BitcoinSigner["sign"]) => Bitcoin.BitcoinSigner["sign"]

const scriptBytes = (address: string, network: BitcoinTransactions.Order["network"]): Buffer =>
  Buffer.from(Bitcoin.scriptOf(address, network) ?? "", "hex")

/** A chain, whose node is one of its regression test network, where addresses have another name. */
const makeChain = (
  network: BitcoinTransactions.Order["network"],
  {
    client,
    renamed,
    scriptOf,
    unspent
  }: {
    readonly client: (
      urls: Urls,
      calling: CallOptions
    ) => Effect.Effect<BitcoinTransactions.BitcoinTransactionClient, unknown, Http.Http | Scope.Scope>
    readonly renamed: (address: string) => string
    /** The script of outputs to the hash of a key (hexadecimal). */
    readonly scriptOf: (hash: string) => string
    /** The outputs of an address by the node's own list. */
    readonly unspent: (url: string, address: string) => Promise<ReadonlyArray<Unspent>>
  }
) => {
  const account = (urls: Urls, index: number, calling: CallOptions = {}) =>
    Effect.gen(function* () {
      const made = yield* client(urls, calling)
      const [url = ""] = [urls].flat()
      const utxos = (address: string) => unspent(url, renamed(address))
      return { client: made, signer: yield* Bitcoin.make(made, { mnemonic, index, utxos }) }
    })
  return {
    network,
    renamed,
    /** An address that nobody has used. */
    anyone: (number: number): string =>
      Bitcoin.addressOf(scriptOf(Buffer.alloc(20, number).toString("hex")), network) ?? "",
    unspent: (url: string, address: string) => unspent(url, renamed(address)),
    amountAt: async (url: string, address: string): Promise<bigint> =>
      (await unspent(url, renamed(address))).reduce((sum, { amount }) => sum + amount, 0n),
    /** What another wallet does that has the key of an account: each number is another one. */
    wallet: <A>(
      url: string,
      index: number,
      use: (signer: Bitcoin.BitcoinSigner) => Effect.Effect<A, unknown>
    ): Promise<A> =>
      Effect.runPromise(
        account(url, index).pipe(
          Effect.flatMap(({ signer }) => use(signer)),
          Effect.scoped,
          Effect.provide(undici)
        )
      ),
    /** Durable payments of an account over nodes. */
    transactions: (
      urls: Urls,
      index = 0,
      policy: Partial<BitcoinTransactions.Policy> = {},
      signing: Signing = (sign) => sign,
      calling: CallOptions = {},
      rules: BitcoinTransactions.WithPolicy = {}
    ) =>
      Layer.unwrapScoped(
        Effect.map(account(urls, index, calling), (made) => {
          const signer = { ...made.signer, sign: signing(made.signer.sign) }
          return BitcoinTransactions.layer(Effect.succeed([{ ...made, ...rules, signer }]), {
            pollingInterval: "100 millis",
            suspendAfter: "2 seconds",
            ...policy
          })
        })
      ).pipe(Layer.provide(undici), Layer.orDie)
  }
}

export type Chain = ReturnType<typeof makeChain>

const clientOptions = (urls: Urls, calling: CallOptions) => ({
  rpc: { nodes: [urls].flat().map((url) => ({ url })) },
  quiet: true,
  ...calling
})

/** Litecoin Core looks through all outputs, for one caller at a time. */
const scanUnspent = async (url: string, address: string): Promise<ReadonlyArray<Unspent>> => {
  for (let left = 20; ; left--) {
    try {
      const found = await ask<{
        unspents: ReadonlyArray<{ readonly txid: string; readonly vout: number; readonly amount: number }>
      }>(url, "scantxoutset", "start", [`addr(${address})`])
      return found.unspents.map(({ amount, txid, vout }) => ({
        txid,
        vout,
        amount: BigInt(Math.round(amount * 1e8))
      }))
    } catch (error) {
      if (left === 0 || !String(error).includes("Scan already in progress")) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** bcoin and bcash have an index of addresses. */
const fetchUnspent = async (url: string, address: string): Promise<ReadonlyArray<Unspent>> => {
  const answer = await fetch(`${url}/coin/address/${address}`)
  const coins: ReadonlyArray<{
    readonly hash: string
    readonly index: number
    readonly value: number
    readonly height: number
  }> = await answer.json()
  return coins
    .filter(({ height }) => height >= 0)
    .map(({ hash, index, value }) => ({ txid: hash, vout: index, amount: BigInt(value) }))
}

/** The name of an output's key on the regression test networks of bcoin and bcash. */
const toRegtestAddress = (network: "doge-testnet" | "bch-testnet") => (address: string) =>
  addresses.toBase58Check(scriptBytes(address, network).subarray(3, 23), 0x3c)

const keyHashScript = (hash: string): string => `76a914${hash}88ac`

/** On Litecoin Core. */
export const litecoin = makeChain("litecoin-testnet", {
  client: (urls, calling) => Sdk.makeHttp({ network: "litecoin-testnet", ...clientOptions(urls, calling) }),
  renamed: (address) => addresses.toBech32(scriptBytes(address, "litecoin-testnet").subarray(2), 0, "rltc"),
  scriptOf: (hash) => `0014${hash}`,
  unspent: scanUnspent
})

/** Dogecoin's rules, on bcoin. */
export const dogecoin = makeChain("doge-testnet", {
  client: (urls, calling) => Sdk.makeHttp({ network: "doge-testnet", ...clientOptions(urls, calling) }),
  renamed: toRegtestAddress("doge-testnet"),
  scriptOf: keyHashScript,
  unspent: fetchUnspent
})

/** On bcash. */
export const bitcoinCash = makeChain("bch-testnet", {
  client: (urls, calling) => Sdk.makeHttp({ network: "bch-testnet", ...clientOptions(urls, calling) }),
  renamed: toRegtestAddress("bch-testnet"),
  scriptOf: keyHashScript,
  unspent: fetchUnspent
})

/** The outputs that a transaction spends. */
export const listSpent = (raw: string): ReadonlyArray<string> =>
  Transaction.fromHex(raw).ins.map(({ hash, index }) => `${Buffer.from(hash).toString("hex")}:${index}`)
