/** Bandwidth and energy of an account of Tron: what a transaction needs, what the account has of it, and what is burnt for the rest. */
import * as Effect from "effect/Effect"
import { maxOf, minOf, parseWhole, withAgreement } from "../evidence.js"
import type { ReadError, Resources, ResourceUse } from "../Signer.js"
import { computeEnergyFee, marginOf, type PriceLookup } from "./calls.js"
import { type Contract, encodeRawData, signedSizeOf } from "./protobuf.js"
import type { TronCalls, TronTransaction } from "./Types.js"

type AccountResources = Effect.Effect.Success<ReturnType<TronCalls["getAccountResources"]>>
type AccountFacts = Effect.Effect.Success<ReturnType<TronCalls["getAccount"]>>

/** How several members pay: how many may sign, with which permission, and the limit of a call that they sign already. */
export interface Sharing {
  readonly members: number
  readonly permission: number
  readonly feeLimit?: bigint
}

interface PayingAccount {
  readonly address: string
  readonly rpc: Pick<TronCalls, "getAccountResources">
  readonly sharing?: Sharing
}

/** What a transaction needs, beside what nodes say that the account has. */
export interface ResourceNeeds {
  /** Bytes, which bandwidth is for. */
  readonly size: bigint
  /** Absent for what runs no contract. */
  readonly energy?: bigint
  readonly sharing?: Sharing
  readonly has: AccountResources
}

/** What is no number is none. */
const toAmount = (value: unknown): bigint => parseWhole(value) ?? 0n

const leftOf = (limit: unknown, used: unknown): bigint => maxOf(toAmount(limit) - toAmount(used), 0n)

/** Whether the account has bandwidth of either kind for all of the bytes: they do not add up. */
export const isBandwidthFree = ({ has, size }: Pick<ResourceNeeds, "has" | "size">): boolean =>
  leftOf(has.freeNetLimit, has.freeNetUsed) >= size || leftOf(has.NetLimit, has.NetUsed) >= size

/** Whether the account has energy for all that the call may take. */
export const isEnergyFree = ({ energy = 0n, has }: Pick<ResourceNeeds, "has" | "energy">): boolean =>
  leftOf(has.EnergyLimit, has.EnergyUsed) >= marginOf(energy)

/** Bytes of a transaction as it is signed: no number in it is longer then. */
const measureTransaction = (
  transaction: TronTransaction,
  sharing: Sharing | undefined,
  contract: Contract | undefined
): bigint => {
  const timestamp = 2n ** 41n
  const blockId = "f".repeat(64)
  const shared = sharing && { permission: sharing.permission, block: blockId, timestamp }
  const raw = encodeRawData(
    { ...transaction, ...(shared === undefined ? {} : { shared }) },
    { blockId, timestamp, expiration: timestamp },
    contract
  )
  return signedSizeOf(raw, sharing?.members ?? 1)
}

/** What a transaction needs, and what the account has. That it has enough is what two nodes say where there are two. */
export const readNeeds = (
  { address, rpc, sharing }: PayingAccount,
  transaction: TronTransaction,
  { contract, energy }: { readonly contract?: Contract; readonly energy?: bigint } = {}
): Effect.Effect<ResourceNeeds, ReadError> => {
  const needs = {
    size: measureTransaction(transaction, sharing, contract),
    ...(energy === undefined ? {} : { energy }),
    ...(sharing === undefined ? {} : { sharing })
  }
  return Effect.map(
    withAgreement(rpc.getAccountResources(address, { visible: true }), (one, other) =>
      [isBandwidthFree, isEnergyFree].every(
        (isFree) => isFree({ ...needs, has: one }) === isFree({ ...needs, has: other })
      )
    ),
    (has) => ({ ...needs, has })
  )
}

/**
 * What is burnt for bytes, for a memo, which always costs, and for more signatures than one. Members who sign within a day see one fee: it
 * counts on no bandwidth, which the account may have or have not by then.
 */
export const computeBytesFee =
  (needs: ResourceNeeds, { memo }: Pick<TronTransaction, "memo">) =>
  (price: PriceLookup): bigint => {
    const { sharing, size } = needs
    const isFree = sharing === undefined && isBandwidthFree(needs)
    return (
      (memo === undefined ? 0n : price("getMemoFee")) +
      (isFree ? 0n : size * price("getTransactionFee")) +
      ((sharing?.members ?? 1) > 1 ? price("getMultiSignFee") : 0n)
    )
  }

/** Sun of a whole TRX, in which the chain counts stakes. */
const SUN = 1_000_000n

/** The part of what is left that comes of stakes of others. A stake's share of a resource is its share of all stakes. */
const shareOfOthers = (
  left: bigint,
  limit: bigint,
  stakes: ReadonlyArray<unknown>,
  [totalLimit, totalWeight]: readonly [unknown, unknown]
): bigint => {
  const weight = toAmount(totalWeight) * SUN
  if (limit === 0n || weight === 0n) return 0n
  const staked = stakes.reduce<bigint>((sum, stake) => sum + toAmount(stake), 0n)
  const acquired = minOf((staked * toAmount(totalLimit)) / weight, limit)
  return (left * acquired) / limit
}

const splitLeft = (left: bigint, delegated: bigint) => ({ staked: left - delegated, delegated })

/** Where the resources of a transaction come from, for its preview. */
export const describeResources = (
  needs: ResourceNeeds,
  account: AccountFacts,
  price: PriceLookup
): Resources => {
  const { energy, has, size } = needs
  const net = leftOf(has.NetLimit, has.NetUsed)
  const burntBytes = isBandwidthFree(needs) ? 0n : size
  const bandwidth: ResourceUse = {
    needed: size,
    ...splitLeft(
      net,
      shareOfOthers(
        net,
        toAmount(has.NetLimit),
        [
          account?.acquired_delegated_frozenV2_balance_for_bandwidth,
          account?.acquired_delegated_frozen_balance_for_bandwidth
        ],
        [has.TotalNetLimit, has.TotalNetWeight]
      )
    ),
    free: leftOf(has.freeNetLimit, has.freeNetUsed),
    burnt: burntBytes,
    cost: burntBytes * price("getTransactionFee")
  }
  if (energy === undefined) return { bandwidth }
  const left = leftOf(has.EnergyLimit, has.EnergyUsed)
  const own = account?.account_resource
  const burnt = maxOf(energy - left, 0n)
  return {
    bandwidth,
    energy: {
      needed: energy,
      ...splitLeft(
        left,
        shareOfOthers(
          left,
          toAmount(has.EnergyLimit),
          [
            own?.acquired_delegated_frozenV2_balance_for_energy,
            own?.acquired_delegated_frozen_balance_for_energy
          ],
          [has.TotalEnergyLimit, has.TotalEnergyWeight]
        )
      ),
      burnt,
      cost: computeEnergyFee(price, burnt)
    }
  }
}
