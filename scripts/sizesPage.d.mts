/** Entries of the package without its name, and the packages that they need beside it. */
export declare const entryRows: ReadonlyArray<{
  readonly entries: ReadonlyArray<string>
  readonly needs: ReadonlyArray<string>
}>
export declare const makePage: () => string
export declare const makeReadme: () => string
export declare const makeComparison: () => string
export declare const makeInstall: () => string
export declare const makeIndex: () => string
