/** What names of ENS need of ox: loaded with the first one. */
import * as Ens from "ox/Ens"

type H = `0x${string}`

/** The node of a name in the registry. Throws if it cannot be a name. */
export const nodeOf = (name: string): H => {
  const normal = Ens.normalize(name)
  if (normal === "") throw new Error("a name has at least one letter")
  return Ens.namehash(normal)
}

/** The node that says which name an address has chosen. */
export const reverseNodeOf = (address: string): H =>
  Ens.namehash(`${address.slice(2).toLowerCase()}.addr.reverse`)

export const isNormal = (name: string): boolean => {
  try {
    return name !== "" && Ens.normalize(name) === name
  } catch {
    return false
  }
}
