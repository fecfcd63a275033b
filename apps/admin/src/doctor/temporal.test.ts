import { startTemporal, type Temporal } from '@postrider/local/temporal-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { diagnose, found, soundEnv } from './diagnose.fixture.ts';

const groups = ['temporal'] as const;

let temporal: Temporal;
beforeAll(async () => {
  temporal = await startTemporal();
});
afterAll(() => temporal.stop());

it('a server without schedules says that no worker has run', async () => {
  const findings = await diagnose({ ...soundEnv, TEMPORAL_ADDRESS: temporal.address }, { groups });
  expect(found(findings, 'temporal.connection')).toMatchObject([{ verdict: 'ok' }]);
  expect(found(findings, 'temporal.retention')).toMatchObject([{ verdict: 'ok', found: '1 day' }]);
  expect(found(findings, 'temporal.schedules')).toMatchObject([
    { verdict: 'warning', found: expect.stringMatching(/7 schedules do not exist: .*reconcile/) },
  ]);
});

it.each([
  [{ retentionFailureDays: 2 }, 'failure'],
  [{ retentionWarningDays: 0.5 }, 'warning'],
])('a retention outside of the limits %o: %s', async (limits, verdict) => {
  const findings = await diagnose({ ...soundEnv, TEMPORAL_ADDRESS: temporal.address }, { groups, limits });
  expect(found(findings, 'temporal.retention')).toMatchObject([{ verdict }]);
});

it('a namespace that does not exist', async () => {
  const env = { ...soundEnv, TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: 'missing' };
  const findings = await diagnose(env, { groups });
  expect(found(findings, 'temporal.connection')).toMatchObject([
    { verdict: 'failure', subject: 'missing', action: expect.stringContaining('namespace create missing') },
  ]);
  expect(found(findings, 'temporal.schedules')).toMatchObject([{ verdict: 'unknown' }]);
});

it('a server that is away', async () => {
  const findings = await diagnose({ ...soundEnv, TEMPORAL_ADDRESS: '127.0.0.1:1' }, { groups });
  expect(found(findings, 'temporal.connection')).toMatchObject([
    { verdict: 'failure', subject: '127.0.0.1:1' },
  ]);
});
