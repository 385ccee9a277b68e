/** The layers between calls and nodes, for clients that import each of them explicitly. */
export { make as quorum } from "./Quorum.js"
export * from "./sharing.js"
