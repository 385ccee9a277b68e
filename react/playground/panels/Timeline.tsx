import { type ReactElement, useEffect, useRef, useState } from "react"
import type { Attempt, Monitor } from "../live/monitor.js"
import { useNames } from "../live/names.js"
import { useMonitor, useMonitorSnapshot } from "../live/useMonitor.js"
import { usePlayground } from "../session.js"
import { useTheme } from "../shell/Theme.js"
import { ShowCode } from "../snippets/index.js"
import { Button, Panel, Segments } from "../ui/index.js"

const LANE_HEIGHT = 52

const AXIS_HEIGHT = 24

const ROWS_PER_LANE = 4

/** The time between two frames: bars move only a few pixels in it. */
const FRAME_MS = 60

type Span = "10" | "30" | "60"

const readColours = () => {
  const style = getComputedStyle(document.documentElement)
  const of = (name: string) => style.getPropertyValue(name).trim()
  return {
    ok: of("--accent"),
    retry: of("--warn-graphic"),
    failed: of("--bad-graphic"),
    back: of("--ok-graphic"),
    open: of("--line-strong"),
    line: of("--line"),
    text: of("--text-3"),
    strong: of("--text"),
    surface: of("--surface"),
    out: of("--surface-2"),
    sans: of("--sans")
  }
}

type Colours = ReturnType<typeof readColours>

interface Scene {
  readonly context: CanvasRenderingContext2D
  readonly width: number
  readonly from: number
  readonly to: number
  readonly lanes: ReadonlyArray<{ readonly url: string; readonly name: string; readonly failed: boolean }>
  readonly left: number
  readonly colours: Colours
}

/** Gives each attempt the first row of its lane that is free when it starts. */
const assignRows = (
  attempts: ReadonlyArray<Attempt>,
  now: number
): ReadonlyArray<readonly [Attempt, number]> => {
  const free: Array<number> = []
  return attempts.map((attempt) => {
    const row = Math.max(
      0,
      Array.from({ length: ROWS_PER_LANE }, (_, i) => i).findIndex((i) => (free[i] ?? 0) <= attempt.start)
    )
    free[row] = Math.max(free[row] ?? 0, (attempt.end ?? now) + 8)
    return [attempt, row] as const
  })
}

const drawBackground = ({ colours: c, context, from, lanes, left, to, width }: Scene): void => {
  context.textBaseline = "middle"
  context.font = `12px ${c.sans}`
  lanes.forEach(({ failed, name }, i) => {
    const top = i * LANE_HEIGHT
    if (failed) {
      context.fillStyle = c.out
      context.fillRect(left, top, width - left, LANE_HEIGHT)
    }
    context.fillStyle = failed ? c.text : c.strong
    context.fillText(name, 0, top + LANE_HEIGHT / 2, left - 8)
    context.fillStyle = c.line
    context.fillRect(0, top + LANE_HEIGHT - 1, width, 1)
  })
  const step = to - from > 20_000 ? 10_000 : 2_000
  context.fillStyle = c.text
  context.textAlign = "center"
  for (let ms = 0; ms <= to - from; ms += step) {
    const x = width - (ms / (to - from)) * (width - left)
    context.fillStyle = c.line
    context.fillRect(Math.min(width - 1, Math.round(x)), 0, 1, lanes.length * LANE_HEIGHT)
    context.fillStyle = c.text
    context.textAlign = ms === 0 ? "right" : "center"
    if (x > left + 12)
      context.fillText(
        ms === 0 ? "now" : `${ms / 1_000} s`,
        x,
        lanes.length * LANE_HEIGHT + AXIS_HEIGHT / 2 + 2
      )
  }
  context.textAlign = "left"
}

const setFillStyle = (context: CanvasRenderingContext2D, attempt: Attempt, c: Colours): void => {
  context.fillStyle =
    attempt.outcome === "failed"
      ? c.failed
      : attempt.outcome === "ok"
        ? attempt.kind === "retry"
          ? c.retry
          : c.ok
        : c.open
}

/** Draws the attempts, and the events of nodes, from the oldest to now. */
const draw = (scene: Scene, attempts: ReadonlyArray<Attempt>, marks: NodeEvents): void => {
  const { colours: c, context, from, lanes, left, to, width } = scene
  const x = (at: number) => left + ((at - from) / (to - from)) * (width - left)
  context.clearRect(0, 0, width, lanes.length * LANE_HEIGHT + AXIS_HEIGHT)
  drawBackground(scene)
  context.save()
  context.beginPath()
  context.rect(left, 0, width - left, lanes.length * LANE_HEIGHT)
  context.clip()
  const height = (LANE_HEIGHT - 16) / ROWS_PER_LANE
  lanes.forEach(({ url }, i) => {
    const own = attempts.filter((each) => each.url === url && (each.end ?? to) >= from && each.start <= to)
    for (const [attempt, row] of assignRows(own, to)) {
      const start = x(attempt.start)
      const length = Math.max(3, x(Math.min(to, attempt.end ?? to)) - start)
      const top = i * LANE_HEIGHT + 8 + row * height
      setFillStyle(context, attempt, c)
      context.beginPath()
      context.roundRect(start, top, length, height - 2, 2)
      if (attempt.kind === "hedge") {
        context.fillStyle = c.surface
        context.fill()
        context.strokeStyle = attempt.outcome === "failed" ? c.failed : c.retry
        context.lineWidth = 2
        context.stroke()
      } else context.fill()
    }
    for (const mark of marks) {
      if (mark.url !== url || mark.at < from || mark.at > to) continue
      const at = x(mark.at)
      const isOut = mark.kind === "failed"
      context.fillStyle = isOut ? c.failed : mark.kind === "readmitted" ? c.back : c.retry
      context.fillRect(at - 1, i * LANE_HEIGHT + 2, 2, LANE_HEIGHT - 4)
      context.font = `600 12px ${c.sans}`
      const label = isOut ? "out" : mark.kind === "readmitted" ? "back" : "cooled"
      const wide = context.measureText(label).width
      const text = at + 6 + wide > width ? at - 6 - wide : at + 5
      context.fillStyle = c.surface
      context.fillRect(text - 2, i * LANE_HEIGHT + 2, wide + 4, 15)
      context.fillStyle = isOut ? c.failed : mark.kind === "readmitted" ? c.back : c.retry
      context.fillText(label, text, i * LANE_HEIGHT + 10)
    }
  })
  context.restore()
}

