import { specOf } from "../../data/Endpoint.js"

/**
 * A table of methods that are named after themselves: `getBalance` is `eth_getBalance`, and `traceBlock` is `trace_block`. Others come
 * with their names. `scripts/entries.mjs` tells the two apart.
 */
export const tableByName = <T extends object>(
  endpoints: ReadonlyArray<object | readonly [string, object]>
): T =>
  // the table has the type that the script writes beside it
  Object.fromEntries(
    endpoints.map((each) => {
      const spec = specOf(each)
      if (spec?.kind !== "rpc") return each as readonly [string, object]
      const [space = "", name = ""] = spec.method.split("_")
      return [
        /^(eth|web3)$/.test(space) ? name : `${space}${name.charAt(0).toUpperCase()}${name.slice(1)}`,
        each
      ]
    })
  ) as T
