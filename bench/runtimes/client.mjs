/** A process that imports one file, and says how many milliseconds that takes: `node bench/runtimes/client.mjs`. */
import { pathToFileURL } from "node:url"
import { serve } from "../ipc.mjs"

serve({
  load: async (file) => {
    const start = performance.now()
    await import(pathToFileURL(file).href)
    return performance.now() - start
  }
})
