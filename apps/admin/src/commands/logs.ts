import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { countDoubted, proveSent, repeatOptOut, sendRest } from '@postrider/core/insight/restore';
import { emailsIn, optOutIn } from '../backup/read-logs.rules.ts';
import { type Command, CommandError, UsageError } from '../command.ts';

/** Ids that are looked up at once. */
const idsAtOnce = 5_000;

const lostFile = 'lost-emails.txt';

export const sent: Command = {
  summary: `After a restore: UNCERTAIN emails whose Message-ID is in a log of the mail server become SENT; ids of emails that are lost go to ${lostFile} beside the log. With --rest send, for a log that is whole, the others wait again.`,
  argument: 'file',
  options: { rest: ['send'] },
  async run({ services, out, err }, { argument: file, options }) {
    const { rest } = options;
    if (rest !== undefined && rest !== 'send') throw new UsageError('--rest must be send.');
    const seen = new Set<string>();
    const lost: string[] = [];
    let proved = 0;
    let part: string[] = [];
    const look = async (): Promise<void> => {
      const found = await proveSent(services, part);
      proved += found.sent;
      lost.push(...found.unknown);
      part = [];
    };
    for await (const line of linesOf(file))
      for (const id of emailsIn(line)) {
        if (seen.has(id)) continue;
        seen.add(id);
        part.push(id);
        if (part.length >= idsAtOnce) await look();
      }
    await look();
    out(`sent\t${proved}`);
    out(`lost\t${lost.length}`);
    if (rest === 'send') out(`waiting\t${await sendRest(services)}`);
    out(`uncertain\t${await countDoubted(services)}`);
    if (lost.length > 0) {
      const path = join(dirname(file), lostFile);
      await writeFile(path, `${lost.join('\n')}\n`);
      err(
        `${path} has the ids of emails that were accepted after the backup: nothing else is known of them.`,
      );
    }
    return true;
  },
};

export const optOuts: Command = {
  summary:
    'After a restore: applies every opt-out by an unsubscribe link that is in an access log again. It can be run more than once.',
  argument: 'file',
  async run({ services, out }, { argument: file }) {
    const seen = new Set<string>();
    let [applied, unknown] = [0, 0];
    for await (const line of linesOf(file)) {
      const found = optOutIn(line);
      if (!found || seen.has(`${found.source} ${found.token}`)) continue;
      seen.add(`${found.source} ${found.token}`);
      if (await repeatOptOut(services, found.token, found.source)) applied += 1;
      else unknown += 1;
    }
    out(`applied\t${applied}`);
    out(`unknown\t${unknown}`);
    return true;
  },
};

async function* linesOf(file: string): AsyncGenerator<string> {
  const input = createReadStream(file);
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EACCES') throw error;
    throw new CommandError(`${file} cannot be read`);
  } finally {
    input.destroy();
  }
}
