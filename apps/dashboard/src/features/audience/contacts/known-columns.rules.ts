import { cellReader } from '@postrider/core/audience/contacts/contract';

/** What columns of other products become, by their names without case, blanks, `_` and `-`. */
const times: Readonly<Record<string, string>> = {
  optintime: 'consent.at',
  consenttimestamp: 'consent.at',
  confirmtime: 'consent.confirmedAt',
  confirmedat: 'consent.confirmedAt',
  unsubtime: 'consent.unsubscribedAt',
  unsubscribedat: 'consent.unsubscribedAt',
};
const texts: Readonly<Record<string, string>> = {
  optinip: 'consent.ip',
  signupip: 'consent.ip',
  confirmip: 'consent.confirmedIp',
  optinsource: 'consent.source',
};
const answers: ReadonlySet<string> = new Set([
  'acceptsemailmarketing',
  'acceptsmarketing',
  'emailconsent',
  'emailmarketing',
  'emailmarketingconsent',
  'emailoptin',
  'marketingconsent',
  'marketingoptin',
  'newsletter',
  'newsletteroptin',
  'optin',
  'subscribedtonewsletter',
]);

const readTime = cellReader({ type: 'DATETIME', format: 'ISO', separator: ',', zone: 'UTC' });
const readAnswer = cellReader({ type: 'BOOLEAN', format: null, separator: ',', zone: 'UTC' });

/**
 * What a column of another product is about, if its cells fit: one that cannot be read would fail its row.
 *
 * @returns null for a column that is not known
 */
export function knownColumn(header: string, cells: readonly string[]): string | null {
  const name = header.toLowerCase().replace(/[\s_-]/g, '');
  const filled = cells.filter((cell) => cell.trim() !== '');
  if (Object.hasOwn(texts, name)) return texts[name] ?? null;
  if (Object.hasOwn(times, name))
    return filled.every((cell) => readTime(cell)) ? (times[name] ?? null) : null;
  return answers.has(name) && filled.every((cell) => readAnswer(cell) !== null) ? 'subscribed' : null;
}
