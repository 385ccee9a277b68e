/** Runs a live example beside its page: one that never ends leaves the page as it is, and clients that were not destroyed end with it. */
import { replaying, SANDBOX, type Source } from "./answers.js"
import { type Door, run, told } from "./program.js"

/** What a page asks for: a program, and where its site's `live.json` is. */
export interface Asked {
  readonly program: string
  readonly answers: string
}

/** What it hears: lines, which sandbox answers, and the end. */
export type Told =
  | { readonly kind: "line" | "error" | "from"; readonly text: string }
  | { readonly kind: "end"; readonly text?: string }

const tell = (told: Told): void => globalThis.postMessage(told)

const missing = (what: string): void =>
  tell({
    kind: "error",
    text: `Not recorded: ${what}\nThis page has the answers to its own examples alone. \`npm run docs\` serves it over a sandbox, which answers everything.`
  })

const doorOf = (source: Source): Door =>
  "sandbox" in source
    ? { provider: source.sandbox, fetch: globalThis.fetch }
    : { provider: SANDBOX, fetch: replaying(source.recorded, missing) }

globalThis.onmessage = async ({ data }: MessageEvent<Asked>) => {
  try {
    const response = await fetch(data.answers, { cache: "no-cache" })
    if (!response.ok)
      throw new Error(
        `This copy of the site has no answers (${data.answers}): \`npm run docs:build\` makes one that has.`
      )
    const source: Source = await response.json()
    tell({
      kind: "from",
      text: "sandbox" in source ? `from the sandbox at ${source.sandbox}` : "answers recorded on the sandbox"
    })
    await run(data.program, doorOf(source), (text, isError) =>
      tell({ kind: isError ? "error" : "line", text })
    )
    tell({ kind: "end" })
  } catch (error) {
    tell({ kind: "end", text: told(error) })
  }
}
