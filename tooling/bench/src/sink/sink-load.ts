/** Sends messages to a mail server as fast as it answers, with as little work per message as possible. */
import { connect } from 'node:net';
import { answerParent } from '@postrider/harness/answering-process';

export interface SinkLoad {
  port: number;
  messages: number;
  connections: number;
  /** size of a message in bytes */
  size: number;
}

answerParent(run);

/** @returns the seconds from the first to the last message */
async function run({ port, messages, connections, size }: SinkLoad): Promise<number> {
  const line = `${'x'.repeat(76)}\r\n`;
  const body = Buffer.from(
    `Message-ID: <load@sender.test>\r\nX-Postrider-Email: load\r\n\r\n${line.repeat(Math.ceil(size / line.length))}.\r\n`,
  );
  let sent = 0;
  const begun = performance.now();
  /** One round trip per message: the body goes together with the envelope of the next one (RFC 2920). */
  const lane = (index: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, noDelay: true });
      const envelope = Buffer.from(
        `MAIL FROM:<load@sender.test>\r\nRCPT TO:<p${index}@people.test>\r\nDATA\r\n`,
      );
      const next = Buffer.concat([body, envelope]);
      let isGreeted = false;
      socket.on('data', (chunk) => {
        const text = chunk.toString('latin1');
        if (!isGreeted) {
          isGreeted = true;
          return void socket.write(envelope);
        }
        if (!/^354/m.test(text)) return;
        sent += 1;
        if (sent <= messages) return void socket.write(next);
        socket.destroy();
        resolve();
      });
      socket.on('error', reject);
    });
  await Promise.all(Array.from({ length: connections }, (_, index) => lane(index)));
  return (performance.now() - begun) / 1_000;
}
