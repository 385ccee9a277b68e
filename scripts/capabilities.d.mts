/** The page of what signers can do, with what the tests cover now. */
export declare const makePage: () => string
