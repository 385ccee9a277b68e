import { feed } from "./families.js"

feed(2, 4)
