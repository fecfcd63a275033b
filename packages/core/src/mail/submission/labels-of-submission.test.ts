import { describe, expect, it } from 'vitest';
import { readSubmission } from './read-submission.ts';

const read = (...fields: string[]) =>
  readSubmission(
    Buffer.from(`${['From: a@shop.test', 'To: b@people.test', ...fields].join('\r\n')}\r\n\r\nText\r\n`),
  );

describe('the tags and metadata of a submitted message', () => {
  it('are read and removed', () => {
    const { tags, metadata, message } = read(
      'X-Postrider-Tags: receipt, =?utf-8?q?Gesch=C3=A4ft?=,',
      'x-postrider-tags: shop-3, receipt',
      'X-Postrider-Metadata: {"orderId": 1001,\r\n "test": true}',
    );
    expect(tags).toEqual(['receipt', 'Geschäft', 'shop-3']);
    expect(metadata).toEqual({ orderId: '1001', test: 'true' });
    expect(message.toString()).not.toMatch(/postrider-(tags|metadata)/i);
    expect(read()).not.toHaveProperty('tags');
  });

  it.each([
    ['X-Postrider-Metadata: {"a"', /JSON/],
    ['X-Postrider-Metadata: []', /X-Postrider-Metadata: /],
    ['X-Postrider-Metadata: {"a": "\\u0000"}', /U\+0000/],
    ['X-Postrider-Metadata: {"a": "\\ud800"}', /surrogate/],
    ['X-Postrider-Metadata: {}\r\nX-Postrider-Metadata: {}', /several/],
    [`X-Postrider-Metadata: {"a": ${'['.repeat(4_000)}}`, /JSON/],
    [`X-Postrider-Metadata: {"a": "${'x'.repeat(600)}"}`, /500/],
    [`X-Postrider-Tags: ${'t'.repeat(65)}`, /X-Postrider-Tags: /],
    [`X-Postrider-Tags: ${Array.from({ length: 11 }, (_, n) => n).join(',')}`, /10 tags/],
  ])('%s is refused', (field, message) => {
    expect(() => read(field)).toThrow(
      expect.objectContaining({
        errors: [expect.objectContaining({ field: 'message', message: expect.stringMatching(message) })],
      }),
    );
  });
});
