import type { HandOverStage } from '../providers/index.ts';
import type { HandOver } from './ports/mail-transport.ts';

/** Where in the conversation with a mail server something happened: up to the reply to EHLO, the login, then the steps of a message. */
export type Phase = 'opening' | 'login' | HandOverStage;

/** What the server said. Null: it refused or lost the connection, or was silent. */
export type Reply = { permanent: boolean; code: number; enhancedCode: string | null } | null;

/** What a pause holds back, from the widest to the narrowest: email on the route, that of a sender domain on it, or one email. */
export type PauseScope = 'route' | 'sender' | 'email';

interface Row {
  /** a code, an enhanced code, all of a class, or no reply */
  replies: readonly ('421' | '4.3.1' | '4.3.2' | '4xx' | '5xx' | 'none')[];
  /** What waits or ends. A pause is never wider than its evidence: after MAIL FROM, a reply concerns one email. */
  concerns: PauseScope;
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

const retry = { concerns: 'email', effect: 'retry' } as const;
const fail = { concerns: 'email', effect: 'fail' } as const;
const uncertain = { concerns: 'email', effect: 'uncertain' } as const;
/** The server closes the connection: perhaps in its own maintenance, perhaps because of this recipient. */
const retryElsewhere = { replies: ['421'], ...retry, elsewhere: 'once' } as const;
const ofRoute = { concerns: 'route', effect: 'pause', elsewhere: 'others', teaches: true } as const;

/**
 * What pauses what, by phase: the first row that fits counts. A provider that answers at another stage does not compile until the stage is
 * here, with a row for 4xx, for 5xx and for no reply.
 */
const rows: Readonly<Record<Phase, readonly Row[]>> = {
  opening: [{ replies: ['4xx', '5xx', 'none'], ...ofRoute }],
  login: [
    { replies: ['4xx', 'none'], ...ofRoute },
    { replies: ['5xx'], concerns: 'route', effect: 'pause long' },
  ],
  mail: [
    { replies: ['421'], concerns: 'sender', effect: 'pause', elsewhere: 'others', teaches: true },
    { replies: ['4.3.1', '4.3.2'], concerns: 'sender', effect: 'pause' },
    { replies: ['5xx'], concerns: 'email', effect: 'fail or pause' },
    { replies: ['4xx', 'none'], ...retry },
  ],
  rcpt: [retryElsewhere, { replies: ['4xx', 'none'], ...retry }, { replies: ['5xx'], ...fail }],
  data: [retryElsewhere, { replies: ['4xx', 'none'], ...retry }, { replies: ['5xx'], ...fail }],
  final: [
    { replies: ['4xx'], ...retry },
    { replies: ['5xx'], ...fail },
    { replies: ['none'], ...uncertain },
  ],
  request: [
    { replies: ['4xx'], ...retry },
    { replies: ['5xx'], ...fail },
    { replies: ['none'], ...uncertain },
  ],
};

interface StageFacts {
  /** its answer is about the sender; that of a later stage says that the sender was accepted */
  judgesSender: boolean;
  /** what its answer is about; null where it may be anything, as a provider's whose only step has them all */
  about: 'sender' | 'recipient' | 'data' | 'message' | null;
}

/** Whom the answer to each stage is about. */
export const stageFacts: Readonly<Record<HandOverStage, StageFacts>> = {
  mail: { judgesSender: true, about: 'sender' },
  rcpt: { judgesSender: false, about: 'recipient' },
  data: { judgesSender: false, about: 'data' },
  final: { judgesSender: false, about: 'message' },
  request: { judgesSender: false, about: null },
};

/** The row for a reply, or for its absence. */
export function rowFor(phase: Phase, reply: Reply): Omit<Row, 'replies'> {
  const names = namesOf(reply);
  const found = rows[phase].find((row) => row.replies.some((name) => names.includes(name)));
  if (!found) throw new Error(`No row for ${names.join(', ')} in the phase ${phase}`);
  return found;
}

/** The row for the result of a transfer; null when it says nothing about the mail server. */
export function rowOf(result: HandOver): Omit<Row, 'replies'> | null {
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
