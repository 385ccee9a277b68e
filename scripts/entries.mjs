/**
 * Writes the files that are derived from tables. They are separate files, so that bundlers can leave out what an
 * application does not import.
 *
 * `src/entries`: an entry on each surface for each module of families in the registry. `effect-chains/chains/*` makes
 * Promise clients (`init`). `effect-chains/effect/chains/*`, in the folder `effect`, makes Effect clients (`make`).
 * Both have all exports of their module, and bundle no other chains.
 *
 * `src/entries/signers`: an entry on each surface for each family of `src/signers`. `signer` makes signers of Promise
 * clients; `make` and `layer`, in the folder `effect`, those of Effect.
 *
 * `table.ts` in a folder of `src/chains`: a table for each of its modules, which export their endpoints one by one.
 *
 * `src/chains/loaded`: each module of families with the rows of its networks, which are loaded together.
 *
 * `src/data/networks.ts`: the networks as constants, from the network table. `src/data/rows.ts`: the same with their
 * rows. `src/data/ids.ts`: their ids by family. `src/data/rowsOf.ts`: their rows by family, in files that are loaded on
 * demand. `src/data/notificationCodes.ts`: the networks of notification codes. `src/data/chainIds.ts`: the networks of
 * chain ids.
 *
 * `src/config/version.ts`: the version of the package, for requests and the command line.
 *
 * Both packages' manifests: the part for `require`, and for compilers that do not know `exports`, from the `types` and
 * the `default` of each entry.
 *
 * `docs/errors`: the head of each error's page, from its declaration. An error's `docsUrl` leads to the page.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { typesVersions, withRequire } from "./commonJs.mjs"
import { withGuards } from "./guards.mjs"
import { importTables } from "./tables.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = `${root}src/entries`

/**
 * The files of endpoints in each folder of `src/chains`. A folder may also have types, and the table that this script
 * writes.
 */
const endpointFiles = readdirSync(`${root}src/chains`, { withFileTypes: true })
  .filter((each) => each.isDirectory() && each.name !== "internal" && each.name !== "loaded")
  .flatMap(({ name }) =>
    readdirSync(`${root}src/chains/${name}`)
      .filter((file) => file !== "table.ts")
      .map((file) => `${name}/${file}`)
  )

const {
  EXIT_CODES,
  constantNames,
  errorDeclarations,
  moduleOfFamily,
  networks,
  registry,
  endpointsIn,
  hasExport
} = await importTables(endpointFiles)

/** The families of every module: their ids, and their names in the module. */
const modules = new Map()
for (const [id, { name: family }] of Object.entries(registry)) {
  const module = moduleOfFamily.get(id)
  modules.set(module, [...(modules.get(module) ?? []), { id, family }])
}

const toSource = (fields) =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(", ")

/** The networks: id, columns as source, name of the constant, and a note for its documentation. */
const rows = Object.entries(networks).map(([id, fields]) => ({
  id,
  fields,
  family: fields.family,
  columns: toSource(fields),
  ...constantNames[id]
}))

/** The two surfaces: their folder, the path from there to the sources, and the constructor of a client. */
const surfaces = [
  {
    surface: "Promise",
    folder,
    up: "..",
    maker: "init",
    file: "promiseSurface",
    from: "makePromiseClient",
    type: "InitFamily"
  },
  {
    surface: "Effect",
    folder: `${folder}/effect`,
    up: "../..",
    maker: "make",
    file: "effectSurface",
    from: "makeEffectClient",
    type: "MakeFamily"
  }
]

