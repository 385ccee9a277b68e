export * from "effect4/Layer"
export { effect as scoped, effectDiscard as scopedDiscard } from "effect4/Layer"
