import { atPace } from './ask.ts';
import type { Attack } from './attack.ts';
import { hostileMessages } from './hostile-texts.ts';
import { converse, dataOf } from './smtp-dialogue.ts';

/** Messages that were made to occupy the api, at the submission port. */
export const submissions: Attack = {
  name: 'hostile messages by submission',
  bounds: { healthMs: 50, mail: 2, importMs: 1_000, import: 1.5 },
  async run({ submissionPort, attacker }, size) {
    const login = Buffer.from(`\0postrider\0${attacker.secretKey}`).toString('base64');
    const replies = await atPace(size(100), (index) => {
      const message = hostileMessages[index % hostileMessages.length]?.(attacker.from) ?? '';
      return converse(submissionPort, [
        'EHLO app.example',
        `AUTH PLAIN ${login}`,
        `MAIL FROM:<${attacker.from}>`,
        `RCPT TO:<hostile${index}@people.test>`,
        'DATA',
        dataOf(message),
      ]);
    });
    const silent = replies.filter((reply) => !/^\d{3} /.test(reply));
    return { problems: silent.map((reply) => `a submitted message: ${reply}`) };
  },
};
