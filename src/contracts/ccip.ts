/** What contracts keep outside of the chain (EIP-3668): loaded when one of them refers to its gateways. */
import * as Effect from "effect/Effect"
import * as AbiParameters from "ox/AbiParameters"
import * as Hex from "ox/Hex"
import { ContractReverted } from "../data/SdkError.js"
import { decoded, loadOx, tellingReverts } from "./calling.js"
import { askGateways, askOwn } from "./gateways.js"
import type { ContractCall, ContractClient, NameError, NameOptions, OffchainRequest } from "./Types.js"

type H = `0x${string}`

/** Lookups in each other, so that they end. */
const MOST = 4

/** `OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)`. */
const lookup = [
  { type: "address" },
  { type: "string[]" },
  { type: "bytes" },
  { type: "bytes4" },
  { type: "bytes" }
] as const

/** `callbackFunction(bytes response, bytes extraData)`. */
const callback = [{ type: "bytes" }, { type: "bytes" }] as const

interface Lookup {
  readonly request: OffchainRequest
  /** What the contract is asked with the response of a gateway. */
  readonly callOf: (response: H) => H
}

/** What a contract refers to, of which it is itself the sender: another one's lookup is not its own words. */
const lookupOf = (
  { address, functionName }: ContractCall,
  data: string,
  depth: number
): Effect.Effect<Lookup, ContractReverted> => {
  // without the bytes of the lookup: with them it would be one, and followed again
  const refusal = (reason: string) =>
    new ContractReverted({ address, functionName, errorName: "OffchainLookup", reason })
  if (depth > MOST) return Effect.fail(refusal(`it refers to gateways more than ${MOST} times`))
  return Effect.flatMap(
    Effect.try({
      try: () => AbiParameters.decode(lookup, `0x${data.slice(10)}`),
      catch: () => refusal("it refers to gateways in bytes that cannot be read")
    }),
    // ox reads addresses in lower case
    ([sender, urls, question, selector, extra]) =>
      sender === address.toLowerCase()
        ? Effect.succeed({
            request: { sender, urls, data: question },
            callOf: (response) => Hex.concat(selector, AbiParameters.encode(callback, [response, extra]))
          })
        : Effect.fail(refusal(`it hands on what ${sender} refers to`))
  )
}

/** What a contract says to a call once its gateways have been asked, which may be to ask them again. `depth` counts from 1 on. */
export const answerThrough = (
  { client, ccipRead = true }: NameOptions & { readonly client: ContractClient },
  call: ContractCall,
  { data = "0x" }: ContractReverted,
  depth: number
): Effect.Effect<unknown, NameError> =>
  Effect.gen(function* () {
    const ox = yield* loadOx
    const { callOf, request } = yield* lookupOf(call, data, depth)
    const response = yield* typeof ccipRead === "function"
      ? askOwn(ccipRead, request)
      : askGateways(request, ccipRead === "localhost")
    const answer = yield* tellingReverts(
      ox,
      call
    )(client.rpc.call({ to: request.sender, data: callOf(response) }))
    return yield* decoded(ox, call, answer)
  })
