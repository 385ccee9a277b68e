export declare const expected: () => string
