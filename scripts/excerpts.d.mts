export declare const listExcerpts: (text: string) => ReadonlyArray<string>
export declare const fillExcerpts: (text: string) => string
