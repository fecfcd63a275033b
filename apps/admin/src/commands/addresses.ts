import { checkAddresses } from '@postrider/core/insight/removal';
import type { Command } from '../command.ts';

/** Columns are separated by tabs. */
export const check: Command = {
  summary:
    'Lists stored addresses that are not in their normal form: what becomes of each (rewritten, merged, conflict, refused), table, project, address, normal form. Changes nothing.',
  async run({ services, out }) {
    out(['outcome', 'table', 'project', 'address', 'normal form'].join('\t'));
    for await (const { kind, part, projectId, from, to } of checkAddresses(services))
      out([kind, part, projectId ?? '', from, to ?? ''].join('\t'));
    return true;
  },
};
