import type { Task } from '../../base/kernel/ports/threads.ts';
import { createLinkBuilder } from './link-builder.ts';
import type { MessageContent } from './message-content.ts';
import { prepareMessage } from './prepare-message.ts';

/** The fixed links of a content, numbered as in its messages. */
export const linkTableTask: Task<MessageContent, readonly string[]> = {
  name: 'sending.linkTable',
  run: (content, { linksUrl, secrets }) =>
    // Only the table is needed, so no plan is compiled.
    prepareMessage(content, createLinkBuilder(linksUrl, secrets), { neverFlat: true }).linkTable,
};
