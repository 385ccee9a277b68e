/** How the site is searched: the options of MiniSearch, which makes the index and asks it. The tests ask with the same ones. */
import type { Options } from "minisearch"

/**
 * Small letters, without the words of a question that say nothing of its answer. VitePress writes functions into the site as they
 * print, so that this one and the next name nothing outside of themselves.
 */
const processTerm = (term: string): string | null => {
  const word = term.toLowerCase()
  return word === "" ||
    /^(a|an|and|any|are|as|at|be|by|can|do|does|for|from|get|has|have|how|i|if|in|into|is|it|its|just|me|much|my|of|on|one|or|our|so|that|the|them|then|there|they|this|to|us|use|using|want|was|we|what|when|where|which|who|why|will|with|you|your)$/.test(
      word
    )
    ? null
    : word
}

/**
 * Pages for those who use the SDK come before the first page, the glossary, the tutorials and the checklists, which have a word of everything, those about
 * its own code, and the table of another SDK's names. The page of a topic comes before the start page, which has a bit of each. All of them
 * come before the pages of exports, unless the very name of an export was asked for that is no word of the language.
 */
const boostDocument = (id: unknown, term: string, stored?: Readonly<Record<string, unknown>>): number =>
  /^\/api\//.test(String(id))
    ? /[a-z][A-Z]/.test(String(stored?.title)) && String(stored?.title).toLowerCase() === term
      ? 1
      : 0.1
    : /^\/(#|$|architecture|effect-4|glossary|migration\/|production|project\/|troubleshooting|tutorial)/.test(
          String(id)
        )
      ? 0.4
      : /^\/start/.test(String(id))
        ? 0.5
        : 1

/**
 * What VitePress gives to MiniSearch, besides the fields of a page's parts. With one letter in ten that may differ, and with titles worth
 * that much, the answers to the tests' questions stand farthest before the headings of other pages.
 */
export const miniSearch = {
  options: { processTerm },
  searchOptions: { fuzzy: 0.1, prefix: true, boost: { title: 5, text: 2, titles: 1 }, boostDocument }
} satisfies { readonly options: Partial<Options>; readonly searchOptions: Options["searchOptions"] }
