/**
 * The Vite configuration of the playground. The page is in `react/playground`, and the plugins that read the repository
 * for it are here.
 */
import { join } from "node:path"
import react from "@vitejs/plugin-react"
import type { InlineConfig, Plugin } from "vite"
import { logos } from "../react/playground/shell/logos.js"
import { logosPlugin } from "./logos.js"
import { methodsPlugin } from "./methods.js"

/** Replaces the SDK's list of network ids. The page has the whole network table, and takes the ids from it. */
const idsPlugin = (root: string): Plugin => ({
  name: "ids of networks",
  enforce: "pre",
  resolveId: (source, importer) =>
    source === "./ids.js" && importer?.endsWith("/src/data/NetworkTable.ts") === true
      ? join(root, "react", "playground", "ids.ts")
      : undefined
})

/** Serves the page on loopback, and builds it into the cache. `root` is the repository's folder. */
export const makeViteConfig = (root: string): InlineConfig => ({
  root: join(root, "react", "playground"),
  cacheDir: join(root, "node_modules", ".cache", "vite-playground"),
  plugins: [react(), methodsPlugin(root), logosPlugin(logos), idsPlugin(root)],
  server: { host: "127.0.0.1" },
  preview: { host: "127.0.0.1" },
  build: {
    outDir: join(root, "node_modules", ".cache", "effect-chains", "playground"),
    emptyOutDir: true,
    target: "es2022",
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // merges the common modules of the SDK: thirty of 200 bytes each are larger and load later
        advancedChunks: {
          groups: [
            {
              name: "sdk",
              test: /\/src\/((data|wire|http|config|transport|balancer|client)\/|chains\/internal\/(Confirmation|faults)\.)/,
              minShareCount: 2
            },
            // merges the modules of the first screen's panels
            {
              name: "ui",
              test: /\/react\/playground\/(networks|ui\/(Form|Icon|Linked|OwnBalance|Tabs|Values))\./,
              minShareCount: 2
            },
            // merges the modules of the first screen's services
            {
              name: "services",
              test: /\/src\/services\/(Gateway|internal\/(amounts|dataInput|dataRows|ends|gateway|offsets|schema))\./,
              minShareCount: 2
            }
          ]
        }
      }
    }
  }
})
