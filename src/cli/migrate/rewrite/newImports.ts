/** Imports of ours, in the places of those of the old package. */
import { type FileContext, localNameOf, quoted, removeStatement, replaceNode } from "./context.js"
import { type ImportForm, markKept, type OldImport } from "./oldModule.js"

/** The specifier of a name of ours, with the file's own name of it. */
export const importSpecifier = (context: FileContext, name: string, as: ": " | " as "): string => {
  const local = name === "init" || name === "getOrThrow" ? localNameOf(context, name) : name
  return local === name ? name : `${name}${as}${local}`
}

const isCommonJs = ({ file, style, ts }: FileContext): boolean =>
  style.isScript &&
  /\brequire\(/.test(file.text) &&
  !file.statements.some((each) => ts.isImportDeclaration(each) || ts.isExportDeclaration(each))

/** The statement that imports what is written before the module's name. */
const writeImport = (
  context: FileContext,
  form: ImportForm,
  { names, source }: { readonly names: string; readonly source: string }
): string => {
  const module = quoted(context, source)
  return form === "require"
    ? `const ${names} = require(${module})${context.style.end}`
    : `import ${names} from ${module}${context.style.end}`
}

/** The statement of what a file needs of ours. */
const writeNeeded = (context: FileContext, form: ImportForm): ReadonlyArray<string> => {
  const needed = [...context.decisions.needed].sort(([one], [other]) =>
    one.toLowerCase() < other.toLowerCase() ? -1 : 1
  )
  if (needed.length === 0) return []
  const isTypeOnly = needed.every(([, isType]) => isType)
  const specifiers = needed.map(([name, isType]) =>
    isType && !isTypeOnly
      ? `type ${name}`
      : importSpecifier(context, name, form === "require" ? ": " : " as ")
  )
  const before = isTypeOnly && form === "import" ? "type " : ""
  const names = `${before}{ ${specifiers.join(", ")} }`
  return [writeImport(context, form, { names, source: "effect-chains/promise" })]
}

const writeBigNumber = (context: FileContext, form: ImportForm): ReadonlyArray<string> => {
  const { bigNumber } = context.decisions
  if (bigNumber?.isNew !== true) return []
  const specifier = bigNumber.name === "BigNumber" ? bigNumber.name : `BigNumber as ${bigNumber.name}`
  // the module is the class itself in CommonJS
  const names = form === "require" ? bigNumber.name : `{ ${specifier} }`
  return [writeImport(context, form, { names, source: "bignumber.js" })]
}

/** Inserts statements after the imports, or where they would be. */
const insertStatements = (context: FileContext, lines: ReadonlyArray<string>): void => {
  const { edits, file, style, ts } = context
  const { newline } = style
  const [first] = file.statements
  const isDirective =
    first !== undefined && ts.isExpressionStatement(first) && ts.isStringLiteral(first.expression)
  const imports = file.statements.filter((each) => ts.isImportDeclaration(each))
  const after = imports.at(-1) ?? (isDirective ? first : undefined)
  if (after !== undefined) edits.insertAfter(after.end, `${newline}${lines.join(newline)}`)
  else edits.insertBefore(first?.getStart(file) ?? 0, `${lines.join(newline)}${newline}`)
}

/** Writes statements in the place of an old import, after the names of it that are still used. */
const replaceImport = (
  context: FileContext,
  form: ImportForm,
  { kept, lines, node }: OldImport & { readonly lines: ReadonlyArray<string> }
): void => {
  if (kept.length > 0) markKept(context, node, kept)
  const names = `{ ${kept.join(", ")} }`
  const own = kept.length === 0 ? [] : [writeImport(context, form, { names, source: "@tatumio/tatum" })]
  const all = [...own, ...lines]
  if (all.length === 0) removeStatement(context, node)
  else replaceNode(context, node, all.join(context.style.newline))
}

/** Writes what a file needs now in the place of the old imports that change. */
export const writeImports = (context: FileContext, old: ReadonlyArray<OldImport>): void => {
  const [first, ...others] = old
  const form = first?.form ?? (isCommonJs(context) ? "require" : "import")
  const lines = [...writeBigNumber(context, form), ...writeNeeded(context, form)]
  if (first !== undefined) replaceImport(context, form, { ...first, lines })
  else if (lines.length > 0) insertStatements(context, lines)
  for (const each of others) replaceImport(context, form, { ...each, lines: [] })
}

/** Writes types after the imports. */
export const writeAliases = (
  { edits, file, style, ts }: FileContext,
  aliases: ReadonlyArray<string>
): void => {
  const last = file.statements.filter((each) => ts.isImportDeclaration(each)).at(-1)
  const { newline } = style
  if (aliases.length > 0 && last !== undefined)
    edits.insertAfter(last.end, `${newline}${newline}${aliases.join(newline)}`)
}
