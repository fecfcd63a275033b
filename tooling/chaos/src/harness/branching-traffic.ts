import { startPaced } from '@postrider/harness/paced';
import type { TestProject } from '@postrider/harness/project.store';
import { sendUntilStored } from './send-until-stored.ts';

/** Each recipient has one branch: a message with both was filled in plainly. */
export const branchingBody =
  '{% if vip %}<p>VIP</p>{% else %}<p>NOT</p>{% endif %}{% for i in (1..300) %}{{ i }} {% endfor %}';

export const hasBothBranches = ({ raw }: { raw?: string }): boolean =>
  raw?.includes('<p>VIP</p>') === true && raw.includes('<p>NOT</p>');

/** Sends transactional email of a few contents with tags, until it is stopped. */
export function startBranchingTraffic(api: string, project: TestProject, perSecond: number) {
  let stored = 0;
  const traffic = startPaced(perSecond, async (index) => {
    const to = `branch${index}@people.test`;
    await sendUntilStored(api, project, `branch-${index}`, {
      to,
      subject: `Content ${index % 5}`,
      body: branchingBody,
    });
    stored += 1;
  });
  return {
    /** @returns the number of emails that were accepted */
    async stop(): Promise<number> {
      await traffic.stop();
      return stored;
    },
  };
}