const made = ({ file, from, maker, surface, type, up }, name, families) => {
  const ids = families.map(({ id }) => JSON.stringify(id)).join(" | ")
  const record = families.map(({ family, id }) => `${JSON.stringify(id)}: ${family}`).join(", ")
  const names = [...new Set(families.map(({ family }) => family))].sort().join(", ")
  const own = rows.filter(({ family }) => families.some(({ id }) => id === family)).map((each) => each.name)
  return `import { ${names} } from "${up}/chains/${name}.js"
import type { AnyNetworkOf } from "${up}/chains/registry.js"
import { makeFamilySource } from "${up}/client/clientParts.js"
import { type ${type}, ${from} } from "${up}/client/${file}.js"
import { tableOf } from "${up}/data/NetworkTable.js"
import { ${own.join(", ")} } from "${up}/data/rows.js"

export * from "${up}/chains/${name}.js"
export * from "${up}/transport/layers.js"

/** Makes the client of networks of this family on the ${surface} surface, those of definitions included. Any other network is refused. @since 0.1.0 @category constructors */
export const ${maker}: ${type}<AnyNetworkOf<${ids}>> = /*#__PURE__*/ ${from}(/*#__PURE__*/ makeFamilySource({ ${record} }, /*#__PURE__*/ tableOf([${own.join(", ")}])))
`
}

/** The families with signers, by the files of their signers. */
const signing = readdirSync(`${root}src/signers`)
  .filter((file) => /^[A-Z]\w*\.ts$/.test(file) && !file.startsWith("Signer"))
  .map((file) => file.replace(/\.ts$/, ""))

/** Signers that check addresses, which is the same on both surfaces. */
const withAddressCheck = new Set()
for (const name of signing) {
  if (await hasExport(`src/signers/${name}.ts`, "addressProblem")) withAddressCheck.add(name)
}
const checks = (name) =>
  withAddressCheck.has(name) ? `export { addressProblem } from "../../signers/${name}.js"\n` : ""

const typesFolder = (name) => name.toLowerCase()

/** What a signer of the Promise surface is made from. Of EVM chains there may be a client among it, which is one of Promises as well. */
const promisedFrom = (name) =>
  name === "Evm" ? `Types.EvmFrom<string, PromisedClient<Types.PrivateClient>>` : `Types.${name}From<string>`

/** Accounts with many addresses, which one family has. */
const promisedHd = (name) =>
  name === "Bitcoin"
    ? `
/** An HD account without its private keys, whose calls give results. @since 0.1.0 @category models */
export interface WatchedAccount extends Promised<Types.WatchedAccount> {}

/** The signer of an HD account, whose calls give results. @since 0.1.0 @category models */
export interface HdSigner extends Promised<Types.HdSigner> {}

/** Watches an HD account by its extended public key or its descriptor. Its calls give results. @since 0.1.0 @category constructors */
export const watchHdAccount: (
  client: PromisedClient<Types.HdClient>,
  from: Types.WatchFrom
) => Promise<Result<WatchedAccount, SignerError>> = /*#__PURE__*/ promisifyMake(watchAccount)

/** An account of several keys, whose calls give results. @since 0.1.0 @category models */
export interface MultisigAccount extends Promised<Types.MultisigAccount> {}

/** Watches an account of several keys by its descriptor. Its calls give results. @since 0.1.0 @category constructors */
export const watchMultisig: (
  client: PromisedClient<Types.HdClient>,
  from: Types.MultisigFrom
) => Promise<Result<MultisigAccount, SignerError>> = /*#__PURE__*/ promisifyMake(watchShared)

/** Makes the signer of an HD account. Its keys are text, its calls give results. @since 0.1.0 @category constructors */
export const hdSigner: (
  client: PromisedClient<Types.HdClient>,
  from: Types.HdFrom<string>
) => Promise<Result<HdSigner, SignerError>> = /*#__PURE__*/ promisifyMake(makeHdSigner)
`
    : ""

/** What makes the signers of a family. */
const makers = (name) =>
  name === "Bitcoin"
    ? "hdSigner as makeHdSigner, make, watchHdAccount as watchAccount, watchMultisig as watchShared"
    : "make"

