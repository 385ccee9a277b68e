/** How contracts of EVM chains are called. Loaded with the first call of one. */
import * as Effect from "effect/Effect"
import { refused } from "../signers/Signer.js"
import { type Checks, checksOf, type Ox, tellingReverts } from "./calling.js"
import { type Chain, type Contracts, contractsOver, type EvmParties, writerOf } from "./operations.js"
import { decodeAnswer, decodeLog, encodeCall, revertOf, topicsOf } from "./ox.js"
import type { ContractCall, ContractClient, ContractError } from "./Types.js"

/** Multicall3, at one address on more than 250 chains. */
const MULTICALL = "0xcA11bde05977b3631167028862bE2a173976CA11"

const ox: Ox = { decodeAnswer, decodeLog, encodeCall, revertOf, topicsOf }

/** Functions that answer nothing succeed on addresses without code, too. */
const hasCode = ({ rpc }: ContractClient, { address, functionName }: ContractCall) =>
  Effect.flatMap(rpc.getCode(address), (code) =>
    code === "0x" ? Effect.fail(refused(functionName, `there is no contract at ${address}`)) : Effect.void
  )

const chainOf = (parties: EvmParties, check: Checks): Chain => {
  const { client } = parties
  const { rpc } = client
  return {
    ox,
    check,
    call: (call, { block, ...request }) =>
      Effect.tap(
        tellingReverts(ox, call)(block === undefined ? rpc.call(request) : rpc.call(request, block)),
        (answer) => (answer === "0x" && call.item.outputs.length === 0 ? hasCode(client, call) : Effect.void)
      ),
    estimate: (call, { block: _, ...request }) => tellingReverts(ox, call)(rpc.estimateGas(request)),
    write: ({
      call,
      options: { allowNonceGap, confirmations, maxFee },
      request: { data, to, value },
      trial
    }) =>
      Effect.gen(function* () {
        const signer = yield* writerOf(parties, call)
        // what is no refusal of the contract, such as too small a balance, the signer says in numbers
        yield* Effect.catchTag(trial, "RpcError", () => Effect.void)
        return yield* tellingReverts(
          ox,
          call
        )(
          signer.sendTransaction({
            to,
            data,
            ...(value === undefined ? {} : { value }),
            ...(allowNonceGap === undefined ? {} : { allowNonceGap }),
            ...(maxFee === undefined ? {} : { maxFee }),
            ...(confirmations === undefined ? {} : { confirmations })
          })
        )
      }),
    logs: rpc.getLogs,
    spell: (address) => address,
    multicall: MULTICALL
  }
}

export const contracts = (parties: EvmParties): Effect.Effect<Contracts, ContractError> =>
  Effect.map(checksOf(parties.client.network), (check) =>
    contractsOver(chainOf(parties, check), parties.signer?.address)
  )
