/**
 * Further endpoints of nodes of Zcash.
 *
 * @since 0.1.0
 */
import { rpc } from "../../data/Endpoint.js"
import type { AddressBalance, AddressOutput, AddressQuery, Hex } from "./Types.js"

/** Balance of transparent addresses, in the smallest unit (Zcash). @since 0.1.0 @category endpoints */
export const getAddressBalance = /*#__PURE__*/ rpc<[query: AddressQuery], AddressBalance>("getaddressbalance")

/** Ids of the transactions of transparent addresses, between two heights (Zcash). @since 0.1.0 @category endpoints */
export const getAddressTxIds = /*#__PURE__*/ rpc<
  [query: AddressQuery & { readonly start?: number; readonly end?: number }],
  ReadonlyArray<Hex>
>("getaddresstxids").lists()

/** Unspent outputs of transparent addresses, in the smallest unit (Zcash). @since 0.1.0 @category endpoints */
export const getAddressUtxos = /*#__PURE__*/ rpc<[query: AddressQuery], ReadonlyArray<AddressOutput>>(
  "getaddressutxos"
).lists()

/** Shares of the reward of a block (whole coins), by default of the next (Zcash). @since 0.1.0 @category endpoints */
export const getBlockSubsidy = /*#__PURE__*/ rpc<[height?: number], Readonly<Record<string, unknown>>>(
  "getblocksubsidy"
)

/** Commitment trees at a block, by height or hash (Zcash). @since 0.1.0 @category endpoints */
export const getTreeState = /*#__PURE__*/ rpc<[hashOrHeight: string], Readonly<Record<string, unknown>>>(
  "z_gettreestate"
)

/** Roots of the subtrees of a pool, from an index on (Zcash). @since 0.1.0 @category endpoints */
export const getSubtreesByIndex = /*#__PURE__*/ rpc<
  [pool: "sapling" | "orchard", startIndex: number, limit?: number],
  {
    readonly pool: string
    readonly start_index: number
    readonly subtrees: ReadonlyArray<{ readonly root: Hex; readonly end_height: number }>
  }
>("z_getsubtreesbyindex").lists("subtrees")

/** Whether a shielded address is one of this chain (Zcash). @since 0.1.0 @category endpoints */
export const validateShieldedAddress = /*#__PURE__*/ rpc<
  [address: string],
  Readonly<Record<string, unknown>>
>("z_validateaddress")

/** Addresses inside a unified address, by kind (Zcash). @since 0.1.0 @category endpoints */
export const listUnifiedReceivers = /*#__PURE__*/ rpc<[address: string], Readonly<Record<string, string>>>(
  "z_listunifiedreceivers"
)
