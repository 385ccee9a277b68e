/** `TatumSDK.init<Ethereum>(…)`, which is `init(…)`, and its configuration. */
import type ts from "typescript"
import { consume, type FileContext, needTypes, needValue, quoted } from "./context.js"
import { enumMemberOf, literalNetworkOf } from "./enumMembers.js"
import { symbolOf } from "./fileNames.js"
import { findField } from "./syntax.js"

/** Whether the declaration of a configuration names its network. */
const isNetworkDeclared = (context: FileContext, config: ts.Expression): boolean => {
  const declaration = symbolOf(context, config)?.valueDeclaration
  return (
    declaration !== undefined &&
    context.ts.isVariableDeclaration(declaration) &&
    literalNetworkOf(context, declaration.initializer) !== undefined
  )
}

const networksOf = (context: FileContext, client: string): string =>
  context.shared.equivalents.networksOf(client, context.style.quote)

/** A configuration that is made elsewhere gets the networks of the client that was asked for. */
const castConfig = (context: FileContext, config: ts.Expression, client: string): void => {
  if (isNetworkDeclared(context, config)) return
  needTypes(context, "InitConfig", "PromiseSdk")
  context.edits.insertAfter(
    config.end,
    ` as InitConfig<${networksOf(context, client)}, ${quoted(context, "eventual")}>`
  )
}

/** A network that is not written out gets the type of those of the client that was asked for. */
const castNetwork = (context: FileContext, config: ts.ObjectLiteralExpression, client: string): void => {
  const { checker, edits, ts } = context
  const network = findField(config, "network")
  if (network === undefined) return
  const value = ts.isPropertyAssignment(network) ? network.initializer : network.name
  if (value === undefined || enumMemberOf(context, value) !== undefined) return
  if (checker.getTypeAtLocation(value).isStringLiteral()) return
  const cast = ` as ${networksOf(context, client)}`
  if (ts.isShorthandPropertyAssignment(network))
    edits.insertAfter(network.end, `: ${network.name.text}${cast}`)
  else edits.insertAfter(value.end, cast)
}

const markExtensions = ({ marks }: FileContext, config: ts.ObjectLiteralExpression): void => {
  for (const name of ["configureExtensions", "configureWalletProviders"]) {
    const given = findField(config, name)
    if (given !== undefined)
      marks.add(
        given,
        `\`${name}\` takes objects in place of classes: { name, supportedNetworks, init, destroy }`
      )
  }
}

const markNodes = (
  { marks, ts }: FileContext,
  call: ts.CallExpression,
  config: ts.ObjectLiteralExpression
): void => {
  const rpc = findField(config, "rpc")
  const options = rpc !== undefined && ts.isPropertyAssignment(rpc) ? rpc.initializer : undefined
  if (options === undefined || !ts.isObjectLiteralExpression(options)) return
  if (findField(options, "nodes") === undefined) return
  const blocks =
    findField(options, "allowedBlocksBehind") === undefined
      ? "; `allowedBlocksBehind` is 10 by default, not 0"
      : ""
  marks.add(call, `your own nodes get the key only if their entries have \`sendApiKey: true\`${blocks}`)
}

/** The client's class in `init<Ethereum>`, which goes. */
const dropClientType = (context: FileContext, call: ts.CallExpression): string | undefined => {
  const [type] = call.typeArguments ?? []
  if (type === undefined) return undefined
  consume(context, type)
  context.decisions.dropped.add(type)
  return context.ts.isTypeReferenceNode(type)
    ? context.shared.equivalents.clientOf(symbolOf(context, type.typeName))
    : undefined
}

export const rewriteInit = (context: FileContext, call: ts.CallExpression): void => {
  const { edits, file, style, ts } = context
  const [config] = call.arguments
  const end = call.typeArguments === undefined ? call.expression.end : call.typeArguments.end + 1
  consume(context, call.expression)
  edits.replace(call.expression.getStart(file), end, needValue(context, "init"))
  const client = dropClientType(context, call)
  if (config === undefined) return
  const isTyped = client !== undefined && !style.isScript
  if (!ts.isObjectLiteralExpression(config)) {
    if (isTyped) castConfig(context, config, client)
    return
  }
  markExtensions(context, config)
  if (isTyped) castNetwork(context, config, client)
  markNodes(context, call, config)
}
