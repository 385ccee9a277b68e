import type { Subscribe } from "../../../src/services/Notification.js"

/** The subjects of subscriptions to an address, by the name of their method; the words are for people. */
export const kinds = {
  addressEvent: "Anything at the address",
  incomingNativeTx: "Coins arrive",
  outgoingNativeTx: "Coins leave",
  outgoingFailedTx: "A transaction fails",
  paidFee: "A fee is paid",
  incomingInternalTx: "Coins arrive from a contract",
  outgoingInternalTx: "Coins leave through a contract",
  incomingFungibleTx: "Tokens arrive",
  outgoingFungibleTx: "Tokens leave",
  incomingNftTx: "An NFT arrives",
  outgoingNftTx: "An NFT leaves",
  incomingMultitokenTx: "Multitokens arrive",
  outgoingMultitokenTx: "Multitokens leave"
} as const satisfies Partial<Record<keyof Subscribe, string>>

/** A kind of subscription to an address. */
export type Kind = keyof typeof kinds

/** Whether a name is one of these. */
export const isKind = (name: string): name is Kind => Object.hasOwn(kinds, name)
