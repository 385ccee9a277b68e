import { StrictMode } from "react"
import { createRoot } from "react-dom/client"

import { App } from "./App.js"
import { addOwnNetworks, isNetwork } from "./networks.js"
import type { SandboxInfo } from "./session.js"
import "./styles.css"

const isSandbox = (value: unknown): value is SandboxInfo =>
  typeof value === "object" &&
  value !== null &&
  typeof Reflect.get(value, "baseUrl") === "string" &&
  isNetwork(String(Reflect.get(value, "network"))) &&
  Array.isArray(Reflect.get(value, "accounts"))

/** Finds the sandbox of the page's server. A static server answers with a page or an error instead. */
const findSandbox = async (): Promise<SandboxInfo | undefined> => {
  try {
    const response = await fetch("/sandbox.json")
    const found: unknown = response.ok ? await response.json() : undefined
    return isSandbox(found) ? found : undefined
  } catch {
    return undefined
  }
}

const root = document.getElementById("root")
if (root === null) throw new Error("the page has no #root")
const sandbox = await findSandbox()
const own = sandbox?.own ?? []
if (own.length > 0) {
  const { parseDefinition } = await import("../../src/config/defineNetwork.js")
  addOwnNetworks(own.map(({ definition, nodes }) => ({ definition: parseDefinition(definition), nodes })))
}
createRoot(root).render(
  <StrictMode>
    <App sandbox={sandbox} />
  </StrictMode>
)
