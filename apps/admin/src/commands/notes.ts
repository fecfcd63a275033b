import { operatorNotes } from '@postrider/core/people/domains';
import type { Command } from '../command.ts';

/** Letters have line ends and tabs of their own: each is one line. */
const line = (text: string): string => text.replace(/\s+/g, ' ').trim();

export const notes: Command = {
  summary:
    'Lists letters to postmaster, abuse and fbl at MAIL_HOST, newest first: time, address, sender, subject, beginning of the text.',
  async run({ services, out }) {
    out(['at', 'to', 'from', 'subject', 'text'].join('\t'));
    for (const { at, to, from, subject, text } of await operatorNotes(services))
      out([at.toISOString(), to, line(from ?? ''), line(subject ?? ''), line(text)].join('\t'));
    return true;
  },
};
