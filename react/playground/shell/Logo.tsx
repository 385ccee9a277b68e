import { type ReactElement, useState } from "react"
import type { Network } from "../../../src/data/Network.js"
import { info } from "../networks.js"
import { logoOf } from "./logos.js"

interface LogoProps {
  readonly network: Network
  /** The length of a side, in pixels. */
  readonly size: number
}

/** A hue by the network's id, the same in every visit. */
const hashToHue = (text: string): number =>
  [...text].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 360, 7)

/** A monogram for networks without a logo. It is an image, so that screen readers do not read it. */
const Monogram = ({ network, size }: LogoProps): ReactElement => {
  const { symbol } = info(network)
  const text = symbol.slice(0, 3)
  return (
    <svg className="logo" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="11" fill={`hsl(${hashToHue(symbol)} 55% 32%)`} />
      <text
        x="12"
        y="12.5"
        fill="#fff"
        fontSize={text.length > 2 ? 8 : 10}
        fontWeight="700"
        textAnchor="middle"
        dominantBaseline="middle"
      >
        {text}
      </text>
    </svg>
  )
}

/** The logo of a network, loaded when it is in view. It is hidden from screen readers, which read the name beside it. */
export const Logo = ({ network, size }: LogoProps): ReactElement => {
  const logo = logoOf(network)
  const [missing, setMissing] = useState<string>()
  if (logo === undefined || logo === missing) return <Monogram network={network} size={size} />
  return (
    <img
      className="logo"
      src={`/logos/${logo}.svg`}
      width={size}
      height={size}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setMissing(logo)}
    />
  )
}
