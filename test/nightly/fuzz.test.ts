import { feed } from "../fuzz/families.js"

feed(0, 1, 10_000)
