import loaders from "virtual:effect-chains-methods"
import { useEffect, useState } from "react"
import type { Network } from "../../../src/data/Network.js"
import type { Services } from "../../../src/services/Services.js"
import { info, supports } from "../networks.js"
import type { Method } from "./model.js"

const isService = (path: string): path is keyof Services | `${keyof Services}.${string}` =>
  !path.startsWith("rpc.")

/** Streams are for code: the console shows one answer per call. */
const isCallable = ({ kind }: Method): boolean => kind !== "stream" && kind !== "live"

const loadMethods = async (network: Network): Promise<ReadonlyArray<Method>> => {
  const [family, services] = await Promise.all([loaders[info(network).family]?.(), loaders.services?.()])
  const own = (services?.default ?? []).filter(({ path }) => isService(path) && supports(network, path))
  // methods in groups come after those that every network of the family has
  const isNested = ({ path }: Method): boolean => path.split(".").length > 2
  const nodes = family?.default ?? []
  return [...nodes.filter((each) => !isNested(each)), ...nodes.filter(isNested), ...own].filter(isCallable)
}

/** The methods of a network that can be called; undefined until they are loaded. */
export const useMethods = (network: Network): ReadonlyArray<Method> | undefined => {
  const [methods, setMethods] = useState<{ readonly of: Network; readonly all: ReadonlyArray<Method> }>()
  useEffect(() => {
    let current = true
    void loadMethods(network).then((all) => {
      if (current) setMethods({ of: network, all })
    })
    return () => {
      current = false
    }
  }, [network])
  return methods?.of === network ? methods.all : undefined
}
