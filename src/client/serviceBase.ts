/** What all services and subscriptions of the Effect surface need, in one chunk. */
export { Gateway, given } from "../services/internal/gateway.js"
export { makeSubscriptions } from "../subscriptions/streams.js"
