/**
 * Writes the digest of the provider's description of its data API: routes with their parameters, chains, credits and
 * the fields of their answers. The description is not part of this repository: `node scripts/run.mjs
 * scripts/providerRoutes.ts FILE`.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"

interface Parameter {
  readonly name: string
  readonly required: boolean
  readonly enum?: string
}

interface DescribedRoute {
  readonly chains?: ReadonlyArray<string>
  readonly credits: number | null
  readonly query?: ReadonlyArray<Parameter>
  readonly body?: ReadonlyArray<Parameter>
  readonly response: { readonly is?: string; readonly shapes?: ReadonlyArray<unknown> }
}

/** The names of the fields of an answer, or of a list's rows. */
const listFields = (shape: unknown): ReadonlyArray<string> => {
  if (Array.isArray(shape)) return shape.flatMap(listFields)
  if (typeof shape !== "object" || shape === null) return []
  const entries = Object.entries(shape)
  const [first] = entries
  // the answer is a page
  if (entries.length === 1 && first !== undefined && first[0] === "data") return listFields(first[1])
  return entries.map(([name]) => name)
}

const [source] = process.argv.slice(2)
if (source === undefined) throw new Error("usage: node scripts/run.mjs scripts/providerRoutes.ts FILE")
const { endpoints }: { readonly endpoints: Readonly<Record<string, DescribedRoute>> } = JSON.parse(
  readFileSync(source, "utf8")
)

const digest = Object.fromEntries(
  Object.entries(endpoints)
    .filter(
      ([route]) =>
        (/ \/v4\/data\//.test(route) && !route.includes("/marketplace/")) ||
        / \/v4\/blockchainOperations\//.test(route)
    )
    .map(([route, { body, chains = [], credits, query = body ?? [], response }]) => [
      route,
      {
        ...(credits === null ? {} : { credits }),
        chains,
        parameters: Object.fromEntries(query.map(({ name, required }) => [name, required])),
        // only the text of the parameter has the chains of a body
        ...(query.find(({ name }) => name === "chain")?.enum === undefined
          ? {}
          : { words: query.find(({ name }) => name === "chain")?.enum?.split(", ") }),
        fields: [...new Set((response.shapes ?? []).flatMap(listFields))].sort()
      }
    ])
)

writeFileSync(resolve("test/specs/digests/provider-data.json"), `${JSON.stringify(digest, undefined, 2)}\n`)
