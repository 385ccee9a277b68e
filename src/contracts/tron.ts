/** How contracts of Tron are called: by the routes of java-tron, with addresses as base58. Loaded with the first call of one. */
import * as Effect from "effect/Effect"
import type { Hex } from "../chains/evm/Types.js"
import { bytesOfHex, hexOf } from "../data/hex.js"
import type { Network } from "../data/Network.js"
import { addressed, refused } from "../signers/Signer.js"
import { addressOf, addressProblem, bytesOf } from "../signers/tron/address.js"
import { energyFee, pricesOf, type Tried, tried } from "../signers/tron/calls.js"
import { type Checks, type Ox, revert } from "./calling.js"
import { signatureOf } from "./items.js"
import {
  type Chain,
  type Contracts,
  contractsOver,
  type Request,
  type TronParties,
  writerOf
} from "./operations.js"
import { decodeAnswer, decodeLog, encodeCall, revertOf, topicsOf } from "./ox.js"
import type { ContractCall, ContractError } from "./Types.js"

/** Nodes write addresses with their first byte, too, which is that of the chain. */
const withPrefix = /^41[0-9a-f]{40}$/i

/** Contracts know 20 bytes of an address. */
const toHex = (address: string): Hex => {
  const problem = withPrefix.test(address) ? undefined : addressProblem(address)
  if (problem !== undefined) throw new Error(`the address ${address} ${problem}`)
  return `0x${withPrefix.test(address) ? address.slice(2).toLowerCase() : hexOf(bytesOf(address).subarray(1))}`
}

const ofHex = (address: string): string => addressOf(bytesOfHex(address.slice(2)))

const checkOf =
  (network: string): Checks =>
  (address) =>
    Effect.map(
      addressed(
        network,
        String(address),
        typeof address !== "string"
          ? "must be text"
          : withPrefix.test(address)
            ? undefined
            : addressProblem(address)
      ),
      toHex
    )

const written = { toHex, ofHex }

/** Addresses are base58 in all that is encoded and decoded. */
const ox: Ox = {
  encodeCall: (item, args) => encodeCall(item, args, written),
  decodeAnswer: (item, data) => decodeAnswer(item, data, written),
  revertOf: (abi, data) => revertOf(abi, data, written),
  topicsOf: (forms, wanted) => topicsOf(forms, wanted, written),
  decodeLog: (forms, log) => decodeLog(forms, log, written)
}

/** Multicall3 by network: Tron makes other addresses of the same code. */
const multicalls: Readonly<Record<string, string>> = {
  "tron-mainnet": "TEazPvZwDjDtFeJupyo7QunvnrnUjPH8ED"
} satisfies { readonly [N in Network]?: string }

/** Whoever asks without an account asks as nobody. */
const NOBODY = addressOf(new Uint8Array(20))

/** Runs a call; a contract that refuses it is the failure that its ABI says. */
const running = (
  { client: { network, rpc } }: TronParties,
  call: ContractCall,
  { data, from = NOBODY, to, value }: Request
): Effect.Effect<Tried, ContractError> =>
  Effect.gen(function* () {
    const owner = ofHex(yield* checkOf(network)(from))
    const answer = yield* Effect.catchIf(
      tried(rpc, {
        owner,
        contract: ofHex(to),
        functionSelector: signatureOf(call.item),
        parameter: data.slice("0x12345678".length),
        ...(value === undefined ? {} : { value })
      }),
      (error) => /contract is not exist/i.test(error.message),
      () => Effect.fail(refused(call.functionName, `there is no contract at ${call.address}`))
    )
    return answer.refusal === undefined ? answer : yield* revert(ox, call, `0x${answer.hex}`, answer.refusal)
  })

const chainOf = (parties: TronParties): Chain => {
  const { network, rpc } = parties.client
  return {
    ox,
    check: checkOf(network),
    call: (call, request) => Effect.map(running(parties, call, request), ({ hex }): Hex => `0x${hex}`),
    estimate: (call, request) =>
      Effect.zipWith(running(parties, call, request), pricesOf(rpc), ({ energy }, price) => ({
        energy,
        fee: energyFee(price, energy)
      })),
    write: ({ call, options: { confirmations, maxFee, memo }, request: { data, to, value }, trial }) =>
      Effect.gen(function* () {
        const signer = yield* writerOf(parties, call)
        // what is no refusal of the contract, such as too small a balance, the signer says in numbers
        yield* Effect.catchTag(trial, "RequestRejected", () => Effect.void)
        return yield* signer.sendTransaction({
          to: ofHex(to),
          functionSelector: signatureOf(call.item),
          parameter: data.slice("0x12345678".length),
          ...(value === undefined ? {} : { value }),
          ...(memo === undefined ? {} : { memo }),
          ...(maxFee === undefined ? {} : { maxFee }),
          ...(confirmations === undefined ? {} : { confirmations })
        })
      }),
    logs: rpc.getLogs,
    spell: ofHex,
    multicall: multicalls[network]
  }
}

export const contracts = (parties: TronParties): Effect.Effect<Contracts> =>
  Effect.succeed(contractsOver(chainOf(parties), parties.signer?.address))
