/** All members of all clients on both surfaces, for test/types.test.ts to count the compiler's work to resolve them. */

import type * as Sdk from "../../src/client/Sdk.js"
import type { Promised } from "../../src/transport/Client.js"

/** Arguments and results of all members of a client, as one union: the compiler has to resolve every one. */
type Members<C> = {
  readonly [K in keyof C]: C[K] extends (...args: infer Args) => infer Returned
    ? Args | Returned
    : Members<C[K]>
}[keyof C]

/** The clients on the Effect surface. */
export interface Clients extends Sdk.Clients {}

/** The same on the Promise surface. */
export type PromiseClients = Promised<Clients>

export const members = (on: readonly [Members<Clients>, Members<PromiseClients>]): ReadonlyArray<unknown> =>
  on
