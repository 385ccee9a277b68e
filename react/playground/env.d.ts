/** Vite loads styles; the compiler only has to accept the import. */
declare module "*.css" {}
