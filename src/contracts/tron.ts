/** How contracts of Tron are called: by the routes of java-tron, with addresses as base58. Loaded with the first call of one. */
import * as Effect from "effect/Effect"
import type { Hex } from "../chains/evm/Types.js"
import { bytesToHex, hexToBytes } from "../data/hex.js"
import type { Network } from "../data/Network.js"
import { checkAddress, invalidArgument, privateProblem } from "../signers/signerChecks.js"
import { addressProblem, decodeAddress, encodeAddress } from "../signers/tron/address.js"
import { type ConstantCallResult, callConstant, computeEnergyFee, readPrices } from "../signers/tron/calls.js"
import { decodeAnswer, decodeLog, decodeRevert, encodeCall, encodeTopics } from "./abiCodec.js"
import { signatureOf } from "./abiItems.js"
import { type AbiCodec, type AddressCheck, makeContractReverted } from "./callEncoding.js"
import {
  type CallRequest,
  type ChainContracts,
  type ContractChain,
  makeContracts,
  requireSigner,
  type TronContractContext
} from "./contractOperations.js"
import type { ContractCall, ContractError } from "./Types.js"

/** Contracts know 20 bytes of an address. */
const toHex = (address: string): Hex => {
  const problem = addressProblem(address)
  if (problem !== undefined) throw new Error(`the address ${address} ${problem}`)
  return `0x${bytesToHex(decodeAddress(address).subarray(1))}`
}

const fromHex = (address: string): string => encodeAddress(hexToBytes(address.slice(2)))

const makeTronAddressCheck =
  (network: string): AddressCheck =>
  (address) =>
    Effect.map(
      checkAddress(
        network,
        String(address),
        typeof address === "string" ? addressProblem(address) : "must be text"
      ),
      toHex
    )

const addressFormat = { toHex, fromHex: fromHex }

/** Addresses are base58 in all that is encoded and decoded. */
const codec: AbiCodec = {
  encodeCall: (item, args) => encodeCall(item, args, addressFormat),
  decodeAnswer: (item, data) => decodeAnswer(item, data, addressFormat),
  decodeRevert: (abi, data) => decodeRevert(abi, data, addressFormat),
  encodeTopics: (forms, wanted) => encodeTopics(forms, wanted, addressFormat),
  decodeLog: (forms, log) => decodeLog(forms, log, addressFormat)
}

/** Multicall3 by network: Tron makes other addresses of the same code. */
const multicallAddresses: Readonly<Record<string, string>> = {
  "tron-mainnet": "TEazPvZwDjDtFeJupyo7QunvnrnUjPH8ED"
} satisfies { readonly [N in Network]?: string }

/** The caller of reads without an account. */
const ZERO_ADDRESS = encodeAddress(new Uint8Array(20))

/** Runs a call. A revert is the error of the ABI. */
const runCall = (
  { client: { network, rpc } }: TronContractContext,
  call: ContractCall,
  { data, from = ZERO_ADDRESS, to, value }: CallRequest
): Effect.Effect<ConstantCallResult, ContractError> =>
  Effect.gen(function* () {
    const owner = fromHex(yield* makeTronAddressCheck(network)(from))
    const answer = yield* Effect.catchIf(
      callConstant(rpc, {
        owner,
        contract: fromHex(to),
        functionSelector: signatureOf(call.item),
        parameter: data.slice("0x12345678".length),
        ...(value === undefined ? {} : { value })
      }),
      (error) => /contract is not exist/i.test(error.message),
      () => Effect.fail(invalidArgument(call.functionName, `there is no contract at ${call.address}`))
    )
    return answer.refusal === undefined
      ? answer
      : yield* makeContractReverted(codec, call, `0x${answer.hex}`, answer.refusal)
  })

const makeChain = (parties: TronContractContext): ContractChain => {
  const { network, rpc } = parties.client
  return {
    codec,
    checkAddress: makeTronAddressCheck(network),
    call: (call, request) => Effect.map(runCall(parties, call, request), ({ hex }): Hex => `0x${hex}`),
    estimate: (call, request) =>
      Effect.zipWith(runCall(parties, call, request), readPrices(rpc), ({ energy }, price) => ({
        energy,
        fee: computeEnergyFee(price, energy)
      })),
    write: ({ call, options, request: { data, to, value }, simulation }) =>
      Effect.gen(function* () {
        const { confirmations, maxFee, memo } = options
        const signer = yield* requireSigner(parties, call)
        // it would be public
        const problem = privateProblem(options.private, false)
        if (problem !== undefined) return yield* Effect.fail(invalidArgument(call.functionName, problem))
        // errors other than reverts, such as a balance that is too small, come from the signer with their numbers
        yield* Effect.catchTag(simulation, "RequestRejected", () => Effect.void)
        return yield* signer.sendTransaction({
          to: fromHex(to),
          functionSelector: signatureOf(call.item),
          parameter: data.slice("0x12345678".length),
          ...(value === undefined ? {} : { value }),
          ...(memo === undefined ? {} : { memo }),
          ...(maxFee === undefined ? {} : { maxFee }),
          ...(confirmations === undefined ? {} : { confirmations })
        })
      }),
    getLogs: rpc.getLogs,
    formatAddress: fromHex,
    multicallAddress: multicallAddresses[network]
  }
}

export const makeChainContracts = (parties: TronContractContext): Effect.Effect<ChainContracts> =>
  Effect.succeed(makeContracts(makeChain(parties), parties.signer?.address))
