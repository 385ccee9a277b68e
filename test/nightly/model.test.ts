/** The models of the balancer and of subscriptions in ten times as many worlds as in every run; `MODEL_TIMES` is another factor than ten. */
process.env.MODEL_TIMES ??= "10"
await import("../balancer/balancer.model.test.js")
await import("../Subscription.model.test.js")
