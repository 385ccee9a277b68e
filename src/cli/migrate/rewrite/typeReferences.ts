/** Types of the old package where the program names them. */
import type ts from "typescript"
import { isOldSymbol } from "../project.js"
import { consume, type FileContext, needTypes, quoted, replaceNode } from "./context.js"
import { enumMemberOf, literalNetworkOf } from "./enumMembers.js"
import { referencesOf, symbolOf, targetOfAlias } from "./fileNames.js"
import { isInExtension } from "./walletProviders.js"

/** Whether a use of a name needs no import after the rewrite but an alias of a type. */
const isTypeUse = (context: FileContext, node: ts.Identifier): boolean => {
  const { ts } = context
  const { parent } = node
  if (ts.isTypeReferenceNode(parent) || ts.isImportSpecifier(parent)) return true
  return enumMemberOf(context, parent)?.value !== undefined && !isInExtension(context, node)
}

/** Whether a type alias takes the place of an import. */
const isAliased = (context: FileContext, symbol: ts.Symbol, target: ts.Symbol): boolean =>
  !context.style.isScript &&
  context.shared.equivalents.find(target, context.style.quote) !== undefined &&
  referencesOf(context, symbol).every((node) => isTypeUse(context, node))

/** `config: TatumConfig = { network: Network.ETHEREUM }` keeps its network in the type. */
const rewriteConfigType = (context: FileContext, node: ts.TypeReferenceNode): boolean => {
  const { marks, ts } = context
  const { parent } = node
  const isDeclared = ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent)
  const network = isDeclared ? literalNetworkOf(context, parent.initializer) : undefined
  if (network === undefined) {
    marks.add(
      node,
      `this type does not know the network, so that a client made from it has the calls of none: name it, as in InitConfig<${quoted(context, "ethereum-mainnet")}>`
    )
    return false
  }
  needTypes(context, "InitConfig")
  consume(context, node.typeName)
  replaceNode(context, node, `InitConfig<${quoted(context, network)}, ${quoted(context, "eventual")}>`)
  return true
}

/** What has a list type: an envelope of the old package, or what is not part of a type. */
const listOwnerOf = ({ ts }: FileContext, list: ts.ArrayTypeNode): ts.Node => {
  let owner: ts.Node = list.parent
  while (ts.isTypeReferenceNode(owner) || ts.isUnionTypeNode(owner) || ts.isParenthesizedTypeNode(owner)) {
    const name = ts.isTypeReferenceNode(owner) ? owner.typeName.getText() : ""
    if (/(^|\.)(ResponseDto|JsonRpcResponse)$/.test(name)) break
    owner = owner.parent
  }
  return owner
}

/** Lists of answers are read-only: `Balance[]` is `readonly Balance[]` where a function takes or returns it. */
const rewriteListType = (context: FileContext, node: ts.TypeReferenceNode): void => {
  const { edits, file, ts } = context
  const list = node.parent
  if (!ts.isArrayTypeNode(list) || ts.isTypeOperatorNode(list.parent)) return
  const owner = listOwnerOf(context, list)
  const isInAnswer = ts.isTypeReferenceNode(owner)
  if (isInAnswer || ts.isFunctionLike(owner) || ts.isParameter(owner) || ts.isPropertySignature(owner))
    edits.insertBefore(list.getStart(file), "readonly ")
}

const rewriteAmountTypes = (context: FileContext, node: ts.Node): void => {
  const { ts } = context
  if (ts.isTypeReferenceNode(node) && node.typeName.getText().endsWith("BigNumber"))
    replaceNode(context, node, "bigint")
  ts.forEachChild(node, (child) => rewriteAmountTypes(context, child))
}

/** Writes the equivalent of a type in its place. */
const replaceType = (context: FileContext, node: ts.TypeReferenceNode, target: ts.Symbol): void => {
  const found = context.shared.equivalents.find(target, context.style.quote)
  if (found === undefined || found.parameters !== "") return
  needTypes(context, ...found.needed)
  consume(context, node.typeName)
  replaceNode(context, node, found.code)
}

export const rewriteTypeReference = (context: FileContext, node: ts.TypeReferenceNode): void => {
  const { decisions, ts } = context
  const symbol = symbolOf(context, node.typeName)
  const target = targetOfAlias(context, symbol)
  if (symbol === undefined || target === undefined || !isOldSymbol(target)) return
  if (target.name === "JsonRpcResponse")
    for (const each of node.typeArguments ?? []) rewriteAmountTypes(context, each)
  rewriteListType(context, node)
  if (target.name === "TatumConfig" && rewriteConfigType(context, node)) return
  // an alias stands where the import was
  if (ts.isIdentifier(node.typeName) && isAliased(context, symbol, target)) {
    consume(context, node.typeName)
    decisions.aliased.add(symbol)
  } else replaceType(context, node, target)
}
