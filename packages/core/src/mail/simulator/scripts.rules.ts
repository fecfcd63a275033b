import type { HandOver, Refused } from '../../base/kernel/ports/mail-transport.ts';
import { type SimulatorName, simulatorNameOf } from '../../base/kernel/simulator.rules.ts';
import type { TaskKind } from './simulator.store.ts';

/** What the simulator does with one message. */
export interface Script {
  /** `before` the message is transferred, as to RCPT, or `after` it, as to the final dot */
  answers: 'before' | 'after';
  answer: HandOver;
  later: readonly { kind: TaskKind; afterMs: number }[];
}

const accepted: HandOver = { kind: 'accepted', response: '250 2.0.0 Taken by the simulator' };

const refused = (response: string, stage: Refused['stage']): Refused => ({
  kind: 'refused',
  permanent: response.startsWith('5'),
  code: Number(response.slice(0, 3)),
  enhancedCode: response.split(' ', 2)[1] ?? null,
  response,
  stage,
});

const later = (...kinds: readonly (readonly [TaskKind, number])[]): Script => ({
  answers: 'after',
  answer: accepted,
  later: kinds.map(([kind, afterMs]) => ({ kind, afterMs })),
});

const delivered = ['delivered', 1_000] as const;
const opened = ['opened', 2_000] as const;

const scripts: Readonly<Record<SimulatorName, Script>> = {
  delivered: later(delivered),
  opened: later(delivered, opened),
  clicked: later(delivered, opened, ['clicked', 3_000]),
  bounced: later(['bounced', 1_000]),
  softbounced: later(['softbounced', 1_000]),
  rejected: {
    answers: 'before',
    answer: refused('550 5.1.1 The simulator has no such mailbox', 'rcpt'),
    later: [],
  },
  blocked: {
    answers: 'after',
    answer: refused('550 5.7.28 The simulator blocks this sender', 'final'),
    later: [],
  },
  delayed: {
    answers: 'before',
    answer: refused('451 4.7.1 The simulator takes it at the next attempt', 'rcpt'),
    later: [],
  },
  complained: later(delivered, ['complained', 2_000]),
  unsubscribed: later(delivered, ['unsubscribed', 2_000]),
  autoreplied: later(delivered, ['autoreplied', 2_000]),
  // Skipped when it is accepted; whatever gets past that is delivered.
  suppressed: later(delivered),
  uncertain: {
    answers: 'after',
    answer: { kind: 'unknown', error: 'The simulator ended the connection after the message' },
    later: [],
  },
};

/** Names whose first attempt fails and whose second succeeds. */
const twice: ReadonlySet<SimulatorName> = new Set(['delayed', 'uncertain']);

/** @param attempts earlier ones of the email */
export function scriptFor(address: string, attempts: number): Script {
  const name = simulatorNameOf(address);
  return scripts[twice.has(name) && attempts > 0 ? 'delivered' : name];
}
