import { createContext, useContext } from "react"

/** The name of a node on this page, by its url. */
export const NamesContext = createContext<ReadonlyMap<string, string>>(new Map())

/** Names nodes: by their names in the sandbox, otherwise by the host of their url. */
export const useNames = (): ((url: string) => string) => {
  const names = useContext(NamesContext)
  return (url) => {
    const known = names.get(url)
    if (known !== undefined) return known
    return URL.canParse(url) ? new URL(url).host : url
  }
}
