import { describe, expect, it } from 'vitest';
import { holdsConfirmUrl } from './confirm-url.rules.ts';

describe('a template that asks for a confirmation', () => {
  it.each([
    ['<a href="{{confirmUrl}}">Yes</a>', null, true],
    ['{{- confirmUrl -}}', null, true],
    ['{{ confirmUrl | raw }}', 'See {{confirmUrl}}', true],
    ['{{confirmUrl}}', 'no link', false],
    ['confirmUrl', null, false],
    ['{{ data.confirmUrl }}', null, false],
    ['{{ myconfirmUrl }} {{ confirmUrls }}', null, false],
    ['{{ confirmUrl', null, false],
    ['', null, false],
  ])('%j with the text %j: %s', (body, text, expected) => {
    expect(holdsConfirmUrl({ body, text })).toBe(expected);
  });

  it('is read in proportion to its length', () => {
    const started = performance.now();
    expect(holdsConfirmUrl({ body: '{{'.repeat(500_000), text: null })).toBe(false);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
