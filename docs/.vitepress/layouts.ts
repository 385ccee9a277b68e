/** The layouts of pages that are not as the others. They stand here, because the pages are plain Markdown, which is read elsewhere too. */
export const layouts: Readonly<Record<string, object>> = {
  // `landing` in `markdown.ts` makes its sections
  "index.md": { layout: "home" },
  // the table needs the width
  "networks.md": { aside: false, pageClass: "networks-page" }
}
