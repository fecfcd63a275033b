import { takeAttempts } from '../../base/attempts/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { projectPage } from '../../base/kernel/project-page.ts';
import { findLeaders } from '../../people/domains/index.ts';
import { findNameOfProject } from './asker.store.ts';
import { unconfirmedNotice } from './forms.rules.ts';

/** Tells owners and admins that so many requests are unconfirmed that no more are taken: once a day, whichever processes find it. */
export async function tellOfUnconfirmed(services: Services, projectId: string): Promise<void> {
  const { database, platformMail, config, log } = services;
  const told = await database.prisma.$transaction(async (db) => {
    const { over } = await takeAttempts(db, [
      {
        scope: unconfirmedNotice,
        key: projectId.replaceAll('-', ''),
        project: projectId,
        most: 1,
        seconds: 86_400,
      },
    ]);
    if (over !== null) return false;
    const project = await findNameOfProject(db, projectId);
    const url = projectPage(config, projectId, 'forms');
    for (const to of await findLeaders(db, projectId))
      await platformMail.write(db, { to, mail: 'requestsUnconfirmed', values: { project }, url });
    return true;
  });
  if (!told) return;
  log.warn(
    { projectId },
    'too many subscription requests of a project are unconfirmed; its leaders are told',
  );
  platformMail.notify();
}
