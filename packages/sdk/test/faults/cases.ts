/** What can go wrong between a program and the API. Every SDK goes through the same cases, and the outcome is always one email. */

/** What the server does with a request. */
interface Answer {
  /** Whether the request is carried out first. */
  stored: boolean;
  how:
    | 'answer'
    /** The connection ends without a byte of an answer, in its head, in its body, or right after it. */
    | 'cut'
    | 'cut in the head'
    | 'cut in the body'
    | 'cut after the answer'
    /** Nothing comes, and the connection stays. */
    | 'silence'
    /** The head comes at once, and the body byte by byte, without an end. */
    | 'drip'
    /** 200 with half of the JSON, or with the page of somebody else. */
    | 'half of the JSON'
    | 'page'
    /** A refusal. */
    | 429
    | 500
    | 503;
  /** Seconds of `Retry-After`. A request that comes earlier is counted. */
  retryAfter?: number;
}

interface Call {
  /** The idempotency key that the program gives. */
  key?: string;
  subject?: string;
  /** Emails of a batch. */
  items?: number;
}

/** What a call came to, as every SDK says it: the emails (or the event) of its result, or the code of its error. */
export interface Outcome {
  emails?: number;
  /** Their ids. */
  ids?: string[];
  repeated?: boolean;
  answerLost?: boolean;
  error?: string;
}

export interface FaultCase {
  name: string;
  operation: 'send' | 'sendBatch' | 'track';
  /** For each request in turn, the last one from then on. */
  answers: Answer[];
  /** One after another, or all at once. */
  calls: Call[];
  atOnce?: true;
  timeoutMs?: number;
  maxRetries?: number;
  outcomes: Outcome[];
  /** What the server has in the end. Default: one email, or event. */
  stored?: number;
}

const answer: Answer = { stored: true, how: 'answer' };
const after = (how: Answer['how']): Answer => ({ stored: true, how });
const before = (how: Answer['how']): Answer => ({ stored: false, how });
const soon = (how: 429 | 500 | 503): Answer => ({ stored: false, how, retryAfter: 0 });

const sent: Outcome = { emails: 1, repeated: false, answerLost: false };
/** The first request was accepted, and its answer did not arrive. */
const lost: Outcome = { emails: 1, repeated: true, answerLost: true };
/** Another call made it. */
const repeated: Outcome = { emails: 1, repeated: true, answerLost: false };

const one = [{}];
/** Where an attempt ends by time, a slow machine may need more of them. */
const impatient = { timeoutMs: 500, maxRetries: 8 };

const send = (
  name: string,
  answers: Answer[],
  outcome: Outcome,
  more: Partial<FaultCase> = {},
): FaultCase => ({
  name,
  operation: 'send',
  answers,
  calls: one,
  outcomes: [outcome],
  ...more,
});

export const cases: readonly FaultCase[] = [
  send('nothing', [answer], sent),
  send('cut before it is read', [before('cut'), answer], sent),
  send('cut before the answer', [after('cut'), answer], lost),
  send('cut in the head', [after('cut in the head'), answer], lost),
  send('cut in the body', [after('cut in the body'), answer], lost),
  send('cut again and again', [after('cut'), after('cut in the body'), answer], lost),
  send('cut after the answer', [after('cut after the answer'), answer], sent, {
    calls: [{}, {}],
    outcomes: [{ emails: 1 }, { emails: 1 }],
    stored: 2,
  }),
  send('429', [{ stored: false, how: 429, retryAfter: 1 }, answer], sent),
  send('429 twice', [soon(429), soon(429), answer], sent),
  send('503', [soon(503), answer], sent),
  send('500 and 503', [soon(500), soon(503), answer], sent),
  send('503 after it was accepted', [{ ...after(503), retryAfter: 0 }, answer], lost),
  send('503 until the retries are used up', [soon(503), soon(503), soon(503), answer], sent, {
    calls: [{ key: 'order-1' }, { key: 'order-1' }],
    outcomes: [{ error: 'INTERNAL_SERVER_ERROR' }, sent],
  }),
  send('cut until the retries are used up', [after('cut'), after('cut'), after('cut'), answer], sent, {
    calls: [{ key: 'order-1' }, { key: 'order-1' }],
    outcomes: [{ error: 'CONNECTION' }, repeated],
  }),
  send('no answer', [before('silence'), answer], { emails: 1 }, impatient),
  send('no answer after it was accepted', [after('silence'), answer], lost, impatient),
  send('a body without an end', [after('drip'), answer], lost, impatient),
  send('no answer at all', [before('silence'), before('silence'), answer], sent, {
    timeoutMs: 2_000,
    maxRetries: 1,
    calls: [{ key: 'order-1' }, { key: 'order-1' }],
    outcomes: [{ error: 'TIMEOUT' }, { emails: 1 }],
  }),
  send('half of the JSON', [after('half of the JSON'), answer], lost),
  send('the page of somebody else', [before('page'), answer], sent),
  send('the same request by another process', [answer], sent, {
    calls: [{ key: 'order-1' }, { key: 'order-1' }],
    outcomes: [sent, repeated],
  }),
  send('another request with the key', [answer], sent, {
    calls: [{ key: 'order-1' }, { key: 'order-1', subject: 'Another' }],
    outcomes: [sent, { error: 'IDEMPOTENCY_KEY_REUSED' }],
  }),
  send('another request with the key, after a cut', [answer, before('cut'), answer], sent, {
    calls: [{ key: 'order-1' }, { key: 'order-1', subject: 'Another' }],
    outcomes: [sent, { error: 'IDEMPOTENCY_KEY_REUSED' }],
  }),
  send('twenty at once', [answer], sent, {
    calls: Array.from({ length: 20 }, () => ({ key: 'order-1' })),
    atOnce: true,
    outcomes: [sent, ...Array.from({ length: 19 }, () => repeated)],
  }),
  {
    name: 'an event whose answer was cut',
    operation: 'track',
    answers: [after('cut'), answer],
    calls: one,
    outcomes: [lost],
  },
  {
    name: 'a batch whose answer was cut',
    operation: 'sendBatch',
    answers: [after('cut in the body'), answer],
    calls: [{ items: 3 }],
    outcomes: [{ emails: 3, answerLost: true }],
    stored: 3,
  },
  {
    name: 'a batch of several requests, one of which was cut',
    operation: 'sendBatch',
    answers: [answer, after('cut'), answer],
    calls: [{ items: 2_100 }],
    outcomes: [{ emails: 2_100, answerLost: true }],
    stored: 2_100,
  },
  {
    name: 'a batch that another process sent',
    operation: 'sendBatch',
    answers: [answer],
    calls: [
      { items: 2, key: 'orders' },
      { items: 2, key: 'orders' },
    ],
    outcomes: [
      { emails: 2, repeated: false },
      { emails: 2, repeated: true, answerLost: false },
    ],
    stored: 2,
  },
];
