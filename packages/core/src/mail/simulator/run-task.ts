import { systemContext } from '../../base/kernel/index.ts';
import type { Services } from '../../base/kernel/services.ts';
import { diagnose, diagnosisOf } from '../diagnosis/index.ts';
import { encodeLink } from '../message/index.ts';
import { applyDeliveryNews, applyOnce } from '../news/index.ts';
import { changePreferences, recordSimulated } from '../tracking/index.ts';
import type { DueTask } from './simulator.store.ts';

/** What the reports of bounces say. */
const reports = {
  bounced: { status: '5.1.1', text: '550 5.1.1 The simulator has no such mailbox' },
  softbounced: { status: '4.2.2', text: '452 4.2.2 The mailbox of the simulator is full' },
} as const;

/**
 * Does what a mail server, a provider or a reader would have done. Repeated, it has no effect: reports have the key of the task, an open
 * or a click has its id.
 *
 * @returns false when it is to be done later
 */
export async function runTask(services: Services, task: DueTask): Promise<boolean> {
  if (task.isUnsent) return true;
  const { id, emailId, kind, link } = task;
  switch (kind) {
    case 'opened':
      return recordSimulated(services, { id, type: 'open', emailId, token: null });
    case 'clicked':
      return recordSimulated(services, { id, type: 'click', emailId, token: link });
    case 'unsubscribed':
      await unsubscribe(services, task);
      return true;
    default:
      return (await applyDeliveryNews(services, newsOf(task, kind))) !== 'too_early';
  }
}

function newsOf(
  { emailId, dueAt }: DueTask,
  kind: Exclude<DueTask['kind'], 'opened' | 'clicked' | 'unsubscribed'>,
): Parameters<typeof applyDeliveryNews>[1] {
  const base = { key: `simulator:${emailId}:${kind}`, emailId, at: dueAt, isProven: true };
  switch (kind) {
    case 'bounced':
    case 'softbounced': {
      const { status, text } = reports[kind];
      const found = diagnose({ reply: null, status, text, about: 'recipient' });
      const { bounceType } = found;
      return { ...base, kind: 'bounce', detail: text, bounceType, diagnosis: diagnosisOf(found, text) };
    }
    case 'delivered':
      return { ...base, kind: 'delivered', detail: null };
    case 'complained':
      return { ...base, kind: 'complaint', detail: null };
    case 'autoreplied':
      return { ...base, kind: 'auto_reply', detail: null };
  }
}

/** As by the request of a mail program (RFC 8058). */
async function unsubscribe(services: Services, { emailId, contactId }: DueTask): Promise<void> {
  if (contactId === null) return;
  const token = encodeLink(services.secrets, { kind: 'preferences', contactId, emailId });
  await applyOnce(services, `simulator:${emailId}:unsubscribed`, async () => {
    await changePreferences.run(systemContext(services), {
      token,
      action: 'unsubscribe',
      source: 'one_click',
    });
  });
}
