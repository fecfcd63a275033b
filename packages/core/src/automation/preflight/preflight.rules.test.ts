import { describe, expect, it } from 'vitest';
import { badRequest } from '../../base/kernel/errors.ts';
import { defaultDesign } from '../../content/templates/design/default-design.rules.ts';
import type { MailDesign } from '../../content/templates/design/design.rules.ts';
import { defaultBrand } from '../../people/projects/brand.rules.ts';
import { assertSendable } from './assert-sendable.ts';
import { createFactReader } from './fact-reader.ts';
import type { FactName, Facts } from './facts.rules.ts';
import { findingsOf, isInOrder, preflightRules } from './preflight.rules.ts';

const inOrder: Facts = {
  content: { type: 'MARKETING', body: '<p>Hello</p>', design: null },
  reading: { problems: [], bare: [], isUnread: false },
  size: { count: 12, isEstimated: false },
  traits: { of: 12, lacking: {}, neverMailed: 0, isEstimated: false },
  isCareful: false,
  largestBefore: 10,
  sameBefore: null,
  restored: null,
  lacksDmarc: null,
  isTracked: true,
  address: '1 Main Street, London',
  sender: null,
  reference: null,
  cap: null,
  hasRecipients: true,
  approval: null,
  unwilling: { count: 0, isEstimated: false },
  bases: { counts: { unknown: 0, default: 0, customer: 3, given: 4, confirmed: 5 }, isEstimated: false },
  topics: { isNamed: false, offered: 1 },
  test: null,
};

/** @param asked notes the facts that are read */
const reader = (facts: Partial<Facts>, asked: FactName[] = []) => {
  const all = { ...inOrder, ...facts };
  const of = <Name extends FactName>(name: Name) => {
    asked.push(name);
    return all[name];
  };
  return createFactReader({
    content: () => of('content'),
    reading: () => of('reading'),
    size: () => of('size'),
    traits: () => of('traits'),
    isCareful: () => of('isCareful'),
    largestBefore: () => of('largestBefore'),
    sameBefore: () => of('sameBefore'),
    restored: () => of('restored'),
    lacksDmarc: () => of('lacksDmarc'),
    isTracked: () => of('isTracked'),
    address: () => of('address'),
    sender: () => of('sender'),
    reference: () => of('reference'),
    cap: () => of('cap'),
    hasRecipients: () => of('hasRecipients'),
    approval: () => of('approval'),
    unwilling: () => of('unwilling'),
    bases: () => of('bases'),
    topics: () => of('topics'),
    test: () => of('test'),
  });
};
const found = async (facts: Partial<Facts>) => (await findingsOf(reader(facts))).map(({ rule }) => rule);
const mail = (type: Facts['content']['type'], body: string, design: unknown = null) => ({
  content: { type, body, design },
});
const designed = (...blocks: object[]): MailDesign => {
  const design = defaultDesign({ name: 'Shop', brand: defaultBrand });
  return { ...design, content: { type: 'doc', content: blocks } };
};

it('a campaign in order has no findings', async () => expect(await found({})).toEqual([]));

it('what blocks comes before errors, errors before warnings, and those before hints', () => {
  const weights = preflightRules.map(({ blocks, level }) =>
    blocks ? 0 : { error: 1, warning: 2, hint: 3 }[level],
  );
  expect(weights).toEqual(weights.toSorted());
});

describe('unsubscribe_missing', () => {
  it.each([
    ['HEADLESS', '<a href="{{unsubscribeUrl}}">Stop</a>', []],
    ['HEADLESS', '<a href="{{ manageUrl }}">Choose</a>', []],
    ['HEADLESS', '{%- if x -%}{{- subscribeUrl | escape -}}{% endif %}', []],
    ['HEADLESS', '{% assign stop = unsubscribeUrl %}<a href="{{stop}}">Stop</a>', []],
    ['HEADLESS', '<p>Hello</p>', ['unsubscribe_missing']],
    ['HEADLESS', 'Write {{name}} about unsubscribeUrl, or }} manageUrl', ['unsubscribe_missing']],
    ['HEADLESS', '{{ unsubscribeUrlOld }} {{manageUrls}} {{data.manageUrl}}', ['unsubscribe_missing']],
    ['HEADLESS', 'unsubscribeUrl {{a}} manageUrl {{b}} manageUrl {{ manageUrl }}', []],
    ['HEADLESS', '{{ unsubscribeUrl', ['unsubscribe_missing']],
    ['MARKETING', '<p>Hello</p>', []],
    ['TRANSACTIONAL', '<p>Hello</p>', []],
  ] as const)('of %s with %s: %j', async (type, body, rules) =>
    expect(await found(mail(type, body))).toEqual(rules),
  );
});

