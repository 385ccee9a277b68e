/** A chain node that runs here. */
export type NodeName = "anvil" | "surfpool" | "bcoin" | "bcash" | "lodestar" | "litecoind"
/** The path of what is run, if it is there. */
export const find: (name: NodeName) => string | undefined
/** The node, as a person who has to get it needs it. */
export const describe: (name: NodeName) => string
/** The path of what is run, installed if need be. Throws one Error that says what to do. */
export const ensure: (name: NodeName, options?: { readonly onProgress?: (line: string) => void }) => string
