import type { Db } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import type { PlatformMail } from '../../base/kernel/ports/platform-mailer.ts';
import { countPlatformMail, findAddress } from '../../people/users/index.ts';

type Kind = PlatformMail['mail'];

/** What a person asks for: bounded by limits of its own (behaviour B4.16), so that notices cannot use them up. */
const asked: ReadonlySet<Kind> = new Set(['verification', 'passwordReset', 'accountDeletion']);
/** What an address gets that nobody has proven yet. */
const unproven: ReadonlySet<Kind> = new Set([...asked, 'invitation']);

/** What goes to the address that the operator has configured, whose account need not exist. */
const toOperator: ReadonlySet<Kind> = new Set(['findingFailed']);

/** How long an address whose reader has disowned its account gets nothing but a reset that the reader asks for (behaviour B11.4). */
const disownedMs = 90 * 86_400_000;

/** Whether an address may get one more email of the platform (behaviour B4.16). One that may not is left out, and the log says so. */
export async function mayMail(
  services: Pick<Services, 'database' | 'log'>,
  db: Db,
  { to, mail }: PlatformMail,
): Promise<boolean> {
  if (toOperator.has(mail)) return true;
  const leaveOut = (reason: string): false => {
    services.log.warn({ mail, reason }, 'an email of the platform was left out');
    return false;
  };
  const address = await findAddress(db, to.email);
  if (!unproven.has(mail) && !address?.emailVerified) return leaveOut('unproven address');
  // Whoever proves the address later wants the account.
  const disowned = address?.emailVerified ? null : (address?.disownedAt ?? null);
  if (mail !== 'passwordReset' && disowned && Date.now() - disowned.getTime() < disownedMs)
    return leaveOut('disowned');
  const isWithinLimit = await countPlatformMail(services, to.email);
  return asked.has(mail) || isWithinLimit || leaveOut('daily limit');
}
