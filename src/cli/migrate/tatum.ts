/** The codemod for `@tatumio/tatum`. Its names are data from that package's declarations. */
import * as recast from "recast"
import names from "./tatum.json" with { type: "json" }
import {
  findField,
  findImports,
  type Import,
  isUsed,
  localNames,
  makeImport,
  memberChain,
  type Node,
  type Note,
  type Program,
  type Rewrite,
  replaceImport
} from "./tree.js"

const { builders: b, namedTypes: n } = recast.types

/** Our values for the members of its enumerations. */
const enumerations: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Network: names.networks,
  ApiVersion: { V3: "V3", V4: "V4" },
  RpcNodeType: { NORMAL: "normal", ARCHIVE: "archive" },
  Status: { SUCCESS: "SUCCESS", ERROR: "ERROR" }
}

interface TatumClient {
  readonly networks: string
  readonly members: Readonly<Record<string, string | undefined>>
}

const clients: Readonly<Record<string, TatumClient | undefined>> = names.clients
const suites: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = names.suites

/**
 * The shape of a call's answer there: an envelope with `result` or `data`, or a plain value, where errors are thrown.
 */
type AnswerKind = "result" | "data" | "value"

const findAnswerIn = (
  client: TatumClient,
  [member = "", ...path]: ReadonlyArray<string>
): AnswerKind | undefined => {
  const suite = suites[client.members[member] ?? ""] ?? {}
  const call = path.join(".")
  return (["result", "data", "value"] as const).find(
    (answer) => suite[answer]?.split(" ").includes(call) === true
  )
}

