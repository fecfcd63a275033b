import { atPace } from './ask.ts';
import type { Attack } from './attack.ts';
import { hostileMessages } from './hostile-texts.ts';
import { converse, dataOf } from './smtp-dialogue.ts';

/** Reports that were made to occupy the worker. Anybody may send them who has got one email. */
export const reports: Attack = {
  name: 'hostile reports',
  bounds: { healthMs: 50, mail: 2, importMs: 1_000, import: 1.5 },
  async run({ bouncePort, returnPath }, size) {
    const replies = await atPace(size(100), (index) => {
      const message = hostileMessages[index % hostileMessages.length]?.('mailer-daemon@people.test') ?? '';
      const commands = ['EHLO mx.people.test', 'MAIL FROM:<>', `RCPT TO:<${returnPath}>`, 'DATA'];
      return converse(bouncePort, [...commands, dataOf(`Message-ID: <${index}@x>\r\n${message}`)]);
    });
    const silent = replies.filter((reply) => !/^\d{3} /.test(reply));
    return { problems: silent.map((reply) => `a report: ${reply}`) };
  },
};
