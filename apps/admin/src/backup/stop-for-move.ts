import { setTimeout as delay } from 'node:timers/promises';
import type { Services } from '@postrider/core/base/kernel';
import { findProcesses, type LivingProcess, stopInstallation } from '@postrider/core/people/installation';
import { CommandError } from '../command.ts';

/** Processes look every 15 seconds, hand back or end what they began within 40, and a row that is not renewed is that of a living one for 45. */
const patienceMs = 180_000;
const lookMs = 1_000;

/**
 * Stops the installation, and waits until its processes have ended: what they began is settled, and nothing is accepted any more.
 *
 * @throws CommandError naming those that go on
 */
export async function stopForMove(
  { database }: Pick<Services, 'database'>,
  tell: (text: string) => void,
): Promise<void> {
  await stopInstallation(database);
  const until = performance.now() + patienceMs;
  for (let told = 0; ; ) {
    const living = await findProcesses(database.durable);
    if (living.length === 0) return;
    if (living.length !== told) tell(`Processes that have to end: ${living.length}.`);
    told = living.length;
    if (performance.now() > until)
      throw new CommandError(
        `Processes go on although the installation was stopped: ${living.map(described).join(', ')}. End them, and repeat the command; npm run admin -- resume lets all go on`,
      );
    await delay(lookMs);
  }
}

const described = ({ kind, host, version }: LivingProcess): string => `${kind} ${version} on ${host}`;
