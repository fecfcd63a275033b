import { systemContext } from '@postrider/core/base/kernel';
import { disableProject, enableProject } from '@postrider/core/people/projects';
import { type Command, UsageError } from '../command.ts';

const reasons = ['MANUAL', 'PHISHING_DETECTED'] as const;

export const disable: Command = {
  summary: 'Disables a project: nothing more is sent, and its members are informed.',
  argument: 'project id',
  options: { reason: reasons },
  async run({ services, out }, { argument: id, options }) {
    const reason = reasons.find((known) => known === options['reason']);
    if (!reason) throw new UsageError(`--reason must be ${reasons.join(' or ')}.`);
    const { changed } = await disableProject.run(systemContext(services), { id, reason });
    out(changed ? `${id} is disabled (${reason}).` : `${id} was disabled before; nothing was changed.`);
    return true;
  },
};

export const enable: Command = {
  summary: 'Enables a disabled project, and informs its members.',
  argument: 'project id',
  async run({ services, out }, { argument: id }) {
    const { changed } = await enableProject.run(systemContext(services), { id });
    out(changed ? `${id} is enabled.` : `${id} was not disabled; nothing was changed.`);
    return true;
  },
};
