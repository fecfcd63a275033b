import { type CheckedSecret, checkSecrets } from '@postrider/core/people/installation';
import type { Command } from '../command.ts';

const meaning: Readonly<Record<CheckedSecret['state'], string>> = {
  current: 'encrypts',
  oldest: 'stays: it finds the opt-outs of deleted contacts',
  needed: 'is needed until npm run admin -- secrets:rotate has run',
  unneeded: 'may go: only links in emails from its time need it',
};

const nameOf = ({ position }: CheckedSecret): string =>
  position === 0 ? 'APP_SECRET' : `APP_SECRET_PREVIOUS, entry ${position}`;

export const checkSecretsCommand: Command = {
  summary:
    'Counts what is encrypted with each secret, and says which entries of APP_SECRET_PREVIOUS may go. Exits with 1 if something is encrypted with a secret that is not listed.',
  async run({ services, out, err }) {
    const { secrets, unknown } = await checkSecrets(services);
    for (const one of secrets) out([nameOf(one), one.id, one.ciphers, meaning[one.state]].join('\t'));
    for (const { column, id, ciphers } of unknown)
      err(`${ciphers} of ${column} were made with a secret that is not listed (${id})`);
    return unknown.length === 0;
  },
};
