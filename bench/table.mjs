/** Tables of text: the first column to the left, the others to the right. */

const text = (value) =>
  value === undefined || value === null
    ? "–"
    : typeof value === "number"
      ? value.toLocaleString("en-US", { maximumFractionDigits: 2 })
      : String(value)

export const table = (title, header, rows) => {
  const lines = [header, ...rows.map((row) => row.map(text))]
  const widths = header.map((_, i) => Math.max(...lines.map((line) => line[i].length)))
  const print = (line) =>
    line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join("  ")
  const rule = widths.map((width) => "─".repeat(width)).join("  ")
  return ["", title, print(lines[0]), rule, ...lines.slice(1).map(print), ""].join("\n")
}
