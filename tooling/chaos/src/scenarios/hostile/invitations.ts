import { setTimeout as sleep } from 'node:timers/promises';
import { createProjects } from '@postrider/harness/project.store';
import { createAccount } from '../../harness/accounts.store.ts';
import { type Answer, ask, unanswered } from './ask.ts';
import type { Attack } from './attack.ts';
import { openEmailsTo } from './hostile.store.ts';

const stranger = 'stranger@elsewhere.test';
const inviters = 10;
const most = 3;
const settleMs = 60_000;

/** People who invite the same stranger to all of their projects, and withdraw each invitation to repeat it. */
export const invitations: Attack = {
  name: 'invitations of one stranger',
  bounds: {},
  async run({ chaos }, size) {
    const { db, stack, sink } = chaos;
    const each = size(10);
    const projects = await createProjects(db, inviters * each, {
      appSecret: stack.env.APP_SECRET ?? '',
      signed: false,
      from: 5_000,
    });
    const loop = async (number: number): Promise<Answer[]> => {
      const mine = projects.slice(number * each, (number + 1) * each);
      const { headers } = await createAccount(db, {
        email: `inviter${number}@people.test`,
        proven: true,
        projects: mine,
      });
      const answers: Answer[] = [];
      for (let round = 0; round < 2; round += 1)
        for (const { id } of mine) {
          const members = new URL(`/projects/${id}/members`, stack.urls.api);
          const invited = await ask(members, 'POST', headers, JSON.stringify({ email: stranger }));
          answers.push(invited);
          if (invited.status !== 201) continue;
          const { userId } = JSON.parse(invited.body) as { userId: string };
          answers.push(await ask(`${members}/${userId}`, 'DELETE', headers));
        }
      return answers;
    };
    const answers = (await Promise.all(Array.from({ length: inviters }, (_, number) => loop(number)))).flat();
    for (const until = Date.now() + settleMs; Date.now() < until; await sleep(200))
      if ((await openEmailsTo(db, stranger)) === 0) break;
    const got = (await sink.messages()).filter(({ to }) => to.includes(stranger)).length;
    return {
      problems: [
        ...unanswered('an invitation', answers),
        ...(got > most ? [`a stranger got ${got} invitations, at most ${most} a day are allowed`] : []),
        ...(got === 0 ? ['no invitation arrived: the attack proved nothing'] : []),
      ],
      notes: [`${answers.length} requests of ${inviters} people, ${got} emails to the stranger`],
    };
  },
};
