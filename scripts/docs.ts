/**
 * The documentation site: `node scripts/run.mjs scripts/docs.ts build` makes it, `… serve` shows it as it is edited. `--out=FOLDER` is
 * another folder than `docs/.vitepress/dist`.
 */
import { build, createServer } from "vitepress"

const option = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)

const root = "docs"

if (process.argv[2] === "build") {
  const outDir = option("out")
  await build(root, outDir === undefined ? {} : { outDir })
} else {
  const server = await createServer(root, { port: Number(option("port") ?? 5173) })
  await server.listen()
  server.printUrls()
}
