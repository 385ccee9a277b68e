/** Rewrites one file of a program of `@tatumio/tatum` by the types of its expressions. */
import type ts from "typescript"
import { Edits } from "./edits.js"
import { Marks } from "./marks.js"
import type { Equivalents } from "./oldTypes.js"
import { type Compiler, isOldDeclaration, isOldSymbol } from "./project.js"
import names from "./tatum.json" with { type: "json" }

/** Our values for the members of enumerations, whose values there are others. */
const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ApiVersion: { V3: "V3", V4: "V4" },
  Network: names.networks,
  RpcNodeType: { NORMAL: "normal", ARCHIVE: "archive" },
  Status: { SUCCESS: "SUCCESS", ERROR: "ERROR" }
}

/** The positions of calls' block arguments. A height is a bigint here, and may be a number there. */
const BLOCK_ARGUMENTS: Readonly<Record<string, number | undefined>> = {
  call: 1,
  estimateGas: 1,
  getBalance: 1,
  getCode: 1,
  getProof: 2,
  getStorageAt: 2,
  getTransactionCount: 1
}

const SERVICES = new Set(["rpc", "address", "nft", "token", "notification", "ipfs", "rates", "fee"])
const METHODS = new Set(
  Object.values(names.suites)
    .flatMap((suite) => Object.values(suite))
    .flatMap((methods) => methods.split(" "))
    .map((path) => path.slice(path.lastIndexOf(".") + 1))
)

/** The shape of a call's answer there: an envelope, a list of them, a plain value, or nothing to wait for. */
type AnswerKind = "result" | "data" | "list" | "value" | "now"

/** What all files of a program share. */
export interface Shared {
  readonly compiler: Compiler
  readonly checker: ts.TypeChecker
  readonly equivalents: Equivalents
  /** What is assigned to names and fields without a type. */
  readonly assigned: ReadonlyMap<ts.Symbol, ReadonlyArray<ts.Expression>>
}

export class FileRewrite {
  readonly edits = new Edits()
  readonly marks: Marks
  /** The names that the file needs from `effect-chains/promise`, and whether they are types. */
  readonly needed = new Map<
    "init" | "getOrThrow" | "PromiseSdk" | "InitConfig" | "Result" | "SdkError",
    boolean
  >()
  /** Whether an expression of the file has a type of the old package, wherever it comes from. */
  hasOldTypes = false
  private needsBigNumber = false
  private bigNumberName: string | undefined
  private readonly references = new Map<ts.Symbol, Array<ts.Identifier>>()
  private readonly identifiers = new Set<string>()
  /** The names of the old package that are no longer there after the edits. */
  private readonly consumed = new Set<ts.Node>()
  private readonly unwrapped = new Map<ts.Symbol, "result" | "data" | undefined>()
  private readonly amounts = new Map<ts.Symbol, boolean>()
  private isInitLoaded = false
  private readonly dropped = new Set<ts.Node>()
  private readonly aliasUses = new Set<ts.Symbol>()
  private readonly renamed = new Map<ts.Symbol, string>()
  private readonly settled = new Set<ts.Node>()
  private readonly isScript: boolean
  private readonly quote: string
  private readonly end: string
  private readonly ts: Compiler
  private readonly checker: ts.TypeChecker

  constructor(
    readonly shared: Shared,
    readonly file: ts.SourceFile
  ) {
    this.ts = shared.compiler
    this.checker = shared.checker
    this.marks = new Marks(this.ts, file)
    this.isScript = /\.[cm]?jsx?$/.test(file.fileName)
    const { text } = file
    this.quote = text.split("'").length > text.split('"').length ? "'" : '"'
    this.end = /;[ \t]*(\/\/.*)?$/m.test(text) ? ";" : ""
    this.index(file)
  }

  private index(node: ts.Node): void {
    const { ts } = this
    if (ts.isIdentifier(node)) {
      const isMember = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node
      if (!isMember) this.identifiers.add(node.text)
      this.hasOldTypes ||= isOldSymbol(this.checker.getTypeAtLocation(node).symbol)
      const symbol = ts.isShorthandPropertyAssignment(node.parent)
        ? this.checker.getShorthandAssignmentValueSymbol(node.parent)
        : ts.isExportSpecifier(node.parent)
          ? this.checker.getExportSpecifierLocalTargetSymbol(node.parent)
          : this.checker.getSymbolAtLocation(node)
      if (symbol !== undefined && !isMember) {
        const known = this.references.get(symbol)
        if (known === undefined) this.references.set(symbol, [node])
        else known.push(node)
      }
    }
    ts.forEachChild(node, (child) => this.index(child))
  }

  private quoted(text: string): string {
    return `${this.quote}${text}${this.quote}`
  }

  private findFreeName(wanted: string, other: string): string {
    return this.identifiers.has(wanted) ? other : wanted
  }

  private need(name: "init" | "getOrThrow"): string {
    this.needed.set(name, false)
    return name === "init"
      ? this.findFreeName("init", "initClient")
      : this.findFreeName(name, "getDataOrThrow")
  }

  needType(name: "PromiseSdk" | "InitConfig" | "Result" | "SdkError"): void {
    this.needed.set(name, true)
  }

  // ---------------------------------------------------------------------------------------------------- types

  private isUnknown(type: ts.Type): boolean {
    const { TypeFlags } = this.ts
    return (type.flags & (TypeFlags.Any | TypeFlags.Null | TypeFlags.Undefined | TypeFlags.Never)) !== 0
  }

  private skip(node: ts.Expression): ts.Expression {
    return this.ts.isParenthesizedExpression(node) || this.ts.isNonNullExpression(node)
      ? this.skip(node.expression)
      : node
  }

  /** The type of an expression: what the checker says, or else what is assigned to its names. */
  typeOf(node: ts.Expression, depth = 0): ts.Type {
    const type = this.checker.getTypeAtLocation(node)
    return this.isUnknown(type) && depth < 8 ? (this.guessType(node, depth + 1) ?? type) : type
  }

  private guessType(node: ts.Expression, depth: number): ts.Type | undefined {
    const { checker, ts } = this
    const inner = this.skip(node)
    if (inner !== node) return this.typeOf(inner, depth)
    if (ts.isAwaitExpression(node)) {
      const awaited = checker.getAwaitedType(this.typeOf(node.expression, depth))
      if (awaited !== undefined && !this.isUnknown(awaited)) return awaited
      return this.returnedType(this.skip(node.expression), depth)
    }
    if (ts.isCallExpression(node)) {
      const own = this.typeOf(node.expression, depth).getCallSignatures()[0]?.getReturnType()
      return own === undefined || this.isUnknown(own) ? this.returnedType(node, depth) : own
    }
    const symbol = checker.getSymbolAtLocation(node)
    for (const value of symbol === undefined ? [] : (this.shared.assigned.get(symbol) ?? [])) {
      const type = this.typeOf(value, depth)
      if (!this.isUnknown(type)) return type
    }
    if (!ts.isPropertyAccessExpression(node)) return undefined
    const owner = checker.getNonNullableType(this.typeOf(node.expression, depth))
    const property = checker.getPropertyOfType(owner, node.name.text)
    return property === undefined ? undefined : checker.getTypeOfSymbolAtLocation(property, node)
  }

  /** What a function of the program returns that has no types. */
  private returnedType(call: ts.Expression, depth: number): ts.Type | undefined {
    const { ts } = this
    if (!ts.isCallExpression(call)) return undefined
    const made = this.checker.getResolvedSignature(call)?.declaration
    const body = made !== undefined && ts.isFunctionLike(made) && "body" in made ? made.body : undefined
    if (body === undefined || isOldDeclaration(made)) return undefined
    const values: Array<ts.Expression> = ts.isBlock(body) ? [] : [body]
    const collect = (node: ts.Node): void => {
      if (ts.isFunctionLike(node)) return
      if (ts.isReturnStatement(node) && node.expression !== undefined) values.push(node.expression)
      ts.forEachChild(node, collect)
    }
    if (ts.isBlock(body)) ts.forEachChild(body, collect)
    for (const value of values) {
      const type = this.checker.getAwaitedType(this.typeOf(value, depth))
      if (type !== undefined && !this.isUnknown(type)) return type
    }
    return undefined
  }

