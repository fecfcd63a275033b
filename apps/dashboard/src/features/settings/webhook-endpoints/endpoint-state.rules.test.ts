import { expect, it } from 'vitest';
import { endpointState } from './endpoint-state.rules.ts';

it.each([
  [true, null, 'Enabled', /delivered/],
  [false, null, 'Disabled', /^No events/],
  [false, 'GONE', 'Disabled by Postrider', /410/],
  [false, 'FAILING', 'Disabled by Postrider', /5 days/],
])('enabled %s with the reason %s is shown as such', (enabled, disabledReason, label, meaning) => {
  const state = endpointState({ enabled, disabledReason });
  expect(state.label).toBe(label);
  expect(state.meaning).toMatch(meaning);
});
