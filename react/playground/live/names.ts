import { createContext, useContext } from "react"

/** What a node is called on this page, by its url. */
export const Names = createContext<ReadonlyMap<string, string>>(new Map())

/** Names nodes: as the sandbox does, otherwise by the host of their url. */
export const useNames = (): ((url: string) => string) => {
  const names = useContext(Names)
  return (url) => {
    const known = names.get(url)
    if (known !== undefined) return known
    return URL.canParse(url) ? new URL(url).host : url
  }
}
