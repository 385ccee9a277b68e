import { lazy, type ReactElement, type RefObject, Suspense, useEffect, useRef } from "react"
import { SdkProvider, useBlockNumber } from "../index.js"
import { MonitorProvider, useMonitorSnapshot } from "./live/useMonitor.js"
import { SandboxNodesProvider, useSandboxNodes } from "./live/useSandboxNodes.js"
import logo from "./logo.svg"
import { CHECK_INTERVAL_MS, type SandboxInfo, Session, usePlayground } from "./session.js"
import { Boundary } from "./shell/Boundary.js"
import { NetworkPicker } from "./shell/NetworkPicker.js"
import { type Route, routes, useRoute } from "./shell/routes.js"
import { ThemeButton } from "./shell/Theme.js"
import { Badge, ErrorBox, Panel, Skeleton } from "./ui/index.js"
import { Overview } from "./views/Overview.js"

const views = {
  overview: Overview,
  chain: lazy(() => import("./views/Chain.js").then(({ Chain }) => ({ default: Chain }))),
  settings: lazy(() =>
    import("./views/SettingsView.js").then(({ SettingsView }) => ({ default: SettingsView }))
  ),
  nfts: lazy(() => import("./nfts/index.js").then(({ NftGrid }) => ({ default: NftGrid }))),
  console: lazy(() => import("./console/index.js").then(({ RpcConsole }) => ({ default: RpcConsole }))),
  wallet: lazy(() => import("./wallet/index.js").then(({ WalletPanel }) => ({ default: WalletPanel }))),
  webhooks: lazy(() =>
    import("./webhooks/index.js").then(({ WebhooksPanel }) => ({ default: WebhooksPanel }))
  )
} as const satisfies Record<Route["id"], unknown>

const Brand = (): ReactElement => (
  <a className="brand" href="#/">
    <img src={logo} width="28" height="28" alt="" />
    <span className="brand-word">
      effect-chains <small>playground</small>
    </span>
  </a>
)

const BlockNumber = (): ReactElement => {
  const { network } = usePlayground()
  const { data } = useBlockNumber({ network, watch: true })
  return (
    <span className="tabular only-wide">Block {data === undefined ? "…" : data.toLocaleString("en-US")}</span>
  )
}

const LoadingPanel = (): ReactElement => (
  <Panel title="Loading">
    <Skeleton lines={6} />
  </Panel>
)

/** When the sandbox stopped, or the last node stopped answering, in milliseconds since 1970. */
const useOutage = () => {
  const { goneSince } = useSandboxNodes()
  const { silentSince } = useMonitorSnapshot()
  return { goneSince, since: goneSince ?? silentSince }
}

/** Says that the values below are old, why, and what to do. */
const Outage = (): ReactElement | null => {
  const { isOnSandbox } = usePlayground()
  const { goneSince, since } = useOutage()
  if (since === undefined) return null
  const at = new Date(since).toLocaleTimeString("en-GB")
  return (
    <p className="banner banner-bad">
      <span>
        <strong>{goneSince === undefined ? "Nothing answers." : "The sandbox has gone."}</strong>{" "}
        {goneSince === undefined
          ? isOnSandbox
            ? `All nodes are down: heal or start one below. Trying again in ${CHECK_INTERVAL_MS / 1_000} s.`
            : "No node of the provider answers. Trying again; look at the connection in the settings."
          : "Start it again with npm start -- --playground: this page connects by itself."}{" "}
        What is shown is from before {at}.
      </span>
    </p>
  )
}

/** Titles the page, and after a change of view shows the view's beginning, its link, and moves the focus into it. */
const useRouteFocus = (route: Route) => {
  const main = useRef<HTMLElement>(null)
  const links = useRef<HTMLElement>(null)
  const shown = useRef(route.id)
  useEffect(() => {
    document.title = `${route.title} · effect-chains playground`
    if (shown.current === route.id) return
    shown.current = route.id
    window.scrollTo(0, 0)
    links.current
      ?.querySelector("[aria-current=page]")
      ?.scrollIntoView({ block: "nearest", inline: "center" })
    main.current?.focus({ preventScroll: true })
  }, [route])
  return { main, links }
}

interface TopBarProps {
  readonly route: Route
  readonly links: RefObject<HTMLElement | null>
}

const TopBar = ({ links, route }: TopBarProps): ReactElement => {
  const { isOnSandbox } = usePlayground()
  return (
    <header className="topbar">
      <Brand />
      <nav className="nav" aria-label="Views" ref={links}>
        {routes.map(({ hash, id, title }) => (
          <a key={id} href={hash} aria-current={id === route.id ? "page" : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <span className="grow" />
      <div className="head-status">
        <BlockNumber />
        <Badge tone={isOnSandbox ? "info" : "warn"} dot>
          {isOnSandbox ? "Sandbox" : "Provider"}
        </Badge>
      </div>
      <NetworkPicker />
      <ThemeButton />
    </header>
  )
}

/** The outage, the network that the sandbox is starting, and the one that it could not start. */
const Notices = (): ReactElement => {
  const { startError, startingNetwork } = usePlayground()
  return (
    <>
      <div aria-live="assertive">
        <Outage />
      </div>
      <div aria-live="polite">
        {startingNetwork === undefined ? null : (
          <p className="banner">
            <span className="spinner" aria-hidden="true" />
            The sandbox is starting {startingNetwork}. The first time, that takes a few seconds.
          </p>
        )}
      </div>
      {startError === undefined ? null : (
        <div style={{ marginBottom: 16 }}>
          <ErrorBox title="The sandbox cannot run that network" error={startError} />
        </div>
      )}
    </>
  )
}

const Shell = (): ReactElement => {
  const route = useRoute()
  const { network, isOnSandbox, settings } = usePlayground()
  const { links, main } = useRouteFocus(route)
  const View = views[route.id]
  const isOld = useOutage().since !== undefined
  return (
    <div className="shell">
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <TopBar route={route} links={links} />
      <main className="main" id="main" tabIndex={-1} ref={main}>
        <div className="view-head">
          <h1>{route.title}</h1>
          <p>{route.lead}</p>
        </div>
        <Notices />
        <div
          className={isOld ? "grid is-old" : "grid"}
          key={`${network} ${settings.source} ${settings.baseUrl} ${settings.nodeListUrl} ${route.id}`}
        >
          <Boundary>
            <Suspense fallback={<LoadingPanel />}>
              <View />
            </Suspense>
          </Boundary>
        </div>
        <p className="colophon">
          {isOnSandbox
            ? "Everything here runs on this machine: real nodes, no key, no internet."
            : "Talking to the real provider. The key is gone with this page."}
        </p>
      </main>
    </div>
  )
}

const Connected = (): ReactElement => {
  const { config } = usePlayground()
  return (
    <SdkProvider config={config}>
      <MonitorProvider>
        <SandboxNodesProvider>
          <Shell />
        </SandboxNodesProvider>
      </MonitorProvider>
    </SdkProvider>
  )
}

/** The page. */
export const App = ({ sandbox }: { readonly sandbox: SandboxInfo | undefined }): ReactElement => (
  <Session sandbox={sandbox}>
    <Connected />
  </Session>
)
