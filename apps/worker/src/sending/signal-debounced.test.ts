import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTemporalClient } from '@postrider/core/adapters';
import { deliverCampaignJob } from '@postrider/core/automation/campaigns';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTimeSkippingEnvironment } from '../testing/time-skipping.ts';

const answerDelayMs = 100;

let environment: TestWorkflowEnvironment;
let slow: Server;
const sockets = new Set<Socket>();

beforeAll(async () => {
  environment = await createTimeSkippingEnvironment();
  const [host = '', port] = environment.address.split(':');
  slow = createServer((near) => {
    const far = connect(Number(port), host);
    sockets.add(near).add(far);
    near.pipe(far);
    far.pipe(delayed()).pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
  });
  await once(slow.listen(0, '127.0.0.1'), 'listening');
}, 300_000);
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  slow.close();
  await environment.teardown();
});

const delayed = (): Transform =>
  new Transform({
    transform(chunk, _encoding, done) {
      setTimeout(() => done(null, chunk), answerDelayMs);
    },
  });

it('frequent signals are debounced while the server is slow, and the last one is always sent', async () => {
  const workflows = createTemporalClient({
    address: `127.0.0.1:${(slow.address() as AddressInfo).port}`,
    namespace: environment.namespace ?? 'default',
    log: pino({ level: 'silent' }),
  });
  const input = { campaignId: 'woken' };
  const handle = environment.client.workflow.getHandle(deliverCampaignJob.id(input));
  const signals = async (): Promise<number> => {
    const { events } = await handle.fetchHistory();
    return events?.filter((event) => event.workflowExecutionSignaledEventAttributes).length ?? 0;
  };
  try {
    const wakes = 200;
    for (let each = 0; each < wakes; each += 1) {
      workflows.signalDebounced(deliverCampaignJob, input);
      await sleep(10);
    }
    // Each signal takes 100 ms at least, and the next one waits for ten times as long.
    const early = await signals();
    expect(early).toBeGreaterThanOrEqual(1);
    expect(early).toBeLessThanOrEqual(4);
    await expect.poll(signals).toBeGreaterThan(early);
  } finally {
    await workflows.close();
  }
});
