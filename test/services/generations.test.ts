// @runtime both
/** Which generation of the data API a client asks, and what it remembers of that. */
import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { Config } from "../../src/config/Config.js"
import { Logger, make as makeLogger } from "../../src/config/Logger.js"
import { resolve, resolveWithEnvironment } from "../../src/config/resolveConfig.js"
import { GatewayError } from "../../src/data/SdkError.js"
import { Http, type HttpRequest } from "../../src/http/Http.js"
import * as Data from "../../src/services/DataApi.js"
import { Gateway, make as makeGateway } from "../../src/services/Gateway.js"
import { isRouteGone } from "../../src/services/internal/generations.js"
import * as Nft from "../../src/services/Nft.js"
import { runs } from "../properties.js"
import { type Answer, makeScripted } from "./scripted.js"

const chain = "ethereum-mainnet"
const owner = "0x53e8577c4347c365e4e0da5b57a589cb6f2ab849"
const found = { json: { result: [] } }
const gone: Answer = {
  status: 404,
  json: { statusCode: 404, message: "Cannot GET /v4/data", error: "Not Found" }
}
/** A log that nobody reads. */
const sink = { trace: () => {}, debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const paths = (lines: ReadonlyArray<string>) =>
  lines.map((line) => line.replace(/^GET \/v4\/data\/|\?.*$/g, ""))

describe("the generation of a route", () => {
  it.effect("is today's, and the other one where the provider does not have the route", () =>
    Effect.gen(function* () {
      const { lines, service } = yield* makeScripted(Data.make, [found, gone, found, found, found])
      const transfers = service.getTransactions({ chain, addresses: owner })
      const events = service.getEvents({ chain })
      yield* transfers
      yield* events
      yield* events
      yield* transfers
      expect(paths(lines())).toEqual([
        "transaction/history",
        "defi/events",
        "events",
        "events",
        "transaction/history"
      ])
    })
  )

  it.effect.each([
    ["v4", "defi/events"],
    ["legacy", "events"]
  ] as const)("is fixed by the configuration: %s", ([dataApi, path]) =>
    Effect.gen(function* () {
      const { lines, service } = yield* makeScripted(Data.make, [found, gone], { dataApi })
      yield* service.getEvents({ chain })
      expect(yield* Effect.flip(service.getEvents({ chain }))).toMatchObject({ status: 404 })
      expect(paths(lines())).toEqual([path, path])
    })
  )

  it.effect("is not in doubt for other failures, nor once it has served", () =>
    Effect.gen(function* () {
      const refused = [
        { status: 400, json: { errorCode: "validation.failed", data: ["attr.address must be an address"] } },
        { status: 401, json: { message: "no" } },
        { status: 404, json: { errorCode: "token.not.found", message: "No token of this name" } },
        { status: 500, text: "boom" }
      ]
      const { lines, service } = yield* makeScripted(Data.make, [...refused, found, gone], { retryCount: 0 })
      const events = service.getEvents({ chain, contractAddress: owner })
      for (const { status } of refused) expect(yield* Effect.flip(events)).toMatchObject({ status })
      yield* events
      expect(yield* Effect.flip(events)).toMatchObject({ status: 404 })
      expect(new Set(paths(lines()))).toEqual(new Set(["defi/events"]))
    })
  )

  it.effect("is today's alone where neither is there, until it is", () =>
    Effect.gen(function* () {
      const { lines, service } = yield* makeScripted(Data.make, [gone, gone, gone, found, gone])
      const events = service.getEvents({ chain })
      for (let i = 0; i < 2; i++) expect(yield* Effect.flip(events)).toMatchObject({ status: 404 })
      yield* events
      expect(yield* Effect.flip(events)).toMatchObject({ status: 404 })
      expect(paths(lines())).toEqual(["defi/events", "events", "defi/events", "defi/events", "defi/events"])
    })
  )

  it.effect("is the legacy one where a retired route refuses a parameter by its name", () =>
    Effect.gen(function* () {
      const refused = { status: 400, json: { data: ["attr.address must be a string"] } }
      const { lines, service } = yield* makeScripted(Nft.make, [refused, { json: true }, { json: false }])
      const ask = service.checkNftOwner({ tokenAddress: owner, tokenId: "1", owner })
      expect([yield* ask, yield* ask]).toEqual([true, false])
      expect(lines().map((line) => /ownerAddress|&address/.exec(line)?.[0])).toEqual([
        "ownerAddress",
        "&address",
        "&address"
      ])
    })
  )

  it.effect("is the legacy one where an answer has its form", () =>
    Effect.gen(function* () {
      const row = { tokenAddress: owner, tokenId: "1", type: "nft" }
      const list = { json: { result: [row] } }
      const { lines, service } = yield* makeScripted(Nft.make, [list, list, { json: [] }])
      expect(yield* service.getNftMetadata({ tokenAddress: owner, tokenId: "1" })).toMatchObject(row)
      expect(yield* service.getNftMetadata({ tokenAddress: owner, tokenId: "2" })).toBeNull()
      expect(lines().map((line) => /tokenIds?=\d/.exec(line)?.[0])).toEqual([
        "tokenId=1",
        "tokenIds=1",
        "tokenIds=2"
      ])
    })
  )

  it.effect("is the legacy one for a network that today's does not serve, as long as it is there", () =>
    Effect.gen(function* () {
      const refused = { status: 400, json: { message: "chain eon-mainnet is not supported" } }
      const { lines, service } = yield* makeScripted(Data.make, [found, gone, refused, refused])
      const events = service.getEvents({ chain: "eon-mainnet" })
      yield* events
      for (let i = 0; i < 2; i++) expect(yield* Effect.flip(events)).toMatchObject({ status: 400 })
      expect(paths(lines())).toEqual(["events", "events", "defi/events", "defi/events"])
    })
  )

  it.effect("makes no difference where both have a route alike", () =>
    Effect.gen(function* () {
      const { lines, service } = yield* makeScripted(Data.make, [gone, { json: { symbol: "T" } }])
      const token = service.getTokenInfo({ chain, tokenAddress: owner })
      expect(yield* Effect.flip(token)).toMatchObject({ status: 404 })
      expect(yield* token).toEqual({ symbol: "T" })
      expect(paths(lines())).toEqual(["tokens", "tokens"])
    })
  )

  it.effect("asks a generation that is gone for one part of a portfolio alone", () =>
    Effect.gen(function* () {
      const { lines, service } = yield* makeScripted(Data.make, [gone, found])
      yield* service.getBalancesOfAddresses({ chain, addresses: owner })
      expect(paths(lines())).toEqual(["wallet/portfolio", "balances"])
    })
  )

  it.effect("is one for all services of a client", () =>
    Effect.gen(function* () {
      const config = yield* Effect.orDie(
        resolveWithEnvironment({ network: chain, apiKey: "KEY", quiet: true }, resolve)
      )
      const sent: Array<HttpRequest> = []
      const bytes = new Uint8Array()
      const context = Context.make(Config, config).pipe(
        Context.add(Logger, makeLogger(config, sink)),
        Context.add(Http, {
          send: (request) => {
            sent.push(request)
            const isLegacy = request.url.includes("/data/balances")
            if (!isLegacy && !request.url.includes("/data/wallet/portfolio"))
              return Effect.die(new Error(`unexpected: ${request.url}`))
            return Effect.succeed({
              status: isLegacy ? 200 : 404,
              header: () => undefined,
              bytes,
              text: isLegacy ? '{"result":[]}' : '{"message":"Not Found"}'
            })
          }
        })
      )
      const of = <S>(make: Effect.Effect<S, never, Config | Gateway | Http | Logger>) =>
        make.pipe(Effect.provideServiceEffect(Gateway, makeGateway), Effect.provide(context))
      const [data, nft] = [yield* of(Data.make), yield* of(Nft.make)]
      yield* data.getBalancesOfAddresses({ chain, addresses: owner, tokenTypes: "fungible" })
      yield* nft.getBalance({ address: owner })
      expect(sent.filter(({ url }) => url.includes("portfolio"))).toHaveLength(1)
      expect(sent).toHaveLength(3)
    })
  )
})

describe("a missing route", () => {
  const error = (fields: Partial<ConstructorParameters<typeof GatewayError>[0]>) =>
    new GatewayError({ call: "GET data/defi/events", kind: "status", messages: [], ...fields })

  it.each([
    [405, ["Method Not Allowed"], undefined],
    [410, [], undefined],
    [404, ["Not Found"], undefined],
    [404, ["Cannot GET /v4/data/owners/address"], undefined],
    [404, ["HTTP 404 with an HTML page: 404 Not Found"], undefined],
    [404, ["The route does not exist"], "route.not.found"],
    [404, ["Not found"], "not.found"],
    [403, ["This endpoint has been deprecated, use another one"], undefined],
    [400, ["The API operation is no longer available"], undefined]
  ] as const)("is told by %s %j %s", (status, messages, code) => {
    expect(
      isRouteGone(error({ status, messages, ...(code === undefined ? {} : { code }) }), "events", "v4")
    ).toBe(true)
  })

  it.each([
    [404, ["Token 0x1 not found"], undefined],
    [404, ["not found"], "address.not.found"],
    [404, ["No data for this wallet"], "not.found"],
    [400, ["contractAddresses must be a string"], undefined],
    [400, ["chain must be one of the following values"], "validation.failed"],
    [401, ["Unauthorized"], undefined],
    [403, ["Your plan does not have this"], undefined],
    [429, ["Too many requests"], undefined],
    [500, ["The route is gone"], undefined],
    [undefined, ["Not Found"], undefined]
  ] as const)("is not %s %j %s", (status, messages, code) => {
    const fields = {
      messages,
      ...(code === undefined ? {} : { code }),
      ...(status === undefined ? {} : { status })
    }
    const asked = messages[0].startsWith("contractAddresses") ? "legacy" : "v4"
    expect(isRouteGone(error(fields), "events", asked)).toBe(false)
    expect(isRouteGone(error({ ...fields, kind: "connect" }), "events", "v4")).toBe(false)
  })

  it("is one whose parameters have, at the same path, the names of the other generation", () => {
    const refusing = (message: string) => error({ status: 400, messages: [message] })
    expect(isRouteGone(refusing("address must be a string"), "ownership", "v4")).toBe(true)
    expect(isRouteGone(refusing("property ownerAddress should not exist"), "ownership", "v4")).toBe(true)
    expect(isRouteGone(refusing("ownerAddress must be a string"), "ownership", "legacy")).toBe(true)
    expect(isRouteGone(refusing("ownerAddress must be an address"), "ownership", "v4")).toBe(false)
    expect(isRouteGone(refusing("tokenAddress must be an address"), "ownership", "v4")).toBe(false)
    // at another path no question can have the wrong form
    expect(isRouteGone(refusing("contractAddress must be a string"), "events", "v4")).toBe(false)
  })
})

type Kind = "both" | "v4" | "legacy"

/** Routes by what asks them, with their paths in both generations. */
const routes = {
  events: { legacy: "data/events", v4: "data/defi/events" },
  transfers: { legacy: "data/transactions", v4: "data/transaction/history" },
  balances: { legacy: "data/balances", v4: "data/wallet/portfolio" }
} as const

describe("over any sequence of calls", () => {
  it.effect("each route asks the generation that is gone at most once, and every call is answered", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(
          FastCheck.record({
            events: FastCheck.constantFrom<Kind>("both", "v4", "legacy"),
            transfers: FastCheck.constantFrom<Kind>("both", "v4", "legacy"),
            balances: FastCheck.constantFrom<Kind>("both", "v4", "legacy")
          }),
          FastCheck.array(
            FastCheck.tuple(
              FastCheck.constantFrom("events" as const, "transfers" as const, "balances" as const),
              // the provider fails now and then, whatever it serves
              FastCheck.constantFrom("ok", "ok", "fails")
            ),
            { maxLength: 20 }
          ),
          FastCheck.constantFrom("404", "405", "410"),
          async (served, calls, status) => {
            const config = await Effect.runPromise(
              resolveWithEnvironment({ network: chain, apiKey: "KEY", quiet: true, retryCount: 0 }, resolve)
            )
            const sent: Array<string> = []
            let fails = false
            const context = Context.make(Config, config).pipe(
              Context.add(Logger, makeLogger(config, sink)),
              Context.add(Http, {
                send: ({ url }) => {
                  const path = new URL(url).pathname.replace("/v4/", "")
                  sent.push(path)
                  const name = (["events", "transfers", "balances"] as const).find((each) =>
                    Object.values<string>(routes[each]).includes(path)
                  )
                  if (name === undefined) return Effect.die(new Error(`unexpected: ${url}`))
                  const isThere = served[name] === "both" || routes[name][served[name]] === path
                  return Effect.succeed({
                    status: isThere ? (fails ? 503 : 200) : Number(status),
                    header: () => undefined,
                    bytes: new Uint8Array(),
                    text: isThere && !fails ? '{"result":[]}' : '{"message":"Not Found"}'
                  })
                }
              })
            )
            const data = await Effect.runPromise(
              Data.make.pipe(Effect.provideServiceEffect(Gateway, makeGateway), Effect.provide(context))
            )
            const ask = {
              events: data.getEvents({ chain }),
              transfers: data.getTransactions({ chain, addresses: owner }),
              balances: data.getBalancesOfAddresses({ chain, addresses: owner })
            }
            for (const [name, outcome] of calls) {
              fails = outcome === "fails"
              const ended = await Effect.runPromise(
                Effect.either<ReadonlyArray<unknown>, Error, never>(ask[name])
              )
              expect(ended._tag).toBe(fails ? "Left" : "Right")
            }
            for (const name of ["events", "transfers", "balances"] as const) {
              const other = { both: "legacy", v4: "legacy", legacy: "v4" } as const
              const asked = sent.filter((path) => path === routes[name][other[served[name]]]).length
              expect(asked).toBeLessThanOrEqual(served[name] === "legacy" ? 1 : 0)
            }
          }
        ),
        { numRuns: runs(100) }
      )
    )
  )
})
