import { feed } from "./families.js"

feed(1, 2)
