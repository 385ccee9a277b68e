/** Wallet providers and extensions: classes there, objects and signers here. */
import type ts from "typescript"
import { isOldSymbol } from "../project.js"
import { consume, type FileContext } from "./context.js"

/** Whether a class is an extension or a wallet provider. */
const isExtensionClass = ({ checker, ts }: FileContext, node: ts.Node): boolean =>
  ts.isClassLike(node) &&
  (node.heritageClauses ?? []).some(({ types }) =>
    types.some(({ expression }) => {
      const base = checker.getTypeAtLocation(expression).symbol
      return isOldSymbol(base) && /^TatumSdk(Extension|WalletProvider)$/.test(base.name)
    })
  )

export const isInExtension = (context: FileContext, node: ts.Node): boolean => {
  for (let each = node; !context.ts.isSourceFile(each); each = each.parent)
    if (isExtensionClass(context, each)) return true
  return false
}

/** Marks the class of an extension, which is left as it is, and says whether a node is one. */
export const markExtensionClass = (context: FileContext, node: ts.Node): boolean => {
  if (!isExtensionClass(context, node)) return false
  context.marks.add(
    node,
    "extensions and wallet providers are objects here: { name, supportedNetworks, init, destroy }"
  )
  return true
}

/** A call of `extension(…)`. */
export const markExtensionCall = ({ marks }: FileContext, call: ts.CallExpression): void =>
  marks.add(
    call,
    "extensions are objects: pass the one from the configuration to `extension`, which resolves to a result"
  )

/** `tatum.walletProvider.use(MetaMask)` is `tatum.wallet`. */
export const rewriteWalletProvider = (context: FileContext, call: ts.CallExpression): void => {
  const { checker, edits, file, marks, ts } = context
  const [wallet] = call.arguments
  const symbol = wallet === undefined ? undefined : checker.getTypeAtLocation(wallet).symbol
  const { expression } = call
  if (symbol?.name !== "MetaMask" || !isOldSymbol(symbol) || !ts.isPropertyAccessExpression(expression)) {
    marks.add(
      call,
      'wallet providers are signers here (`effect-chains/signers/…`): `derivation: "tatum"` finds the accounts of the old mnemonic, and an xpub of the old provider belongs to that path alone'
    )
    return
  }
  const { expression: provider } = expression
  if (!ts.isPropertyAccessExpression(provider)) {
    marks.add(call, "`walletProvider.use(MetaMask)` is `wallet` of the client")
    return
  }
  if (wallet !== undefined) consume(context, wallet)
  edits.replace(provider.name.getStart(file), call.end, "wallet")
}
