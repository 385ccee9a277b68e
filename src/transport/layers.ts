/** The layers between calls and nodes, each of which is an import of its own where a client is one file. */
export { make as quorum } from "./Quorum.js"
export * from "./sharing.js"
