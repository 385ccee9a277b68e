/** What services and subscriptions of the Effect surface have in common, loaded with the first of them. */
export { Gateway, given } from "../services/internal/gateway.js"
export { makeSubscriptions } from "../subscriptions/streams.js"
