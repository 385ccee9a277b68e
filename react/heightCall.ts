/**
 * The name of the call that reads a chain's height: the one that is marked as such. On Solana it is `getSlot`, since subscriptions report
 * slots, and slots without a block make the slot the higher number.
 */
export const findHeightCall = (rpc: object): string | undefined =>
  Object.entries(rpc).find(([, member]) => typeof member === "function" && "height" in member)?.[0] ??
  ("getSlot" in rpc ? "getSlot" : undefined)
