import * as Cause from "effect/Cause"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Runtime from "effect/Runtime"
import {
  createContext,
  type ReactElement,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState
} from "react"
import type { SdkConfig } from "../../src/config/Config.js"
import type { AnyNetwork, Network } from "../../src/data/Network.js"
import type { AdminClient } from "../../src/sandbox/Client.js"
import { findOwnNetwork, isNetwork, toNetwork } from "./networks.js"

/** The description of the server's sandbox, at /sandbox.json. The keys are public. */
export interface SandboxInfo {
  readonly baseUrl: string
  readonly nodeListUrl: string
  readonly domain: string
  readonly network: Network
  /** Seconds between two blocks. */
  readonly blockTime: number
  readonly accounts: ReadonlyArray<{ readonly address: `0x${string}`; readonly privateKey: `0x${string}` }>
  /** Networks that no table has: their definitions, and the nodes that the sandbox runs for them. */
  readonly own?: ReadonlyArray<{
    readonly definition: unknown
    readonly nodes: ReadonlyArray<{ readonly url: string }>
  }>
  readonly inbox: { readonly url: string; readonly events: string }
  readonly seed?: {
    readonly nft: { readonly address: `0x${string}`; readonly tokens: ReadonlyArray<string> }
    readonly token: { readonly address: `0x${string}`; readonly symbol: string }
  }
}

/** The provider that the page uses. The API key is only in this object, and never stored. */
export interface Settings {
  readonly source: "sandbox" | "provider"
  readonly apiKey: string
  readonly baseUrl: string
  readonly nodeListUrl: string
}

/** A line of the log of this page's actions. */
export interface LogLine {
  readonly id: number
  readonly at: number
  readonly text: string
}

/** The state that all panels share. */
export interface Playground {
  readonly network: Network
  readonly setNetwork: (network: Network) => void
  /** The network that the sandbox is starting, until it runs. */
  readonly startingNetwork: Network | undefined
  readonly startError: unknown
  readonly sandbox: SandboxInfo | undefined
  readonly isOnSandbox: boolean
  readonly admin: AdminClient | undefined
  readonly config: SdkConfig<AnyNetwork, "eventual">
  readonly settings: Settings
  readonly setSettings: (settings: Settings) => void
  readonly lines: ReadonlyArray<LogLine>
  readonly log: (text: string) => void
}

const PlaygroundContext = createContext<Playground | undefined>(undefined)

/** The state that all panels share: the provider that the page talks to, and the network. */
export const usePlayground = (): Playground => {
  const value = useContext(PlaygroundContext)
  if (value === undefined) throw new Error("usePlayground is used outside of the page")
  return value
}

/** The pause between health checks of the sandbox's nodes, in milliseconds. It is short, since the page shows them. */
export const CHECK_INTERVAL_MS = 2_000

const toSdkConfig = (
  network: Network,
  settings: Settings,
  sandbox: SandboxInfo | undefined
): SdkConfig<AnyNetwork, "eventual"> => {
  const own = findOwnNetwork(network)
  if (settings.source === "sandbox" && sandbox !== undefined) {
    const { baseUrl, domain, nodeListUrl } = sandbox
    return {
      network: toNetwork(network),
      quiet: true,
      attemptTimeout: 4_000,
      rpc: { statusCheckInterval: CHECK_INTERVAL_MS, ...(own === undefined ? {} : { nodes: own.nodes }) },
      provider: { baseUrl, domain, nodeListUrl }
    }
  }
  return {
    network: toNetwork(network),
    quiet: true,
    ...(settings.apiKey === "" ? {} : { apiKey: settings.apiKey }),
    // lists of nodes without a base url are refused with what is missing
    ...(settings.baseUrl === "" && settings.nodeListUrl === ""
      ? {}
      : {
          provider: {
            baseUrl: settings.baseUrl,
            ...(settings.nodeListUrl === "" ? {} : { nodeListUrl: settings.nodeListUrl })
          }
        })
  }
}

/** The network that the address bar names: `?network=solana-mainnet`. */
const networkFromUrl = (): Network | undefined => {
  const name = new URLSearchParams(location.search).get("network") ?? ""
  return isNetwork(name) ? name : undefined
}

const writeNetworkToUrl = (network: Network): void => {
  const url = new URL(location.href)
  url.searchParams.set("network", network)
  history.replaceState(null, "", url)
}

/** Loads the client of the sandbox's administration. */
const useAdminClient = (sandbox: SandboxInfo | undefined): AdminClient | undefined => {
  const [admin, setAdmin] = useState<AdminClient>()
  useEffect(() => {
    if (sandbox === undefined) return
    let isCurrent = true
    void import("./admin.js").then(({ connectAdmin }) => {
      if (isCurrent) setAdmin(connectAdmin(sandbox.baseUrl))
    })
    return () => {
      isCurrent = false
    }
  }, [sandbox])
  return admin
}

