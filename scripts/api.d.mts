export declare const report: (root: string) => string
export declare const write: (root: string) => void
export declare const problemsOf: (root: string, say: (line: string) => void) => ReadonlyArray<string>
