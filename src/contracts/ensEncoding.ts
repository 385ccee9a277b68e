/** What names of ENS need of ox: loaded with the first one. */
import * as Ens from "ox/Ens"
import * as Hex from "ox/Hex"

type HexString = `0x${string}`

/** The most labels of a name. Each label may cost a call, and the author of a name chooses their number. */
const MAX_LABELS = 32

const labelsOf = (name: string): ReadonlyArray<string> => name.split(".")

/** The hash of a name. Throws if the text cannot be a name. */
export const normalizeName = (name: string): string => {
  const normal = Ens.normalize(name)
  if (normal === "") throw new Error("a name has at least one letter")
  if (labelsOf(normal).length > MAX_LABELS) throw new Error(`a name has at most ${MAX_LABELS} labels`)
  return normal
}

export const isNormalized = (name: string): boolean => {
  try {
    return normalizeName(name) === name
  } catch {
    return false
  }
}

/** The name whose record is the name that an address has chosen. */
export const reverseNameOf = (address: string): string => `${address.slice(2).toLowerCase()}.addr.reverse`

/** The nodes of a name, of its parents, and of the root, in this order. */
export const namehashesOf = (name: string): readonly [HexString, ...ReadonlyArray<HexString>] => {
  const labels = labelsOf(name)
  return [Ens.namehash(name), ...labels.map((_, i) => Ens.namehash(labels.slice(i + 1).join(".")))]
}

/** The longest label, since its length is one byte. */
const MAX_LABEL_BYTES = 255

/** A name with the length of each label before it, and a zero at the end (ENSIP-10). A longer label is known by its hash. */
export const encodeDnsName = (name: string): HexString =>
  Hex.concat(
    ...labelsOf(name).map((label) => {
      const bytes = Hex.fromString(label)
      const encodedLabel =
        Hex.size(bytes) > MAX_LABEL_BYTES ? Hex.fromString(`[${Ens.labelhash(label).slice(2)}]`) : bytes
      return Hex.concat(Hex.fromNumber(Hex.size(encodedLabel), { size: 1 }), encodedLabel)
    }),
    "0x00"
  )
