import type { RolldownOutput } from "rolldown"

/** Writes the program into a folder; its file is `main.js` there. */
export const buildInto: (outdir: string) => Promise<RolldownOutput["output"]>
