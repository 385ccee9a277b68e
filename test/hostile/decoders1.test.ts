import { feed } from "./families.js"

feed(0, 2)
