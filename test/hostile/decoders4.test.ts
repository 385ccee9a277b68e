import { feed } from "./families.js"

feed(3, 4)
