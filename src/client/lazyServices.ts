/**
 * The chunk that a Promise client loads with its first service, subscription or extension. It is one chunk: these parts
 * share most of their code, and every extra chunk adds the export names that connect it to the others.
 */
export { make as address } from "../services/Address.js"
export { make as contract } from "../services/Contract.js"
export { make as data } from "../services/DataApi.js"
export { make as explorer } from "../services/Explorer.js"
export { make as fee } from "../services/Fee.js"
export { currentGateway, Gateway } from "../services/internal/gateway.js"
export { make as nft } from "../services/Nft.js"
export { make as notification } from "../services/Notification.js"
export { make as provider } from "../services/Provider.js"
export { make as rates } from "../services/Rates.js"
export { make as ipfs } from "../services/Storage.js"
export { make as token } from "../services/Token.js"
export { make as wallet } from "../services/WalletProvider.js"
export { makeSubscriptions } from "../subscriptions/streams.js"
export { check, handleOf, start } from "./extensions.js"
export { openStreamItems } from "./streamItems.js"