  private isOldType(type: ts.Type, name: string): boolean {
    const present = this.checker.getNonNullableType(type)
    const each = present.isUnion() ? present.types : [present]
    return each.length > 0 && each.every(({ symbol }) => symbol?.name === name && isOldSymbol(symbol))
  }

  private answerKindOfType(type: ts.Type): "result" | "data" | undefined {
    if (this.isOldType(type, "JsonRpcResponse")) return "result"
    return this.isOldType(type, "ResponseDto") ? "data" : undefined
  }

  private isNullable(type: ts.Type): boolean {
    const { TypeFlags } = this.ts
    const each = type.isUnion() ? type.types : [type]
    return each.some(({ flags }) => (flags & (TypeFlags.Null | TypeFlags.Undefined)) !== 0)
  }

  private promisedType(type: ts.Type): ts.Type | undefined {
    if (type.symbol?.name !== "Promise") return undefined
    return this.checker.getAwaitedType(type)
  }

  private isBigNumber(type: ts.Type | undefined): boolean {
    if (type === undefined) return false
    const present = this.checker.getNonNullableType(type)
    return present.symbol?.name === "BigNumber" && !present.isUnion()
  }

  /** The type that an envelope contains. */
  private contentOf(type: ts.Type): ts.Type | undefined {
    const present = this.checker.getNonNullableType(type)
    const kind = this.answerKindOfType(present)
    const property = kind === undefined ? undefined : this.checker.getPropertyOfType(present, kind)
    return property === undefined ? undefined : this.checker.getTypeOfSymbol(property)
  }

  /** The declaration of the old package's method that is called. */
  private findMethod(call: ts.CallExpression): ts.SignatureDeclaration | undefined {
    const { ts } = this
    const resolved = this.checker.getResolvedSignature(call)?.declaration
    const declaration = isOldDeclaration(resolved)
      ? resolved
      : this.isUnknown(this.checker.getTypeAtLocation(call.expression))
        ? this.typeOf(call.expression).getCallSignatures()[0]?.declaration
        : undefined
    if (declaration === undefined || !isOldDeclaration(declaration) || ts.isJSDocSignature(declaration))
      return undefined
    return declaration
  }

  private ownerOf(declaration: ts.Node): string | undefined {
    for (let node = declaration.parent; node !== undefined && !this.ts.isSourceFile(node); node = node.parent)
      if (this.ts.isClassLike(node) || this.ts.isInterfaceDeclaration(node)) return node.name?.text
    return undefined
  }

  private nameOf(declaration: ts.SignatureDeclaration): string {
    const named =
      declaration.name ??
      (this.ts.isPropertySignature(declaration.parent) ? declaration.parent.name : undefined)
    return named?.getText() ?? ""
  }

  /** The kind of answer of a call of a service; undefined for other calls. */
  private answerKindOf(node: ts.Expression): AnswerKind | undefined {
    const { ts } = this
    const call = this.skip(node)
    if (!ts.isCallExpression(call)) return undefined
    const declaration = this.findMethod(call)
    const owner = declaration === undefined ? undefined : this.ownerOf(declaration)
    if (declaration === undefined || owner === undefined) return undefined
    const name = this.nameOf(declaration)
    if (owner === "TatumSDK" || name === "destroy" || name === "use" || name === "extension") return undefined
    const type = this.typeOf(call)
    const awaited = this.promisedType(type)
    if (awaited === undefined) return "now"
    const kind = this.answerKindOfType(awaited)
    if (kind !== undefined) return kind
    return this.checker.typeToString(awaited).includes("JsonRpcResponse") ? "list" : "value"
  }

  // ------------------------------------------------------------------------------------------------- references

  private symbolOf(node: ts.Node): ts.Symbol | undefined {
    return this.checker.getSymbolAtLocation(node)
  }

  private referencesOf(symbol: ts.Symbol): ReadonlyArray<ts.Identifier> {
    return (this.references.get(symbol) ?? []).filter(
      (node) => !(symbol.declarations ?? []).some((declaration) => Reflect.get(declaration, "name") === node)
    )
  }

  private outer(node: ts.Node): ts.Node {
    const { parent } = node
    return (this.ts.isParenthesizedExpression(parent) || this.ts.isNonNullExpression(parent)) &&
      parent.expression === node
      ? this.outer(parent)
      : node
  }

  private isRead(node: ts.Node, name: string): node is ts.Expression {
    const { parent } = this.outer(node)
    return this.ts.isPropertyAccessExpression(parent) && parent.name.text === name
  }

  /** Whether the program looks at a held answer's failure. */
  private isHandled(symbol: ts.Symbol | undefined): boolean {
    return (
      symbol !== undefined &&
      this.referencesOf(symbol).some((node) => this.isRead(node, "error") || this.isRead(node, "status"))
    )
  }

