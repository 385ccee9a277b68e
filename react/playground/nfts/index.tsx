/**
 * The NFTs of an address, with a way to mint one on the sandbox.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { type ReactElement, type ReactNode, useEffect, useState } from "react"
import type { Network } from "../../../src/data/Network.js"
import type { NftBalance } from "../../../src/services/Nft.js"
import { useRead, useRun, useWrite } from "../../index.js"
import { effectAt } from "../../Reactive.js"
import { usePlayground } from "../session.js"
import { ShowCode } from "../snippets/index.js"
import { Address, Badge, Button, Empty, ErrorBox, Field, LiveRegion, Panel, TextInput } from "../ui/index.js"
import { Picture } from "./Picture.js"
import "./nfts.css"
import { isEvm, supports } from "../networks.js"

/** Tokens of a page. */
const PAGE_SIZE = 24

const NftCard = ({ fresh, token }: { readonly token: NftBalance; readonly fresh: boolean }): ReactElement => {
  const name = token.metadata?.name ?? `Token ${token.tokenId}`
  return (
    <li className={fresh ? "nft nft-fresh" : "nft"}>
      <Picture token={token} name={name} />
      <div className="nft-text">
        <h3 className="truncate" title={name}>
          {name}
        </h3>
        <p className="hint nft-about">{token.metadata?.description ?? "It has no description."}</p>
        <div className="spread">
          <span className="mono truncate" title={token.tokenId}>
            #{token.tokenId}
          </span>
          <Badge tone={token.type === "nft" ? "info" : "muted"}>
            {token.type === "nft" ? "ERC-721" : `ERC-1155 × ${token.balance}`}
          </Badge>
        </div>
        <Address value={token.tokenAddress} label="contract" />
      </div>
    </li>
  )
}

const tokenKey = ({ tokenAddress, tokenId }: NftBalance): string => `${tokenAddress} ${tokenId}`

/** Placeholders of the size of cards: the page does not move when the cards arrive. */
const Waiting = (): ReactElement => (
  <ul className="nfts list-plain" aria-label="Loading tokens">
    {[1, 2, 3, 4].map((n) => (
      <li key={n} className="nft" aria-hidden="true">
        <div className="nft-picture nft-waiting" />
        <div className="nft-text">
          <span className="skeleton-line" style={{ width: "60%", height: 16 }} />
          <span className="skeleton-line" style={{ width: "90%", height: 16 }} />
        </div>
      </li>
    ))}
  </ul>
)

