/**
 * Effect 4's client over `node:http` is a package that cannot be installed beside Effect 3's. Tests of `layerPlatform` have the client that is
 * in Effect 4 itself.
 */
export { layer } from "effect4/http/FetchHttpClient"
