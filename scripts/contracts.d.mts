export declare const path: string
export declare const artefacts: () => Promise<string>
