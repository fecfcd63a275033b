import { createServer } from 'node:net';

/** A taken port, said in the words of the variable that moves it. */
export class PortTakenError extends Error {
  readonly variable: string;
  constructor(variable: string, port: number) {
    super(`Port ${port} is already in use. Choose another one with ${variable}=<port>.`);
    this.name = 'PortTakenError';
    this.variable = variable;
  }
}

/** Asks the system for a port on loopback that nobody uses at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') return reject(new Error('No port was assigned.'));
      server.close(() => resolve(address.port));
    });
  });
}

/** Throws PortTakenError, naming the variable, when somebody listens on the port on any interface. */
export async function requireFreePort(variable: string, port: number): Promise<void> {
  for (const host of ['127.0.0.1', '::']) await probe(variable, port, host);
}

function probe(variable: string, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') return reject(new PortTakenError(variable, port));
      if (error.code === 'EACCES')
        return reject(new Error(`Port ${port} (${variable}) may not be used by this user.`));
      // A machine without IPv6 has nothing to check there.
      if (error.code === 'EAFNOSUPPORT' || error.code === 'EADDRNOTAVAIL') return resolve();
      reject(error);
    });
    server.listen(port, host, () => server.close(() => resolve()));
  });
}
