import { fileURLToPath } from "node:url"
import { defineConfig } from "vite"
import { makeViteConfig } from "./config.js"

export default defineConfig(makeViteConfig(fileURLToPath(new URL("../..", import.meta.url))))
