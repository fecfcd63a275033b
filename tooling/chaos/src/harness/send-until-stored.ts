import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProject } from '@postrider/harness/project.store';

const patienceMs = 120_000;
const pauseMs = 200;
/** Long enough that a busy machine answers: what is given up and repeated is work that is done twice. */
const requestTimeoutMs = 15_000;

export interface PlainEmail {
  to: string;
  subject: string;
  body: string;
}

/** The content of a template, to several recipients. */
export interface TemplateEmail {
  to: readonly string[];
  template: string;
}

/**
 * Sends an email through `/v1/send` and repeats the request, with the same idempotency key, while the service cannot
 * take it, as a client would.
 *
 * @throws Error if the service refuses the email, or does not take it for two minutes
 */
export async function sendUntilStored(
  api: string,
  { secretKey, from }: TestProject,
  idempotencyKey: string,
  email: PlainEmail | TemplateEmail,
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const status = await fetch(new URL('/v1/send', api), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secretKey}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify({ from, ...email }),
      signal: AbortSignal.timeout(requestTimeoutMs),
    }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      },
      // The connection broke, or no answer came in time.
      () => null,
    );
    // 409: an earlier request stored it, and only its reply was lost.
    if (status === 200 || status === 409) return;
    if (status !== null && status < 500)
      throw new Error(`/v1/send answered ${status} to ${[email.to].flat()[0]}`);
    if (Date.now() > deadline)
      throw new Error(`/v1/send takes no email for ${patienceMs / 1_000} s: ${status ?? 'no answer'}`);
    await sleep(pauseMs);
  }
}
