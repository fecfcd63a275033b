import { describe, expect, it } from 'vitest';
import { conditionInWords, creditInWords, valueInWords } from './goal-words.rules.ts';

describe('a goal in words', () => {
  it('says what credits a conversion', () => {
    expect(creditInWords({ attribution: 'CLICK', windowDays: 1 })).toBe(
      'The last email clicked in the 1 day before',
    );
    expect(creditInWords({ attribution: 'SENT', windowDays: 7 })).toBe(
      'The last email sent in the 7 days before',
    );
  });

  it('says its conditions', () => {
    expect(conditionInWords({ property: 'plan', operator: 'equals', value: 'pro' })).toBe('plan is “pro”');
    expect(conditionInWords({ property: 'amount', operator: 'greaterThan', value: 10 })).toBe('amount > 10');
    expect(conditionInWords({ property: 'coupon', operator: 'exists' })).toBe('coupon is set');
    expect(conditionInWords({ property: 'at', operator: 'onDay', value: 1 })).toBe('at onDay 1');
  });

  it('says values with their currency', () => {
    expect(valueInWords(1240.5, { value: { property: 'amount', currency: 'EUR' } })).toBe('€1,240.50');
    expect(valueInWords(0, { value: { property: 'amount', currency: 'JPY' } })).toBe('¥0');
    expect(valueInWords(null, { value: null })).toBe('–');
  });
});
