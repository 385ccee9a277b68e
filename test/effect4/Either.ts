
export * from "../../src/effect4/Either.js"
export { flip, getOrThrow, getOrThrowWith } from "effect4/Result"
