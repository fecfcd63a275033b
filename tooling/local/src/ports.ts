import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** The port is in use; the message names the variable that selects another one. */
export class PortTakenError extends Error {
  readonly variable: string;
  constructor(variable: string, port: number) {
    super(`Port ${port} is already in use. Choose another one with ${variable}=<port>.`);
    this.name = 'PortTakenError';
    this.variable = variable;
  }
}

/**
 * Ports that operating systems do not use for outgoing connections (on Linux those begin at 32768), so that no
 * client connection occupies a free port before its server listens.
 */
const FIRST = 15_000;
const LAST = 31_999;
const given = new Set<number>();

/** A port that is currently free and that this process has not received before. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = randomInt(FIRST, LAST + 1);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`No free port was found between ${FIRST} and ${LAST}.`);
}

/** The wanted port, or the next higher one that is free and not reserved. */
export async function freePortFrom(wanted: number, spokenFor: ReadonlySet<number>): Promise<number> {
  for (let port = wanted; port < Math.min(wanted + 1_000, 65_536); port++) {
    if (!spokenFor.has(port) && (await isFree(port))) return port;
  }
  throw new Error(`No free port was found from ${wanted} upwards.`);
}

async function isFree(port: number): Promise<boolean> {
  try {
    await requireFreePort('', port);
    return true;
  } catch (error) {
    if (error instanceof PortTakenError) return false;
    throw error;
  }
}

/** Throws PortTakenError, naming the variable, when the port is in use on any interface. */
export async function requireFreePort(variable: string, port: number): Promise<void> {
  for (const host of ['127.0.0.1', '::']) await probe(variable, port, host);
}

function probe(variable: string, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') return reject(new PortTakenError(variable, port));
      if (error.code === 'EACCES')
        return reject(new Error(`Port ${port} (${variable}) cannot be used by this user.`));
      // Nothing to check on a machine without IPv6.
      if (error.code === 'EAFNOSUPPORT' || error.code === 'EADDRNOTAVAIL') return resolve();
      reject(error);
    });
    server.listen(port, host, () => server.close(() => resolve()));
  });
}
