/** The layouts of pages that are not as the others. They stand here, because the pages are plain Markdown, which is read elsewhere too. */

/** What a page's frontmatter would say. */
export const layoutOf = (page: string): object => {
  // `landing` in `markdown.ts` makes its sections
  if (page === "index.md") return { layout: "home" }
  // their tables need the width
  const isWide = page === "networks.md" || /^api\/\w+\/nodes-/.test(page)
  return isWide ? { aside: false, pageClass: "wide-page" } : {}
}
