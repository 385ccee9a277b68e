/** Styles are Vite's matter; to the compiler they are imports for their effect. */
declare module "*.css" {}
