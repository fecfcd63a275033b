import { readEpoch, setHold } from '@postrider/core/people/installation';
import { type Command, CommandError } from '../command.ts';

/** What waited and may have left is no part of it: that is UNCERTAIN. */
export const release: Command = {
  summary:
    'After a restore: lets TRANSACTIONAL email leave, and with --marketing all other email too. First run restore:optouts, because opt-outs of the lost time are gone.',
  flags: ['marketing'],
  async run({ services, out }, { flags }) {
    const present = await readEpoch(services.database);
    if (!present)
      throw new CommandError(
        'The database has no row in "Installation": restore it with npm run admin -- restore.',
      );
    if (present.hold === null) {
      out('Nothing is held.');
      return true;
    }
    const isAll = flags.has('marketing');
    await setHold(services.database, isAll ? null : 'marketing');
    out(isAll ? 'All email leaves.' : 'TRANSACTIONAL email leaves. Other email waits for --marketing.');
    return true;
  },
};
