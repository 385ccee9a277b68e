/** React Fast Refresh has to be on the page before React is. The files of a worker share one React, so each begins with this. */
import { pathToFileURL } from "node:url"

interface FastRefresh {
  readonly injectIntoGlobalHook: (page: object) => void
  readonly register: (type: unknown, id: string) => void
  readonly createSignatureFunctionForTransform: () => (type: unknown, key: string) => void
  readonly registerExportsForReactRefresh: (file: string, exports: object) => void
  readonly validateRefreshBoundaryAndEnqueueUpdate: (
    file: string,
    before: object,
    after: object
  ) => string | undefined
}

const file = pathToFileURL("node_modules/@vitejs/plugin-react/dist/refresh-runtime.js").href

/** The runtime of React Fast Refresh, in a file with a page. */
export const loadFastRefresh = (): Promise<FastRefresh> => import(/* @vite-ignore */ file)

const isPage = typeof window !== "undefined"
if (isPage && !("__REACT_DEVTOOLS_GLOBAL_HOOK__" in globalThis))
  (await loadFastRefresh()).injectIntoGlobalHook(globalThis)
