import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { residentBytes } from '@postrider/harness/process-tree';
import type { Attack } from './attack.ts';

const loginBytes = 1_000_000;
const mostMore = 200e6;
const backMs = 60_000;
const everyMs = 250;
const slowSeconds = 20;
const answerMs = 60_000;

/** Many large bodies to an address that needs no credential, and forms that arrive a few bytes at a time. */
export const bodies: Attack = {
  name: 'bodies without a credential',
  bounds: {},
  async run({ chaos, attacker }, size) {
    const api = new URL(chaos.stack.urls.api);
    const { pid = 0 } = chaos.stack.processes.api;
    const [logins, forms] = [size(1_000), size(200)];
    const isSmall = logins < 1_000;
    const idle = await residentBytes(pid);
    let peak = idle;
    const watching = setInterval(() => {
      void residentBytes(pid).then((bytes) => {
        peak = Math.max(peak, bytes);
      });
    }, everyMs);
    const slow = Array.from({ length: forms }, () => openForm(api, attacker.secretKey));
    const answers = await Promise.all(Array.from({ length: logins }, () => login(api)));
    await sleep(isSmall ? 2_000 : slowSeconds * 1_000);
    const slowAnswers = await Promise.all(slow.map((form) => form.end()));
    const over = performance.now();
    let after = await residentBytes(pid);
    while (!isSmall && after - idle > mostMore / 2 && performance.now() - over < backMs) {
      await sleep(1_000);
      after = await residentBytes(pid);
    }
    clearInterval(watching);
    const mb = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
    const count = (all: readonly string[]): string =>
      [...Map.groupBy(all, (answer) => answer)]
        .map(([answer, { length }]) => `${length} × ${answer}`)
        .join(', ');
    return {
      problems: [...answers, ...slowAnswers]
        .filter((answer) => answer === 'no answer' || answer.startsWith('5'))
        .slice(0, 3)
        .map((answer) => `a body: ${answer}`),
      figures: [
        ...(peak - idle > mostMore
          ? [`the api grew by ${mb(peak - idle)}, at most ${mb(mostMore)} are allowed`]
          : []),
        ...(after - idle > mostMore / 2
          ? [`the api still had ${mb(after - idle)} more ${backMs / 1_000} s after the attack`]
          : []),
      ],
      notes: [
        `${logins} bodies to /auth/login: ${count(answers)}; ${forms} slow forms: ${count(slowAnswers)}`,
        `the api had ${mb(idle)} before, ${mb(peak)} at most, ${mb(after)} after ${((performance.now() - over) / 1_000).toFixed(0)} s`,
      ],
    };
  },
};

const open = ({ hostname, port }: URL): Socket => {
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  return socket;
};

/** @returns the status of the reply; 'closed' if the connection ended instead, which refuses as well */
async function statusOf(socket: Socket): Promise<string> {
  const replied = once(socket, 'data').then(([data]: unknown[]) => String(data).slice(9, 12));
  const closed = once(socket, 'close').then(() => 'closed');
  return Promise.race([replied.catch(() => 'closed'), closed, sleep(answerMs, 'no answer', { ref: false })]);
}

async function login(api: URL): Promise<string> {
  const socket = open(api);
  const status = statusOf(socket);
  socket.write(
    `POST /auth/login HTTP/1.1\r\nHost: ${api.host}\r\nOrigin: ${api.origin}\r\nContent-Type: application/json\r\nContent-Length: ${loginBytes}\r\n\r\n`,
  );
  socket.write(Buffer.alloc(loginBytes, ' '));
  const answer = await status;
  socket.destroy();
  return answer;
}

/** A form with a file that arrives at 1 KB a second. */
function openForm(api: URL, secretKey: string) {
  const socket = open(api);
  const status = statusOf(socket);
  socket.write(
    `POST /uploads/image HTTP/1.1\r\nHost: ${api.host}\r\nAuthorization: Bearer ${secretKey}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 9000000\r\n\r\n` +
      '--x\r\ncontent-disposition: form-data; name="image"; filename="a.gif"\r\ncontent-type: image/gif\r\n\r\nGIF89a',
  );
  const dripping = setInterval(() => void (socket.writable && socket.write(Buffer.alloc(1_000, 'a'))), 1_000);
  return {
    async end(): Promise<string> {
      const answer = await Promise.race([status, sleep(1_000, 'still open')]);
      clearInterval(dripping);
      socket.destroy();
      return answer;
    },
  };
}
