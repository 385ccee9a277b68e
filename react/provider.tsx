"use client"

/**
 * What all providers do: they keep their clients between renders, and give them to the hooks below.
 *
 * @since 0.1.0
 */
import type * as Layer from "effect/Layer"
import * as React from "react"
import type { Http } from "../src/http/service.js"
import {
  type ClientSource,
  ClientStore,
  ClientsContext,
  DefaultsContext,
  findOrMakeClients,
  noDefaults,
  useClients,
  warnOnce
} from "./ClientStore.js"
import type { DehydratedAnswer } from "./hydration.js"
import { RegistryContext } from "./reactivity.js"
import type { ReadDefaults } from "./types.js"
import { toKey } from "./values.js"

/**
 * The props that all providers have.
 *
 * - `layer`: sends the requests in place of `fetch`, and may add services for calls, such as a tracer. A new layer makes new clients.
 * - `initialValues`: answers that a server has read. They are used when the provider mounts.
 * - `defaults`: options of all hooks below the provider.
 *
 * @since 0.1.0
 * @category models
 */
export interface CommonProviderProps {
  readonly layer?: Layer.Layer<Http>
  readonly initialValues?: ReadonlyArray<DehydratedAnswer>
  readonly defaults?: ReadDefaults
  readonly children?: React.ReactNode
}

/** A kind of provider: its name, the prop that says what its clients are, and what makes them of the value of that prop. */
interface ProviderKind<Given extends object> {
  readonly provider: string
  readonly prop: string
  readonly makeSource: (given: Given) => ClientSource
}

/** Makes the hook that renders a kind of provider. */
export const makeUseProvider =
  <Given extends object>({ makeSource, prop, provider }: ProviderKind<Given>) =>
  (given: Given, props: CommonProviderProps): React.ReactElement => {
    const { children, initialValues, layer } = props
    const rendered = { given, layer, initialValues }
    // biome-ignore lint/correctness/useExhaustiveDependencies: compared by value
    const defaults = React.useMemo(() => props.defaults ?? noDefaults, [toKey(props.defaults)])
    const [state, setClients] = React.useState(() => findOrMakeClients(() => makeSource(given), rendered))
    const clients = state.matches(rendered) ? state : new ClientStore(makeSource(given), layer)
    if (clients !== state) {
      if (process.env.NODE_ENV !== "production" && state.source.differsByIdentityOnly(given))
        warnOnce(
          provider,
          `a render has brought another \`layer\`, or another object in \`${prop}\`, and makes new clients for it`
        )
      setClients(clients)
    }
    React.useInsertionEffect(() => {
      clients.source.update(given)
    })
    React.useEffect(() => {
      const release = clients.mount()
      if (release === undefined) setClients(clients.renew())
      return release
    }, [clients])
    return (
      <ClientsContext.Provider value={clients}>
        <DefaultsContext.Provider value={defaults}>
          <RegistryContext.Provider value={clients.registry}>{children}</RegistryContext.Provider>
        </DefaultsContext.Provider>
      </ClientsContext.Provider>
    )
  }

/**
 * Hydrates a part of the page, as `initialValues` hydrates all of it. An answer that a component shows already stays.
 *
 * @since 0.1.0
 * @category components
 */
export const HydrationBoundary = ({
  children,
  values
}: {
  readonly values: ReadonlyArray<DehydratedAnswer>
  readonly children?: React.ReactNode
}): React.ReactNode => {
  const clients = useClients()
  React.useMemo(() => clients.hydrate(values), [clients, values])
  return children
}
