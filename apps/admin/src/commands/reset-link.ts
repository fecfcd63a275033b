import { systemContext } from '@postrider/core/base/kernel';
import { createResetLink } from '@postrider/core/people/users';
import type { Command } from '../command.ts';

export const resetLink: Command = {
  summary: 'Prints a link to set a new password, valid for one hour. Nothing is sent.',
  argument: 'email',
  async run({ services, out }, { argument: email }) {
    const { url } = await createResetLink.run(systemContext(services), { email });
    out(url);
    return true;
  },
};
