import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProject } from '@postrider/harness/project.store';
import { type Answered, attempt } from './answers.ts';

const patienceMs = 120_000;
const pauseMs = 200;

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
 * @param answered is told what became of each request
 * @throws Error if the service refuses the email, or does not take it for two minutes
 */
export async function sendUntilStored(
  api: string,
  { secretKey, from }: TestProject,
  idempotencyKey: string,
  email: PlainEmail | TemplateEmail,
  answered?: Answered,
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const { status } = await attempt(
      { api, path: '/v1/send', key: secretKey, idempotencyKey, body: { from, ...email } },
      answered,
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
