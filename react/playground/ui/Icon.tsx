import type { ReactElement } from "react"

/** One path each, drawn on a 16 by 16 grid with a stroke of 1.5. */
const paths = {
  activity: "M1.5 8h3l2-5 3 10 2-5h3",
  archive: "M2 3h12v3H2zM3 6v7h10V6M6.5 8.5h3",
  bell: "M4 11V7a4 4 0 0 1 8 0v4l1.5 1.5h-11zM6.5 14.5h3",
  blocks: "M2 5.5 8 2l6 3.5v5L8 14l-6-3.5zM2 5.5 8 9l6-3.5M8 9v5",
  check: "m3 8.5 3.2 3L13 4.5",
  chevron: "m4 6 4 4 4-4",
  close: "m4 4 8 8M12 4l-8 8",
  code: "M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5",
  coins:
    "M8 2.5c3 0 5 .9 5 2s-2 2-5 2-5-.9-5-2 2-2 5-2zM3 4.5V8c0 1.1 2 2 5 2s5-.9 5-2V4.5M3 8v3.5c0 1.1 2 2 5 2s5-.9 5-2V8",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  external: "M9 2.5h4.5V7M13.5 2.5 7.5 8.5M11.5 9v4.5h-9v-9H7",
  grid: "M2.5 2.5h4.5V7H2.5zM9 2.5h4.5V7H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z",
  heart: "M8 13.5 2.7 8.2a3.3 3.3 0 0 1 4.7-4.7l.6.6.6-.6a3.3 3.3 0 0 1 4.7 4.7z",
  moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z",
  nodes: "M4 8h8M8 8l4-4.5M8 8l4 4.5M4 6.3a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4z",
  play: "M5 3v10l8-5z",
  refresh: "M13 8a5 5 0 1 1-1.5-3.6L13 6M13 2.5V6H9.5",
  search: "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.3 10.3l3.2 3.2",
  settings: "M2 5h7M12 5h2M2 11h2M7 11h7M10.5 3.5v3M5.5 9.5v3",
  snow: "M8 1.5v13M2.4 4.8l11.2 6.4M13.6 4.8 2.4 11.2",
  square: "M4 4h8v8H4z",
  sun: "M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1.1 1.1M11.9 11.9 13 13M13 3l-1.1 1.1M4.1 11.9 3 13",
  swap: "M3 5.5h9.5M10 3l2.5 2.5L10 8M13 10.5H3.5M6 8l-2.5 2.5L6 13",
  terminal: "m3 4.5 3.5 3.5L3 11.5M8.5 12H13",
  turtle: "M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM8 5v3l2 1.5",
  wallet: "M2.5 4.5h10a1 1 0 0 1 1 1v7h-10a1 1 0 0 1-1-1v-7a1.5 1.5 0 0 1 1.5-1.5H11M11 9h.01",
  warn: "M8 2.5 14.5 13.5h-13zM8 6.5v3M8 11.5v.01",
  zap: "M9 1.5 3.5 9H8l-1 5.5L12.5 7H8z"
} as const

/** The name of an icon. */
export type IconName = keyof typeof paths

/** An icon beside its text. It is hidden from screen readers, which read the text. */
export const Icon = ({
  name,
  size = 16
}: {
  readonly name: IconName
  readonly size?: number
}): ReactElement => (
  <svg
    className="icon"
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d={paths[name]} />
  </svg>
)
