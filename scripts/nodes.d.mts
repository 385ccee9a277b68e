import type * as Sandbox from "../src/sandbox/nodes/binaries.js"

/** A node of the sandbox, or what tests need: the collector that they start, and the contracts of Safe. */
export type NodeName = Sandbox.NodeName | "rotel" | "safe"

/** The path of the node's program, if it is installed. */
export const find: (name: NodeName) => string | undefined
/** The command that installs the node, or the reason why it is not available here. */
export const remedy: (name: NodeName) => string
/** The path of the node's program, installed if necessary. Throws one Error that says what to do. */
export const ensure: (name: NodeName, options?: { readonly onProgress?: (line: string) => void }) => string
