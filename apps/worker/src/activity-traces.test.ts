import type { EndedSpan } from '@postrider/core/base/kernel';
import { setTracer } from '@postrider/core/base/kernel';
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { afterEach, expect, it } from 'vitest';
import { activityTraces } from './activity-traces.ts';

afterEach(() => setTracer(null));

type Factory = (context: { info: { activityType: string; attempt: number } }) => {
  inbound: ActivityInboundCallsInterceptor;
};

const execute = (work: () => Promise<unknown>): Promise<unknown> => {
  const [factory] = activityTraces.activity as unknown as Factory[];
  const info = { activityType: 'verifyDomain', attempt: 2 };
  return Promise.resolve(
    factory?.({ info }).inbound.execute?.({ args: [], headers: {} } as ActivityExecuteInput, work),
  );
};

it('each attempt of an activity has a span, which fails with it', async () => {
  const ended: EndedSpan[] = [];
  setTracer({ samples: () => true, take: (span) => void ended.push(span), admitsUnsampled: () => false });
  expect(await execute(async () => 'done')).toBe('done');
  await expect(execute(() => Promise.reject(new RangeError('no')))).rejects.toThrow('no');
  expect(ended).toMatchObject([
    { name: 'temporal.verifyDomain', hasFailed: false, attributes: { 'postrider.attempt': 2 } },
    { name: 'temporal.verifyDomain', hasFailed: true, attributes: { 'error.type': 'RangeError' } },
  ]);
});

it('without a tracer activities run as they are', async () => {
  expect(await execute(async () => 'done')).toBe('done');
});
