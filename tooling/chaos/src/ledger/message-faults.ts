import type { SinkMessage } from '@postrider/local/sink';
import type { Fault } from './fault.ts';
import type { LedgerEmail } from './ledger.store.ts';

/** Messages that no row knows, and messages that went to another address than their row names. */
export function messageFaults(emails: readonly LedgerEmail[], messages: readonly SinkMessage[]): Fault[] {
  const addresses = new Map(emails.map(({ id, to }) => [id, to]));
  return messages.flatMap((message): Fault[] => {
    const wanted = addresses.get(message.emailId);
    if (wanted === undefined) return [{ kind: 'other', text: unknownMessage(message) }];
    const { emailId, to } = message;
    if (to.length === 1 && to[0] === wanted) return [];
    return [{ kind: 'other', text: `email ${emailId} is for ${wanted} and went to ${to.join(', ')}` }];
  });
}

const unknownMessage = ({ emailId, to }: SinkMessage): string =>
  `the sink has a message to ${to.join(', ')} that no row knows (X-Postrider-Email: ${emailId || 'missing'})`;
