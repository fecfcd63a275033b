import { setTimeout as sleep } from 'node:timers/promises';
import { openHttpConnection } from '@postrider/harness/http-connection';
import type { TestProject } from '@postrider/harness/project.store';
import type { BenchStack } from '../harness/bench-stack.ts';
import { signupOf } from './onboarding.ts';

/** An email that has not arrived after this time counts as lost. */
const patienceMs = 30_000;
const pollMs = 50;

/**
 * Time from the reply of `/v1/track` until the mail server has received the first email of the execution, in
 * milliseconds, one value per contact. Both timestamps come from this machine's clock; the sink's has a resolution of
 * 1 ms.
 *
 * @param before runs before each sample, outside of the measured time
 */
export async function measureFirstMail(
  { stack, sink }: Pick<BenchStack, 'stack' | 'sink'>,
  { publicKey }: TestProject,
  emails: readonly string[],
  before: () => Promise<void>,
): Promise<number[]> {
  const connection = await openHttpConnection(stack.urls.api, `Bearer ${publicKey}`);
  const found: number[] = [];
  try {
    for (const email of emails) {
      await before();
      await sink.clear();
      const { status, body, at } = await connection.post('/v1/track', signupOf(email));
      if (status !== 200) throw new Error(`/v1/track answered ${status}: ${body.slice(0, 300)}`);
      found.push((await firstMailTo(sink, email)) - at);
    }
  } finally {
    connection.close();
  }
  return found;
}

async function firstMailTo(sink: BenchStack['sink'], email: string): Promise<number> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const mail = (await sink.messages()).find(({ to }) => to.includes(email));
    if (mail) return mail.at;
    if (Date.now() > deadline) throw new Error(`No mail to ${email} after ${patienceMs / 1_000} s.`);
    await sleep(pollMs);
  }
}
