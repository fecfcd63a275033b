import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { type HttpConnection, openHttpConnection } from '@postrider/harness/http-connection';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import { createRandom, type Random } from '@postrider/harness/random';
import { emailIdsOf } from '@postrider/harness/wake-latency';
import {
  beginAnew,
  contactsOf,
  countMerged,
  hasPassed,
  insertOldContacts,
  insertPlainContacts,
  type OldContact,
  progressOfContacts,
} from '../harness/addresses.store.ts';
import { untilSettled } from '../harness/until-settled.ts';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario, ScenarioResult } from './scenario.ts';
import { withStack } from './with-stack.ts';

const pairs = 500;
/** People with one contact only, in an old spelling. For those who opted out, requests create the second one before the job comes by. */
const lone = 500;
const kills = 10;
const sendsPerSecond = 20;
const stallMs = 240_000;
const endsWithinMs = 1_200_000;

export const addresses: Scenario = {
  name: 'addresses',
  summary:
    'a million contacts, of whom 500 are stored twice in different spellings, get the normal form of their addresses while email is sent to ' +
    'them and the worker is killed ten times: each is one contact, and opted out if either was',
  recipients: 1_000_000,
  mostSeeds: 1,
  run(options) {
    const { recipients, seed, log } = options;
    return withStack(options, {}, async (chaos) => {
      const random = createRandom(seed);
      const appSecret = chaos.stack.env.APP_SECRET ?? '';
      const project = await createProject(chaos.db, { appSecret, signed: false });
      const people = peopleOf(random);
      log(
        `storing ${recipients} contacts, and ${people.flatMap(({ stored }) => stored).length} in old spellings`,
      );
      // Old spellings lie at the begin, in the middle and at the end of what the job looks through.
      const parts = 10;
      for (let part = 0; part < parts; part += 1) {
        const chosen = people.filter((_, index) => index % parts === part);
        await insertOldContacts(
          chaos.db,
          project.id,
          chosen.flatMap(({ stored }) => stored),
        );
        await insertPlainContacts(chaos.db, project.id, { part, count: Math.floor(recipients / parts) });
      }
      await chaos.db.query('ANALYZE "Contact"');
      await beginAnew(chaos.db);
      const reached = people.filter(
        ({ stored }) => stored.length > 1 || stored.some(({ subscribed }) => !subscribed),
      );
      const load = new Load(chaos, project, reached);
      const sending = load.run(random);
      try {
        await killWhilePassing(chaos, log);
      } finally {
        load.stop();
        await sending;
      }
      log(`${load.accepted} emails were accepted meanwhile; waiting until all of it is settled`);
      await untilSettled(chaos, { stallMs });
      return resultOf(chaos, project, people, load);
    });
  },
};

interface Person {
  normal: string;
  stored: OldContact[];
}

/** What earlier versions kept as they got it, and what it is now. */
const spellings: readonly ((name: string) => { stored: string; normal: string })[] = [
  (name) => ({ stored: `${name}@bücher.example`, normal: `${name}@xn--bcher-kva.example` }),
  (name) => ({ stored: `${name}@bu\u0308cher.example`, normal: `${name}@xn--bcher-kva.example` }),
  (name) => ({ stored: `jose\u0301.${name}@people.example`, normal: `jos\u00e9.${name}@people.example` }),
  (name) => ({ stored: `${name}\u200b@people.example`, normal: `${name}@people.example` }),
  (name) => ({ stored: `${name}@faß.example`, normal: `${name}@xn--fa-hia.example` }),
];

function peopleOf(random: Random): Person[] {
  return Array.from({ length: pairs + lone }, (_, index) => {
    const spell = spellings[index % spellings.length] ?? spellings[0];
    if (!spell) throw new Error('no spelling');
    const { stored, normal } = spell(`person${index}`);
    const old: OldContact = { stored, normal, subscribed: random.next() < 0.5 };
    const second: OldContact = { stored: normal, normal, subscribed: random.next() < 0.5 };
    return { normal, stored: index < pairs ? [old, second] : [old] };
  });
}

