/** A text without this end, however often it has it. A regular expression takes the square of the time: it tries every place. */
export const withoutTail = (text: string, tail: string): string => {
  let end = text.length
  while (text.endsWith(tail, end) && end > 0) end -= tail.length
  return text.slice(0, end)
}
