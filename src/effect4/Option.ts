export * from "effect4/Option"
export { fromNullishOr as fromNullable } from "effect4/Option"
