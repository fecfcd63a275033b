import { rotateSecrets } from '@postrider/core/people/installation';
import type { Command } from '../command.ts';

const afterwards = `Everything stored encrypted uses APP_SECRET now. APP_SECRET_PREVIOUS is still needed for links in emails that were sent before, and its last entry for opt-outs of deleted contacts.`;

/** Run it after all processes have been restarted with the new APP_SECRET, and the old one in APP_SECRET_PREVIOUS. */
export const rotate: Command = {
  summary:
    'Encrypts everything again with APP_SECRET that was encrypted with a secret of APP_SECRET_PREVIOUS.',
  async run({ services, out, err }) {
    const results = await rotateSecrets(services, ({ column, rotated }) => out(`${column}\t${rotated}`));
    const unreadable = results.filter((result) => result.unreadable.length > 0);
    for (const { column, unreadable: ids } of unreadable)
      err(`${column} of ${ids.join(', ')} was made with a secret that is not listed, and was not changed.`);
    if (unreadable.length === 0) err(afterwards);
    return unreadable.length === 0;
  },
};
