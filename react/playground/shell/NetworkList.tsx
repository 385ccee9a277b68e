import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState
} from "react"
import type { Network } from "../../../src/data/Network.js"
import { hasData, info, isNetwork, isSunset, isTestnet, listNetworks } from "../networks.js"
import { Badge, Icon, Segments } from "../ui/index.js"
import { Logo } from "./Logo.js"

type Kind = "all" | "main" | "test"

const networks = listNetworks()

const families = [...new Set(networks.map((network) => info(network).family))].sort()

const isMainnet = (network: Network): boolean => !isTestnet(network)

/** The services of the provider for a network, besides its nodes. */
const serviceNames = (network: Network): ReadonlyArray<string> => {
  const row = info(network)
  return [
    ...(row.loadBalanced === true ? ["pool"] : []),
    ...(row.archive === true ? ["archive"] : []),
    ...(hasData(network) ? ["data"] : []),
    ...(row.fee === true ? ["fees"] : []),
    ...(row.notification === undefined ? [] : ["webhooks"])
  ]
}

const matchesSearch = (network: Network, words: ReadonlyArray<string>): boolean => {
  const { chainId, currency, family, symbol } = info(network)
  const text = `${network} ${symbol} ${currency} ${family} ${chainId ?? ""}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

const findNetworks = (query: string, kind: Kind, family: string): ReadonlyArray<Network> => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return networks.filter(
    (each) =>
      (kind === "all" || isMainnet(each) === (kind === "main")) &&
      (family === "" || info(each).family === family) &&
      matchesSearch(each, words)
  )
}

interface NetworkOptionProps {
  readonly id: string
  readonly network: Network
  readonly at: boolean
  readonly selected: boolean
}

const NetworkOption = ({ at, id, network, selected }: NetworkOptionProps): ReactElement => {
  const { chainId, family, status } = info(network)
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={selected}
      data-at={at}
      data-network={network}
      className="picker-option"
    >
      <Logo network={network} size={36} />
      <span className="grow">
        <span className="truncate" style={{ display: "block", fontWeight: 550 }}>
          {network}
        </span>
        <span className="hint truncate" style={{ display: "block" }}>
          {family}
          {chainId === undefined ? "" : ` · chain ${chainId}`} ·{" "}
          {serviceNames(network).join(", ") || "gateway"}
        </span>
      </span>
      <span className="picker-tags">
        {isSunset(network) ? (
          <Badge tone="bad">sunset</Badge>
        ) : status === undefined ? null : (
          <Badge tone="warn">{status}</Badge>
        )}
        {isTestnet(network) ? <Badge>testnet</Badge> : null}
      </span>
    </div>
  )
}

interface FiltersProps {
  readonly kind: Kind
  readonly family: string
  readonly onKind: (kind: Kind) => void
  readonly onFamily: (family: string) => void
}

const Filters = ({ family, kind, onFamily, onKind }: FiltersProps): ReactElement => (
  <div className="picker-filters">
    <Segments
      label="Which networks"
      value={kind}
      options={[
        { value: "all", title: "All" },
        { value: "main", title: "Mainnets" },
        { value: "test", title: "Testnets" }
      ]}
      onChange={onKind}
    />
    <select
      className="input input-small"
      aria-label="Family"
      value={family}
      onChange={(event) => onFamily(event.target.value)}
    >
      <option value="">Every family</option>
      {families.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </select>
  </div>
)

/** The steps of a key in the list. */
const keySteps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }

interface NetworkListProps {
  readonly chosen: Network
  readonly onClose: () => void
  readonly onPick: (network: Network) => void
}

/** The search in the list: its filters, the networks that match, and the option that the arrow keys have moved to. */
const useNetworkSearch = (chosen: Network, onPick: (network: Network) => void) => {
  const list = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState("")
  const [kind, setKind] = useState<Kind>("all")
  const [family, setFamily] = useState("")
  const [index, setIndex] = useState(Math.max(0, networks.indexOf(chosen)))
  const query = useDeferredValue(text)
  const found = useMemo(() => findNetworks(query, kind, family), [query, kind, family])
  const currentIndex = Math.min(index, found.length - 1)
  const current = found[currentIndex]
  useEffect(() => {
    input.current?.focus()
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "center" })
  }, [])
  const startAgain = <A,>(set: (value: A) => void) => {
    return (value: A): void => {
      set(value)
      setIndex(0)
    }
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = keySteps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      const next = Math.max(0, Math.min(found.length - 1, index + step))
      setIndex(next)
      list.current?.children[next]?.scrollIntoView({ block: "nearest" })
    } else if (event.key === "Enter" && current !== undefined) {
      event.preventDefault()
      onPick(current)
    }
  }
  return {
    list,
    input,
    text,
    kind,
    family,
    found,
    current,
    currentIndex,
    onKeyDown,
    setText: startAgain(setText),
    setKind: startAgain(setKind),
    setFamily: startAgain(setFamily)
  }
}

/** All networks of the table, to search and to choose from. */
export const NetworkList = ({ chosen, onClose, onPick }: NetworkListProps): ReactElement => {
  const base = useId()
  const search = useNetworkSearch(chosen, onPick)
  const { current, currentIndex, found, onKeyDown } = search
  // the list handles the clicks of its options, as the input handles their keys
  const onClick = (event: MouseEvent<HTMLElement>): void => {
    const option = event.target instanceof Element ? event.target.closest("[data-network]") : null
    const name = option?.getAttribute("data-network") ?? ""
    if (isNetwork(name)) onPick(name)
  }

  return (
    <>
      <div className="picker-head">
        <div className="row">
          <h2 className="grow">Choose a network</h2>
          <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        <div className="picker-search">
          <Icon name="search" />
          <input
            className="input"
            ref={search.input}
            role="combobox"
            aria-label="Search by name, symbol, family or chain id"
            aria-expanded="true"
            aria-autocomplete="list"
            aria-controls={`${base}-list`}
            aria-activedescendant={current === undefined ? undefined : `${base}-${current}`}
            placeholder="Name, symbol, family or chain id"
            autoComplete="off"
            spellCheck={false}
            value={search.text}
            onChange={(event) => search.setText(event.target.value)}
            onKeyDown={onKeyDown}
          />
        </div>
        <Filters
          kind={search.kind}
          family={search.family}
          onKind={search.setKind}
          onFamily={search.setFamily}
        />
      </div>
      <div
        id={`${base}-list`}
        role="listbox"
        aria-label="Networks"
        className="picker-list"
        tabIndex={-1}
        ref={search.list}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        {found.map((each, i) => (
          <NetworkOption
            key={each}
            id={`${base}-${each}`}
            network={each}
            at={i === currentIndex}
            selected={each === chosen}
          />
        ))}
      </div>
      <p className="picker-foot" aria-live="polite">
        {found.length === 0
          ? "No network is called that."
          : `${found.length} of ${networks.length} networks. Arrows to move, Enter to choose.`}
      </p>
    </>
  )
}
