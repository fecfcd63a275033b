import type { SinkMessage } from '@postrider/local/sink';
import { describe, expect, it } from 'vitest';
import { compare } from './compare-ledger-with-sink.ts';
import type { Ledger, LedgerCampaign, LedgerEmail } from './ledger.store.ts';

const email = (id: string, change: Partial<LedgerEmail> = {}): LedgerEmail => ({
  id,
  to: `${id}@people.test`,
  status: 'SENT',
  error: null,
  sentAt: new Date(),
  campaignId: 'c',
  autoResent: false,
  open: false,
  told: 1,
  ...change,
});

const message = (id: string, to = `${id}@people.test`): SinkMessage => ({
  from: 'hello@sender.test',
  to: [to],
  messageId: `<${id}@sender.test>`,
  emailId: id,
  at: 0,
  size: 1,
});

const unsent = { sentAt: null, told: 0 } as const;
const failed = email('f', { ...unsent, status: 'FAILED', error: '550 5.1.1 No such user' });
const skipped = email('s', { ...unsent, status: 'SKIPPED' });
const uncertain = email('u', { ...unsent, status: 'UNCERTAIN', error: 'The worker stopped' });

const closed: LedgerCampaign = {
  id: 'c',
  status: 'SENT',
  totalRecipients: 5,
  sentCount: 2,
  failedCount: 1,
  skippedCount: 1,
  uncertainCount: 1,
};
const ledger = (change: Partial<Ledger> = {}): Ledger => ({
  emails: [email('a'), email('b'), failed, skipped, uncertain],
  campaigns: [closed],
  orphans: 0,
  ...change,
});
const replaced = (row: LedgerEmail): Ledger =>
  ledger({ emails: ledger().emails.map((one) => (one.id === row.id ? row : one)) });
const delivered = [message('a'), message('b')];

describe('a ledger that agrees with the sink', () => {
  it('has no problems, and its uncertain emails are listed', () => {
    expect(compare(ledger(), delivered)).toEqual({
      emails: 5,
      atSink: 2,
      byStatus: { SENT: 2, FAILED: 1, SKIPPED: 1, UNCERTAIN: 1 },
      uncertain: [{ id: 'u', to: 'u@people.test', error: 'The worker stopped', atSink: false }],
      problems: [],
    });
  });

  it('can contain an uncertain email that arrived', () => {
    const report = compare(ledger(), [...delivered, message('u')]);
    expect(report.problems).toEqual([]);
    expect(report.uncertain).toMatchObject([{ id: 'u', atSink: true }]);
  });

  it('can contain a transactional email that was sent again after it was uncertain', () => {
    const resent = {
      ...ledger(),
      emails: [email('t', { campaignId: null, autoResent: true })],
      campaigns: [],
    };
    expect(compare(resent, [message('t'), message('t')]).problems).toEqual([]);
    expect(compare(resent, [message('t'), message('t'), message('t')]).problems).toHaveLength(1);
  });
});

describe('the comparison finds', () => {
  const cases: [string, Ledger, SinkMessage[], RegExp][] = [
    ['a lost email', ledger(), [message('a')], /b@people.test is SENT and never reached the sink/],
    [
      'an email that arrived twice',
      ledger(),
      [...delivered, message('a')],
      /a@people.test is SENT and reached the sink 2 times/,
    ],
    [
      'an uncertain email that arrived twice',
      ledger(),
      [...delivered, message('u'), message('u')],
      /UNCERTAIN and reached the sink 2 times/,
    ],
    [
      'a failed email that arrived',
      ledger(),
      [...delivered, message('f')],
      /f@people.test is FAILED and reached the sink/,
    ],
    [
      'a skipped email that arrived',
      ledger(),
      [...delivered, message('s')],
      /s@people.test is SKIPPED and reached the sink/,
    ],
    [
      'an uncertain email without an error text',
      replaced({ ...uncertain, error: null }),
      delivered,
      /UNCERTAIN without a text/,
    ],
    [
      'a failed email without an error text',
      replaced({ ...failed, error: null }),
      delivered,
      /FAILED without a text/,
    ],
    ['a remaining Delivery row', replaced(email('a', { open: true })), delivered, /still has a Delivery row/],
    [
      'two email.sent events of one email',
      replaced(email('a', { told: 2 })),
      delivered,
      /2 email.sent events/,
    ],
    [
      'an email without a final status',
      replaced(email('a', { ...unsent, status: 'PENDING' })),
      delivered,
      /no final state: PENDING, and is at the sink/,
    ],
    [
      'counters that differ from the rows',
      ledger({ campaigns: [{ ...closed, sentCount: 3, failedCount: 0 }] }),
      delivered,
      /sentCount = 3, its rows say 2/,
    ],
    [
      'a campaign that does not close',
      ledger({ campaigns: [{ ...closed, uncertainCount: 0 }] }),
      delivered,
      /does not close/,
    ],
    [
      'a campaign that is not SENT',
      ledger({ campaigns: [{ ...closed, status: 'SENDING' }] }),
      delivered,
      /campaign c is SENDING/,
    ],
    ['a message without a row', ledger(), [...delivered, message('x')], /no row knows/],
    [
      'a message to the wrong address',
      ledger(),
      [message('a', 'b@people.test'), message('b')],
      /is for a@people.test and went to b@people.test/,
    ],
    [
      'two emails of a campaign to one address',
      replaced(email('a', { to: 'b@people.test' })),
      [message('a', 'b@people.test'), message('b')],
      /two emails to one address/,
    ],
    ['Delivery rows without an email', ledger({ orphans: 2 }), delivered, /2 Delivery rows/],
  ];
  it.each(cases)('%s', (_title, rows, messages, problem) => {
    expect(compare(rows, messages).problems).toContainEqual(expect.stringMatching(problem));
  });
});
