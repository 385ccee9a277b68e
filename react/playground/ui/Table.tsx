import { type ReactElement, type ReactNode, useEffect, useRef, useState } from "react"

/** A column; `width` is a CSS width. */
export interface Column {
  readonly key: string
  readonly title: ReactNode
  readonly align?: "end"
  readonly width?: string
}

/** A row, with a cell per column. */
export interface Row {
  readonly key: string
  readonly cells: ReadonlyArray<ReactNode>
  readonly selected?: boolean
}

/** The props of a table. `caption` is for screen readers; `minRows` keeps its height while rows come and go. */
export interface TableProps {
  readonly caption: string
  readonly columns: ReadonlyArray<Column>
  readonly rows: ReadonlyArray<Row>
  readonly minRows?: number
}

/** A table that scrolls sideways, by keyboard too when it overflows. */
export const Table = ({ caption, columns, minRows = 0, rows }: TableProps): ReactElement => {
  const scroller = useRef<HTMLElement>(null)
  const [overflows, setOverflows] = useState(false)
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const look = () => setOverflows(element.scrollWidth > element.clientWidth + 1)
    const observer = new ResizeObserver(look)
    observer.observe(element)
    look()
    return () => observer.disconnect()
  }, [])
  const style = minRows === 0 ? {} : { minHeight: `${minRows * 41 + 33}px` }
  return (
    <section
      ref={scroller}
      className="table-scroll"
      style={style}
      {...(overflows ? { tabIndex: 0, "aria-label": caption } : {})}
    >
      <table>
        <caption className="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ align, key, title, width }) => (
              <th key={key} scope="col" className={align} style={width === undefined ? {} : { width }}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ cells, key, selected }) => (
            <tr key={key} className={selected === true ? "selected" : undefined}>
              {columns.map((column, i) => (
                <td key={column.key} className={column.align}>
                  {cells[i]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
