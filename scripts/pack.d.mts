export declare const sh: (command: string, args: ReadonlyArray<string>, cwd: string) => string
export declare const pack: (folder: string) => string
