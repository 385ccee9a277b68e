import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

// the shop's server of step 9
export default defineConfig({ plugins: [react()], server: { proxy: { "/orders": "http://127.0.0.1:8080" } } })
