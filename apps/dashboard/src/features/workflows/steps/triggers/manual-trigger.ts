import type { TriggerView } from './trigger-view.ts';

export const manualTriggerView: TriggerView = {
  summary: () => 'Started manually',
  missing: '',
  Fields: null,
  read: () => ({}),
};
