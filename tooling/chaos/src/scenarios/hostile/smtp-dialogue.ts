import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** @returns the reply to the last command, or the first negative one; 'no answer' after `patienceMs` */
export async function converse(
  port: number,
  commands: readonly string[],
  patienceMs = 60_000,
): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return await Promise.race([dialogue(), sleep(patienceMs, 'no answer', { ref: false })]);
  } catch (error) {
    return `no answer: ${String(error)}`;
  } finally {
    socket.destroy();
  }

  async function dialogue(): Promise<string> {
    const rest = [...commands];
    for await (const line of createInterface({ input: socket })) {
      if (!/^\d{3} /.test(line)) continue;
      const next = rest.shift();
      if (next === undefined || /^[45]/.test(line)) return line;
      socket.write(`${next}\r\n`);
    }
    return 'no answer: the connection has ended';
  }
}

/** A message as the data of SMTP: a line that begins with a dot gets another one. */
export const dataOf = (message: string): string => `${message.replace(/^\./gm, '..')}\r\n.`;