const promisedSigner = (
  name
) => `import { type PromisedClient, promisifyMake } from "../../client/promiseBridge.js"
import type { Result } from "../../data/CallResult.js"
import { ${makers(name)} } from "../../signers/${name}.js"
import type { SignerError } from "../../signers/Signer.js"
import type * as Types from "../../signers/${typesFolder(name)}/Types.js"
import type { Promised } from "../../transport/Client.js"

export type * from "../../signers/Signer.js"
export type * from "../../signers/${typesFolder(name)}/Types.js"
${checks(name)}
/** A signer whose calls give results. @since 0.1.0 @category models */
export interface ${name}Signer extends Promised<Types.${name}Signer> {}

/** Makes a signer for the client of a network of this family. Its keys are text, its calls give results. @since 0.1.0 @category constructors */
export const signer: (
  client: PromisedClient<Types.${name}Client>,
  from: ${promisedFrom(name)}
) => Promise<Result<${name}Signer, SignerError>> = /*#__PURE__*/ promisifyMake(make)
${promisedHd(name)}`

const effectSigner = (name) => `import type * as Context from "effect/Context"
import type * as Layer from "effect/Layer"
import type { OnThisEffect } from "../../../data/effectVersion.js"
import { make, type ${name}Client, type ${name}From, type ${name}Signer } from "../../../signers/${name}.js"
import { makeLayer } from "../../../signers/layer.js"
import type { SignerError } from "../../../signers/Signer.js"

export * from "../../../signers/${name}.js"
export type * from "../../../signers/Signer.js"

/** A signer as a layer under a tag of yours, over the tag of a client. @since 0.1.0 @category layers */
export const layer: <Self, Id, C extends ${name}Client>(
  tag: Context.Tag<Self, ${name}Signer>,
  client: Context.Tag<Id, C>,
  from: OnThisEffect<${name}From>
) => Layer.Layer<Self, SignerError, Id> = /*#__PURE__*/ makeLayer(make)
`

/** The docs of a network's constant. */
const docOf = ({ fields, id, note }) => {
  const { chainId, status, symbol } = fields
  const what = [symbol, ...(chainId === undefined ? [] : [`chain id ${chainId}`])]
  const tags = [
    "@since 0.1.0",
    `@category ${isTestnet({ fields }) ? "testnets" : "mainnets"}`,
    ...(status === "sunset" ? ["@deprecated Shut down."] : [])
  ]
  return [`\`${id}\`: ${what.join(", ")}.`, ...(note === undefined ? [] : [note]), ...tags].join(" ")
}

const isTestnet = ({ fields }) => fields.testnet === true
const sorted = [...rows.filter((each) => !isTestnet(each)), ...rows.filter(isTestnet)]

const constants = `/**
 * The networks and the enumerations as constants, each of them left out of a bundle that does not name it.
 *
 * \`\`\`ts
 * import * as Network from "effect-chains/networks"
 *
 * const network = Network.ETHEREUM
 * \`\`\`
 *
 * @since 0.1.0
 */
import type { Network } from "./Network.js"

export * from "./enumerations.js"

${sorted.map((each) => `/** ${docOf(each)} */\nexport const ${each.name} = "${each.id}" satisfies Network\n`).join("")}`

const rowsFile = `/**
 * The networks as rows of their table, for clients that are made of what they use: each is left out of a bundle that does not
 * name it.
 *
 * \`\`\`ts
 * import { ETHEREUM } from "effect-chains/chains"
 * \`\`\`
 *
 * @since 0.1.0
 */
import type { NetworkRow } from "./Network.js"

${sorted.map((each) => `/** ${docOf(each)} */\nexport const ${each.name}: NetworkRow<"${each.id}"> & { readonly family: "${each.family}" } = { id: "${each.id}", ${each.columns} }\n`).join("")}`

const rowsOf = [...modules].map(([name, families]) => ({
  name,
  families,
  text: `import type { NetworkRow } from "../Network.js"

/** The networks of the module's families. */
export const rows: ReadonlyArray<NetworkRow> = [
${rows
  .filter(({ family }) => families.some(({ id }) => id === family))
  .map((each) => `  { id: "${each.id}", ${each.columns} }`)
  .join(",\n")}
]
`
}))
const rowsOfFile = `import type { FamilyId, NetworkRow } from "./Network.js"

/** The rows of the networks by their families, each module's in a chunk of its own: for signers, which need no family. */
export const rowsOf: { readonly [F in FamilyId]: () => Promise<{ readonly rows: ReadonlyArray<NetworkRow> }> } = {
${rowsOf.flatMap(({ families, name }) => families.map(({ id }) => `  "${id}": () => import("./rows/${name}.js")`)).join(",\n")}
}
`

