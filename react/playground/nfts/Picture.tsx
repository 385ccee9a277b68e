import { type ReactElement, useEffect, useState } from "react"
import type { Network } from "../../../src/data/Network.js"
import type { NftBalance } from "../../../src/services/Nft.js"
import { useRead } from "../../index.js"
import { usePlayground } from "../session.js"

/** The FNV-1a hash of a text. */
const hashToNumber = (text: string): number => {
  let hash = 0x811c9dc5
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash
}

/** A pattern in place of a missing picture: five by five squares by the token's hash, mirrored. */
const Placeholder = ({ seed }: { readonly seed: string }): ReactElement => {
  const number = hashToNumber(seed)
  const hue = number % 360
  const cells = Array.from({ length: 15 }, (_, i) => i).filter((i) => ((number >>> (i + 4)) & 1) === 1)
  return (
    <svg
      viewBox="0 0 7 7"
      className="nft-placeholder"
      aria-hidden="true"
      style={{ background: `hsl(${hue} 45% 30%)` }}
    >
      {cells.flatMap((i) => {
        const [column, row] = [i % 3, Math.floor(i / 3)]
        const columns = column === 2 ? [2] : [column, 4 - column]
        return columns.map((x) => (
          <rect
            key={`${x} ${row}`}
            x={x + 1}
            y={row + 1}
            width="1.02"
            height="1.02"
            fill={`hsl(${hue} 70% 72%)`}
          />
        ))
      })}
    </svg>
  )
}

/** An object URL of a file while it is shown. The type is detected, since files on IPFS have none. */
const useObjectUrl = (file: Blob | undefined): string | undefined => {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (file === undefined) return
    let made: string | undefined
    let current = true
    void file
      .slice(0, 256)
      .text()
      .then((head) => {
        if (!current) return
        const isSvg = /^\s*<(\?xml|svg)/.test(head)
        made = URL.createObjectURL(isSvg ? new Blob([file], { type: "image/svg+xml" }) : file)
        setUrl(made)
      })
    return () => {
      current = false
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [file])
  return url
}

interface ImageProps {
  readonly source: string
  readonly name: string
  readonly onError: () => void
}

/** A picture on IPFS, fetched by the SDK. */
const FromIpfs = ({ name, onError, source }: ImageProps): ReactElement => {
  const { network } = usePlayground()
  const id = source.replace(/^ipfs:\/\/(ipfs\/)?/, "")
  const { data, status } = useRead<"ipfs.getFile", Network>("ipfs.getFile", [{ id }], { network })
  const url = useObjectUrl(data)
  useEffect(() => {
    if (status === "error") onError()
  }, [status, onError])
  return url === undefined ? <div className="nft-waiting" /> : <img src={url} alt={name} onError={onError} />
}

const FromUrl = ({ name, onError, source }: ImageProps): ReactElement => (
  <img src={source} alt={name} loading="lazy" onError={onError} />
)

/** The picture of a token, or a pattern. Its size is fixed, so that the page does not move when it loads. */
export const Picture = ({
  name,
  token
}: {
  readonly token: NftBalance
  readonly name: string
}): ReactElement => {
  const [failed, setFailed] = useState(false)
  const image: unknown = token.metadata?.image
  const source = typeof image === "string" && !failed ? image : ""
  const Image = source.startsWith("ipfs://")
    ? FromIpfs
    : /^(https?:|data:image\/)/.test(source)
      ? FromUrl
      : undefined
  return (
    <div className="nft-picture">
      {Image === undefined ? (
        <Placeholder seed={`${token.tokenAddress} ${token.tokenId}`} />
      ) : (
        <Image source={source} name={name} onError={() => setFailed(true)} />
      )}
    </div>
  )
}
