/** Edits of a text by positions, which leave everything between them as it is. */

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly side: "line" | "after" | "before" | "replace"
  readonly order: number
}

const SIDES: ReadonlyArray<Edit["side"]> = ["after", "line", "before", "replace"]

/**
 * Collects edits of one text. Edits of outer nodes come before those of the nodes in them, so that wrappers nest.
 */
export class Edits {
  private readonly edits: Array<Edit> = []

  get isEmpty(): boolean {
    return this.edits.length === 0
  }

  private add(start: number, end: number, text: string, side: Edit["side"]): void {
    this.edits.push({ start, end, text, side, order: this.edits.length })
  }

  /** Inserts whole lines before the line that begins at a position. */
  insertLine(at: number, text: string): void {
    this.add(at, at, text, "line")
  }

  /** Inserts a text that belongs to what begins at a position. */
  insertBefore(at: number, text: string): void {
    this.add(at, at, text, "before")
  }

  /** Inserts a text that belongs to what ends at a position. */
  insertAfter(at: number, text: string): void {
    this.add(at, at, text, "after")
  }

  /** Replaces a range. Edits inside of it are dropped. */
  replace(start: number, end: number, text: string): void {
    if (start === end) this.insertAfter(start, text)
    else this.add(start, end, text, "replace")
  }

  apply(text: string): string {
    const replaced = this.edits.filter(({ side }) => side === "replace")
    // an outer replacement has the text of the whole
    const kept = this.edits.filter(
      (each) =>
        !replaced.some(
          (outer) =>
            outer !== each &&
            outer.start <= each.start &&
            each.end <= outer.end &&
            (each.side === "replace"
              ? outer.end - outer.start > each.end - each.start || outer.order < each.order
              : outer.start < each.start && each.end < outer.end)
        )
    )
    const sorted = kept.toSorted((one, other) => {
      if (one.start !== other.start) return one.start - other.start
      if (one.side !== other.side) return SIDES.indexOf(one.side) - SIDES.indexOf(other.side)
      return one.side === "after" ? other.order - one.order : one.order - other.order
    })
    const parts: Array<string> = []
    let at = 0
    for (const { end, start, text: inserted } of sorted) {
      parts.push(text.slice(at, Math.max(at, start)), inserted)
      at = Math.max(at, end)
    }
    parts.push(text.slice(at))
    return parts.join("")
  }
}
