/** Installs React Fast Refresh before React is loaded. It is a setup file, since all test files of a worker share one React. */
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

/** Loads the runtime of React Fast Refresh. It needs a `window`. */
export const loadFastRefresh = (): Promise<FastRefresh> => import(/* @vite-ignore */ file)

const isPage = typeof window !== "undefined"
if (isPage && !("__REACT_DEVTOOLS_GLOBAL_HOOK__" in globalThis))
  (await loadFastRefresh()).injectIntoGlobalHook(globalThis)
