export * from "effect4/Deferred"
export { doneUnsafe as unsafeDone } from "effect4/Deferred"
