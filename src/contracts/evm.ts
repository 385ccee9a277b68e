/** How contracts of EVM chains are called. Loaded with the first call of one. */
import * as Effect from "effect/Effect"
import * as Address from "ox/Address"
import { invalidArgument } from "../signers/signerChecks.js"
import { decodeAnswer, decodeLog, decodeRevert, encodeCall, encodeTopics } from "./abiCodec.js"
import { type AbiCodec, type AddressCheck, makeAddressCheck, mapReverts } from "./callEncoding.js"
import {
  type ChainContracts,
  type ContractChain,
  type EvmContractContext,
  makeContracts,
  requireSigner
} from "./contractOperations.js"
import type { ContractCall, ContractClient, ContractError } from "./Types.js"

/** Multicall3, at one address on more than 250 chains. */
const MULTICALL_ADDRESS = "0xcA11bde05977b3631167028862bE2a173976CA11"

const codec: AbiCodec = { decodeAnswer, decodeLog, encodeCall, decodeRevert, encodeTopics }

/** Functions that answer nothing succeed on addresses without code, too. */
const requireCode = ({ rpc }: ContractClient, { address, functionName }: ContractCall) =>
  Effect.flatMap(rpc.getCode(address), (code) =>
    code === "0x"
      ? Effect.fail(invalidArgument(functionName, `there is no contract at ${address}`))
      : Effect.void
  )

const makeChain = (parties: EvmContractContext, checkAddress: AddressCheck): ContractChain => {
  const { client } = parties
  const { rpc } = client
  return {
    codec,
    checkAddress,
    call: (call, { block, ...request }) =>
      Effect.tap(
        mapReverts(
          codec,
          call
        )(
          block === undefined
            ? rpc.call(request)
            : rpc.call(request, typeof block === "number" ? String(block) : block)
        ),
        (answer) =>
          answer === "0x" && call.item.outputs.length === 0 ? requireCode(client, call) : Effect.void
      ),
    estimate: (call, { block: _, ...request }) => mapReverts(codec, call)(rpc.estimateGas(request)),
    write: ({
      call,
      options: { allowNonceGap, confirmations, maxFee, private: isPrivate, speed },
      request: { data, to, value },
      simulation
    }) =>
      Effect.gen(function* () {
        const signer = yield* requireSigner(parties, call)
        // errors other than reverts, such as a balance that is too small, come from the signer with their numbers
        yield* Effect.catchTag(simulation, "RpcError", () => Effect.void)
        return yield* mapReverts(
          codec,
          call
        )(
          signer.sendTransaction({
            to,
            data,
            ...(value === undefined ? {} : { value }),
            ...(allowNonceGap === undefined ? {} : { allowNonceGap }),
            ...(maxFee === undefined ? {} : { maxFee }),
            ...(isPrivate === undefined ? {} : { private: isPrivate }),
            ...(speed === undefined ? {} : { speed }),
            ...(confirmations === undefined ? {} : { confirmations })
          })
        )
      }),
    getLogs: rpc.getLogs,
    formatAddress: (address) =>
      Address.validate(address, { strict: false }) ? Address.checksum(address) : address,
    multicallAddress: MULTICALL_ADDRESS
  }
}

export const makeChainContracts = (
  parties: EvmContractContext
): Effect.Effect<ChainContracts, ContractError> =>
  Effect.map(makeAddressCheck(parties.client.network), (check) =>
    makeContracts(makeChain(parties, check), parties.signer?.address)
  )