describe('postal_address_missing', () => {
  const address = { type: 'address', attrs: { text: '1 Main Street' } };
  it.each([
    ['HTML', 'MARKETING', null, ['postal_address_missing']],
    ['HTML', 'TRANSACTIONAL', null, []],
    ['a design without one', 'MARKETING', designed({ type: 'html' }), ['postal_address_missing']],
    ['an empty one', 'MARKETING', designed({ type: 'address' }), ['postal_address_missing']],
    [
      'a blank one',
      'MARKETING',
      designed({ type: 'address', attrs: { text: ' ' } }),
      ['postal_address_missing'],
    ],
    ['one', 'MARKETING', designed(address), []],
    ['one in a panel', 'MARKETING', designed({ type: 'panel', content: [address] }), []],
    ['one of another program', 'MARKETING', { blocks: [address] }, ['postal_address_missing']],
    [
      'nonsense',
      'MARKETING',
      designed({ type: 'panel', content: [null, 5, 'x'] }),
      ['postal_address_missing'],
    ],
  ] as const)('with %s in %s', async (_what, type, design, rules) =>
    expect(await found({ ...mail(type, '<p>Hello</p>', design), address: null })).toEqual(rules),
  );

  it('an empty address in the brand is none', async () =>
    expect(await found({ address: '' })).toEqual(['postal_address_missing']));
});

describe('transactional_audience', () => {
  it('warns of those who did not ask for it, with their number', async () => {
    const facts = { ...mail('TRANSACTIONAL', '<p>Hello</p>'), unwilling: { count: 1204, isEstimated: true } };
    expect(await findingsOf(reader(facts))).toMatchObject([
      {
        rule: 'transactional_audience',
        level: 'warning',
        blocks: false,
        field: 'type',
        message: expect.stringMatching(/^About 1,204 contacts of the audience are not subscribed/),
        details: { count: 1204, estimated: true },
      },
    ]);
    expect(isInOrder(await findingsOf(reader(facts)))).toBe(true);
  });

  it('is no matter of other types', async () =>
    expect(await found({ unwilling: { count: 5, isEstimated: false } })).toEqual([]));
});

describe('basis_unknown', () => {
  const bases = {
    counts: { ...inOrder.bases.counts, default: 1_000, unknown: 204 },
    isEstimated: false,
  };

  it('warns of recipients of whom it is not known that they agreed, with their number', async () => {
    expect(await findingsOf(reader({ bases }))).toMatchObject([
      {
        rule: 'basis_unknown',
        level: 'warning',
        blocks: false,
        message: expect.stringMatching(/^Of 1,204 recipients/),
        details: { count: 1204 },
      },
    ]);
    expect(await findingsOf(reader({ bases: { ...bases, isEstimated: true } }))).toMatchObject([
      { message: expect.stringMatching(/^Of about 1,204/), details: { count: 1204, estimated: true } },
    ]);
  });

  it('is no matter of transactional email', async () =>
    expect(await found({ ...mail('TRANSACTIONAL', '<p>Hello</p>'), bases })).toEqual([]));
});

describe('topic_missing', () => {
  it.each([
    ['MARKETING', false, 2, ['topic_missing']],
    ['HEADLESS', false, 2, ['topic_missing']],
    ['MARKETING', true, 2, []],
    ['MARKETING', false, 1, []],
    ['TRANSACTIONAL', false, 2, []],
  ] as const)('of %s, named: %s, of %i topics: %j', async (type, isNamed, offered, rules) =>
    expect(await found({ ...mail(type, '{{unsubscribeUrl}}'), topics: { isNamed, offered } })).toEqual(rules),
  );
});