type NodeEvents = ReadonlyArray<{ readonly url: string; readonly at: number; readonly kind: string }>

const reducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)")

interface LanesProps {
  readonly monitor: Monitor
  readonly lanes: Scene["lanes"]
  readonly span: Span
  /** The time of the pause, in milliseconds since 1970. */
  readonly paused: number | undefined
}

/** The part of a scene that the canvas does not decide. */
interface View extends Pick<Scene, "from" | "to" | "lanes"> {
  readonly attempts: ReadonlyArray<Attempt>
  readonly marks: NodeEvents
}

/** Draws what `getView` returns while the canvas is on the screen. Returns the function that stops it. */
const startDrawing = (
  canvas: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
  height: number,
  getView: () => View
): (() => void) => {
  const colours = readColours()
  const frameMs = reducedMotion.matches ? 1_000 : FRAME_MS
  let width = canvas.clientWidth
  let isVisible = true
  let last = 0
  let frame = 0
  const resize = new ResizeObserver(() => {
    width = canvas.clientWidth
    canvas.width = Math.round(width * devicePixelRatio)
    canvas.height = Math.round(height * devicePixelRatio)
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
    last = 0
  })
  const visible = new IntersectionObserver((entries) => {
    isVisible = entries.at(-1)?.isIntersecting ?? true
  })
  const loop = (now: number) => {
    frame = requestAnimationFrame(loop)
    if (!isVisible || now - last < frameMs) return
    last = now
    const { attempts, marks, ...view } = getView()
    context.font = `12px ${colours.sans}`
    const longest = Math.max(56, ...view.lanes.map(({ name }) => context.measureText(name).width))
    const left = Math.min(longest + 16, width * 0.36)
    draw({ ...view, context, width, left, colours }, attempts, marks)
  }
  resize.observe(canvas)
  visible.observe(canvas)
  frame = requestAnimationFrame(loop)
  return () => {
    cancelAnimationFrame(frame)
    resize.disconnect()
    visible.disconnect()
  }
}

/** The canvas. It reads its colours once, so it is remounted with each theme. */
const Lanes = ({ lanes, monitor, paused, span }: LanesProps): ReactElement => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const shown = useRef(lanes)
  const height = Math.max(4, lanes.length) * LANE_HEIGHT + AXIS_HEIGHT
  useEffect(() => {
    shown.current = lanes
  }, [lanes])
  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext("2d")
    if (!element || !context) return
    return startDrawing(element, context, height, () => {
      const to = paused ?? Date.now()
      return {
        from: to - Number(span) * 1_000,
        to,
        lanes: shown.current,
        attempts: monitor.attempts,
        marks: monitor.nodeEvents
      }
    })
  }, [monitor, span, paused, height])
  return (
    <canvas
      ref={canvas}
      className="timeline-canvas"
      style={{ height }}
      role="img"
      aria-label={`Requests of the last ${span} seconds, a lane per node. The calls are listed in the panel below.`}
    />
  )
}

const Legend = (): ReactElement => (
  <p className="legend">
    <span>
      <i className="swatch swatch-ok" /> answered
    </span>
    <span>
      <i className="swatch swatch-hedge" /> second attempt of a slow call
    </span>
    <span>
      <i className="swatch swatch-retry" /> again after a failure
    </span>
    <span>
      <i className="swatch swatch-failed" /> failed
    </span>
    <span>
      <i className="swatch swatch-open" /> waiting, or overtaken
    </span>
  </p>
)

/** Attempts of calls as bars, a lane per node. */
export const Timeline = (): ReactElement => {
  const { network } = usePlayground()
  const monitor = useMonitor()
  const snapshot = useMonitorSnapshot()
  const nameOf = useNames()
  const theme = useTheme()
  const [span, setSpan] = useState<Span>("10")
  const [paused, setPaused] = useState<number>()
  const lanes = [...snapshot.nodes]
    .sort((a, b) => b.type.localeCompare(a.type) || nameOf(a.url).localeCompare(nameOf(b.url)))
    .map(({ failed, url }) => ({ url, name: nameOf(url), failed }))
  return (
    <Panel
      id="timeline"
      title="Requests by node"
      hint={
        <span className="tabular">
          {snapshot.hedged} sent to a second node as well, {snapshot.retried} tried again at another.
        </span>
      }
      actions={
        <>
          <Segments
            label="How much time is shown"
            value={span}
            options={[
              { value: "10", title: "10 s" },
              { value: "30", title: "30 s" },
              { value: "60", title: "60 s" }
            ]}
            onChange={setSpan}
          />
          <Button
            size="small"
            aria-pressed={paused !== undefined}
            onClick={() => setPaused(paused === undefined ? Date.now() : undefined)}
          >
            {paused === undefined ? "Pause" : "Paused"}
          </Button>
        </>
      }
      code={<ShowCode title="Requests by node" network={network} path="nodes" hook="useNodePool" />}
    >
      <Lanes key={theme} monitor={monitor} lanes={lanes} span={span} paused={paused} />
      <Legend />
    </Panel>
  )
}
