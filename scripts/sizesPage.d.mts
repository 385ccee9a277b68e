export declare const makePage: () => string