describe('variant_equal', () => {
  it('names each variant that is as the campaign itself', async () => {
    const test = { equal: [{ index: 1, key: 'C' }], sample: null };
    expect(await findingsOf(reader({ test }))).toMatchObject([
      {
        rule: 'variant_equal',
        level: 'error',
        blocks: false,
        field: 'test.variants.1',
        details: { variant: 'C' },
      },
    ]);
  });
});

it('the bodies of variants are looked at, too', async () => {
  const variants = [
    { index: 0, key: 'B', body: '{{unsubscribeUrl}}', design: null },
    { index: 2, key: 'D', body: '<p>Hello</p>', design: null },
  ];
  const content = { type: 'HEADLESS', body: '{{unsubscribeUrl}}', design: null, variants } as const;
  expect(await findingsOf(reader({ content }))).toMatchObject([
    {
      rule: 'unsubscribe_missing',
      field: 'test.variants.2.body',
      message: expect.stringMatching(/^Variant D: /),
    },
  ]);
  expect((await findingsOf(reader({ content, address: null }))).map(({ field }) => field)).toEqual([
    ...['test.variants.2.body', null, 'test.variants.0.body', 'test.variants.2.body'],
  ]);
});

describe('small_sample', () => {
  it.each([
    [{ has: 7_922, needed: 7_922, detectableLift: 20 }, null],
    [
      { has: 3_000, needed: 7_922, detectableLift: 33.4 },
      /about 3,000 recipients: only a rise by 33.4 percent/,
    ],
    [{ has: 3, needed: 7_922, detectableLift: null }, /too few to find any difference/],
  ])('%j', async (sample, message) => {
    const findings = await findingsOf(reader({ test: { equal: [], sample } }));
    expect(findings).toMatchObject(
      message ? [{ rule: 'small_sample', level: 'warning', message: expect.stringMatching(message) }] : [],
    );
  });
});

describe('what recipients lack', () => {
  const bare = [{ name: 'plan', field: 'body' as const, offset: 7 }];
  const lacking = (count: number, more: object = {}) => ({
    reading: { ...inOrder.reading, bare },
    traits: { ...inOrder.traits, of: 1_000, lacking: { plan: count }, ...more },
  });

  it('is told of a variable without a fallback from 1 % on', async () => {
    expect(await found(lacking(10))).toEqual([]);
    expect(await findingsOf(reader(lacking(11, { isEstimated: true })))).toMatchObject([
      {
        rule: 'missing_values',
        level: 'warning',
        field: 'body',
        offset: 7,
        message: expect.stringMatching(/^About 11 recipients have no value for \{\{plan\}\}/),
        details: { name: 'plan', count: 11, of: 1_000, estimated: true },
      },
    ]);
    expect(await found({ reading: { ...inOrder.reading, bare } })).toEqual([]);
  });

  it('is told of those who were never mailed from 20 % on, unless it begins carefully', async () => {
    const cold = (neverMailed: number) => ({ traits: { ...inOrder.traits, of: 1_000, neverMailed } });
    expect(await found(cold(200))).toEqual([]);
    expect(await findingsOf(reader(cold(201)))).toMatchObject([
      { rule: 'cold_audience', field: 'pace', details: { count: 201, of: 1_000 } },
    ]);
    expect(await found({ ...cold(1_000), isCareful: true })).toEqual([]);
    const all = (of: number) => ({ traits: { ...inOrder.traits, of, neverMailed: of } });
    expect(await found(all(200))).toEqual([]);
    expect(await findingsOf(reader(all(201)))).toMatchObject([{ rule: 'cold_audience' }]);
  });
});

it.each([
  [10, 30, []],
  [10, 31, ['audience_jump']],
  [0, 1_000_000, []],
])('after at most %i recipients, %i are: %j', async (largestBefore, count, rules) => {
  expect(await found({ largestBefore, size: { count, isEstimated: false } })).toEqual(rules);
});

