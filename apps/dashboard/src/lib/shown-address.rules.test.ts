import { normalizeAddress } from '@postrider/core/base/kernel/contract';
import { describe, expect, it } from 'vitest';
import { shownAddress } from './shown-address.rules.ts';

describe('the domain of an address', () => {
  it.each([
    'ann@example.com',
    'ann@müller.example',
    'ann@почта.рф',
    'ann@παράδειγμα.ελ',
    'ann@例え.テスト',
    'ann@お名前ドットコム株式会社.jp',
    'ann@東京tower.jp',
    'ann@서울시.kr',
    'ann@שלום.co.il',
    'ann@भारत.example',
    'rené@müller-2.example',
  ])('%s is shown in its own letters', (typed) => {
    expect(shownAddress(normalizeAddress(typed) ?? '')).toBe(typed);
  });

  it.each([
    'ann@pаypal.example',
    'ann@gооgle.example',
    'ann@aΩb.example',
    'ann@aア.example',
    'ann@💩.example',
  ])('%s, of several scripts or none, is shown as it is stored', (typed) => {
    const stored = normalizeAddress(typed) ?? '';
    expect(stored).toContain('xn--');
    expect(shownAddress(stored)).toBe(stored);
  });

  it('is left alone if it is no A-label', () => {
    expect(shownAddress('ann@xn--0.example')).toBe('ann@xn--0.example');
    expect(shownAddress('')).toBe('');
  });
});