  /** Whether an expression is checked for being there. */
  private isGuard(node: ts.Node): boolean {
    const { ts } = this
    const each = this.outer(node)
    const { parent } = each
    if (
      (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)) &&
      parent.expression === each
    )
      return parent.questionDotToken !== undefined
    if (ts.isIfStatement(parent) || ts.isWhileStatement(parent)) return parent.expression === each
    if (ts.isConditionalExpression(parent)) return parent.condition === each
    if (ts.isPrefixUnaryExpression(parent)) return parent.operator === ts.SyntaxKind.ExclamationToken
    if (!ts.isBinaryExpression(parent)) return false
    const { kind } = parent.operatorToken
    const { SyntaxKind } = ts
    return (
      kind === SyntaxKind.AmpersandAmpersandToken ||
      kind === SyntaxKind.BarBarToken ||
      kind === SyntaxKind.QuestionQuestionToken ||
      /\b(null|undefined)\b/.test(parent.getText())
    )
  }

  /** Whether an expression is used in a way that throws if it is null. */
  private isDereferenced(node: ts.Node): boolean {
    const { ts } = this
    const each = node.parent
    if (ts.isNonNullExpression(each)) return false
    const outer = this.outer(node)
    const { parent } = outer
    if (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent))
      return parent.expression === outer && parent.questionDotToken === undefined
    if (ts.isForOfStatement(parent)) return parent.expression === outer
    if (ts.isVariableDeclaration(parent)) return !ts.isIdentifier(parent.name) && parent.initializer === outer
    return ts.isSpreadElement(parent)
  }

  /** The variable of `const answer = await call`, if each use of it reads the answer's content alone. */
  private unwrappedKindOf(symbol: ts.Symbol | undefined): "result" | "data" | undefined {
    if (symbol === undefined) return undefined
    if (this.unwrapped.has(symbol)) return this.unwrapped.get(symbol)
    const kind = this.findUnwrappedKind(symbol)
    this.unwrapped.set(symbol, kind)
    return kind
  }

  private findUnwrappedKind(symbol: ts.Symbol): "result" | "data" | undefined {
    const { ts } = this
    const declaration = symbol.valueDeclaration
    if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return undefined
    const { initializer, name, type } = declaration
    if (!ts.isIdentifier(name) || type !== undefined || initializer === undefined) return undefined
    if (!ts.isAwaitExpression(this.skip(initializer))) return undefined
    const isConst = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0
    const list = declaration.parent.parent
    const isExported =
      ts.isVariableStatement(list) &&
      (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Export) !== 0
    if (!isConst || isExported) return undefined
    const own = this.typeOf(initializer)
    const kind = this.isNullable(own) ? undefined : this.answerKindOfType(own)
    const uses = this.referencesOf(symbol)
    if (kind === undefined || uses.length === 0) return undefined
    const reads = uses.flatMap((node) => {
      const { parent } = this.outer(node)
      return ts.isPropertyAccessExpression(parent) &&
        parent.name.text === kind &&
        parent.questionDotToken === undefined
        ? [parent]
        : []
    })
    if (reads.length < uses.length) return undefined
    if (kind === "result") return kind
    return reads.some((node) => this.isDereferenced(node)) && !reads.some((node) => this.isGuard(node))
      ? kind
      : undefined
  }

  // --------------------------------------------------------------------------------------------------- amounts

  /** How an amount is used: as text or a number, or as the BigNumber that it was. */
  private amountUse(
    node: ts.Node
  ): { readonly call?: ts.CallExpression; readonly text?: string } | undefined {
    const { ts } = this
    const each = this.outer(node)
    const { parent } = each
    if (ts.isTemplateSpan(parent) || ts.isExpressionStatement(parent)) return {}
    if (ts.isCallExpression(parent) && parent.expression !== each) {
      if (
        ts.isIdentifier(parent.expression) &&
        ["String", "Number", "BigInt"].includes(parent.expression.text)
      )
        return {}
      const kind = this.answerKindOf(parent)
      return kind === undefined ? undefined : {}
    }
    if (!ts.isPropertyAccessExpression(parent) || !ts.isCallExpression(parent.parent)) return undefined
    const call = parent.parent
    if (call.expression !== parent) return undefined
    const given = call.arguments.map((argument) => argument.getText())
    if (parent.name.text === "toNumber") return { call, text: "Number" }
    if (parent.name.text === "toString" && given.length < 2)
      return { call, text: `.toString(${given.join("")})` }
    const isWhole = given.length === 0 || given[0] === "0"
    return ["toFixed", "toJSON", "valueOf"].includes(parent.name.text) && isWhole
      ? { call, text: ".toString()" }
      : undefined
  }

  /** Whether all uses of a name work with a bigint. */
  private isPlainAmount(symbol: ts.Symbol | undefined, uses: ReadonlyArray<ts.Node>): boolean {
    if (symbol === undefined) return false
    const known = this.amounts.get(symbol)
    if (known !== undefined) return known
    const isPlain = uses.length > 0 && uses.every((node) => this.amountUse(node) !== undefined)
    this.amounts.set(symbol, isPlain)
    return isPlain
  }

  /** Rewrites the use of an amount that is a bigint now. */
  private rewriteAmountUse(node: ts.Node): void {
    const use = this.amountUse(node)
    const each = this.outer(node)
    if (use?.call === undefined || use.text === undefined) return
    if (use.text === "Number") {
      this.edits.insertBefore(each.getStart(this.file), "Number(")
      this.edits.replace(each.end, use.call.end, ")")
    } else this.edits.replace(each.end, use.call.end, use.text)
  }

  /** The file's name of `BigNumber`, which it may have imported as a type alone. */
  private bigNumber(): string {
    if (this.bigNumberName !== undefined) return this.bigNumberName
    this.bigNumberName = this.findBigNumber()
    this.needsBigNumber = this.bigNumberName === undefined
    this.bigNumberName ??= this.takeName(this.file, "BigNumber")
    return this.bigNumberName
  }

  private findBigNumber(): string | undefined {
    const { ts } = this
    for (const statement of this.file.statements) {
      const clause = ts.isImportDeclaration(statement) ? statement.importClause : undefined
      if (clause === undefined || !/bignumber\.js/.test(statement.getText())) continue
      const named = clause.namedBindings
      const element =
        named !== undefined && ts.isNamedImports(named)
          ? named.elements.find((each) => (each.propertyName ?? each.name).getText() === "BigNumber")
          : undefined
      const name = clause.name ?? element?.name
      if (name === undefined) continue
      if (clause.isTypeOnly)
        this.edits.replace(
          statement.getStart(this.file),
          (clause.name ?? named ?? clause).getStart(this.file),
          "import "
        )
      if (element?.isTypeOnly === true)
        this.edits.replace(
          element.getStart(this.file),
          (element.propertyName ?? element.name).getStart(this.file),
          ""
        )
      return name.text
    }
    return undefined
  }

  /** The wrappers of an expression whose content is read: `getOrThrow(…)`, and a BigNumber where one is used. */
  private wrappers(isAmount: boolean): readonly [before: string, after: string] {
    const getOrThrow = this.need("getOrThrow")
    return isAmount ? [`new ${this.bigNumber()}(String(${getOrThrow}(`, ")))"] : [`${getOrThrow}(`, ")"]
  }

  private wrap(node: ts.Node, [before, after]: readonly [string, string]): void {
    this.edits.insertBefore(node.getStart(this.file), before)
    this.edits.insertAfter(node.end, after)
  }

  // ----------------------------------------------------------------------------------------------------- reads

  /** `answer.result` is `getOrThrow(answer)`. */
  private rewriteRead(node: ts.PropertyAccessExpression, kind: "result" | "data"): void {
    const { ts } = this
    const { expression } = node
    const inner = this.skip(expression)
    const symbol = ts.isIdentifier(inner) ? this.symbolOf(inner) : undefined
    const isAmount = kind === "result" && this.isBigNumber(this.contentOf(this.typeOf(expression)))
    const target = this.targetOf(node)
    const uses = target === undefined ? [node] : this.referencesOf(target)
    const isPlain =
      isAmount &&
      (target === undefined ? this.amountUse(node) !== undefined : this.isPlainAmount(target, uses))
    const dropAssertion = (): void => {
      if (ts.isNonNullExpression(node.parent)) this.edits.replace(node.end, node.parent.end, "")
    }
    const rewriteUses = (): void => {
      if (isPlain) for (const use of uses) this.rewriteAmountUse(use)
    }
    if (symbol !== undefined && this.unwrappedKindOf(symbol) === kind) {
      if (this.isPlainHeld(symbol)) rewriteUses()
      dropAssertion()
      this.edits.replace(expression.end, node.end, "")
      return
    }
    const isOptional = node.questionDotToken !== undefined || this.isNullable(this.typeOf(expression))
    if (isOptional || this.isHandled(symbol)) {
      if (kind === "data") return
      if (isPlain && target === undefined && !isOptional) rewriteUses()
      else if (isAmount) this.marks.add(node, "this amount is a `bigint` here, or null after a failure")
      this.edits.replace(node.name.getStart(this.file), node.name.end, "data")
      return
    }
    if (kind === "data" && (!this.isDereferenced(node) || this.isGuard(node))) return
    rewriteUses()
    dropAssertion()
    this.dropAssertions(target)
    const [before, after] = this.wrappers(isAmount && !isPlain)
    // `(await call).result` has its parentheses already
    const cut = ts.isParenthesizedExpression(expression) ? 1 : 0
    this.settled.add(inner)
    this.edits.insertBefore(expression.getStart(this.file), before.slice(0, before.length - cut))
    this.edits.replace(expression.end, node.end, after.slice(cut))
  }

  /** The variable that an expression is the whole value of. */
  private targetOf(node: ts.Node): ts.Symbol | undefined {
    const { ts } = this
    const { parent } = this.outer(node)
    if (!ts.isVariableDeclaration(parent) || !ts.isIdentifier(parent.name) || parent.type !== undefined)
      return undefined
    const isExported = (ts.getCombinedModifierFlags(parent) & ts.ModifierFlags.Export) !== 0
    const isConst = (ts.getCombinedNodeFlags(parent) & ts.NodeFlags.Const) !== 0
    return isConst && !isExported ? this.symbolOf(parent.name) : undefined
  }

  private readsOf(symbol: ts.Symbol): ReadonlyArray<ts.Node> {
    return this.referencesOf(symbol).map((node) => this.outer(node).parent)
  }

  /** Rewrites `const answer = await call`, where the answer's content alone is used. */
  private rewriteHeld(node: ts.VariableDeclaration): void {
    const { initializer, name } = node
    const symbol = this.symbolOf(name)
    const kind = this.unwrappedKindOf(symbol)
    if (kind === undefined || symbol === undefined || initializer === undefined) return
    const isAmount = kind === "result" && this.isBigNumber(this.contentOf(this.typeOf(initializer)))
    const isPlain = isAmount && this.isPlainHeld(symbol)
    this.settled.add(this.skip(initializer))
    this.wrap(initializer, this.wrappers(isAmount && !isPlain))
  }

  private readonly heldAmounts = new Map<ts.Symbol, boolean>()

  /** Whether all reads of a held answer's amount work with a bigint. If not, each of its names keeps a BigNumber. */
  private isPlainHeld(symbol: ts.Symbol): boolean {
    const known = this.heldAmounts.get(symbol)
    if (known !== undefined) return known
    const reads = this.readsOf(symbol)
    const targets = reads.flatMap((read) => this.targetOf(read) ?? [])
    const isPlain =
      targets.every((target) => this.isPlainAmount(target, this.referencesOf(target))) &&
      reads.every((read) => this.targetOf(read) !== undefined || this.amountUse(read) !== undefined)
    if (!isPlain) for (const target of targets) this.amounts.set(target, false)
    this.heldAmounts.set(symbol, isPlain)
    return isPlain
  }

  // -------------------------------------------------------------------------------------------------- patterns

  private fieldsOf(pattern: ts.ObjectBindingPattern): ReadonlyMap<string, ts.BindingElement> {
    return new Map(
      pattern.elements.map((element) => [
        element.dotDotDotToken === undefined ? (element.propertyName ?? element.name).getText() : "...",
        element
      ])
    )
  }

  /** Rewrites a pattern that takes an answer apart. */
  private rewritePattern(pattern: ts.ObjectBindingPattern): void {
    const { ts } = this
    const type = this.patternType(pattern)
    const kind = type === undefined ? undefined : this.answerKindOfType(type)
    if (kind === undefined || type === undefined) return
    const fields = this.fieldsOf(pattern)
    const content = fields.get(kind)
    const isAlone = content !== undefined && fields.size === 1
    const { parent } = pattern
    const symbol =
      content !== undefined && ts.isIdentifier(content.name) ? this.symbolOf(content.name) : undefined
    if (kind === "data") {
      if (isAlone && ts.isVariableDeclaration(parent) && content.initializer === undefined)
        this.rewriteDataPattern(parent, content, symbol)
      return
    }
    if (content === undefined) {
      this.markOtherFields(fields)
      return
    }
    const isAmount = this.isBigNumber(this.contentOf(type))
    const uses = symbol === undefined ? [] : this.referencesOf(symbol)
    const isPlain = isAmount && this.isPlainAmount(symbol, uses)
    if (
      isAlone &&
      ts.isVariableDeclaration(parent) &&
      parent.initializer !== undefined &&
      !this.isNullable(type)
    ) {
      this.replacePattern(parent, content, isAmount && !isPlain)
      if (isPlain) for (const use of uses) this.rewriteAmountUse(use)
      return
    }
    if (isAlone && this.rewriteElementOfAll(pattern, content, isAmount && !isPlain)) {
      if (isPlain) for (const use of uses) this.rewriteAmountUse(use)
      return
    }
    if (isAlone && symbol !== undefined && content.initializer === undefined && !this.isNullable(type)) {
      const name = this.takeName(pattern, "answer")
      this.edits.replace(pattern.getStart(this.file), pattern.end, name)
      this.renamed.set(symbol, name)
      // other contents may be null after a success, too: a block that no node has
      if (isAmount) this.dropAssertions(symbol)
      for (const use of uses) this.replaceReference(use, name, isAmount)
      return
    }
    // a failure is looked at: the content is null then
    this.edits.replace(content.getStart(this.file), content.name.end, `data: ${content.name.getText()}`)
    if (isPlain) for (const use of uses) this.rewriteAmountUse(use)
    else if (isAmount)
      this.marks.add(pattern, `\`${content.name.getText()}\` is a \`bigint\` here, or null after a failure`)
    else if (!fields.has("error"))
      this.marks.add(pattern, "after a failure `data` is null, and nothing is thrown")
    if (content.initializer !== undefined)
      this.marks.add(pattern, "the default does not apply after a failure: `data` is null then")
    this.markOtherFields(fields)
  }

  private markOtherFields(fields: ReadonlyMap<string, ts.BindingElement>): void {
    for (const name of ["id", "jsonrpc", "..."]) {
      const field = fields.get(name)
      if (field !== undefined) this.marks.add(field, "results have `status`, `data` and `error` only")
    }
  }

  private patternType(pattern: ts.ObjectBindingPattern): ts.Type | undefined {
    const { parent } = pattern
    if (this.ts.isVariableDeclaration(parent) && parent.initializer !== undefined)
      return this.typeOf(parent.initializer)
    return this.checker.getTypeAtLocation(pattern)
  }

  private readonly takenNames = new Map<ts.Node, Set<string>>()

  /** A name that the function around a pattern does not have. */
  private takeName(pattern: ts.Node, wanted: string): string {
    let scope: ts.Node = pattern
    while (!this.ts.isSourceFile(scope) && !this.ts.isFunctionLike(scope)) scope = scope.parent
    const taken = this.takenNames.get(scope) ?? new Set()
    this.takenNames.set(scope, taken)
    const collect = (node: ts.Node): void => {
      if (this.ts.isIdentifier(node)) taken.add(node.text)
      this.ts.forEachChild(node, collect)
    }
    if (taken.size === 0) collect(scope)
    for (let at = 1; ; at++) {
      const name = at === 1 ? wanted : `${wanted}${at}`
      if (taken.has(name)) continue
      taken.add(name)
      return name
    }
  }

  private replaceReference(use: ts.Identifier, name: string, isAmount: boolean): void {
    const isPlain = isAmount && this.amountUse(use) !== undefined
    if (isPlain) this.rewriteAmountUse(use)
    const [before, after] = this.wrappers(isAmount && !isPlain)
    const isShorthand = this.ts.isShorthandPropertyAssignment(use.parent)
    this.edits.replace(
      use.getStart(this.file),
      use.end,
      `${isShorthand ? `${use.text}: ` : ""}${before}${name}${after}`
    )
  }

  /** A content that is read is there: `content!` is `content`. */
  private dropAssertions(symbol: ts.Symbol | undefined): void {
    for (const use of symbol === undefined ? [] : this.referencesOf(symbol))
      if (this.ts.isNonNullExpression(use.parent)) this.edits.replace(use.end, use.parent.end, "")
  }

  private replacePattern(
    declaration: ts.VariableDeclaration,
    content: ts.BindingElement,
    isAmount: boolean
  ): void {
    const { initializer, name, type } = declaration
    if (initializer === undefined) return
    this.edits.replace(name.getStart(this.file), type?.end ?? name.end, content.name.getText())
    this.dropAssertions(this.symbolOf(content.name))
    const [before, after] = this.wrappers(isAmount)
    const fallback = content.initializer === undefined ? "" : ` ?? ${content.initializer.getText()}`
    this.settled.add(this.skip(initializer))
    this.wrap(initializer, [before, `${after}${fallback}`])
  }

  private rewriteDataPattern(
    declaration: ts.VariableDeclaration,
    content: ts.BindingElement,
    symbol: ts.Symbol | undefined
  ): void {
    const uses = symbol === undefined ? [] : this.referencesOf(symbol)
    const isUsed = symbol === undefined || uses.some((use) => this.isDereferenced(use))
    if (isUsed && !uses.some((use) => this.isGuard(use)) && declaration.type === undefined)
      this.replacePattern(declaration, content, false)
  }

  /** `const [{ result: a }] = await Promise.all([call()])` is `const [a] = await Promise.all([call().then(getOrThrow)])`. */
  private rewriteElementOfAll(
    pattern: ts.ObjectBindingPattern,
    content: ts.BindingElement,
    isAmount: boolean
  ): boolean {
    const { ts } = this
    const element = pattern.parent
    const list = element.parent
    if (
      !ts.isBindingElement(element) ||
      !ts.isArrayBindingPattern(list) ||
      !ts.isVariableDeclaration(list.parent)
    )
      return false
    const awaited = list.parent.initializer === undefined ? undefined : this.skip(list.parent.initializer)
    const call =
      awaited !== undefined && ts.isAwaitExpression(awaited) ? this.skip(awaited.expression) : undefined
    if (call === undefined || !ts.isCallExpression(call) || call.expression.getText() !== "Promise.all")
      return false
    const [all] = call.arguments
    const at = list.elements.indexOf(element)
    const given = all !== undefined && ts.isArrayLiteralExpression(all) ? all.elements[at] : undefined
    if (given === undefined || ts.isSpreadElement(given) || content.initializer !== undefined) return false
    this.edits.replace(pattern.getStart(this.file), pattern.end, content.name.getText())
    const [before, after] = this.wrappers(isAmount)
    this.edits.insertAfter(
      given.end,
      isAmount ? `.then((answer) => ${before}answer${after})` : `.then(${this.need("getOrThrow")})`
    )
    return true
  }

  // ----------------------------------------------------------------------------------------------------- calls

  private rewriteInit(call: ts.CallExpression): void {
    const { ts } = this
    const [type] = call.typeArguments ?? []
    const [config] = call.arguments
    const end = call.typeArguments === undefined ? call.expression.end : call.typeArguments.end + 1
    this.consume(call.expression)
    this.edits.replace(call.expression.getStart(this.file), end, this.need("init"))
    const client =
      type !== undefined && ts.isTypeReferenceNode(type)
        ? this.equivalents.clientOf(this.symbolOf(type.typeName))
        : undefined
    if (type !== undefined) {
      this.consume(type)
      this.dropped.add(type)
    }
    if (config === undefined) return
    if (!ts.isObjectLiteralExpression(config)) {
      if (client !== undefined && !this.isScript && !this.hasLiteralNetwork(config)) {
        this.needType("InitConfig")
        this.needType("PromiseSdk")
        this.edits.insertAfter(
          config.end,
          ` as InitConfig<${this.equivalents.networksOf(client, this.quote)}, ${this.quoted("eventual")}>`
        )
      }
      return
    }
    const field = (object: ts.ObjectLiteralExpression, name: string) =>
      object.properties.find((each) => each.name?.getText() === name)
    for (const name of ["configureExtensions", "configureWalletProviders"]) {
      const given = field(config, name)
      if (given !== undefined)
        this.marks.add(
          given,
          `\`${name}\` takes objects in place of classes: { name, supportedNetworks, init, destroy }`
        )
    }
    const network = field(config, "network")
    if (network !== undefined && client !== undefined && !this.isScript) {
      const value = ts.isPropertyAssignment(network) ? network.initializer : network.name
      const given = value === undefined ? undefined : this.checker.getTypeAtLocation(value)
      if (
        value !== undefined &&
        given !== undefined &&
        !given.isStringLiteral() &&
        !this.isEnumMember(value)
      ) {
        const cast = ` as ${this.equivalents.networksOf(client, this.quote)}`
        if (ts.isShorthandPropertyAssignment(network))
          this.edits.insertAfter(network.end, `: ${network.name.text}${cast}`)
        else this.edits.insertAfter(value.end, cast)
      }
    }
    const rpc = field(config, "rpc")
    const options = rpc !== undefined && ts.isPropertyAssignment(rpc) ? rpc.initializer : undefined
    if (
      options === undefined ||
      !ts.isObjectLiteralExpression(options) ||
      field(options, "nodes") === undefined
    )
      return
    this.marks.add(
      call,
      `your own nodes get the key only if their entries have \`sendApiKey: true\`${
        field(options, "allowedBlocksBehind") === undefined
          ? "; `allowedBlocksBehind` is 10 by default, not 0"
          : ""
      }`
    )
  }

  private get equivalents(): Equivalents {
    return this.shared.equivalents
  }

  /** Whether the declaration of a configuration names its network. */
  private hasLiteralNetwork(config: ts.Expression): boolean {
    const declaration = this.symbolOf(config)?.valueDeclaration
    if (declaration === undefined || !this.ts.isVariableDeclaration(declaration)) return false
    return this.literalNetworkOf(declaration.initializer) !== undefined
  }

  private literalNetworkOf(object: ts.Expression | undefined): string | undefined {
    const { ts } = this
    if (object === undefined || !ts.isObjectLiteralExpression(object)) return undefined
    const network = object.properties.find((each) => each.name?.getText() === "network")
    if (network === undefined || !ts.isPropertyAssignment(network)) return undefined
    const member = this.enumMemberOf(network.initializer)
    return member?.name === "Network" ? member.value : undefined
  }

  private consume(node: ts.Node): void {
    this.consumed.add(node)
    this.ts.forEachChild(node, (child) => this.consume(child))
  }

  private enumMemberOf(
    node: ts.Node
  ): { readonly name: string; readonly value: string | undefined } | undefined {
    const { ts } = this
    if (!ts.isPropertyAccessExpression(node)) return undefined
    const symbol = this.symbolOf(node)
    const declaration = symbol?.valueDeclaration
    if (declaration === undefined || !ts.isEnumMember(declaration) || !isOldDeclaration(declaration))
      return undefined
    const name = declaration.parent.name.text
    return VALUES[name] === undefined ? undefined : { name, value: VALUES[name][declaration.name.getText()] }
  }

  private isEnumMember(node: ts.Node): boolean {
    return this.enumMemberOf(node) !== undefined
  }

  /** `Network.ETHEREUM` is `"ethereum-mainnet"`. */
  private rewriteEnumMember(node: ts.PropertyAccessExpression): boolean {
    const { ts } = this
    const member = this.enumMemberOf(node)
    if (member === undefined) return false
    if (member.value === undefined) {
      this.marks.add(node, `there is no ${node.getText()} here`)
      return true
    }
    this.consume(node)
    const contextual = this.checker.getContextualType(node)
    const isOurs = contextual !== undefined && (contextual.flags & ts.TypeFlags.Any) === 0
    let parent: ts.Node = node.parent
    while (ts.isConditionalExpression(parent) || ts.isParenthesizedExpression(parent)) parent = parent.parent
    const isFixed =
      isOurs ||
      (!ts.isPropertyAssignment(parent) &&
        !ts.isArrayLiteralExpression(parent) &&
        !ts.isReturnStatement(parent) &&
        !ts.isArrowFunction(parent))
    const text = this.quoted(member.value)
    const isKey = ts.isComputedPropertyName(parent)
    this.edits.replace(
      node.getStart(this.file),
      node.end,
      isFixed || isKey || this.isScript ? text : `${text} as const`
    )
    if (ts.isVariableDeclaration(parent) && parent.type === undefined && member.name === "Network") {
      const isConst = (ts.getCombinedNodeFlags(parent) & ts.NodeFlags.Const) !== 0
      if (!isConst && !this.isScript) {
        this.needType("PromiseSdk")
        this.edits.insertAfter(parent.name.end, `: PromiseSdk[${this.quoted("network")}]`)
      }
    }
    return true
  }

  private rewriteCall(call: ts.CallExpression): void {
    const { ts } = this
    const { expression } = call
    const declaration = this.findMethod(call)
    if (declaration !== undefined) {
      const owner = this.ownerOf(declaration)
      const name = this.nameOf(declaration)
      if (owner === "TatumSDK" && name === "init") {
        this.rewriteInit(call)
        return
      }
      if (name === "use" && owner === "WalletProvider") {
        this.rewriteUse(call)
        return
      }
      if (name === "extension") {
        this.marks.add(
          call,
          "extensions are objects: pass the one from the configuration to `extension`, which resolves to a result"
        )
        return
      }
      if (name === "destroy" && ts.isPropertyAccessExpression(expression)) {
        const { expression: rpc } = expression
        if (ts.isPropertyAccessExpression(rpc) && rpc.name.text === "rpc")
          this.edits.replace(rpc.expression.end, rpc.end, "")
      }
    }
    const kind = this.answerKindOf(call)
    if (kind !== undefined) {
      this.rewriteArguments(call, declaration === undefined ? "" : this.nameOf(declaration))
      const outer = this.outer(call)
      if (kind === "value" && !ts.isAwaitExpression(outer.parent) && !ts.isExpressionStatement(outer.parent))
        this.edits.insertAfter(call.end, `.then(${this.need("getOrThrow")})`)
      if (kind === "list")
        this.marks.add(call, "each item of a batch is a result of its own: { status, data, error }")
      if (kind === "value" && declaration !== undefined && this.nameOf(declaration) === "getFile")
        this.marks.add(call, "a failure throws here; it was an answer with `status` ERROR")
    } else this.markUntyped(call)
    this.markPromises(call)
  }

  /** `tatum.walletProvider.use(MetaMask)` is `tatum.wallet`. */
  private rewriteUse(call: ts.CallExpression): void {
    const { ts } = this
    const [wallet] = call.arguments
    const symbol = wallet === undefined ? undefined : this.checker.getTypeAtLocation(wallet).symbol
    const { expression } = call
    if (symbol?.name !== "MetaMask" || !isOldSymbol(symbol) || !ts.isPropertyAccessExpression(expression)) {
      this.marks.add(
        call,
        'wallet providers are signers here (`effect-chains/signers/…`): `derivation: "tatum"` finds the accounts of the old mnemonic, and an xpub of the old provider belongs to that path alone'
      )
      return
    }
    const { expression: provider } = expression
    if (!ts.isPropertyAccessExpression(provider)) {
      this.marks.add(call, "`walletProvider.use(MetaMask)` is `wallet` of the client")
      return
    }
    if (wallet !== undefined) this.consume(wallet)
    this.edits.replace(provider.name.getStart(this.file), call.end, "wallet")
  }

  private rewriteArguments(call: ts.CallExpression, name: string): void {
    const { ts } = this
    const height = Object.hasOwn(BLOCK_ARGUMENTS, name) ? BLOCK_ARGUMENTS[name] : undefined
    call.arguments.forEach((argument, at) => {
      const type = this.checker.getTypeAtLocation(argument)
      if (this.isBigNumber(type)) {
        const symbol = ts.isIdentifier(argument) ? this.symbolOf(argument) : undefined
        const isPlain = (symbol !== undefined && this.isAlreadyPlain(symbol)) || this.isContentRead(argument)
        if (!isPlain) this.wrap(argument, ["BigInt(", ".toFixed())"])
      } else if (at === height) this.rewriteHeight(argument, type)
    })
  }

  private rewriteHeight(argument: ts.Expression, type: ts.Type): void {
    const { ts } = this
    const each = type.isUnion() ? type.types : [type]
    const isNumber = each.every(
      ({ flags }) => (flags & (ts.TypeFlags.NumberLike | ts.TypeFlags.Undefined)) !== 0
    )
    if (!isNumber || each.every(({ flags }) => (flags & ts.TypeFlags.Undefined) !== 0)) return
    if (ts.isNumericLiteral(argument)) this.edits.insertAfter(argument.end, "n")
    else if (!this.isNullable(type)) this.wrap(argument, ["BigInt(", ")"])
    else if (ts.isIdentifier(argument))
      this.wrap(argument, [`${argument.text} === undefined ? undefined : BigInt(`, ")"])
  }

  private isContentRead(node: ts.Node): boolean {
    const inner = this.ts.isExpression(node) ? this.skip(node) : node
    return (
      this.ts.isPropertyAccessExpression(inner) &&
      inner.name.text === "result" &&
      this.answerKindOfType(this.typeOf(inner.expression)) === "result"
    )
  }

  /** Whether a variable is a bigint after the rewrite. */
  private isAlreadyPlain(symbol: ts.Symbol): boolean {
    const { ts } = this
    const declaration = symbol.valueDeclaration
    if (declaration === undefined) return false
    if (this.renamed.has(symbol)) return true
    if (ts.isBindingElement(declaration) && ts.isObjectBindingPattern(declaration.parent)) {
      const type = this.patternType(declaration.parent)
      const isOurs = type !== undefined && this.answerKindOfType(type) === "result"
      return isOurs && this.isPlainAmount(symbol, this.referencesOf(symbol))
    }
    if (!ts.isVariableDeclaration(declaration) || declaration.initializer === undefined) return false
    return this.isContentRead(declaration.initializer) && this.targetOf(declaration.initializer) !== undefined
      ? this.isPlainAmount(symbol, this.referencesOf(symbol))
      : false
  }

  /** A call of a client whose type is unknown. */
  private markUntyped(call: ts.CallExpression): void {
    const { ts } = this
    const { expression } = call
    if (!ts.isPropertyAccessExpression(expression) || !METHODS.has(expression.name.text)) return
    let service = expression.expression
    while (ts.isPropertyAccessExpression(service) && !SERVICES.has(service.name.text))
      service = service.expression
    if (!ts.isPropertyAccessExpression(service)) return
    const type = this.typeOf(service.expression)
    if ((type.flags & ts.TypeFlags.Any) !== 0)
      this.marks.add(
        call,
        "the client has no type here, so this call was not rewritten: it resolves to { status, data, error } and never throws"
      )
  }

  /** Handlers of failures, which results do not reach. */
  private markPromises(call: ts.CallExpression): void {
    const { ts } = this
    const { expression } = call
    if (!ts.isPropertyAccessExpression(expression)) return
    const name = expression.name.text
    if (expression.expression.getText() === "Promise") {
      const isLenient = name === "allSettled" || name === "any" || name === "race"
      if (
        isLenient &&
        this.checker
          .typeToString(this.typeOf(call), undefined, ts.TypeFormatFlags.NoTruncation)
          .includes("JsonRpcResponse")
      )
        this.marks.add(call, "calls do not reject: look at the `status` of each result")
      return
    }
    const handlesFailure = name === "catch" || (name === "then" && call.arguments.length > 1)
    const awaited = handlesFailure ? this.promisedType(this.typeOf(expression.expression)) : undefined
    if (awaited !== undefined && this.answerKindOfType(awaited) === "result")
      this.marks.add(
        call,
        "calls do not reject, so that this handler does not run: look at the `status` of the result"
      )
  }

  private rewriteAwait(node: ts.AwaitExpression): void {
    const { ts } = this
    const kind = this.answerKindOf(node.expression)
    if (kind === "value") {
      this.wrap(node, this.wrappers(false))
      return
    }
    const isResult = this.answerKindOfType(this.typeOf(node)) === "result"
    if (!isResult) return
    if (ts.isExpressionStatement(node.parent)) {
      this.settled.add(node)
      this.wrap(node, this.wrappers(false))
    }
    if (!this.settled.has(node) && !this.isContentRead(this.outer(node).parent)) {
      const statement = this.findTry(node)
      if (statement !== undefined)
        this.marks.add(
          statement,
          "a call that fails does not throw: look at the `status` of its result, since this `catch` does not see it"
        )
    }
    this.markUntypedUse(node)
  }

  /** The `try` with a `catch` around a node, in the same function. */
  private findTry(node: ts.Node): ts.TryStatement | undefined {
    const { ts } = this
    for (let each = node; !ts.isSourceFile(each) && !ts.isFunctionLike(each); each = each.parent) {
      const { parent } = each
      if (ts.isTryStatement(parent) && parent.tryBlock === each && parent.catchClause !== undefined)
        return parent
    }
    return undefined
  }

  /** An answer that goes as a whole where nothing has types. */
  private markUntypedUse(node: ts.Expression): void {
    const { ts } = this
    const outer = this.outer(node)
    const { parent } = outer
    const isArgument = ts.isCallExpression(parent) && parent.expression !== outer
    const isField = ts.isPropertyAssignment(parent) || ts.isSpreadAssignment(parent)
    const isAny = ts.isVariableDeclaration(parent) && parent.type?.kind === ts.SyntaxKind.AnyKeyword
    if (!isArgument && !isField && !isAny) return
    if (isArgument && /^console\b/.test(parent.expression.getText())) return
    const contextual = this.checker.getContextualType(node)
    const isTyped =
      contextual !== undefined && (contextual.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) === 0
    if (isAny || !isTyped)
      this.marks.add(
        node,
        "the whole answer is { status, data, error } here, in place of { jsonrpc, id, result }"
      )
  }

  // ----------------------------------------------------------------------------------------------------- types

  private rewriteTypeReference(node: ts.TypeReferenceNode): void {
    const { ts } = this
    const symbol = this.symbolOf(node.typeName)
    const target =
      symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
        ? this.checker.getAliasedSymbol(symbol)
        : symbol
    if (target === undefined || !isOldSymbol(target)) return
    const name = target.name
    if (name === "JsonRpcResponse") for (const each of node.typeArguments ?? []) this.rewriteAmountTypes(each)
    this.rewriteListType(node)
    if (name === "TatumConfig" && this.rewriteConfigType(node)) return
    // an alias stands where the import was
    if (ts.isIdentifier(node.typeName) && this.isAliased(symbol, target)) {
      this.consume(node.typeName)
      if (symbol !== undefined) this.aliasUses.add(symbol)
      return
    }
    const found = this.equivalents.find(target, this.quote)
    if (found === undefined || found.parameters !== "") return
    for (const each of found.needed) this.needType(each)
    this.consume(node.typeName)
    this.edits.replace(node.getStart(this.file), node.end, found.code)
  }

  /** `config: TatumConfig = { network: Network.ETHEREUM }` keeps its network in the type. */
  private rewriteConfigType(node: ts.TypeReferenceNode): boolean {
    const { parent } = node
    const network =
      this.ts.isVariableDeclaration(parent) || this.ts.isPropertyDeclaration(parent)
        ? this.literalNetworkOf(parent.initializer)
        : undefined
    if (network === undefined) {
      this.marks.add(
        node,
        `this type does not know the network, so that a client made from it has the calls of none: name it, as in InitConfig<${this.quoted("ethereum-mainnet")}>`
      )
      return false
    }
    this.needType("InitConfig")
    this.consume(node.typeName)
    this.edits.replace(
      node.getStart(this.file),
      node.end,
      `InitConfig<${this.quoted(network)}, ${this.quoted("eventual")}>`
    )
    return true
  }

  /** Lists of answers are read-only: `Balance[]` is `readonly Balance[]` where a function takes or returns it. */
  private rewriteListType(node: ts.TypeReferenceNode): void {
    const { ts } = this
    const list = node.parent
    if (!ts.isArrayTypeNode(list) || ts.isTypeOperatorNode(list.parent)) return
    let owner: ts.Node = list.parent
    while (ts.isTypeReferenceNode(owner) || ts.isUnionTypeNode(owner) || ts.isParenthesizedTypeNode(owner)) {
      if (
        /(^|\.)(ResponseDto|JsonRpcResponse)$/.test(
          ts.isTypeReferenceNode(owner) ? owner.typeName.getText() : ""
        )
      )
        break
      owner = owner.parent
    }
    const isInAnswer = ts.isTypeReferenceNode(owner)
    if (isInAnswer || ts.isFunctionLike(owner) || ts.isParameter(owner) || ts.isPropertySignature(owner))
      this.edits.insertBefore(list.getStart(this.file), "readonly ")
  }

  private rewriteAmountTypes(node: ts.Node): void {
    const { ts } = this
    if (ts.isTypeReferenceNode(node) && node.typeName.getText().endsWith("BigNumber"))
      this.edits.replace(node.getStart(this.file), node.end, "bigint")
    ts.forEachChild(node, (child) => this.rewriteAmountTypes(child))
  }

  /** Whether a type alias takes the place of an import. */
  private isAliased(symbol: ts.Symbol | undefined, target: ts.Symbol): boolean {
    if (symbol === undefined || this.isScript) return false
    const found = this.equivalents.find(target, this.quote)
    if (found === undefined) return false
    return !this.referencesOf(symbol).some((node) => !this.isTypeUse(node) && !this.isReplacedUse(node))
  }

  private isTypeUse(node: ts.Identifier): boolean {
    return this.ts.isTypeReferenceNode(node.parent) || this.ts.isImportSpecifier(node.parent)
  }

  /** Whether the expression around a name is replaced. */
  private isReplacedUse(node: ts.Identifier): boolean {
    const { parent } = node
    return (
      this.ts.isPropertyAccessExpression(parent) &&
      this.enumMemberOf(parent)?.value !== undefined &&
      !this.isInExtension(node)
    )
  }

  private isInExtension(node: ts.Node): boolean {
    for (let each = node; !this.ts.isSourceFile(each); each = each.parent)
      if (this.isExtensionClass(each)) return true
    return false
  }

  private isExtensionClass(node: ts.Node): boolean {
    const { ts } = this
    return (
      ts.isClassLike(node) &&
      (node.heritageClauses ?? []).some(({ types }) =>
        types.some(({ expression }) => {
          const base = this.checker.getTypeAtLocation(expression).symbol
          return isOldSymbol(base) && /^TatumSdk(Extension|WalletProvider)$/.test(base.name)
        })
      )
    )
  }

  // ----------------------------------------------------------------------------------------------------- visit

  private visit(node: ts.Node): void {
    const { ts } = this
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || this.dropped.has(node)) return
    if (this.isExtensionClass(node)) {
      this.marks.add(
        node,
        "extensions and wallet providers are objects here: { name, supportedNetworks, init, destroy }"
      )
      return
    }
    if (ts.isVariableDeclaration(node)) this.rewriteHeld(node)
    if (ts.isObjectBindingPattern(node)) this.rewritePattern(node)
    if (ts.isAwaitExpression(node)) this.rewriteAwait(node)
    if (ts.isCallExpression(node)) this.rewriteCall(node)
    if (ts.isTypeReferenceNode(node)) this.rewriteTypeReference(node)
    if (
      ts.isIdentifier(node) &&
      ts.isExpression(node.parent) &&
      this.answerKindOfType(this.typeOf(node)) === "result" &&
      this.unwrappedKindOf(this.symbolOf(node)) === undefined
    )
      this.markUntypedUse(node)
    if (ts.isPropertyAccessExpression(node)) {
      if (this.rewriteEnumMember(node)) return
      const { text } = node.name
      if (text === "result" || text === "data") {
        const kind = this.answerKindOfType(this.typeOf(node.expression))
        if (kind === text) this.rewriteRead(node, kind)
      }
      this.markMethodValue(node)
    }
    ts.forEachChild(node, (child) => this.visit(child))
  }

  /** A method of a service that is passed on. */
  private markMethodValue(node: ts.PropertyAccessExpression): void {
    const { ts } = this
    if (ts.isCallExpression(node.parent) && node.parent.expression === node) return
    const [signature] = this.typeOf(node).getCallSignatures()
    const declaration = signature?.declaration
    if (signature === undefined || declaration === undefined || !isOldDeclaration(declaration)) return
    if (this.ownerOf(declaration) === undefined || ts.isPropertyAccessExpression(node.parent)) return
    if (this.promisedType(signature.getReturnType()) !== undefined)
      this.marks.add(node, "this method resolves to { status, data, error }, and never throws")
  }

  run(): void {
    this.visit(this.file)
  }

  // --------------------------------------------------------------------------------------------------- imports

  /** Rewrites what imports the old package, adds what the file needs now, and returns the new text. */
  finish(): string {
    this.rewriteImports()
    for (const { at, text } of this.marks.list()) this.edits.insertLine(at, text)
    return this.edits.apply(this.file.text)
  }

  private isOldModule(node: ts.Node | undefined): node is ts.StringLiteral {
    return node !== undefined && this.ts.isStringLiteral(node) && /^@tatumio\/tatum(\/|$)/.test(node.text)
  }

  private rewriteImports(): void {
    const { ts } = this
    const aliases: Array<string> = []
    const removed: Array<{
      readonly node: ts.Node
      readonly kept: ReadonlyArray<string>
      readonly form: "import" | "require"
    }> = []
    const exported = new Set<string>()
    for (const statement of this.file.statements)
      if (ts.isExportDeclaration(statement) && this.isOldModule(statement.moduleSpecifier))
        for (const name of this.rewriteReexport(statement)) exported.add(name)
    for (const statement of this.file.statements) {
      if (
        ts.isImportEqualsDeclaration(statement) &&
        ts.isExternalModuleReference(statement.moduleReference) &&
        this.isOldModule(statement.moduleReference.expression)
      )
        this.keepImport(statement, [])
      if (ts.isImportDeclaration(statement) && this.isOldModule(statement.moduleSpecifier)) {
        const bindings = statement.importClause?.namedBindings
        if (bindings === undefined || !ts.isNamedImports(bindings)) {
          const name = bindings?.name
          const uses = name === undefined ? [] : this.referencesOf(this.symbolOf(name) ?? this.unknownSymbol)
          if (name !== undefined && uses.every((use) => this.consumed.has(use)))
            removed.push({ node: statement, kept: [], form: "import" })
          else this.keepImport(statement, [])
          continue
        }
        const kept: Array<string> = []
        for (const element of bindings.elements) {
          const symbol = this.symbolOf(element.name)
          const target = symbol === undefined ? undefined : this.checker.getAliasedSymbol(symbol)
          const uses =
            symbol === undefined ? [] : this.referencesOf(symbol).filter((use) => use.parent !== element)
          const left = uses.filter((use) => !this.consumed.has(use))
          if (left.length > 0) kept.push(element.getText())
          else if (target !== undefined && symbol !== undefined && this.aliasUses.has(symbol)) {
            const found = this.equivalents.find(target, this.quote)
            if (found === undefined) continue
            for (const each of found.needed) this.needType(each)
            if (!exported.has(element.name.text))
              aliases.push(`type ${element.name.text}${found.parameters} = ${found.code}${this.end}`)
          }
        }
        if (kept.length === bindings.elements.length) this.keepImport(statement, kept)
        else removed.push({ node: statement, kept, form: "import" })
      }
    }
    this.visitRequires(removed)
    this.writeImports(removed, aliases)
  }

  private readonly unknownSymbol: ts.Symbol = Object.create(null)

  private keepImport(node: ts.Node, names: ReadonlyArray<string>): void {
    this.marks.add(
      node,
      names.length === 0
        ? "this import of @tatumio/tatum is still in use: what uses it has no equivalent that could be written"
        : `still of @tatumio/tatum: ${names.map((name) => `\`${name}\``).join(", ")}`
    )
  }

  /** Rewrites `export type { Ethereum } from …`, and returns the names that it declares. */
  private rewriteReexport(node: ts.ExportDeclaration): ReadonlyArray<string> {
    const { ts } = this
    const elements =
      node.exportClause !== undefined && ts.isNamedExports(node.exportClause)
        ? node.exportClause.elements
        : []
    const declared = elements.map((element) => {
      const symbol = this.checker.getExportSpecifierLocalTargetSymbol(element)
      const target =
        symbol === undefined || (symbol.flags & ts.SymbolFlags.Alias) === 0
          ? symbol
          : this.checker.getAliasedSymbol(symbol)
      const isValue =
        target === undefined || (target.flags & (ts.SymbolFlags.Enum | ts.SymbolFlags.Variable)) !== 0
      const found = isValue ? undefined : this.equivalents.find(target, this.quote)
      return found === undefined ? undefined : { name: element.name.text, found }
    })
    if (declared.length === 0 || declared.includes(undefined)) {
      this.keepImport(
        node,
        elements.map((element) => element.getText())
      )
      return []
    }
    const known = declared.flatMap((each) => each ?? [])
    for (const { found } of known) for (const each of found.needed) this.needType(each)
    this.edits.replace(
      node.getStart(this.file),
      node.end,
      known
        .map(({ found, name }) => `export type ${name}${found.parameters} = ${found.code}${this.end}`)
        .join("\n")
    )
    return known.map(({ name }) => name)
  }

  /** `const { TatumSDK } = require("@tatumio/tatum")`, and the same with `await import`. */
  private visitRequires(
    removed: Array<{
      readonly node: ts.Node
      readonly kept: ReadonlyArray<string>
      readonly form: "import" | "require"
    }>,
    node: ts.Node = this.file
  ): void {
    const { ts } = this
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined) {
      const value = this.skip(node.initializer)
      const call = ts.isAwaitExpression(value) ? this.skip(value.expression) : value
      const isLoading =
        ts.isCallExpression(call) &&
        (call.expression.kind === ts.SyntaxKind.ImportKeyword || call.expression.getText() === "require") &&
        this.isOldModule(call.arguments[0])
      if (isLoading && ts.isCallExpression(call)) {
        const elements = ts.isObjectBindingPattern(node.name) ? node.name.elements : []
        const kept = elements.filter((element) => {
          const symbol = this.symbolOf(element.name)
          return symbol === undefined || this.referencesOf(symbol).some((use) => !this.consumed.has(use))
        })
        const symbol = ts.isIdentifier(node.name) ? this.symbolOf(node.name) : undefined
        const isFree = ts.isIdentifier(node.name)
          ? symbol !== undefined && this.referencesOf(symbol).every((use) => this.consumed.has(use))
          : kept.length === 0
        const statement = node.parent.parent
        const isAlone = ts.isVariableDeclarationList(node.parent) && node.parent.declarations.length === 1
        if (isFree && isAlone && ts.isVariableStatement(statement) && call.expression.getText() === "require")
          removed.push({ node: statement, kept: [], form: "require" })
        else if (isFree && isAlone && ts.isVariableStatement(statement)) {
          const [source] = call.arguments
          const isInit =
            !ts.isObjectBindingPattern(node.name) ||
            elements.some((each) => (each.propertyName ?? each.name).getText() === "TatumSDK")
          this.isInitLoaded ||= isInit
          if (isInit && source !== undefined) {
            this.edits.replace(
              node.name.getStart(this.file),
              node.name.end,
              `{ ${this.imported("init", ": ")} }`
            )
            this.edits.replace(source.getStart(this.file), source.end, this.quoted("effect-chains/promise"))
          } else this.removeStatement(statement)
        } else
          this.keepImport(
            node,
            kept.map((element) => element.getText())
          )
      }
    }
    ts.forEachChild(node, (child) => this.visitRequires(removed, child))
  }

  private imported(name: string, as: string): string {
    const local =
      name === "init"
        ? this.findFreeName("init", "initClient")
        : name === "getOrThrow"
          ? this.findFreeName(name, "getDataOrThrow")
          : name
    return local === name ? name : `${name}${as}${local}`
  }

  private writeImports(
    removed: ReadonlyArray<{
      readonly node: ts.Node
      readonly kept: ReadonlyArray<string>
      readonly form: "import" | "require"
    }>,
    aliases: ReadonlyArray<string>
  ): void {
    const { ts } = this
    const [first, ...others] = removed
    const isCommonJs = first === undefined ? this.isCommonJs() : first.form === "require"
    if (this.isInitLoaded) this.needed.delete("init")
    const names = [...this.needed].sort(([one], [other]) =>
      one.toLowerCase() < other.toLowerCase() ? -1 : 1
    )
    const isTypeOnly = names.every(([, isType]) => isType)
    const lines: Array<string> = []
    const from = (specifiers: ReadonlyArray<string>, source: string, isType = false) =>
      isCommonJs
        ? `const { ${specifiers.join(", ")} } = require(${this.quoted(source)})${this.end}`
        : `import ${isType ? "type " : ""}{ ${specifiers.join(", ")} } from ${this.quoted(source)}${this.end}`
    if (this.needsBigNumber) {
      const name = this.bigNumber()
      lines.push(
        isCommonJs
          ? `const ${name} = require(${this.quoted("bignumber.js")})${this.end}`
          : from([name === "BigNumber" ? name : `BigNumber as ${name}`], "bignumber.js")
      )
    }
    if (names.length > 0)
      lines.push(
        from(
          names.map(([name, isType]) =>
            isType && !isTypeOnly ? `type ${name}` : this.imported(name, isCommonJs ? ": " : " as ")
          ),
          "effect-chains/promise",
          isTypeOnly
        )
      )
    const newline = this.file.text.includes("\r\n") ? "\r\n" : "\n"
    if (first !== undefined) {
      const kept = first.kept.length === 0 ? [] : [from(first.kept, "@tatumio/tatum")]
      if (first.kept.length > 0) this.keepImport(first.node, first.kept)
      const all = [...kept, ...lines]
      if (all.length === 0) this.removeStatement(first.node)
      else this.edits.replace(first.node.getStart(this.file), first.node.end, all.join(newline))
    } else if (lines.length > 0) {
      const imports = this.file.statements.filter((each) => ts.isImportDeclaration(each))
      const directive = this.file.statements.find(
        (each) => ts.isExpressionStatement(each) && ts.isStringLiteral(each.expression)
      )
      const after = imports.at(-1) ?? (directive === this.file.statements[0] ? directive : undefined)
      if (after !== undefined) this.edits.insertAfter(after.end, `${newline}${lines.join(newline)}`)
      else {
        const at = this.file.statements[0]?.getStart(this.file) ?? 0
        this.edits.insertBefore(at, `${lines.join(newline)}${newline}`)
      }
    }
    for (const { kept, node } of others) {
      if (kept.length === 0) this.removeStatement(node)
      else {
        this.keepImport(node, kept)
        this.edits.replace(node.getStart(this.file), node.end, from(kept, "@tatumio/tatum"))
      }
    }
    const last = this.file.statements.filter((each) => ts.isImportDeclaration(each)).at(-1)
    if (aliases.length > 0 && last !== undefined)
      this.edits.insertAfter(last.end, `${newline}${newline}${aliases.join(newline)}`)
  }

  private isCommonJs(): boolean {
    const { ts } = this
    return (
      this.isScript &&
      /\brequire\(/.test(this.file.text) &&
      !this.file.statements.some((each) => ts.isImportDeclaration(each) || ts.isExportDeclaration(each))
    )
  }

  private removeStatement(node: ts.Node): void {
    const { text } = this.file
    const newline = text.slice(node.end).match(/^[ \t]*\r?\n/)?.[0].length ?? 0
    this.edits.replace(node.getStart(this.file), node.end + newline, "")
  }
}
