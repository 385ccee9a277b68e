/** Programs that name the sandbox, in tests whose sandbox is at another port than the command's. */
import { SANDBOX_URL } from "../src/config/resolveConfig.js"

/** The url of a request to the origin `from`, at the origin `to`. Other urls stay as they are, those of ports that begin like that of `from` too. */
export const redirect = (wanted: string, from: string, to: string): string =>
  new URL(wanted).origin === from ? to + wanted.slice(from.length) : wanted

/** What Node is given so that the requests of a program to the sandbox's usual address go to this one. The program stays as it is. */
export const sandboxAt = (url: string): ReadonlyArray<string> => [
  "--import",
  `data:text/javascript,${encodeURIComponent(`
    const { fetch } = globalThis
    const redirect = ${redirect}
    globalThis.fetch = (input, init) =>
      fetch(input instanceof Request ? input : redirect(String(input), ${JSON.stringify(SANDBOX_URL)}, ${JSON.stringify(url)}), init)`)}`
]
