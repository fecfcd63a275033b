import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createProjects } from '@postrider/harness/project.store';
import { createAccount } from '../../harness/accounts.store.ts';
import { type Answer, ask, bearer, unanswered } from './ask.ts';
import type { Attack } from './attack.ts';
import { addStorage } from './hostile.store.ts';

/** The length of each template that is stored, in characters. */
const templateBytes = 500_000;
/** What is left to store when the writers begin, in templates for each of them. */
const roomFor = 4;
const knownMs = 2_500;

/** Many writers who fill the storage of their owners together; the last attack, because then it is full. */
export const storage: Attack = {
  name: 'writers at the storage limit',
  bounds: {},
  async run({ chaos }, size) {
    const { db, stack } = chaos;
    const api = stack.urls.api;
    const writers = size(50);
    const key = { appSecret: stack.env.APP_SECRET ?? '', signed: false, from: 7_000 };
    const projects = await createProjects(db, writers, key);
    const [first] = projects;
    const { headers } = await createAccount(db, { email: 'writer@people.test', proven: false, projects });
    if (!first) return { problems: ['there is no writer'] };
    const used = async () => {
      const answer = await ask(new URL(`/projects/${first.id}/storage`, api), 'GET', headers);
      const { owner } = JSON.parse(answer.body) as { owner: { usedBytes: number; limitBytes: number } };
      return { ...owner, over: owner.usedBytes - owner.limitBytes };
    };
    const { over } = await used();
    const room = writers * roomFor * templateBytes;
    await addStorage(db, first.id, -over - room);
    await sleep(knownMs);
    const write = async ({ secretKey, from }: (typeof projects)[number]): Promise<Answer[]> => {
      const answers: Answer[] = [];
      for (let n = 0; n <= 4 * roomFor; n += 1) {
        const body = `<p>${randomBytes(templateBytes / 2).toString('hex')}</p>`;
        const template = { name: `Large ${n}`, type: 'TRANSACTIONAL', from, subject: 'Large', body };
        const answer = await ask(
          new URL('/templates', api),
          'POST',
          bearer(secretKey),
          JSON.stringify(template),
        );
        answers.push(answer);
        if (answer.status === 403) break;
      }
      return answers;
    };
    const answers = (await Promise.all(projects.map(write))).flat();
    const refused = answers.filter(({ status }) => status === 403).length;
    // Each writer has a template and its first version under way.
    const underWay = writers * 2 * templateBytes * 1.01;
    const after = await used();
    return {
      problems: [
        ...unanswered('a template at the limit', answers),
        ...(refused < writers ? [`only ${refused} of ${writers} writers were refused`] : []),
        ...(after.over > underWay
          ? [`the storage limit was exceeded by ${after.over} bytes, ${underWay} were under way`]
          : []),
      ],
      notes: [
        `${writers} writers, ${answers.length - refused} templates of ${templateBytes} bytes stored, ${refused} refused; ${(after.over / 1e6).toFixed(1)} MB beyond the limit, ${(underWay / 1e6).toFixed(1)} MB were under way`,
      ],
    };
  },
};
