import type { HandOver, HandOverStage } from './ports/mail-transport.ts';

/** Where in the conversation with a mail server something happened: up to the reply to EHLO, the login, then the steps of a message. */
export type Phase = 'opening' | 'login' | HandOverStage;

/** What the server said. Null: it refused or lost the connection, or was silent. */
export type Reply = { permanent: boolean; code: number; enhancedCode: string | null } | null;

interface Row {
  phases: readonly Phase[];
  /** a code, an enhanced code, all of a class, or no reply */
  replies: readonly ('421' | '4.3.1' | '4.3.2' | '4xx' | '5xx' | 'none')[];
  /** What waits or ends. A pause is never wider than its evidence: after MAIL FROM, a reply concerns one email. */
  concerns: 'route' | 'sender' | 'email';
  /**
   * - `pause`: the route or the sender domain on it is paused, and probed soon;
   * - `pause long`: probed rarely, as a person has to mend it;
   * - `fail or pause`: the email fails; the third in a row pauses its sender domain, so that no campaign fails;
   * - `retry`, `fail`, `uncertain`: of the email (behaviour B3.3).
   */
  effect: 'pause' | 'pause long' | 'fail or pause' | 'retry' | 'fail' | 'uncertain';
  /**
   * Whether another connection is tried before:
   * - `others`: while others work, as it may be about this connection alone;
   * - `once`: one more, at once.
   */
  elsewhere?: 'others' | 'once';
  /** whether it says how many connections the server allows */
  teaches?: true;
}

/** What pauses what: the first row that fits counts. */
const rows: readonly Row[] = [
  {
    phases: ['opening'],
    replies: ['4xx', '5xx', 'none'],
    concerns: 'route',
    effect: 'pause',
    elsewhere: 'others',
    teaches: true,
  },
  {
    phases: ['login'],
    replies: ['4xx', 'none'],
    concerns: 'route',
    effect: 'pause',
    elsewhere: 'others',
    teaches: true,
  },
  { phases: ['login'], replies: ['5xx'], concerns: 'route', effect: 'pause long' },
  {
    phases: ['mail'],
    replies: ['421'],
    concerns: 'sender',
    effect: 'pause',
    elsewhere: 'others',
    teaches: true,
  },
  { phases: ['mail'], replies: ['4.3.1', '4.3.2'], concerns: 'sender', effect: 'pause' },
  { phases: ['mail'], replies: ['5xx'], concerns: 'email', effect: 'fail or pause' },
  { phases: ['rcpt', 'data'], replies: ['421'], concerns: 'email', effect: 'retry', elsewhere: 'once' },
  { phases: ['mail', 'rcpt', 'data', 'final'], replies: ['4xx'], concerns: 'email', effect: 'retry' },
  { phases: ['rcpt', 'data', 'final'], replies: ['5xx'], concerns: 'email', effect: 'fail' },
  { phases: ['mail', 'rcpt', 'data'], replies: ['none'], concerns: 'email', effect: 'retry' },
  { phases: ['final'], replies: ['none'], concerns: 'email', effect: 'uncertain' },
];

/** The row for a reply, or for its absence. */
export function rowFor(phase: Phase, reply: Reply): Omit<Row, 'phases' | 'replies'> {
  const names = namesOf(reply);
  const found = rows.find(
    (row) => row.phases.includes(phase) && row.replies.some((name) => names.includes(name)),
  );
  if (!found) throw new Error(`No row for ${names.join(', ')} in the phase ${phase}`);
  return found;
}

/** The row for the result of a transfer; null when it says nothing about the mail server. */
export function rowOf(result: HandOver): Omit<Row, 'phases' | 'replies'> | null {
  switch (result.kind) {
    case 'refused':
      return rowFor(result.stage, result);
    case 'interrupted':
      return rowFor(result.stage, null);
    case 'unknown':
      return rowFor('final', null);
    case 'route':
      return result.reason === 'auth'
        ? rowFor('login', { permanent: true, code: result.code ?? 535, enhancedCode: null })
        : rowFor('opening', null);
    case 'accepted':
    case 'withheld':
      return null;
  }
}

function namesOf(reply: Reply): string[] {
  if (reply === null) return ['none'];
  const { permanent, code, enhancedCode } = reply;
  return [String(code), ...(enhancedCode ? [enhancedCode] : []), permanent ? '5xx' : '4xx'];
}
