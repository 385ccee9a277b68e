import { createRoot } from "react-dom/client"
import { App } from "./App.js"

// http://localhost:5173/?order=1
const id = new URLSearchParams(location.search).get("order") ?? "1"
const root = document.getElementById("root")
if (root !== null) createRoot(root).render(<App id={id} />)
