import type { Socket } from 'node:net';
import dns2 from 'dns2';
import { freePort } from './ports.ts';

export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'NS' | 'PTR' | 'TXT';

/** Values by name and type. MX values are written as in a zone file: `10 mail.example.com`. */
export type DnsRecords = Record<string, Partial<Record<RecordType, string[]>>>;

export interface DnsServer {
  /** `127.0.0.1:port`, as `DNS_SERVERS` and `Resolver.setServers` accept it. */
  address: string;
  /** Replaces the values of a name and type, and ends a `hang` or `fail` of the name. */
  set(name: string, type: RecordType, values: string[]): void;
  /** Removes one type of a name, or the whole name. */
  remove(name: string, type?: RecordType): void;
  /** Never answers queries for this name, like an unreachable server. */
  hang(name: string): void;
  /** Answers SERVFAIL for this name. */
  fail(name: string): void;
  /** All queries so far, oldest first. */
  queries(): { name: string; type: string }[];
  stop(): Promise<void>;
}

const { Packet } = dns2;

/**
 * Starts a real name server on loopback, over UDP and TCP: keys of 2048 bits do not fit into a plain UDP answer. It takes a
 * free port when none is given.
 */
export async function startDns(options: { records?: DnsRecords; port?: number } = {}): Promise<DnsServer> {
  const zone = new Map<string, Map<RecordType, string[]>>();
  const broken = new Map<string, 'hang' | 'fail'>();
  const asked: { name: string; type: string }[] = [];

  const set = (name: string, type: RecordType, values: string[]) => {
    const key = normal(name);
    broken.delete(key);
    const types = zone.get(key) ?? new Map<RecordType, string[]>();
    zone.set(key, types.set(type, values));
  };
  for (const [name, types] of Object.entries(options.records ?? {})) {
    for (const type of Object.keys(types) as RecordType[]) set(name, type, types[type] ?? []);
  }

  const answer = (request: dns2.Packet, send: (response: dns2.Packet) => unknown) => {
    const [question] = request.questions;
    if (!question) return;
    const name = normal(question.name);
    const type = Packet.typeName(question.type);
    asked.push({ name, type });
    const trouble = broken.get(name);
    if (trouble === 'hang') return;
    const response = Packet.createResponseFromRequest(request);
    if (trouble === 'fail') response.header.rcode = Packet.RCODE.SERVFAIL;
    else if (!zone.has(name)) response.header.rcode = Packet.RCODE.NXDOMAIN;
    else response.answers = resolve(zone, name, type);
    send(response);
  };

  const { port, close } = await listen(answer, options.port);
  return {
    address: `127.0.0.1:${port}`,
    set,
    remove(name, type) {
      if (type === undefined) zone.delete(normal(name));
      else zone.get(normal(name))?.delete(type);
    },
    hang: (name) => void broken.set(normal(name), 'hang'),
    fail: (name) => void broken.set(normal(name), 'fail'),
    queries: () => [...asked],
    stop: close,
  };
}

/** The records of a name and type; an alias is followed as in a resolver (RFC 1034 3.6.2). */
function resolve(
  zone: Map<string, Map<RecordType, string[]>>,
  start: string,
  type: string,
): dns2.Packet.Resource[] {
  const answers: dns2.Packet.Resource[] = [];
  let name = start;
  for (let depth = 0; depth < 8; depth++) {
    const types = zone.get(name);
    const direct = types?.get(type as RecordType);
    if (direct) return [...answers, ...direct.map((value) => resource(name, type as RecordType, value))];
    const [target] = types?.get('CNAME') ?? [];
    if (target === undefined) return answers;
    answers.push(resource(name, 'CNAME', target));
    name = normal(target);
  }
  return answers;
}

function resource(name: string, type: RecordType, value: string): dns2.Packet.Resource {
  const base = new Packet.Resource(name, Packet.TYPE[type], Packet.CLASS.IN, 1);
  return Object.assign(base, fieldsOf(type, value));
}

function fieldsOf(type: RecordType, value: string): Partial<dns2.Packet.Resource> {
  if (type === 'A' || type === 'AAAA') return { address: value };
  if (type === 'CNAME' || type === 'PTR') return { domain: value };
  if (type === 'NS') return { ns: value };
  if (type === 'TXT') return { data: pieces(value) };
  const [priority = '10', exchange = ''] = value.split(/\s+/);
  return { priority: Number(priority), exchange };
}

/** A text record is a list of strings of at most 255 bytes (RFC 1035 3.3.14); readers join them again. */
function pieces(value: string): string[] {
  return value.match(/.{1,255}/gs) ?? [''];
}

function normal(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

async function listen(
  answer: (request: dns2.Packet, send: (response: dns2.Packet) => unknown) => void,
  given: number | undefined,
): Promise<{ port: number; close(): Promise<void> }> {
  const port = given ?? (await freePort());
  const sockets = new Set<Socket>();
  const tcp = dns2.createTCPServer(answer);
  tcp.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const udp = dns2.createUDPServer(answer);
  await new Promise<void>((done, reject) => {
    tcp.once('error', reject);
    tcp.listen(port, '127.0.0.1', done);
  });
  await new Promise<void>((done, reject) => {
    udp.once('error', reject);
    udp.bind(port, '127.0.0.1', done);
  });
  return {
    port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all([
        new Promise<void>((done) => tcp.close(() => done())),
        new Promise<void>((done) => udp.close(() => done())),
      ]);
    },
  };
}
