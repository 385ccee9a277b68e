/** The page: a balance whose answer outlives it in IndexedDB, by the store of the docs. */
import { clear, get } from "idb-keyval"
import { type ReactElement, StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { SdkProvider, useRpc } from "../../../react/index.js"
import { PersistProvider } from "../../../react/persistence.js"
import { store } from "./store.js"

const config = {
  network: "ethereum-mainnet",
  apiKey: "none",
  verifyChain: false,
  rpc: { nodes: [{ url: `${location.origin}/node` }], statusCheckInterval: Number.POSITIVE_INFINITY }
} as const

/** All that was on the page, in its order. */
const seen: Array<string> = []

/** What stands in the database, without the store of the SDK. */
const database = { clear: () => clear(), text: () => get<string>("effect-chains") }

declare global {
  interface Window {
    seen: typeof seen
    database: typeof database
  }
}
window.seen = seen
window.database = database

const Seen = ({ text }: { readonly text: string }): ReactElement => {
  if (seen.at(-1) !== text) seen.push(text)
  return <p>{text}</p>
}

const Balance = (): ReactElement => {
  const { data, status } = useRpc("getBalance", [`0x${"a1".repeat(20)}`], {
    network: "ethereum-mainnet",
    staleTime: "1 minute"
  })
  return <Seen text={`${status} ${data}`} />
}

createRoot(document.body.appendChild(document.createElement("main"))).render(
  <StrictMode>
    <SdkProvider config={config}>
      <PersistProvider store={store} fallback={<Seen text="restoring" />}>
        <Balance />
      </PersistProvider>
    </SdkProvider>
  </StrictMode>
)
