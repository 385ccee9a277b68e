export * from "effect4/Exit"
export { hasInterrupts as isInterrupted } from "effect4/Exit"
