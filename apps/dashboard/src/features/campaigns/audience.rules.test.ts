import { expect, it } from 'vitest';
import { type AudienceParts, audienceInWords } from './audience.rules.ts';

const none = { unsubscribed: 0, suppressed: 0, invalid: 0 };

it.each<[AudienceParts, string]>([
  [
    { matched: 5_002, willSend: 4_753, skipped: { ...none, unsubscribed: 180, suppressed: 69 } },
    '4,753 of 5,002 contacts will get this email; 180 are unsubscribed, 69 are suppressed.',
  ],
  [
    { matched: 3, willSend: 0, skipped: { unsubscribed: 1, suppressed: 1, invalid: 1 } },
    'None of 3 contacts will get this email; 1 is unsubscribed, 1 is suppressed, 1 has an invalid address.',
  ],
  [
    { matched: 12, willSend: 2, skipped: { ...none, sandbox: 10 } },
    '2 of 12 contacts will get this email; 10 are not members of the project, which the sandbox sender requires.',
  ],
  [
    {
      ...{ matched: 5_065, willSend: 4_979, skipped: { ...none, unsubscribed: 83, topic: 3 } },
      notSubscribed: { unsubscribed: 23, never: 48, pending: 12, snoozed: 0 },
    },
    '4,979 of 5,065 contacts will get this email; 23 are unsubscribed, 48 never subscribed, 12 are waiting for confirmation, 3 do not receive the topic.',
  ],
  [{ matched: 40, willSend: 40, skipped: { ...none, sandbox: 0 } }, 'All 40 contacts will get this email.'],
  [{ matched: 1, willSend: 1, skipped: none }, 'The one contact of this audience will get this email.'],
  [{ matched: 0, willSend: 0, skipped: none }, 'No contacts match this audience.'],
  [
    { matched: 1_020_000, willSend: 0, skipped: { ...none, sandbox: 1_020_000 }, estimated: true },
    'None of 1,020,000 contacts will get this email; 1,020,000 are not members of the project, which the sandbox sender requires. Estimated from a sample, until all contacts are counted.',
  ],
  [
    { matched: 40_000, willSend: 30_000, skipped: { ...none, unsubscribed: 10_000 }, estimated: true },
    'About 30,000 of 40,000 contacts will get this email; 10,000 are unsubscribed. Estimated from a sample, until all contacts are counted.',
  ],
  [
    { matched: 0, willSend: 0, skipped: none, estimated: true },
    'An estimate from a sample, until all contacts are counted.',
  ],
])('%j reads as a sentence', (parts, sentence) => {
  expect(audienceInWords(parts)).toBe(sentence);
});
