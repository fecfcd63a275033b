import { expect, test } from 'vitest';
import { estimateMessageSize, prepareMessage } from './index.ts';
import { makeContent, makeRecipient, testLinks } from './prepare-message.fixtures.ts';

test.each([
  ['short', '<p>Hello</p>', 0],
  ['long', '<p>Lorem ipsum dolor sit amet</p>\n'.repeat(5_000), 0],
  ['in other scripts', '<p>株式会社のご案内</p>\n'.repeat(5_000), 0],
  ['with an attachment', '<p>Hello</p>', 3_000_000],
])('a message that is %s is a little smaller than estimated', (_name, html, bytes) => {
  const attachments = bytes
    ? [
        {
          filename: 'a.bin',
          contentType: 'a/b',
          disposition: 'attachment' as const,
          content: Buffer.alloc(bytes),
        },
      ]
    : [];
  const content = makeContent({ body: html, attachments, type: 'MARKETING', tracking: true });
  const size = prepareMessage(content, testLinks).compose(makeRecipient()).mime.length;
  const estimate = estimateMessageSize(content);
  expect(estimate).toBeGreaterThanOrEqual(size);
  expect(estimate - size).toBeLessThan(10_000);
});
