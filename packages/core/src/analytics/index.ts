export { getOverview } from './get-overview.ts';
export { getSetupState } from './get-setup-state.ts';
