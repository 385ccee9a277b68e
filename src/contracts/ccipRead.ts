/** What contracts keep outside of the chain (EIP-3668): loaded when one of them refers to its gateways. */
import * as Effect from "effect/Effect"
import * as AbiParameters from "ox/AbiParameters"
import * as Hex from "ox/Hex"
import { ContractReverted } from "../data/SdkError.js"
import { decodeCallAnswer, loadCodec, mapReverts } from "./callEncoding.js"
import { askCallback, askGateways } from "./ccipGateways.js"
import type { ContractCall, ContractClient, NameError, NameOptions, OffchainRequest } from "./Types.js"

type HexString = `0x${string}`

/** Lookups in each other, so that they end. */
const MAX_LOOKUPS = 4

/** `OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)`. */
const lookupParameters = [
  { type: "address" },
  { type: "string[]" },
  { type: "bytes" },
  { type: "bytes4" },
  { type: "bytes" }
] as const

/** `callbackFunction(bytes response, bytes extraData)`. */
const callbackParameters = [{ type: "bytes" }, { type: "bytes" }] as const

interface OffchainLookup {
  readonly request: OffchainRequest
  /** What the contract is asked with the response of a gateway. */
  readonly encodeCallback: (response: HexString) => HexString
}

/** What a contract refers to, of which it is itself the sender: another one's lookup is not its own words. */
const decodeLookup = (
  { address, functionName }: ContractCall,
  data: string,
  depth: number
): Effect.Effect<OffchainLookup, ContractReverted> => {
  // without the bytes of the lookup: with them it would be one, and followed again
  const refusal = (reason: string) =>
    new ContractReverted({ address, functionName, errorName: "OffchainLookup", reason })
  if (depth > MAX_LOOKUPS) return Effect.fail(refusal(`it refers to gateways more than ${MAX_LOOKUPS} times`))
  return Effect.flatMap(
    Effect.try({
      try: () => AbiParameters.decode(lookupParameters, `0x${data.slice(10)}`),
      catch: () => refusal("it refers to gateways in bytes that cannot be read")
    }),
    // ox reads addresses in lower case
    ([sender, urls, question, selector, extra]) =>
      sender === address.toLowerCase()
        ? Effect.succeed({
            request: { sender, urls, data: question },
            encodeCallback: (response) =>
              Hex.concat(selector, AbiParameters.encode(callbackParameters, [response, extra]))
          })
        : Effect.fail(refusal(`it hands on what ${sender} refers to`))
  )
}

/** What a contract says to a call once its gateways have been asked, which may be to ask them again. `depth` counts from 1 on. */
export const answerOffchain = (
  { client, ccipRead = true }: NameOptions & { readonly client: ContractClient },
  call: ContractCall,
  { data = "0x" }: ContractReverted,
  depth: number
): Effect.Effect<unknown, NameError> =>
  Effect.gen(function* () {
    const ox = yield* loadCodec
    const { encodeCallback, request } = yield* decodeLookup(call, data, depth)
    const response = yield* typeof ccipRead === "function"
      ? askCallback(ccipRead, request)
      : askGateways(request, ccipRead === "localhost")
    const answer = yield* mapReverts(
      ox,
      call
    )(client.rpc.call({ to: request.sender, data: encodeCallback(response) }))
    return yield* decodeCallAnswer(ox, call, answer)
  })
