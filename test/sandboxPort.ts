/** Programs that name the sandbox, in tests whose sandbox is at another port than the command's. */
import { SANDBOX_URL } from "../src/config/resolveConfig.js"

/** What Node is given so that the requests of a program to the sandbox's usual address go to this one. The program stays as it is. */
export const sandboxAt = (url: string): ReadonlyArray<string> => [
  "--import",
  `data:text/javascript,${encodeURIComponent(`
    const { fetch } = globalThis
    globalThis.fetch = (input, init) =>
      fetch(input instanceof Request ? input : String(input).replace(${JSON.stringify(SANDBOX_URL)}, ${JSON.stringify(url)}), init)`)}`
]
