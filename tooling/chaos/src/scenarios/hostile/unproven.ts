import { setTimeout as sleep } from 'node:timers/promises';
import { createProjects } from '@postrider/harness/project.store';
import { createAccount } from '../../harness/accounts.store.ts';
import { ask, bearer, inLanes, unanswered } from './ask.ts';
import type { Attack } from './attack.ts';
import { openEmailsTo } from './hostile.store.ts';

const victim = 'victim@bank.test';
const allowed = 5;
const projectCount = 5;
const atOnce = 100;
const settleMs = 120_000;
const note = /Test email\. Somebody signed up at/;

/** An account with somebody else's address, which sends to that address from the sandbox. */
export const unproven: Attack = {
  name: 'the sandbox of an unproven account',
  bounds: {},
  async run({ chaos }, size) {
    const { db, stack, sink } = chaos;
    const projects = await createProjects(db, projectCount, {
      appSecret: stack.env.APP_SECRET ?? '',
      signed: false,
      from: 6_000,
    });
    await createAccount(db, { email: victim, proven: false, projects });
    const config = await ask(new URL('/config', stack.urls.api), 'GET', {});
    const { features } = JSON.parse(config.body) as { features: { email: { sandboxFrom: string } } };
    const day = () => new Date().toISOString().slice(0, 10);
    const begun = day();
    const answers = await inLanes(size(1_000), atOnce, (index) =>
      ask(
        new URL('/v1/send', stack.urls.api),
        'POST',
        bearer(projects[index % projectCount]?.secretKey ?? ''),
        JSON.stringify({
          to: victim,
          from: features.email.sandboxFrom,
          subject: `Your account ${index}`,
          body: `<p>Please confirm ${index}</p>`,
        }),
      ),
    );
    for (const until = Date.now() + settleMs; Date.now() < until; await sleep(200))
      if ((await openEmailsTo(db, victim)) === 0) break;
    const got = (await sink.messages()).filter(({ to }) => to.includes(victim));
    const plain = got.filter(({ raw = '' }) => !note.test(raw.replace(/=\r\n/g, '')));
    const accepted = answers.filter(({ status }) => status === 200).length;
    // Midnight, if it falls into the attack, gives five more.
    const right = got.length === allowed || (day() !== begun && got.length <= 2 * allowed);
    return {
      problems: [
        ...unanswered('a send from the sandbox', answers),
        ...(right ? [] : [`${got.length} emails of the sandbox arrived, ${allowed} a day are allowed`]),
        ...(plain.length > 0 ? [`${plain.length} emails of the sandbox have no note`] : []),
      ],
      notes: [`${answers.length} sends, ${accepted} accepted, ${got.length} arrived, each with the note`],
    };
  },
};
