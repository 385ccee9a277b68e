import type { RolldownOutput } from "rolldown"

/** Writes the program into a folder, as `main.js`. */
export const buildInto: (outdir: string) => Promise<RolldownOutput["output"]>
