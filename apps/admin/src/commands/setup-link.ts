import { findSetupLink } from '@postrider/core/people/users';
import type { Command } from '../command.ts';

export const setupLink: Command = {
  summary: 'Prints the link that creates the first account while sign-ups are disabled.',
  async run({ services, out, err }) {
    const link = await findSetupLink(services);
    if (link === null) err('No set-up link is needed: there is an account, or sign-ups are open.');
    else out(link);
    return link !== null;
  },
};
