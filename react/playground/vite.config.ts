import { fileURLToPath } from "node:url"
import { defineConfig } from "vite"
import { configOf } from "./config.js"

export default defineConfig(configOf(fileURLToPath(new URL("../..", import.meta.url))))
