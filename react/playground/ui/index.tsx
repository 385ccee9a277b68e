/** The pieces that all panels are made of. */
export { Button, type ButtonProps } from "./Button.js"
export { Checkbox, Field, type InputProps, Segments, TextInput } from "./Form.js"
export { Icon, type IconName } from "./Icon.js"
export { LinkedAddress, LinkedHash } from "./Linked.js"
export { OwnBalance } from "./OwnBalance.js"
export { Panel, type PanelProps } from "./Panel.js"
export { Scroller } from "./Scroller.js"
export { describeError as describe, Empty, ErrorBox, isApiKeyError as isOfKey, Skeleton } from "./States.js"
export { type Column, type Row, Table } from "./Table.js"
export { Tabs } from "./Tabs.js"
export {
  Address,
  Amount,
  Badge,
  CopyButton as Copy,
  Hash,
  LiveRegion as Live,
  Time,
  useClock as useNow,
  VisuallyHidden
} from "./Values.js"
