/** Styles as text, which Vite makes of them. */
declare module "*.css?inline" {
  const styles: string
  export default styles
}
