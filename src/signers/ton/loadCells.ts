/** The libraries want Node's `Buffer`, which browsers lack: there it comes from the package of that name. */
export const loadCells = async (): Promise<typeof import("./cells.js")> => {
  if (globalThis.Buffer === undefined) globalThis.Buffer = (await import("./buffer.js")).Buffer
  return import("./cells.js")
}
