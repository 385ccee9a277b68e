/** What all services and subscriptions of the Effect surface need, in one chunk. */
export { currentGateway, Gateway } from "../services/internal/gateway.js"
export { makeSubscriptions } from "../subscriptions/streams.js"
