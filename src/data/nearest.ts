/** The Levenshtein distance: how many letters to insert, delete or replace. */
export const editDistance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** No name is longer, and a comparison takes time in the length of a text from outside. */
const MAX_NAME_LENGTH = 40

/** The name that a wrong one was probably meant to be: more than a third of its letters are not wrong. */
export const findNearest = <N extends string>(
  wrong: string,
  names: ReadonlyArray<N>,
  distanceOf: (wrong: string, name: N) => number = (wanted, name) => editDistance(wanted, name.toLowerCase())
): N | undefined => {
  if (wrong.length > MAX_NAME_LENGTH) return undefined
  const wanted = wrong.toLowerCase()
  let best: N | undefined
  let least = wanted.length / 3
  for (const name of names) {
    const d = distanceOf(wanted, name)
    if (d < least) [best, least] = [name, d]
  }
  return best
}

/**
 * The id that a wrong one was probably meant to be: the nearest one, or the shortest that begins with it (`ethereum`), a mainnet
 * before a testnet. Undefined where nothing is near.
 */
export const findNearestId = <N extends string>(wrong: string, ids: ReadonlyArray<N>): N | undefined =>
  findNearest(wrong.trim().replace(/[\s_]+/g, "-"), ids, (wanted, id) =>
    id.startsWith(`${wanted}-`)
      ? (id.includes("mainnet") ? 0.1 : 0.5) + id.length / 1_000
      : editDistance(wanted, id)
  )
