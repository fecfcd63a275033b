import { splitMailboxes } from '@postrider/core/base/lib';
import type { Complaints } from './fields.rules.ts';

/** Longer than a list of as many recipients as a message can have. */
const longestList = 512 * 1024;

/** The mailboxes of one text; commas in quoted names belong to them. */
export function mailboxList(text: string, field: string, complaints: Complaints): string[] {
  if (text.length <= longestList) return splitMailboxes(text);
  complaints.add(field, 'too_big', 'Too many recipients');
  return [];
}
