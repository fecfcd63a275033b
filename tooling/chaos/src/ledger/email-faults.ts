import type { Fault, FaultKind } from './fault.ts';
import type { LedgerEmail } from './ledger.store.ts';

/** Statuses of an email that the server accepted; those after SENT result from later events. */
const accepted = new Set(['SENT', 'DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED']);
/** Email of these sources emits no events. */
const silent = new Set(['TEST', 'SYSTEM']);

export const isAccepted = ({ status }: Pick<LedgerEmail, 'status'>): boolean => accepted.has(status);

/**
 * The contradictions of one email.
 *
 * @param received how often it arrived
 */
export function emailFaults(email: LedgerEmail, received: number): Fault[] {
  const { status, error, sentAt, queued, autoResent } = email;
  const faults: Fault[] = [];
  const add = (kind: FaultKind, what: string): void => {
    faults.push({ kind, text: `email ${email.id} to ${email.to} is ${status}${what}` });
  };
  const times = autoResent ? 2 : 1;
  if (received > times) add('doubled', ` and reached the sink ${received} times`);
  if (queued) add('stranded', ' and still belongs to a batch');
  if (isAccepted(email)) {
    if (received === 0) add('lost', ' and never reached the sink');
    if (sentAt === null) add('other', ' without sentAt');
  } else if (status === 'FAILED' || status === 'SKIPPED') {
    if (received > 0) add('other', ' and reached the sink');
    if (status === 'FAILED' && !error) add('other', ' without a text that says why');
  } else if (status === 'UNCERTAIN') {
    if (!error) add('other', ' without a text that says why');
  } else add('stranded', `, which is no final state${received > 0 ? ', and is at the sink' : ''}`);
  for (const [name, wanted] of Object.entries(eventsOf(email))) {
    const found = email.events[name] ?? 0;
    if (found !== wanted) add('events', ` with ${found} ${name} events instead of ${wanted}`);
  }
  return faults;
}

/** How many events of each name the email must have. */
function eventsOf(email: LedgerEmail): Record<string, number> {
  const tells = !silent.has(email.sourceType);
  const once = (condition: boolean): number => (tells && condition ? 1 : 0);
  return {
    'email.sent': once(isAccepted(email)),
    'email.failed': once(email.status === 'FAILED'),
    'email.skipped': once(email.status === 'SKIPPED'),
    'email.bounce': once(email.bouncedAt !== null),
  };
}
