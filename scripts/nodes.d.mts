import type { NodeName as OfSandbox } from "../src/sandbox/nodes/binaries.js"

/** A node of the sandbox, or the collector that tests start. */
export type NodeName = OfSandbox | "rotel"

/** The path of what is run, if it is there. */
export const find: (name: NodeName) => string | undefined
/** How a person gets the node, or why that is not to be had here. */
export const remedy: (name: NodeName) => string
/** The path of what is run, installed if need be. Throws one Error that says what to do. */
export const ensure: (name: NodeName, options?: { readonly onProgress?: (line: string) => void }) => string
