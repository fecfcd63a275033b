import type { SinkMessage } from '@postrider/local/sink';
import { describe, expect, it } from 'vitest';
import { compare } from './compare-ledger-with-sink.ts';
import type { FaultKind } from './fault.ts';
import type { Ledger, LedgerCampaign, LedgerEmail } from './ledger.store.ts';

const email = (id: string, change: Partial<LedgerEmail> = {}): LedgerEmail => ({
  id,
  to: `${id}@people.test`,
  status: 'SENT',
  sourceType: 'CAMPAIGN',
  error: null,
  sentAt: new Date(),
  bouncedAt: null,
  campaignId: 'c',
  autoResent: false,
  queued: false,
  events: { 'email.sent': 1 },
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

const unsent = { sentAt: null, events: {} } as const;
const failed = email('f', {
  ...unsent,
  status: 'FAILED',
  error: '550 5.1.1 No such user',
  bouncedAt: new Date(),
  events: { 'email.failed': 1, 'email.bounce': 1 },
});
const skipped = email('s', { ...unsent, status: 'SKIPPED', events: { 'email.skipped': 1 } });
const uncertain = email('u', { ...unsent, status: 'UNCERTAIN', error: 'The worker stopped' });

const closed: LedgerCampaign = {
  id: 'c',
  status: 'SENT',
  totalRecipients: 5,
  sentCount: 2,
  failedCount: 1,
  skippedCount: 1,
  uncertainCount: 1,
  bouncedCount: 1,
  skips: 1,
  expired: {},
};
const ledger = (change: Partial<Ledger> = {}): Ledger => ({
  emails: [email('a'), email('b'), failed, skipped, uncertain],
  campaigns: [closed],
  batches: 0,
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
      resent: 0,
      faults: { lost: 0, doubled: 0, stranded: 0, counters: 0, events: 0, other: 0 },
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
    expect(compare(resent, [message('t'), message('t')])).toMatchObject({ problems: [], resent: 1 });
    expect(compare(resent, [message('t'), message('t'), message('t')]).problems).toHaveLength(1);
  });

  it('can contain test email, which emits no events', () => {
    const test = email('t', { campaignId: null, sourceType: 'TEST', events: {} });
    expect(compare({ emails: [test], campaigns: [], batches: 0 }, [message('t')]).problems).toEqual([]);
  });

  it('can contain a cancelled campaign whose waiting emails were skipped', () => {
    expect(compare(ledger({ campaigns: [{ ...closed, status: 'CANCELLED' }] }), delivered).problems).toEqual(
      [],
    );
  });

  it('can contain a campaign of which emails were removed for their age', () => {
    const expired = { emails: 3, sentCount: 1, bouncedCount: 1, skippedCount: 1, failedCount: 1 };
    const rest = { ...ledger({ campaigns: [{ ...closed, expired }] }), emails: [email('a'), uncertain] };
    expect(compare(rest, [message('a')]).problems).toEqual([]);
  });
});

describe('the comparison finds', () => {
  const cases: [string, Ledger, SinkMessage[], FaultKind, RegExp][] = [
    ['a lost email', ledger(), [message('a')], 'lost', /b@people.test is SENT and never reached the sink/],
    [
      'an email that arrived twice',
      ledger(),
      [...delivered, message('a')],
      'doubled',
      /a@people.test is SENT and reached the sink 2 times/,
    ],
    [
      'an uncertain email that arrived twice',
      ledger(),
      [...delivered, message('u'), message('u')],
      'doubled',
      /UNCERTAIN and reached the sink 2 times/,
    ],
    [
      'a failed email that arrived',
      ledger(),
      [...delivered, message('f')],
      'other',
      /f@people.test is FAILED and reached the sink/,
    ],
    [
      'a skipped email that arrived',
      ledger(),
      [...delivered, message('s')],
      'other',
      /s@people.test is SKIPPED and reached the sink/,
    ],
    [
      'an uncertain email without an error text',
      replaced({ ...uncertain, error: null }),
      delivered,
      'other',
      /UNCERTAIN without a text/,
    ],
    [
      'a failed email without an error text',
      replaced({ ...failed, error: null }),
      delivered,
      'other',
      /FAILED without a text/,
    ],
    [
      'a sent email without sentAt',
      replaced(email('a', { sentAt: null })),
      delivered,
      'other',
      /without sentAt/,
    ],
    [
      'a settled email that is still queued',
      replaced(email('a', { queued: true })),
      delivered,
      'stranded',
      /is SENT and still belongs to a batch/,
    ],
    [
      'two email.sent events of one email',
      replaced(email('a', { events: { 'email.sent': 2 } })),
      delivered,
      'events',
      /2 email.sent events instead of 1/,
    ],
    [
      'a sent email without its event',
      replaced(email('a', { events: {} })),
      delivered,
      'events',
      /0 email.sent events instead of 1/,
    ],
    [
      'an email.sent event of an email that is not sent',
      replaced({ ...uncertain, events: { 'email.sent': 1 } }),
      delivered,
      'events',
      /UNCERTAIN with 1 email.sent events instead of 0/,
    ],
    [
      'a failed email without its event',
      replaced({ ...failed, events: { 'email.bounce': 1 } }),
      delivered,
      'events',
      /0 email.failed events/,
    ],
    [
      'two bounce events of one email',
      replaced({ ...failed, events: { 'email.failed': 1, 'email.bounce': 2 } }),
      delivered,
      'events',
      /2 email.bounce events/,
    ],
    [
      'a skipped email without its event',
      replaced({ ...skipped, events: {} }),
      delivered,
      'events',
      /0 email.skipped events/,
    ],
    [
      'an email without a final status',
      replaced(email('a', { ...unsent, status: 'PENDING' })),
      delivered,
      'stranded',
      /is PENDING, which is no final state, and is at the sink/,
    ],
    [
      'counters that differ from the rows',
      ledger({ campaigns: [{ ...closed, sentCount: 3, failedCount: 0 }] }),
      delivered,
      'counters',
      /sentCount = 3, its rows say 2/,
    ],
    [
      'a bounce that was counted twice',
      ledger({ campaigns: [{ ...closed, bouncedCount: 2 }] }),
      delivered,
      'counters',
      /bouncedCount = 2, its rows say 1/,
    ],
    [
      'a campaign that does not close',
      ledger({ campaigns: [{ ...closed, uncertainCount: 0 }] }),
      delivered,
      'counters',
      /does not close/,
    ],
    [
      'a campaign that is not SENT',
      ledger({ campaigns: [{ ...closed, status: 'SENDING' }] }),
      delivered,
      'stranded',
      /campaign c is SENDING/,
    ],
    ['a message without a row', ledger(), [...delivered, message('x')], 'other', /no row knows/],
    [
      'a message to the wrong address',
      ledger(),
      [message('a', 'b@people.test'), message('b')],
      'other',
      /is for a@people.test and went to b@people.test/,
    ],
    [
      'two emails of a campaign to one address',
      replaced(email('a', { to: 'b@people.test' })),
      [message('a', 'b@people.test'), message('b')],
      'doubled',
      /two emails to one address/,
    ],
    ['a batch that is left', ledger({ batches: 2 }), delivered, 'stranded', /2 batches are left/],
  ];
  it.each(cases)('%s', (_title, rows, messages, kind, problem) => {
    const report = compare(rows, messages);
    expect(report.problems).toContainEqual(expect.stringMatching(problem));
    expect(report.faults[kind]).toBeGreaterThan(0);
  });
});
