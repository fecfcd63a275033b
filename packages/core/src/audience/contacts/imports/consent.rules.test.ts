import { describe, expect, it } from 'vitest';
import { basisOf, type Consent, choicesOf, consentOf, leaving, plainly, together } from './consent.rules.ts';
import type { TimeColumn } from './header.rules.ts';

const time = (to: TimeColumn['to']) => ({ to, format: 'ISO' as const });
const readTime = (_column: TimeColumn, cell: string) => {
  const at = new Date(cell);
  return Number.isNaN(at.getTime()) ? null : at;
};
const read = (cells: Parameters<typeof consentOf>[0], byForm: Consent['said'] = 'nothing') =>
  consentOf(cells, byForm, readTime);
const choosing = (...topics: [number, boolean][]): Consent => ({
  ...plainly('nothing'),
  topics: new Map(topics),
});

describe('rows of one person', () => {
  it('say together what means less email, of the subscription and of each topic, in any order', () => {
    const [one, other] = [choosing([2, true], [3, false]), choosing([2, false], [3, true], [4, true])];
    for (const both of [together(one, other), together(other, one)])
      expect(choicesOf(both)).toEqual({ yes: [4], no: [2, 3] });
    expect(together(plainly('yes'), plainly('no')).said).toBe('no');
    expect(together(plainly('no'), plainly('yes')).said).toBe('no');
    expect(choicesOf(together(one, plainly('yes')))).toEqual({ yes: [2], no: [3] });
  });

  it('keep the evidence of what counts', () => {
    const fair = read([{ column: { to: 'consent.source' }, cell: ' Fair ' }], 'field') as Consent;
    expect(fair.evidence?.source).toBe('Fair');
    expect(together(plainly('field'), fair).evidence?.source).toBe('Fair');
    expect(together(fair, plainly('no')).evidence).toBeNull();
    expect(leaving(fair)).toMatchObject({ said: 'no', evidence: null });
  });
});

describe('a time at which a person left', () => {
  it('is a no, whatever else the row says', () => {
    const cells = [
      { column: { to: 'subscribed' as const }, cell: 'yes' },
      { column: time('consent.unsubscribedAt'), cell: '2025-01-01T00:00:00Z' },
      { column: { to: 'status' as const }, cell: 'never' },
    ];
    expect(read(cells)).toMatchObject({ said: 'no', evidence: { at: new Date('2025-01-01T00:00:00Z') } });
    expect(read([...cells].reverse())).toMatchObject({ said: 'no' });
  });

  it('and any other time is in the past and readable', () => {
    for (const to of [
      'consent.at',
      'consent.confirmedAt',
      'consent.unsubscribedAt',
      'consentedAt',
    ] as const) {
      expect(read([{ column: time(to), cell: 'spring' }])).toEqual({ unread: 0, reason: 'is not a date' });
      expect(read([{ column: time(to), cell: '2999-01-01' }])).toMatchObject({ reason: 'is in the future' });
    }
  });
});

it('a subscription rests on the strongest that its row says, and else on what the request states', () => {
  const source = { column: { to: 'consent.source' as const }, cell: 'Fair' };
  const confirmed = { column: time('consent.confirmedAt'), cell: '2025-01-01' };
  const own = { column: { to: 'consentBasis' as const }, cell: 'unknown' };
  const of = (cells: Parameters<typeof consentOf>[0], said: Consent['said']) => read(cells, said) as Consent;
  expect(basisOf(of([], 'field'), null)).toBe('default');
  expect(basisOf(of([], 'field'), 'customer')).toBe('customer');
  expect(basisOf(of([source], 'field'), 'customer')).toBe('given');
  expect(basisOf(of([], 'yes'), 'customer')).toBe('given');
  expect(basisOf(of([source, confirmed], 'yes'), null)).toBe('confirmed');
  expect(basisOf(of([own, confirmed], 'yes'), null)).toBe('unknown');
  expect(read([{ column: { to: 'consentBasis' }, cell: 'guessed' }])).toMatchObject({ unread: 0 });
});
