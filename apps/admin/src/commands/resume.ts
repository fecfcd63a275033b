import { resumeInstallation } from '@postrider/core/people/installation';
import type { Command } from '../command.ts';

export const resume: Command = {
  summary: 'After backup --final: lets this installation go on. Its backup is then no complete one any more.',
  async run({ services, out }) {
    const wasStopped = await resumeInstallation(services.database);
    out(
      wasStopped
        ? 'Processes can be started again. Restore no backup of the time when it was stopped with --complete.'
        : 'The installation was not stopped.',
    );
    return true;
  },
};
