/**
 * `npm run bench -- sizes`: what a page with one call ships, of the files that are published. `test/bundle.test.ts` holds this SDK to
 * its limits.
 */
import { existsSync } from "node:fs"
import { isAbsolute } from "node:path"
import { round } from "../stats.mjs"
import { table } from "../table.mjs"
import { bundle, loaded, sizeOf, viteBundle } from "./bundle.mjs"
import { forms, pages } from "./pages.mjs"

const kilo = (bytes) => round(bytes / 1_000)

const [, firstLoad] = forms

/** A page in one form: its size by esbuild, and by Vite where that is wanted. */
const rowOf = async ({ name, code, needs = [], alias, external }, form, { vite }) => {
  const splitting = form === firstLoad
  const sent = (outputs) => (splitting ? loaded(outputs, "app.ts", ...needs) : outputs)
  const options = { splitting, alias, external }
  const outputs = sent(await bundle(code, options))
  return {
    name,
    form,
    minified: kilo(outputs.reduce((sum, { bytes }) => sum + bytes, 0)),
    gzip: kilo(sizeOf(outputs)),
    ...(vite ? { vite: kilo(sizeOf(sent(await viteBundle(code, options)))) } : {})
  }
}

const cellsOf = (row) => [row?.minified, row?.gzip, row?.vite]

/** Limits are those of the unit test: nothing here is a target. */
export const measures = () => ({})

export const run = async ({ quick, say }) => {
  const rows = []
  for (const page of pages) {
    const missing = Object.values(page.alias ?? {}).find((place) => isAbsolute(place) && !existsSync(place))
    if (missing !== undefined) continue
    const wanted = quick ? forms.filter((form) => form === page.quick) : forms
    for (const form of wanted) rows.push(await rowOf(page, form, { vite: !quick }))
    if (wanted.length > 0) say(`${page.name}: ${rows.at(-1).gzip} kB`)
  }
  const names = [...new Set(rows.map(({ name }) => name))]
  const of = (name, form) => rows.find((row) => row.name === name && row.form === form)
  return {
    result: { rows },
    tables: [
      table(
        "A page with one call: kB minified by esbuild, and after gzip by esbuild and by Vite",
        ["", ...forms.flatMap((form) => [`${form}: minified`, "gzip", "gzip, Vite"])],
        names.map((name) => [name, ...forms.flatMap((form) => cellsOf(of(name, form)))])
      )
    ]
  }
}
