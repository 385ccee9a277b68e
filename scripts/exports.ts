/**
 * Makes the pages of exports, `docs/api`: one for each entry of the packages, and one for each module that an entry
 * exports by a name; and the reference of services and families beside them. They are made again only after a change of the sources.
 */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import {
  Application,
  Converter,
  PageEvent,
  type ReferenceReflection,
  type Reflection,
  ReflectionKind
} from "typedoc"
import {
  type MarkdownPageEvent,
  MarkdownTheme,
  MarkdownThemeContext,
  ModuleRouter
} from "typedoc-plugin-markdown"
import { makeReference, membersOf } from "./reference.js"
import { entries } from "./sources.js"

const TYPEDOC_OPTIONS = "docs/.vitepress/typedoc.json"
const OUTPUT_FOLDER = "docs/api"
const DIGEST_FILE = "node_modules/.cache/effect-chains-api"

const hashSources = (): string => {
  const hash = createHash("sha256")
  for (const file of [
    TYPEDOC_OPTIONS,
    "docs/.vitepress/exports.md",
    "scripts/exports.ts",
    "scripts/reference.ts",
    "test/conformance/vectors/services.json",
    "scripts/sources.ts"
  ])
    hash.update(readFileSync(file))
  for (const folder of ["src", "react", "packages/fleet/src"]) {
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
      if (/\.tsx?$/.test(file)) hash.update(file).update(readFileSync(join(folder, file)))
    }
  }
  return hash.digest("hex")
}

/** The layout of the pages: re-exports have paragraphs too, and the version of an export is on one line. */
class Context extends MarkdownThemeContext {
  constructor(...args: ConstructorParameters<typeof MarkdownThemeContext>) {
    super(...args)
    const { referenceMember } = this.partials
    this.partials.referenceMember = (model: ReferenceReflection): string => {
      const target = model.tryGetTargetReflectionDeep()
      const [signature] = target?.isDeclaration() ? (target.signatures ?? []) : []
      const { summary = [] } = target?.comment ?? signature?.comment ?? {}
      return [this.helpers.getCommentParts(summary), referenceMember(model)].join("\n\n")
    }
  }
}

class Theme extends MarkdownTheme {
  override getRenderContext(page: MarkdownPageEvent<Reflection>): Context {
    return new Context(this, page, this.application.options)
  }
}

/** The page of an entry is in a folder of its name. Exports that are not modules have no page, and use up no name. */
class Router extends ModuleRouter {
  override getIdealBaseName(reflection: Reflection): string {
    if (reflection.kindOf(ReflectionKind.Module)) return `${reflection.name}/index`
    return reflection.kindOf(ReflectionKind.Namespace)
      ? super.getIdealBaseName(reflection)
      : `members/${reflection.id}`
  }
}

/** The entry with this source file of a package. */
const entryNameOf = (of = "", path = ""): string | undefined =>
  Object.entries(entries).find(
    ([name, file]) => name.startsWith(of) && file.replace(/^\.\/(packages\/\w+\/)?/, "") === path
  )?.[0]

const makePages = async (): Promise<void> => {
  const app = await Application.bootstrapWithPlugins({
    options: TYPEDOC_OPTIONS,
    entryPoints: Object.values(entries)
  })
  app.renderer.defineTheme("exports", Theme)
  app.renderer.defineRouter("exports", Router)
  app.options.setValue("theme", "exports")
  app.options.setValue("router", "exports")
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    for (const module of project.children ?? []) {
      const id = project.getSymbolIdFromReflection(module)
      module.name = entryNameOf(id?.packageName, id?.packagePath) ?? module.name
    }
  })
  app.renderer.on(PageEvent.END, (page) => {
    page.contents = (page.contents ?? "").replace(/^#+ Since\b.*\n\n(.+)$/gm, "Since $1")
  })
  const project = await app.convert()
  if (project === undefined) throw new Error("typedoc could not read the entries")
  app.options.setValue("outputs", [{ name: "markdown", path: OUTPUT_FOLDER }])
  await app.generateOutputs(project)
  if (app.logger.hasErrors()) throw new Error("typedoc could not make the pages of exports")
}

const sourcesHash = hashSources()
if (
  !existsSync(OUTPUT_FOLDER) ||
  !existsSync(DIGEST_FILE) ||
  readFileSync(DIGEST_FILE, "utf8") !== sourcesHash
) {
  process.stdout.write("Making the pages of exports …\n")
  rmSync(OUTPUT_FOLDER, { recursive: true, force: true })
  await makePages()
  const pages = makeReference(process.cwd())
  writeFileSync(join(OUTPUT_FOLDER, "members.json"), JSON.stringify(membersOf(pages)))
  for (const { path, text } of pages) {
    mkdirSync(dirname(join(OUTPUT_FOLDER, path)), { recursive: true })
    writeFileSync(join(OUTPUT_FOLDER, path), text)
  }
  mkdirSync(dirname(DIGEST_FILE), { recursive: true })
  writeFileSync(DIGEST_FILE, sourcesHash)
}