it('the same campaign of today, a domain without DMARC and no tracking are warnings', async () => {
  const sameBefore = { id: 'c1', name: 'Spring', sentAt: new Date(0) };
  expect(
    await findingsOf(reader({ sameBefore, lacksDmarc: 'shop.example', isTracked: false })),
  ).toMatchObject([
    { rule: 'dmarc', level: 'warning', field: 'from', details: { domain: 'shop.example' } },
    { rule: 'repeated_subject', level: 'warning', field: 'subject', details: { campaignId: 'c1' } },
    { rule: 'tracking_off', level: 'warning', field: null },
  ]);
});

it('texts that could not be read in time are an error', async () =>
  expect(await findingsOf(reader({ reading: { problems: [], bare: [], isUnread: true } }))).toMatchObject([
    { rule: 'unchecked', level: 'error', blocks: false },
  ]));

describe('the gate', () => {
  const refusal = badRequest('too late');
  const sloppy = { ...mail('HEADLESS', '<p>Hello</p>'), address: null };

  it('refuses with the error of the first rule that blocks, and reads nothing after it', async () => {
    const asked: FactName[] = [];
    const read = reader({ ...sloppy, sender: refusal, cap: badRequest('too much') }, asked);
    await expect(assertSendable(read, { isStrict: true, acknowledged: [] })).rejects.toBe(refusal);
    expect(asked).toEqual(['reference', 'sender']);
  });

  it('reads for an advisory send only what blocks', async () => {
    const asked: FactName[] = [];
    expect(await assertSendable(reader(sloppy, asked), { isStrict: false, acknowledged: [] })).toEqual([]);
    expect(asked).toEqual(['reference', 'sender', 'cap', 'hasRecipients', 'approval']);
  });

  it('does not refuse a warning of a rule whose other findings are errors', async () => {
    const problem = { rule: 'unknown_variable' as const, field: 'body' as const, offset: 0, message: 'x' };
    const withLevel = (level: 'error' | 'warning') => ({
      reading: { ...inOrder.reading, problems: [{ ...problem, level }] },
    });
    const gate = { isStrict: true, acknowledged: [] };
    expect(await assertSendable(reader(withLevel('warning')), gate)).toEqual([]);
    await expect(assertSendable(reader(withLevel('error')), gate)).rejects.toMatchObject({
      code: 'PREFLIGHT_FAILED',
      details: { findings: [{ rule: 'unknown_variable', level: 'error' }] },
    });
    const accepted = { isStrict: true, acknowledged: ['unknown_variable'] as const };
    expect(await assertSendable(reader(withLevel('error')), accepted)).toEqual(['unknown_variable']);
  });

  it('that is strict refuses errors that nobody has acknowledged, and names them', async () => {
    const send = (...acknowledged: ('unsubscribe_missing' | 'postal_address_missing' | 'sender')[]) =>
      assertSendable(reader(sloppy), { isStrict: true, acknowledged });
    const both = [{ rule: 'unsubscribe_missing' }, { rule: 'postal_address_missing' }];
    await expect(send()).rejects.toMatchObject({ code: 'PREFLIGHT_FAILED', details: { findings: both } });
    await expect(send('unsubscribe_missing')).rejects.toMatchObject({
      code: 'PREFLIGHT_FAILED',
      details: { findings: [{ rule: 'postal_address_missing' }] },
    });
    expect(await send('postal_address_missing', 'unsubscribe_missing', 'sender')).toEqual([
      'unsubscribe_missing',
      'postal_address_missing',
    ]);
  });

  it('says which of the acknowledged rules have found something', async () => {
    const gate = { isStrict: false, acknowledged: ['unsubscribe_missing', 'cap'] as const };
    expect(await assertSendable(reader(sloppy), gate)).toEqual(['unsubscribe_missing']);
    expect(await assertSendable(reader({}), gate)).toEqual([]);
  });

  it('is not passed by acknowledging what blocks', async () => {
    const gate = { isStrict: false, acknowledged: ['sender'] as const };
    await expect(assertSendable(reader({ sender: refusal }), gate)).rejects.toBe(refusal);
  });
});