/** Sends to these people in either spelling, all the time. */
class Load {
  accepted = 0;
  readonly refused: string[] = [];
  readonly #chaos: ChaosStack;
  readonly #project: TestProject;
  readonly #people: readonly Person[];
  #isOver = false;

  constructor(chaos: ChaosStack, project: TestProject, people: readonly Person[]) {
    this.#chaos = chaos;
    this.#project = project;
    this.#people = people;
  }

  stop(): void {
    this.#isOver = true;
  }

  async run(random: Random): Promise<void> {
    const connection = await openHttpConnection(
      this.#chaos.stack.urls.api,
      `Bearer ${this.#project.secretKey}`,
    );
    for (; !this.#isOver; await sleep(1_000 / sendsPerSecond)) await this.#send(connection, random);
    connection.close();
  }

  async #send(connection: HttpConnection, random: Random): Promise<void> {
    const person = this.#people[random.whole(0, this.#people.length - 1)];
    if (!person) return;
    const to = random.next() < 0.5 ? person.normal : (person.stored[0]?.stored ?? person.normal);
    const answer = await connection.post(
      '/v1/send',
      JSON.stringify({ to, from: this.#project.from, subject: 'Receipt', body: '<p>Thank you</p>' }),
    );
    if (answer.status === 200) this.accepted += emailIdsOf(answer.body).length;
    else this.refused.push(`/v1/send to ${to} answered ${answer.status}: ${answer.body.slice(0, 200)}`);
  }
}

/** Kills the worker each time when the job has come a tenth further. */
async function killWhilePassing(chaos: ChaosStack, log: (line: string) => void): Promise<void> {
  const until = performance.now() + endsWithinMs;
  for (let done = 0; ; await sleep(100)) {
    if (performance.now() > until) throw new Error('the addresses did not get their normal form in time');
    const { at, ended } = await progressOfContacts(chaos.db);
    if (done < kills && (ended || at >= (done + 0.5) / kills)) {
      done += 1;
      log(`kill -9 of the worker at ${(at * 100).toFixed(0)} % of the contacts`);
      await chaos.stack.processes.worker.kill();
      // A pass that ended is begun once more, as an hour later.
      if (ended && done < kills) await beginAnew(chaos.db);
    }
    if (done === kills && (await hasPassed(chaos.db))) return;
  }
}

async function resultOf(
  chaos: ChaosStack,
  project: TestProject,
  people: readonly Person[],
  load: Load,
): Promise<ScenarioResult> {
  const every = people.flatMap(({ normal, stored }) => [normal, ...stored.map((contact) => contact.stored)]);
  const found = await contactsOf(chaos.db, project.id, every);
  const byAddress = new Map(found.map((contact) => [contact.email, contact]));
  const problems = people.flatMap(({ normal, stored }) => {
    const left = stored.filter((contact) => contact.stored !== normal && byAddress.has(contact.stored));
    const contact = byAddress.get(normal);
    const wanted = stored.every(({ subscribed }) => subscribed);
    return [
      ...left.map((one) => `${one.stored} still has a contact of its own`),
      ...(contact ? [] : [`${normal} has no contact`]),
      ...(contact && contact.subscribed !== wanted
        ? [`${normal} is ${contact.subscribed ? '' : 'not '}subscribed`]
        : []),
    ];
  });
  const merged = await countMerged(chaos.db, project.id);
  if (merged < pairs) problems.push(`${merged} contacts were merged, not ${pairs} or more`);
  const report = await compareLedgerWithSink(chaos.db, chaos.sink);
  return {
    reports: [report],
    problems: [...problems, ...load.refused],
    notes: [
      ...describeReport(report),
      `${people.length} people are one contact each, ${merged} contacts were merged; ${load.accepted} emails were accepted meanwhile`,
    ],
    kills,
    uncertain: { samples: [report.uncertain.length + report.resent], most: null },
  };
}
