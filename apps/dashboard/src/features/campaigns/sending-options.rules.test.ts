import { expect, it } from 'vitest';
import { isUsual, type Options } from './sending-options.rules.ts';

const usual: Options = { holdout: 0, pace: null, guard: true, exemptFromLimits: false, utm: null };

it('the options of a campaign are folded while each is as it was', () => {
  expect(isUsual(usual)).toBe(true);
  for (const chosen of [
    { holdout: 10 },
    { pace: { perHour: 500, careful: false } },
    { guard: false },
    { exemptFromLimits: true },
    { utm: { enabled: true } },
  ])
    expect(isUsual({ ...usual, ...chosen } as Options), JSON.stringify(chosen)).toBe(false);
});
