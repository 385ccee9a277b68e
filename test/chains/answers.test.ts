// @runtime both
/**
 * Refusals of nodes and providers, held as data in `answers`: a group per program, with the source of its answers, and the
 * party whose fault each is. `when` names the request.
 */
import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import * as Algorand from "../../src/chains/Algorand.js"
import * as Beacon from "../../src/chains/Beacon.js"
import * as Bitcoin from "../../src/chains/Bitcoin.js"
import * as Bnb from "../../src/chains/Bnb.js"
import * as Cardano from "../../src/chains/Cardano.js"
import * as Casper from "../../src/chains/Casper.js"
import * as Cosmos from "../../src/chains/Cosmos.js"
import * as Eos from "../../src/chains/Eos.js"
import * as Ethereum from "../../src/chains/Ethereum.js"
import * as Evm from "../../src/chains/Evm.js"
import * as Iota from "../../src/chains/Iota.js"
import { standardFaultOf } from "../../src/chains/internal/faults.js"
import * as Kadena from "../../src/chains/Kadena.js"
import * as Klaytn from "../../src/chains/Klaytn.js"
import * as Rostrum from "../../src/chains/Rostrum.js"
import * as Solana from "../../src/chains/Solana.js"
import * as Stellar from "../../src/chains/Stellar.js"
import * as Tezos from "../../src/chains/Tezos.js"
import * as Ton from "../../src/chains/Ton.js"
import * as Tron from "../../src/chains/Tron.js"
import * as Xrp from "../../src/chains/Xrp.js"
import * as ZkSync from "../../src/chains/ZkSync.js"
import { type Dialect, dialectOf, specOf } from "../../src/data/Endpoint.js"
import { numberIntegers } from "../../src/data/integers.js"
import { decodeRest } from "../../src/wire/jsonRpc.js"
import evm from "./answers/evm.json" with { type: "json" }
import proxies from "./answers/proxies.json" with { type: "json" }
import rest from "./answers/rest.json" with { type: "json" }
import rpc from "./answers/rpc.json" with { type: "json" }

describe("errors of EVM nodes", () => {
  for (const { answers, of } of evm) {
    describe(of, () => {
      it.each(answers)("$fault: $code $message ($when)", ({ fault, when: _, ...error }) =>
        expect(Evm.classify(error)).toBe(fault)
      )
    })
  }

  it("are judged alike by every family of EVM chains", () => {
    for (const { endpoints } of [Evm, Ethereum, Klaytn, ZkSync]) {
      expect(dialectOf(endpoints).classify).toBe(Evm.classify)
    }
  })

  it("of any length are judged in no time", () => {
    const begun = performance.now()
    for (const text of ["method ", "not ", "0", "execution ", "account "]) {
      expect(Evm.classify({ code: -32603, message: text.repeat(2_000_000) })).toBeDefined()
    }
    expect(performance.now() - begun).toBeLessThan(1000)
  })
})

/** The dialect of an endpoint, wherever it stands. */
const dialectIn = (group: object, endpoint: unknown): Dialect => ({
  ...dialectOf(group),
  ...specOf(endpoint)?.dialect
})

const families: Readonly<Record<string, Dialect>> = {
  "every family": { classify: standardFaultOf },
  bitcoin: dialectOf(Bitcoin.endpoints),
  rostrum: dialectOf(Rostrum.endpoints),
  solana: dialectOf(Solana.endpoints),
  casper: dialectOf(Casper.endpoints),
  xrp: dialectOf(Xrp.endpoints),
  bnb: dialectOf(Bnb.endpoints),
  cosmos: dialectOf(Cosmos.endpoints),
  ton: dialectIn(Ton.endpoints, Ton.endpoints.getAddressInformation),
  "ton classic": dialectIn(Ton.endpoints, Ton.endpoints.getAddressInformation),
  tonapi: dialectIn(Ton.endpoints, Ton.endpoints.getAccount),
  tron: dialectIn(Tron.endpoints, Tron.endpoints.getAccount),
  beacon: dialectOf(Beacon.endpoints.v1),
  algod: dialectOf(Algorand.algodEndpoints),
  indexer: dialectOf(Algorand.indexerEndpoints),
  eos: dialectIn(Eos.endpoints, Eos.endpoints.getInfo),
  iota: dialectIn(Iota.endpoints, Iota.endpoints.getNodeInfo),
  wasp: dialectIn(Iota.endpoints, Iota.endpoints.authenticate),
  kadena: dialectOf(Kadena.endpoints),
  stellar: dialectOf(Stellar.endpoints),
  tezos: dialectOf(Tezos.endpoints),
  rosetta: dialectOf(Cardano.rosettaEndpoints)
}

const familyOf = (name: string): Dialect => {
  const dialect = families[name]
  if (dialect === undefined) throw new Error(`${name} has no dialect here`)
  return dialect
}

describe("errors of other JSON-RPC nodes", () => {
  for (const { answers, of } of rpc) {
    describe(of, () => {
      it.each(answers)("$fault: $code $message", ({ code, fault, message }) => {
        const { classify } = familyOf(of)
        expect(classify?.({ code, message })).toBe(fault)
      })
    })
  }
})

/** What a REST route makes of a failed answer. */
const read = (family: string, status: number, body: unknown) => {
  const { classify, failure, refusal } = familyOf(family)
  const text = typeof body === "string" ? body : JSON.stringify(body)
  const outcome = decodeRest(
    { status, text, url: "https://node.example" },
    {
      label: "route",
      parse: numberIntegers.parse,
      numbers: [],
      decode: undefined,
      noContent: false,
      text: false,
      classify,
      refusal,
      failure
    }
  )
  return Either.match(outcome, {
    onLeft: ({ error, fault }) => ({ tag: error._tag, fault }),
    onRight: () => ({ tag: "success", fault: undefined })
  })
}

interface Said {
  readonly of: string
  readonly answers: ReadonlyArray<{
    readonly fault: string
    readonly status: number
    readonly body: unknown
  }>
}

const programs: ReadonlyArray<Said> = rest

describe("what nodes with REST routes say no with", () => {
  for (const { answers, of } of programs) {
    describe(of, () => {
      it.each(answers)("$fault: $status $body", ({ body, fault, status }) =>
        expect(read(of, status, body)).toEqual({ tag: "RequestRejected", fault })
      )

      // an empty 404 or 410 of Octez cannot be told from one of a proxy
      it.each(proxies)("is not taken for it: $status $body ($of)", ({ body, status }) =>
        expect(read(of, status, body)).toEqual({ tag: "NodeError", fault: "unclear" })
      )

      it.each([401, 402, 403, 408, 429, 502, 503])("speaks of the request never with %i", (status) => {
        // Wasp itself ends a wait with an empty 408
        for (const { body } of proxies.filter((proxy) => proxy.body !== ""))
          expect(read(of, status, body).tag).toBe("NodeError")
      })
    })
  }
})
