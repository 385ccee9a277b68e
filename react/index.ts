/**
 * The React surface. It arrives with its own release; until then this entry point is empty.
 *
 * @since 0.1.0
 */
export {}
