import { type ReactElement, useEffect, useRef } from "react"
import UPlot from "uplot"
import "uplot/dist/uPlot.min.css"
import { useTheme } from "../shell/Theme.js"

/** The points of a sparkline: latencies in milliseconds, and their times in seconds since 1970. */
export interface SparklineProps {
  readonly times: ReadonlyArray<number>
  readonly values: ReadonlyArray<number>
  readonly label: string
  readonly muted: boolean
}

const HEIGHT = 44

const SPAN_SECONDS = 60

const readColour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** The plot reads its colours once, so it is remounted with each theme. */
const Plot = ({ label, muted, times, values }: SparklineProps): ReactElement => {
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot>(undefined)
  useEffect(() => {
    const element = host.current
    if (element === null) return
    const made = new UPlot(
      {
        width: Math.max(40, element.clientWidth),
        height: HEIGHT,
        padding: [4, 2, 2, 0],
        cursor: { show: false },
        legend: { show: false },
        axes: [{ show: false }, { show: false }],
        scales: {
          x: { time: false, range: () => [Date.now() / 1_000 - SPAN_SECONDS, Date.now() / 1_000] },
          y: { range: (_, __, max) => [0, Math.max(20, (max ?? 0) * 1.1)] }
        },
        series: [
          {},
          {
            stroke: readColour(muted ? "--line-strong" : "--accent"),
            fill: readColour(muted ? "--surface-3" : "--accent-soft"),
            width: 1.5,
            points: { show: false }
          }
        ]
      },
      [[], []],
      element
    )
    plot.current = made
    const observer = new ResizeObserver(() =>
      made.setSize({ width: Math.max(40, element.clientWidth), height: HEIGHT })
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.destroy()
      plot.current = undefined
    }
  }, [muted])
  useEffect(() => {
    plot.current?.setData([[...times], [...values]])
  })
  return <div className="spark" ref={host} role="img" aria-label={label} />
}

/** The latencies of the last minute. */
export const Sparkline = (props: SparklineProps): ReactElement => <Plot key={useTheme()} {...props} />
