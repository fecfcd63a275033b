export {
  declines,
  excluded,
  firstReason,
  isSimulatedAddress,
  isSuppressed,
  isSuppressedByRow,
  isSuppressedName,
  isTopicOff,
  isWilling,
  orGeneral,
  type Recipient,
} from './eligibility.store.ts';
export { hasOptedOut } from './opted-out.store.ts';
export {
  isOutsideSandbox,
  isTestProject,
  sandboxAddresses,
  sandboxState,
  takeSandboxSlots,
} from './sandbox.store.ts';
export {
  type ExcludedBy,
  exclusionOf,
  exclusions,
  type SkipReason,
  skipReason,
} from './skip-reasons.rules.ts';
