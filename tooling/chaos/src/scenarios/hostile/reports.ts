import type { Attack } from './attack.ts';
import { hostileMessages } from './hostile-texts.ts';
import { converse, dataOf } from './smtp-dialogue.ts';

/** More connections of one address are refused. */
const atOnce = 10;

/** Reports that were made to occupy the worker. Anybody may send them who has got one email. */
export const reports: Attack = {
  name: 'reports',
  async run({ bouncePort, returnPath }, times) {
    const left = Array.from({ length: times }, (_, index) => index);
    const replies: string[] = [];
    const sendAll = async (): Promise<void> => {
      for (let index = left.pop(); index !== undefined; index = left.pop()) {
        const message = hostileMessages[index % hostileMessages.length]?.('mailer-daemon@people.test') ?? '';
        const commands = ['EHLO mx.people.test', 'MAIL FROM:<>', `RCPT TO:<${returnPath}>`, 'DATA'];
        replies.push(
          await converse(bouncePort, [...commands, dataOf(`Message-ID: <${index}@x>\r\n${message}`)]),
        );
      }
    };
    await Promise.all(Array.from({ length: atOnce }, sendAll));
    return replies.filter((reply) => !/^\d{3} /.test(reply)).map((reply) => `a report: ${reply}`);
  },
};
