import type { Task } from '../../base/kernel/ports/threads.ts';
import { createLinkBuilder } from './link-builder.ts';
import type { MessageContent } from './message-content.ts';
import { prepareMessage } from './prepare-message.ts';

/** The fixed links of contents, numbered as in their messages; null for one of which no message can be made. */
export const linkTablesTask: Task<readonly MessageContent[], (readonly string[] | null)[]> = {
  name: 'sending.linkTables',
  run: (contents, { linksUrl, secrets }) => {
    const links = createLinkBuilder(linksUrl, secrets);
    return contents.map((content) => {
      try {
        // Only the table is needed, so no plan is compiled.
        return prepareMessage(content, links, { neverFlat: true }).linkTable;
      } catch {
        return null;
      }
    });
  },
};
