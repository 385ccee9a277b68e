/** Reads what contracts keep off-chain (EIP-3668). Loaded when a contract refers to its gateways. */
import * as Effect from "effect/Effect"
import * as AbiParameters from "ox/AbiParameters"
import * as Hex from "ox/Hex"
import { ContractReverted } from "../data/SdkError.js"
import { decodeCallAnswer, loadCodec, mapReverts } from "./callEncoding.js"
import { askCallback, askGateways } from "./ccipGateways.js"
import type { ContractCall, ContractClient, NameError, NameOptions, OffchainRequest } from "./Types.js"

type HexString = `0x${string}`

/** The most nested lookups, so that they end. */
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

/** Decodes the lookup of a contract. Its sender must be the contract: it must not pass on the lookup of another one. */
const decodeLookup = (
  { address, functionName }: ContractCall,
  data: string,
  depth: number
): Effect.Effect<OffchainLookup, ContractReverted> => {
  // without the lookup's bytes: with them the error would be followed again
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

/** Calls the contract with the gateways' answer, which may lead to another lookup. `depth` counts from 1. */
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