/** The ids of all networks by their families, for modules that have the rows of their own networks alone. */
const byFamily = new Map()
for (const { family, id } of rows) byFamily.set(family, [...(byFamily.get(family) ?? []), id])
const idsFile = `import type { FamilyId } from "./Network.js"

/** The ids of the networks, by their families. */
export const ids: { readonly [F in FamilyId]: string } = {
${[...byFamily].map(([family, all]) => `  "${family}": "${all.join(" ")}"`).join(",\n")}
}
`

/** The networks of the chain ids. Of networks with the same chain, the one with the current name has the last line. */
const byChainId = new Map()
for (const { fields, id } of rows) {
  const { chainId } = fields
  if (chainId !== undefined) byChainId.set(chainId, id)
}
const chainIdsFile = `/** The networks by their chain ids, for definitions: none has the chain id of another network. */
export const chainIds: Readonly<Record<number, string>> = {
${[...byChainId].map(([chainId, id]) => `  ${chainId}: "${id}"`).join(",\n")}
}
`

/** The networks of each code: the mainnet, then the testnet that the code alone stands for. */
const byCode = new Map()
for (const each of rows) {
  const code = each.fields.notification
  if (code !== undefined) byCode.set(code, [...(byCode.get(code) ?? []), each])
}
const meant = (all) => [
  all.find((each) => !isTestnet(each)),
  all.find(({ fields }) => fields.defaultTestnet === true) ?? all.find(isTestnet)
]
const codesFile = `/** The networks that a code of notifications stands for: a mainnet, a testnet, or both in this order. */
export const networksByCode: Readonly<Record<string, string>> = {
${[...byCode]
  .map(
    ([code, all]) =>
      `  "${code}": "${meant(all)
        .flatMap((each) => each?.id ?? [])
        .join(" ")}"`
  )
  .join(",\n")}
}
`

// a correct file is not written again, so that watchers see no change
const write = (file, text) => {
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text)
}
const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8"))
write(
  `${root}src/config/version.ts`,
  `/** The version of the package. */\nexport const version = ${JSON.stringify(version)}\n`
)

const fieldOf = (name, value) =>
  `  "${name}": ${JSON.stringify(value, null, 2)
    .replace(/\n/g, "\n  ")
    .replace(/\[\s+("[^"]+")\s+\]/g, "[$1]")},\n`
for (const file of [`${root}package.json`, `${root}packages/fleet/package.json`]) {
  const text = readFileSync(file, "utf8")
  const { exports } = JSON.parse(text)
  const fields = [
    fieldOf("types", exports["."].types),
    fieldOf("typesVersions", typesVersions(exports)),
    fieldOf(
      "exports",
      file === `${root}package.json` ? withGuards(withRequire(exports)) : withRequire(exports)
    )
  ]
  const derived =
    /(?:^ {2}"types": .*\n)?(?:^ {2}"typesVersions": \{\n[\s\S]*?^ {2}\},\n)?^ {2}"exports": \{\n[\s\S]*?^ {2}\},\n/m
  write(
    file,
    text.replace(derived, () => fields.join(""))
  )
}
for (const surface of surfaces) {
  mkdirSync(surface.folder, { recursive: true })
  for (const file of readdirSync(surface.folder, { withFileTypes: true })) {
    if (file.isFile() && !modules.has(file.name.replace(/\.ts$/, "")))
      rmSync(`${surface.folder}/${file.name}`)
  }
  for (const [name, families] of modules) write(`${surface.folder}/${name}.ts`, made(surface, name, families))
}
for (const [folder, text] of [
  [`${surfaces[0].folder}/signers`, promisedSigner],
  [`${surfaces[1].folder}/signers`, effectSigner]
]) {
  mkdirSync(folder, { recursive: true })
  for (const file of readdirSync(folder)) {
    if (!signing.includes(file.replace(/\.ts$/, ""))) rmSync(`${folder}/${file}`)
  }
  for (const name of signing) write(`${folder}/${name}.ts`, text(name))
}
/** The name of a method without its group, as in `src/chains/internal/tableByName.ts`. */
const ownName = (method) => {
  const [space, name] = method.split("_")
  return /^(eth|web3)$/.test(space) ? name : `${space}${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
const tableOf = ({ names, stem }) => {
  const all = names.map(([name]) => name)
  const keys = all.map((each) => `"${each}"`).join(" | ")
  // Names with a prefix are in the bundle anyway, as methods. Computing the keys from them would need a chunk that two
  // families share.
  const made = names.every(([, method]) => method.includes("_"))
    ? `/*#__PURE__*/ tableByName([${names
        .map(([each, method]) => (each === ownName(method) ? each : `["${each}", ${each}]`))
        .join(", ")}])`
    : `{ ${all.join(", ")} }`
  const name = stem === "endpoints" ? "table" : stem
  return {
    imports: `import { ${all.join(", ")} } from "./${stem}.js"\n`,
    text: `
/** The endpoints of \`${stem}.ts\` as one table, in their order. */
export const ${name}: Pick<typeof import("./${stem}.js"), ${keys}> = ${made}
`
  }
}

// once another bundler has processed the package, bundlers keep all of a module that is imported as a whole
for (const family of new Set(endpointFiles.map((file) => file.split("/")[0]))) {
  const path = `${root}src/chains/${family}`
  const tables = endpointFiles
    .filter((file) => file.startsWith(`${family}/`))
    .map((file) => ({ stem: file.replace(/^.*\/|\.ts$/g, ""), names: endpointsIn(file) }))
    .filter(({ names }) => names.length > 0)
    .map(tableOf)
  if (tables.length === 0) continue
  const body = tables.map(({ imports }) => imports).join("") + tables.map(({ text }) => text).join("")
  write(
    `${path}/table.ts`,
    body.includes("tableByName([")
      ? `import { tableByName } from "../internal/tableByName.js"\n${body}`
      : body
  )
}
write(`${root}src/data/networks.ts`, constants)
write(`${root}src/data/rows.ts`, rowsFile)
write(`${root}src/data/ids.ts`, idsFile)
write(`${root}src/data/rowsOf.ts`, rowsOfFile)
write(`${root}src/data/notificationCodes.ts`, codesFile)
write(`${root}src/data/chainIds.ts`, chainIdsFile)
for (const folder of ["src/data/rows", "src/chains/loaded"]) {
  mkdirSync(root + folder, { recursive: true })
  for (const file of readdirSync(root + folder)) {
    if (!modules.has(file.replace(/\.ts$/, ""))) rmSync(`${root}${folder}/${file}`)
  }
}
for (const { name, text } of rowsOf) {
  write(`${root}src/data/rows/${name}.ts`, text)
  write(
    `${root}src/chains/loaded/${name}.ts`,
    `export { rows } from "../../data/rows/${name}.js"\nexport * from "../${name}.js"\n`
  )
}

/** The head of an error's page, from its declaration: the fields (`?`: may be absent), and the exit codes of the command line. */
const describeError = (name, { exit, exitOfKind = {}, fields }) => {
  const names = Object.keys(fields)
  const describeExit = (id) => `${EXIT_CODES[id]} (\`${id}\`)`
  const describeKinds = (id) =>
    Object.keys(exitOfKind)
      .filter((kind) => exitOfKind[kind] === id)
      .map((kind) => `\`${kind}\``)
      .join(", ")
  const others = [...new Set(Object.values(exitOfKind))].map(
    (id) => `, ${describeExit(id)} for ${describeKinds(id)}`
  )
  const shape = names.length === 0 ? name : `${name} { ${names.join(", ")} }`
  return `\`${shape}\` · exit code of the command line: ${describeExit(exit)}${others.join("")}`
}

for (const [name, declaration] of Object.entries(errorDeclarations)) {
  const page = `${root}docs/errors/${name.toLowerCase()}.md`
  const [title, , , ...rest] = readFileSync(page, "utf8").split("\n")
  write(page, [title, "", describeError(name, declaration), ...rest].join("\n"))
}
