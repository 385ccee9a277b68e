/** The pieces that all panels are made of. */
export { Button, type ButtonProps } from "./Button.js"
export { Checkbox, Field, type InputProps, Segments, TextInput } from "./Form.js"
export { Icon, type IconName } from "./Icon.js"
export { LinkedAddress, LinkedHash } from "./Linked.js"
export { OwnBalance } from "./OwnBalance.js"
export { Panel, type PanelProps } from "./Panel.js"
export { Scroller } from "./Scroller.js"
export { describeError, Empty, ErrorBox, isApiKeyError, Skeleton } from "./States.js"
export { type Column, type Row, Table } from "./Table.js"
export { Tabs } from "./Tabs.js"
export {
  Address,
  Amount,
  Badge,
  CopyButton,
  Hash,
  LiveRegion,
  Time,
  useClock,
  VisuallyHidden
} from "./Values.js"