/** The answer's shape if all possible clients have the same. */
const findAnswer = (client: TatumClient | undefined, path: ReadonlyArray<string>): AnswerKind | undefined => {
  if (client !== undefined) return findAnswerIn(client, path)
  const answers = new Set(
    Object.values(clients).flatMap((each) => (each === undefined ? [] : (findAnswerIn(each, path) ?? [])))
  )
  const [only, ...others] = answers
  return others.length === 0 ? only : undefined
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

const THROWN_NOTE =
  "it returned the value or threw: here it resolves to a result, so check `status` before `data`"

class TatumMigration {
  readonly clientsByName = new Map<string, TatumClient | undefined>()
  /** The imports from this package that the program needs. */
  readonly neededImports = new Map<string, string>()
  readonly init: string

  constructor(
    readonly program: Program,
    readonly locals: ReadonlyMap<string, string>,
    readonly note: Note
  ) {
    this.init = isUsed(program, "init") ? "initClient" : "init"
  }

  /** The name in `@tatumio/tatum` of an identifier. */
  tatumNameOf(node: Node | null | undefined): string | undefined {
    return n.Identifier.check(node) ? this.locals.get(node.name) : undefined
  }

  /** `TatumSDK.init(…)`. */
  private isInit(node: Node | null | undefined): node is recast.types.namedTypes.CallExpression {
    return (
      n.CallExpression.check(node) &&
      n.MemberExpression.check(node.callee) &&
      this.tatumNameOf(node.callee.object) === "TatumSDK" &&
      n.Identifier.check(node.callee.property) &&
      node.callee.property.name === "init"
    )
  }

  /** The class of an init's client, by its type or by its network. */
  private findClient(call: recast.types.namedTypes.CallExpression): TatumClient | undefined {
    const given: unknown = Reflect.get(call, "typeParameters")
    const [type] = n.TSTypeParameterInstantiation.check(given) ? given.params : []
    const named = n.TSTypeReference.check(type) ? this.tatumNameOf(type.typeName) : undefined
    if (named !== undefined && clients[named] !== undefined) return clients[named]
    const network = memberChain(findField(call.arguments[0], "network"))?.at(-1)
    const id = network === undefined ? undefined : enumerations.Network?.[network]
    return Object.values(clients).find(
      (each) => id !== undefined && each?.networks.split(" ").includes(id) === true
    )
  }

  /** Finds the names that hold clients: by an init, or by their type. */
  findClients(): void {
    const hold = (target: Node | null | undefined, client: TatumClient | undefined) => {
      const chain = memberChain(target)
      if (chain !== undefined) this.clientsByName.set(chain.join("."), client)
    }
    const unwrapAwait = (node: Node | null | undefined) =>
      n.AwaitExpression.check(node) ? node.argument : node
    const rewriteType = (target: Node | null | undefined, annotation: unknown) => {
      const type = n.TSTypeAnnotation.check(annotation) ? annotation.typeAnnotation : undefined
      const named = n.TSTypeReference.check(type) ? this.tatumNameOf(type.typeName) : undefined
      if (named !== undefined && clients[named] !== undefined) hold(target, clients[named])
    }
    const visitor = this
    recast.types.visit(this.program, {
      visitVariableDeclarator(path) {
        const made = unwrapAwait(path.node.init)
        if (visitor.isInit(made)) hold(path.node.id, visitor.findClient(made))
        this.traverse(path)
      },
      visitAssignmentExpression(path) {
        const made = unwrapAwait(path.node.right)
        if (visitor.isInit(made)) hold(path.node.left, visitor.findClient(made))
        this.traverse(path)
      },
      visitIdentifier(path) {
        rewriteType(path.node, path.node.typeAnnotation)
        this.traverse(path)
      },
      visitClassProperty(path) {
        if (n.Identifier.check(path.node.key))
          rewriteType(b.memberExpression(b.thisExpression(), path.node.key), path.node.typeAnnotation)
        this.traverse(path)
      }
    })
  }

  /** `TatumSDK.init<Ethereum>({ … })` is `init({ … })`. */
  rewriteInits(): void {
    const visitor = this
    recast.types.visit(this.program, {
      visitCallExpression(path) {
        if (visitor.isInit(path.node)) {
          const [config] = path.node.arguments
          visitor.noteOptions(config)
          path.replace(b.callExpression(b.identifier(visitor.init), path.node.arguments))
          visitor.neededImports.set("init", visitor.init)
        }
        this.traverse(path)
      }
    })
  }

  private noteOptions(config: Node | undefined): void {
    for (const name of ["configureExtensions", "configureWalletProviders"]) {
      const given = findField(config, name)
      if (given !== undefined)
        this.note(
          given,
          `\`${name}\` takes objects in place of classes: { name, supportedNetworks, init, destroy }`
        )
    }
    const rpc = findField(config, "rpc")
    if (findField(rpc, "nodes") === undefined) return
    const nodes = findField(rpc, "nodes") ?? b.nullLiteral()
    this.note(nodes, "your own nodes get the key only if their entries have `sendApiKey: true`")
    if (findField(rpc, "allowedBlocksBehind") === undefined)
      this.note(nodes, "`allowedBlocksBehind` is 10 by default, not 0")
  }

  /** Splits off the chain after a client: `tatum.rpc.getBalance` is `rpc.getBalance` of `tatum`. */
  private splitChain(
    node: Node | null | undefined
  ): { readonly holder: string; readonly path: ReadonlyArray<string> } | undefined {
    const chain = memberChain(node)
    if (chain === undefined) return undefined
    for (let at = chain.length - 1; at > 0; at--) {
      const holder = chain.slice(0, at).join(".")
      if (this.clientsByName.has(holder)) return { holder, path: chain.slice(at) }
    }
    return undefined
  }

  /** `tatum.walletProvider.use(MetaMask).m` is `tatum.wallet.m`, and `tatum.rpc.destroy` is `tatum.destroy`. */
  rewriteMembers(): void {
    const visitor = this
    recast.types.visit(this.program, {
      visitMemberExpression(path) {
        this.traverse(path)
        const { node } = path
        const { object } = node
        const use = n.CallExpression.check(object) ? visitor.splitChain(object.callee) : undefined
        if (n.CallExpression.check(object) && use?.path.join(".") === "walletProvider.use") {
          const [wallet] = object.arguments
          if (visitor.tatumNameOf(wallet) !== "MetaMask")
            visitor.note(node, "`walletProvider.use` takes no class: see `configureWalletProviders`")
          else if (
            n.MemberExpression.check(object.callee) &&
            n.MemberExpression.check(object.callee.object)
          ) {
            node.object = b.memberExpression(object.callee.object.object, b.identifier("wallet"))
          }
        }
        const found = visitor.splitChain(node)
        if (found?.path.join(".") === "rpc.destroy" && n.MemberExpression.check(object))
          node.object = object.object
        if (found?.path[0] === "extension")
          visitor.note(
            node,
            "extensions are objects: pass the one from the configuration to `extension`, which resolves to a result"
          )
      }
    })
  }

  private answerKindOf(call: Node | null | undefined): AnswerKind | undefined {
    if (!n.CallExpression.check(call)) return undefined
    const found = this.splitChain(call.callee)
    if (found === undefined) return undefined
    return found.path[0] === "wallet" ? "value" : findAnswer(this.clientsByName.get(found.holder), found.path)
  }

  /** Rewrites answers: `result` becomes `data`, and so does a plain value. */
  rewriteAnswers(): void {
    const visitor = this
    const results = new Set<string>()
    recast.types.visit(this.program, {
      visitVariableDeclarator(path) {
        const { id, init } = path.node
        const answer = n.AwaitExpression.check(init) ? visitor.answerKindOf(init.argument) : undefined
        if (answer === "result" && n.ObjectPattern.check(id)) visitor.renameResult(id)
        if (answer === "result" && n.Identifier.check(id)) results.add(id.name)
        if (
          answer === "value" &&
          (n.Identifier.check(id) || (n.ObjectPattern.check(id) && !visitor.readsOurResult(id)))
        ) {
          visitor.note(path.node, THROWN_NOTE)
          const value = n.Identifier.check(id) ? b.identifier(id.name) : id
          path.node.id = b.objectPattern([b.objectProperty(b.identifier("data"), value)])
        }
        this.traverse(path)
      },
      visitMemberExpression(path) {
        const { object, property } = path.node
        if (n.Identifier.check(property) && path.node.computed !== true && n.AwaitExpression.check(object)) {
          const answer = visitor.answerKindOf(object.argument)
          if (answer === "result" && property.name === "result") path.node.property = b.identifier("data")
          if (answer === "value" && !["data", "status", "error"].includes(property.name)) {
            visitor.note(path.node, THROWN_NOTE)
            path.node.object = b.memberExpression(object, b.identifier("data"))
          }
        }
        this.traverse(path)
      }
    })
    this.rewriteResults(results)
  }

  /** Whether a destructuring reads a result of ours. */
  private readsOurResult({ properties }: recast.types.namedTypes.ObjectPattern): boolean {
    return properties.some(
      (each) =>
        n.ObjectProperty.check(each) &&
        n.Identifier.check(each.key) &&
        ["data", "status"].includes(each.key.name)
    )
  }

  private renameResult(pattern: recast.types.namedTypes.ObjectPattern): void {
    for (const property of pattern.properties) {
      if (!n.ObjectProperty.check(property) || !n.Identifier.check(property.key)) continue
      if (property.key.name === "result") {
        property.key = b.identifier("data")
        property.shorthand = false
      } else if (["id", "jsonrpc"].includes(property.key.name)) {
        this.note(property, `results have no \`${property.key.name}\``)
      }
    }
  }

  /** Rewrites `answer.result`, where a name holds an answer of a node. */
  private rewriteResults(held: ReadonlySet<string>): void {
    recast.types.visit(this.program, {
      visitMemberExpression(path) {
        const { object, property } = path.node
        if (
          n.Identifier.check(object) &&
          held.has(object.name) &&
          n.Identifier.check(property) &&
          property.name === "result" &&
          path.node.computed !== true
        ) {
          path.node.property = b.identifier("data")
        }
        this.traverse(path)
      }
    })
  }

  /** Rewrites calls whose answer is not assigned to a name. */
  rewriteOtherCalls(): void {
    const visitor = this
    recast.types.visit(this.program, {
      visitCallExpression(path) {
        const answer = visitor.answerKindOf(path.node)
        const parent: Node = path.parent.node
        const above: Node | undefined = path.parent.parent?.node
        const isRead =
          n.AwaitExpression.check(parent) &&
          (n.VariableDeclarator.check(above) ||
            n.MemberExpression.check(above) ||
            n.ExpressionStatement.check(above))
        if ((answer === "result" || answer === "value") && !isRead) {
          visitor.note(path.node, answer === "result" ? "its `result` is `data` here" : THROWN_NOTE)
        }
        this.traverse(path)
      }
    })
  }

  /** `rpc.getBalance(address, 16)` is `rpc.getBalance(address, 16n)`. */
  rewriteHeights(): void {
    const visitor = this
    recast.types.visit(this.program, {
      visitCallExpression(path) {
        const [member, call = ""] = visitor.splitChain(path.node.callee)?.path ?? []
        const at =
          member === "rpc" && Object.hasOwn(BLOCK_ARGUMENTS, call) ? BLOCK_ARGUMENTS[call] : undefined
        const height = at === undefined ? undefined : path.node.arguments[at]
        if (at !== undefined && n.NumericLiteral.check(height))
          path.node.arguments[at] = b.bigIntLiteral(String(height.value))
        this.traverse(path)
      }
    })
  }

  /** Rewrites members of enumerations, and types. */
  values(): void {
    const visitor = this
    recast.types.visit(this.program, {
      visitImportDeclaration: () => false,
      visitMemberExpression(path) {
        const { object, property } = path.node
        const name = visitor.tatumNameOf(object)
        const members = name === undefined ? undefined : enumerations[name]
        if (members !== undefined && path.node.computed !== true && n.Identifier.check(property)) {
          const value = members[property.name]
          if (value === undefined) visitor.note(path.node, `there is no ${name}.${property.name} here`)
          else path.replace(b.stringLiteral(value))
        }
        this.traverse(path)
      },
      visitTSTypeReference(path) {
        const name = visitor.tatumNameOf(path.node.typeName)
        if (name !== undefined) visitor.typed(path, name)
        this.traverse(path)
      }
    })
  }

  private typed(
    path: { node: recast.types.namedTypes.TSTypeReference; replace: (node: Node) => unknown },
    name: string
  ): void {
    const sdk = (params?: recast.types.namedTypes.TSTypeParameterInstantiation) =>
      b.tsTypeReference(b.identifier("PromiseSdk"), params ?? null)
    const client = clients[name]
    if (client !== undefined) {
      const ids = client.networks.split(" ").map((id) => b.tsLiteralType(b.stringLiteral(id)))
      const [only, ...others] = ids
      if (only !== undefined)
        path.replace(sdk(b.tsTypeParameterInstantiation([others.length === 0 ? only : b.tsUnionType(ids)])))
      this.neededImports.set("PromiseSdk", "PromiseSdk")
    } else if (name === "Network") {
      path.replace(b.tsIndexedAccessType(sdk(), b.tsLiteralType(b.stringLiteral("network"))))
      this.neededImports.set("PromiseSdk", "PromiseSdk")
    } else if (name === "ResponseDto") {
      const [answer] = path.node.typeParameters?.params ?? []
      const ours = (name: "Result" | "SdkError") => b.identifier(name)
      path.replace(
        b.tsTypeReference(
          ours("Result"),
          b.tsTypeParameterInstantiation([
            answer ?? b.tsUnknownKeyword(),
            b.tsTypeReference(ours("SdkError"))
          ])
        )
      )
      for (const needed of ["Result", "SdkError"]) this.neededImports.set(needed, needed)
    } else if (name === "TatumConfig") {
      path.replace(b.tsTypeReference(b.identifier("InitConfig")))
      this.neededImports.set("InitConfig", "InitConfig")
    }
  }

  /**
   * Imports what the program needs from this package. Imports of the other package that are still in use stay, each
   * with a note.
   */
  rewriteImports(imports: ReadonlyArray<Import>): void {
    const left = [...this.locals].filter(([local]) => isUsed(this.program, local))
    imports.forEach((each, at) => {
      const next: Array<Import> = []
      if (at === 0 && this.neededImports.size > 0) {
        const ours = [...this.neededImports].sort()
        const isType = !this.neededImports.has("init")
        const made = makeImport(
          "effect-chains/promise",
          ours.map(([name, local]) => [
            name === "init" || isType ? name : `type ${name}`,
            name === "init" || isType ? local : `type ${local}`
          ])
        )
        if (isType) made.importKind = "type"
        next.push(made)
      }
      const own = localNames([each])
      const kept = left.filter(([local]) => own.has(local))
      for (const [local, name] of kept)
        this.note(
          each,
          `\`${local === name ? name : `${name} as ${local}`}\` is still that of @tatumio/tatum: docs/migration/tatum.md has its equivalent`
        )
      const isWhole = own.size !== (each.specifiers ?? []).length
      if (isWhole)
        this.note(
          each,
          "imports of the whole package are not changed: import its parts by name, and run this again"
        )
      if (isWhole || kept.length === own.size) next.push(each)
      else if (kept.length > 0)
        next.push(
          makeImport(
            "@tatumio/tatum",
            kept.map(([local, name]) => [name, local])
          )
        )
      if (next[0] !== each || next.length > 1) replaceImport(this.program, each, next)
    })
  }
}

/** Rewrites a program of `@tatumio/tatum`. */
export const tatum: Rewrite = ({ program }, note) => {
  const imports = findImports(program, (source) => source === "@tatumio/tatum")
  if (imports.length === 0) {
    note(program, "`require` of @tatumio/tatum is not changed: write it as an import, and run this again")
    return
  }
  const moving = new TatumMigration(program, localNames(imports), note)
  moving.findClients()
  moving.rewriteInits()
  moving.rewriteMembers()
  moving.rewriteHeights()
  moving.rewriteAnswers()
  moving.rewriteOtherCalls()
  moving.values()
  moving.rewriteImports(imports)
}
