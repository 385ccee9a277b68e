/** The libraries need Node's `Buffer`. Browsers do not have it, so it comes from the package `buffer` there. */
export const loadCells = async (): Promise<typeof import("./cells.js")> => {
  if (globalThis.Buffer === undefined) globalThis.Buffer = (await import("./buffer.js")).Buffer
  return import("./cells.js")
}
