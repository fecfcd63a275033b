import { rebuildConsent, verifyConsent } from '@postrider/core/audience/consent';
import { type Command, UsageError } from '../command.ts';

const argument = 'project';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function projectIn(given: string): string {
  if (!uuid.test(given)) throw new UsageError('The project is given by its id, which project:list shows.');
  return given.toLowerCase();
}

/** Columns are separated by tabs. */
export const verify: Command = {
  argument,
  summary:
    'Compares every contact of a project with its consent log. Lists the contacts that differ: id, what is stored, what the log says. Fails if there are any.',
  async run({ services, out, err }, given) {
    let count = 0;
    for await (const { id, stored, folded } of verifyConsent(services, projectIn(given.argument))) {
      count += 1;
      out([id, stored, folded].join('\t'));
    }
    err(count === 0 ? 'No contact differs from its log.' : `${count} contacts differ from their log.`);
    return count === 0;
  },
};

export const rebuild: Command = {
  argument,
  summary:
    'Writes what the consent log says into the contacts of a project that differ from it, and lists their ids.',
  async run({ services, out, err }, given) {
    const ids = await rebuildConsent(services, projectIn(given.argument));
    for (const id of ids) out(id);
    err(`${ids.length} contacts were written anew.`);
    return true;
  },
};
