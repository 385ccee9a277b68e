/** Vite loads styles and pictures; the compiler only has to accept the imports. */
declare module "*.css" {}
declare module "*.svg" {
  const url: string
  export default url
}
