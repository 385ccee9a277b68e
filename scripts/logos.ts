/** Serves the logos of networks to a Vite page, from a package of icons: `/logos/ethereum.svg`. */
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import type { Plugin } from "vite"

interface IconSet {
  readonly icons: Readonly<Record<string, { readonly body: string }>>
  readonly width: number
  readonly height: number
}

const PATH = /^\/logos\/([a-z0-9-]+)\.svg$/

const makeSvg = ({ height, icons, width }: IconSet, name: string): string => {
  const icon = icons[name]
  if (icon === undefined) throw new Error(`@iconify-json/token-branded has no icon "${name}"`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${icon.body}</svg>`
}

/** Serves and builds the named logos. They are files and not modules, so that a browser requests only those in view. */
export const logosPlugin = (names: ReadonlySet<string>): Plugin => {
  let read: Promise<IconSet> | undefined
  const set = (): Promise<IconSet> => {
    read ??= readFile(
      createRequire(import.meta.url).resolve("@iconify-json/token-branded/icons.json"),
      "utf8"
    ).then((text): IconSet => JSON.parse(text))
    return read
  }
  return {
    name: "effect-chains-logos",
    configureServer: ({ middlewares }) =>
      void middlewares.use((request, response, next) => {
        const name = PATH.exec(request.url ?? "")?.[1]
        if (name === undefined || !names.has(name)) return next()
        set().then(
          (icons) => response.writeHead(200, { "content-type": "image/svg+xml" }).end(makeSvg(icons, name)),
          next
        )
      }),
    async generateBundle() {
      const icons = await set()
      for (const name of names)
        this.emitFile({ type: "asset", fileName: `logos/${name}.svg`, source: makeSvg(icons, name) })
    }
  }
}
