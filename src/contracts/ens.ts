/** What names of ENS need of ox: loaded with the first one. */
import * as Ens from "ox/Ens"
import * as Hex from "ox/Hex"

type H = `0x${string}`

/** Each label may cost a call, and who chooses a name also chooses how many it has. */
const MOST_LABELS = 32

const labelsOf = (name: string): ReadonlyArray<string> => name.split(".")

/** A name as it is hashed. Throws if it cannot be a name. */
export const normalOf = (name: string): string => {
  const normal = Ens.normalize(name)
  if (normal === "") throw new Error("a name has at least one letter")
  if (labelsOf(normal).length > MOST_LABELS) throw new Error(`a name has at most ${MOST_LABELS} labels`)
  return normal
}

export const isNormal = (name: string): boolean => {
  try {
    return normalOf(name) === name
  } catch {
    return false
  }
}

/** The name that says which name an address has chosen. */
export const reverseOf = (address: string): string => `${address.slice(2).toLowerCase()}.addr.reverse`

/** The nodes of a name, of its parents, and of the root, in this order. */
export const nodesOf = (name: string): readonly [H, ...ReadonlyArray<H>] => {
  const labels = labelsOf(name)
  return [Ens.namehash(name), ...labels.map((_, i) => Ens.namehash(labels.slice(i + 1).join(".")))]
}

/** The longest label that a length of one byte can stand before. */
const LONGEST = 255

/** A name with the length of each label before it, and a zero at the end (ENSIP-10). A longer label is known by its hash. */
export const wireOf = (name: string): H =>
  Hex.concat(
    ...labelsOf(name).map((label) => {
      const bytes = Hex.fromString(label)
      const fitting = Hex.size(bytes) > LONGEST ? Hex.fromString(`[${Ens.labelhash(label).slice(2)}]`) : bytes
      return Hex.concat(Hex.fromNumber(Hex.size(fitting), { size: 1 }), fitting)
    }),
    "0x00"
  )