/** A picture for a token: bars whose heights are the digits of its id. */
const drawImage = (tokenId: string): string => {
  const hue = Number(tokenId.slice(-3)) % 360
  const bars = [...tokenId.slice(-8)].map(
    (digit, i) =>
      `<rect x="${20 + i * 20}" y="${170 - Number(digit) * 14}" width="14" height="${14 + Number(digit) * 14}" rx="4" fill="hsl(${(hue + i * 14) % 360} 75% 68%)"/>`
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200"><rect width="200" height="200" fill="hsl(${hue} 40% 18%)"/>${bars.join("")}</svg>`
}

/** Mints the next token of the sandbox's collection for an address, and waits until it is in a block. */
const Mint = (props: {
  readonly network: Network
  readonly collection: string
  readonly to: string
  readonly onMinted: (tokenId: string) => void
}): ReactElement => {
  const { collection, network, onMinted, to } = props
  const { log } = usePlayground()
  const mint = useWrite<"nft.mintNftWithMetadata", Network>("nft.mintNftWithMetadata", { network })
  const run = useRun({ network })
  const [minting, setMinting] = useState(false)
  const [error, setError] = useState<unknown>()
  const start = async (): Promise<void> => {
    setMinting(true)
    setError(undefined)
    const tokenId = String(Date.now())
    const number = tokenId.slice(-4)
    const outcome = await mint.run({
      to,
      contractAddress: collection,
      tokenId,
      file: new File([drawImage(tokenId)], `${tokenId}.svg`, { type: "image/svg+xml" }),
      metadata: { name: `Playground #${number}`, description: "Minted from this page, picture and all." }
    })
    if (outcome.status === "SUCCESS") {
      const mined = await run((sdk) =>
        Effect.mapError(effectAt(sdk, "rpc.waitForTransaction", [outcome.data.txId], "read"), (cause) =>
          cause instanceof Error ? cause : new Error(String(cause))
        )
      )
      if (mined.status === "ERROR") setError(mined.error.cause)
      else {
        log(`Minted token ${tokenId}`)
        onMinted(tokenId)
      }
    } else setError(outcome.error.cause)
    setMinting(false)
  }
  return (
    <>
      <Button kind="primary" busy={minting} onClick={() => void start()}>
        {minting ? "Minting…" : "Mint one"}
      </Button>
      {error === undefined ? null : <ErrorBox error={error} title="Nothing was minted" />}
    </>
  )
}

interface OwnerTokens {
  readonly network: Network
  readonly address: string
  readonly isOnSandbox: boolean
}

/** The tokens of an address. After a mint it refetches until the minted one is there. */
const useOwnerTokens = ({ address, isOnSandbox, network }: OwnerTokens) => {
  const [minted, setMinted] = useState<string>()
  const reading = useRead<"nft.getBalance", Network>("nft.getBalance", [{ address, pageSize: PAGE_SIZE }], {
    network,
    enabled: address !== "",
    refresh: isOnSandbox ? "blocks" : false
  })
  const { refresh } = reading
  const tokens = reading.data ?? []
  const hasArrived = minted === undefined || tokens.some(({ tokenId }) => tokenId === minted)
  // the provider indexes a new block some seconds after the chain has it
  useEffect(() => {
    if (hasArrived) return
    const timer = setInterval(refresh, 700)
    return () => clearInterval(timer)
  }, [hasArrived, refresh])
  return { reading, tokens, minted, setMinted, hasArrived }
}

interface OwnerFormProps {
  readonly accounts: ReadonlyArray<string>
  readonly text: string
  readonly onText: (text: string) => void
  readonly onSubmit: () => void
  readonly children: ReactNode
}

const OwnerForm = ({ accounts, children, onSubmit, onText, text }: OwnerFormProps): ReactElement => (
  <form
    className="field-row"
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  >
    <div className="grow nft-owner">
      <Field label="Owner">
        {(field) => <TextInput {...field} list="nft-owners" value={text} onText={onText} />}
      </Field>
    </div>
    <datalist id="nft-owners">
      {accounts.map((each) => (
        <option key={each} value={each} />
      ))}
    </datalist>
    <Button type="submit">Show</Button>
    {children}
  </form>
)

interface TokenGridProps extends Pick<ReturnType<typeof useOwnerTokens>, "minted" | "tokens"> {
  readonly status: string
  readonly canMint: boolean
}

const TokenGrid = ({ canMint, minted, status, tokens }: TokenGridProps): ReactElement | null => {
  if (status === "loading") return <Waiting />
  if (tokens.length > 0)
    return (
      <ul className="nfts list-plain">
        {tokens.map((token) => (
          <NftCard key={tokenKey(token)} token={token} fresh={token.tokenId === minted} />
        ))}
      </ul>
    )
  return status === "error" ? null : (
    <Empty title="No tokens">
      {canMint
        ? "This address has none yet: mint the first one."
        : "This address has none that the provider knows of."}
    </Empty>
  )
}

const Nfts = ({ network }: { readonly network: Network }): ReactElement => {
  const { isOnSandbox, sandbox } = usePlayground()
  const own = isOnSandbox && isEvm(network) ? sandbox : undefined
  const accounts = (own?.accounts ?? []).map(({ address }) => address)
  const [text, setText] = useState(accounts[0] ?? "")
  const [address, setAddress] = useState(text)
  const { hasArrived, minted, reading, setMinted, tokens } = useOwnerTokens({
    network,
    address,
    isOnSandbox: own !== undefined
  })
  const collection = network === sandbox?.network ? own?.seed?.nft.address : undefined
  return (
    <Panel
      id="nfts"
      title="Tokens of an address"
      hint="Non-fungible tokens and multitokens with their metadata, from the provider's API."
      busy={reading.isRefreshing}
      code={
        <ShowCode
          title="Tokens of an address"
          network={network}
          path="nft.getBalance"
          args={[{ address, pageSize: PAGE_SIZE }]}
          options={{ refresh: "blocks" }}
        />
      }
    >
      <div className="stack">
        <OwnerForm
          accounts={accounts}
          text={text}
          onText={setText}
          onSubmit={() => {
            setAddress(text.trim())
            setMinted(undefined)
          }}
        >
          {collection === undefined || address === "" ? null : (
            <Mint network={network} collection={collection} to={address} onMinted={setMinted} />
          )}
        </OwnerForm>
        <LiveRegion>{minted !== undefined && hasArrived ? `Token ${minted} is here` : ""}</LiveRegion>
        {reading.status === "error" ? <ErrorBox error={reading.error} onRetry={reading.refresh} /> : null}
        <div className="nfts-place">
          {address === "" ? (
            <Empty title="Whose tokens?">Enter an address of {network}.</Empty>
          ) : (
            <TokenGrid
              status={reading.status}
              tokens={tokens}
              minted={minted}
              canMint={collection !== undefined}
            />
          )}
        </div>
      </div>
    </Panel>
  )
}

/**
 * NFTs of the selected network.
 *
 * @since 0.1.0
 * @category components
 */
export const NftGrid = (): ReactElement => {
  const { network } = usePlayground()
  return supports(network, "nft") ? (
    <Nfts network={network} />
  ) : (
    <Panel title="Tokens of an address">
      <Empty title="No NFTs here">
        The provider's API has no tokens of {network}; it has those of EVM networks and Tezos.
      </Empty>
    </Panel>
  )
}
