/** The networks of the page: those of the table, and definitions from its server. Panels use their ids. */
import * as Coverage from "../../src/data/Coverage.js"
import { definedRow } from "../../src/data/definedNetworks.js"
import * as Table from "../../src/data/Network.js"

/** The definition of an EVM chain. */
export type EvmDefinition = Table.NetworkDefinition<string, "evm", number, undefined>

/** A definition, and the nodes that the page's sandbox runs for it. */
export interface OwnNetwork {
  readonly definition: Table.NetworkDefinition
  readonly nodes: ReadonlyArray<{ readonly url: string }>
}

const ownNetworks = new Map<string, OwnNetwork>()

/** Adds definitions to the page's networks. Call it before the page is rendered. */
export const addOwnNetworks = (networks: ReadonlyArray<OwnNetwork>): void => {
  for (const each of networks) ownNetworks.set(each.definition.id, each)
}

/** The definition with an id, and its nodes, if the page has one. */
export const findOwnNetwork = (network: string): OwnNetwork | undefined => ownNetworks.get(network)

/** The definition with an id, if it is one of an EVM chain. */
export const findEvmDefinition = (network: string): EvmDefinition | undefined => {
  const definition = ownNetworks.get(network)?.definition
  const isOfEvm = (each: Table.NetworkDefinition): each is EvmDefinition => each.family === "evm"
  return definition !== undefined && isOfEvm(definition) ? definition : undefined
}

/** Whether the page has a network. Hooks accept the id of a definition like that of a network in the table. */
export const isNetwork = (id: string): id is Table.Network => ownNetworks.has(id) || Table.isNetwork(id)

/** The ids of all networks, those of definitions first. */
export const listNetworks: () => ReadonlyArray<Table.Network> = () =>
  [...ownNetworks.keys(), ...Object.keys(Table.networks)].filter(isNetwork)

/** The definition with an id, or the id itself: what a client's configuration takes. */
export const toNetwork = (id: Table.Network): Table.AnyNetwork => ownNetworks.get(id)?.definition ?? id

/** The row of a network. */
export const info = (id: Table.Network): Table.NetworkInfo =>
  definedRow(ownNetworks.get(id)?.definition) ?? Table.info(id)

const evmFamilies: ReadonlyArray<Table.FamilyId> = Table.evmFamilies

export const isEvm = (id: Table.Network): boolean => evmFamilies.includes(info(id).family)

export const isTestnet = (id: Table.Network): boolean => info(id).testnet === true

export const isSunset = (id: Table.Network): boolean => info(id).status === "sunset"

export const isLoadBalanced = (id: Table.Network): boolean => info(id).loadBalanced === true

export const hasFee = (id: Table.Network): boolean => info(id).fee === true

/** Whether the data API knows the network's addresses. */
export const hasData = (id: Table.Network): boolean =>
  !ownNetworks.has(id) && (Coverage.isDataApi(id) || Coverage.isDataApiUtxo(id))

/** The paths of services and of their methods. */
type ServicePath = Parameters<typeof Coverage.supports>[1]

const isService = (name: string): name is keyof typeof Coverage.serviceNeeds =>
  Object.hasOwn(Coverage.serviceNeeds, name)

/** Whether a network has a service, or the method at a path. */
export const supports = (id: Table.Network, path: ServicePath): boolean => {
  const [service = ""] = path.split(".", 1)
  return isService(service) && Coverage.hasService({ network: id, info: info(id) }, service)
}
