export { flip, getOrThrow, getOrThrowWith } from "effect4/Result"
export * from "../../src/effect4/Either.js"