/** The page's log: its last 50 lines, newest first. */
const useLog = (): Pick<Playground, "lines" | "log"> => {
  const [lines, setLines] = useState<ReadonlyArray<LogLine>>([])
  const log = useCallback((text: string) => {
    setLines((all) => [{ id: (all[0]?.id ?? 0) + 1, at: Date.now(), text }, ...all].slice(0, 50))
  }, [])
  return { lines, log }
}

/** The page's network. The sandbox has to start one before the page can show it. */
const useNetworkSwitch = (
  sandbox: SandboxInfo | undefined,
  admin: AdminClient | undefined,
  isOnSandbox: boolean
): Pick<Playground, "network" | "setNetwork" | "startingNetwork" | "startError"> => {
  const first = networkFromUrl() ?? sandbox?.network ?? "ethereum-mainnet"
  const [network, changeNetwork] = useState<Network>(
    sandbox === undefined || first === sandbox.network || findOwnNetwork(first) !== undefined
      ? first
      : sandbox.network
  )
  const [startingNetwork, setStartingNetwork] = useState<Network>()
  const [startError, setStartError] = useState<unknown>()
  const setNetwork = useCallback(
    (next: Network) => {
      setStartError(undefined)
      const showNetwork = () => {
        changeNetwork(next)
        writeNetworkToUrl(next)
      }
      // the sandbox runs the networks of its own definitions from its start
      if (!isOnSandbox || admin === undefined || findOwnNetwork(next) !== undefined) return showNetwork()
      setStartingNetwork(next)
      void run(admin.start({ path: { network: next } })).then((outcome) => {
        setStartingNetwork((current) => (current === next ? undefined : current))
        if (outcome.status === "done") showNetwork()
        else setStartError(outcome.error)
      })
    },
    [admin, isOnSandbox]
  )
  // the sandbox starts the network of the address bar first, as one that the user picks
  const [wanted, setWanted] = useState<Network | undefined>(first === network ? undefined : first)
  useEffect(() => {
    if (wanted === undefined || admin === undefined) return
    setWanted(undefined)
    setNetwork(wanted)
  }, [admin, setNetwork, wanted])
  return { network, setNetwork, startingNetwork, startError }
}

/** Keeps the state that all panels share. */
export const Session = (props: {
  readonly sandbox: SandboxInfo | undefined
  readonly children: ReactNode
}): ReactElement => {
  const { children, sandbox } = props
  const [settings, setSettings] = useState<Settings>({
    source: sandbox === undefined ? "provider" : "sandbox",
    apiKey: "",
    baseUrl: "",
    nodeListUrl: ""
  })
  const isOnSandbox = settings.source === "sandbox" && sandbox !== undefined
  const admin = useAdminClient(sandbox)
  const { lines, log } = useLog()
  const { network, setNetwork, startError, startingNetwork } = useNetworkSwitch(sandbox, admin, isOnSandbox)
  const config = useMemo(() => toSdkConfig(network, settings, sandbox), [network, settings, sandbox])
  const value = useMemo(
    (): Playground => ({
      network,
      setNetwork,
      startingNetwork,
      startError,
      sandbox,
      isOnSandbox,
      admin: isOnSandbox ? admin : undefined,
      config,
      settings,
      setSettings,
      lines,
      log
    }),
    [
      network,
      setNetwork,
      startingNetwork,
      startError,
      sandbox,
      isOnSandbox,
      admin,
      config,
      settings,
      lines,
      log
    ]
  )
  return <PlaygroundContext value={value}>{children}</PlaygroundContext>
}

/** The result of an effect. */
export type Outcome<A> =
  | { readonly status: "done"; readonly value: A }
  | { readonly status: "failed"; readonly error: unknown }

const runtime = Runtime.defaultRuntime

/** Runs an effect of the sandbox's client; it never rejects. */
export const run = async <A, E>(effect: Effect.Effect<A, E>): Promise<Outcome<A>> => {
  const exit = await Runtime.runPromiseExit(runtime)(effect)
  return Exit.isSuccess(exit)
    ? { status: "done", value: exit.value }
    : { status: "failed", error: Cause.squash(exit.cause) }
}

/** Runs actions on the sandbox, with the state of the last one. */
export const useAdmin = (): {
  readonly act: <A, E>(what: (admin: AdminClient) => Effect.Effect<A, E>) => Promise<Outcome<A> | undefined>
  readonly busy: boolean
  readonly error: unknown
} => {
  const { admin } = usePlayground()
  const [running, setRunning] = useState(0)
  const [error, setError] = useState<unknown>()
  const act = useCallback(
    async <A, E>(what: (client: AdminClient) => Effect.Effect<A, E>): Promise<Outcome<A> | undefined> => {
      if (admin === undefined) return undefined
      setRunning((n) => n + 1)
      setError(undefined)
      const outcome = await run(what(admin))
      setRunning((n) => n - 1)
      if (outcome.status === "failed") setError(outcome.error)
      return outcome
    },
    [admin]
  )
  return { act, busy: running > 0, error }
}
