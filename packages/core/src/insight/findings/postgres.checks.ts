import { neededExtensions } from '../../base/db/index.ts';
import { databaseServers, placeOfDatabase } from '../../base/lib/index.ts';
import { isLoopbackHost } from '../../base/lib/loopback.rules.ts';
import type { Examined } from './examined.ts';
import { checksOf, failure, type Outcome, ok, warning } from './finding.ts';
import { counted, duration, listed, percent, size } from './quantities.ts';
import {
  readBloat,
  readConnections,
  readExtensions,
  readIdleSlots,
  readLongTransactions,
  readServerClock,
  readUnusableTables,
  readUnvacuumed,
  readWraparound,
} from './server.store.ts';

/** Where the database is, without user and password. */
const placeOf = ({ config }: Examined): string => placeOfDatabase(config.DATABASE_URL) ?? 'DATABASE_URL';

const reasons: Readonly<Record<string, { cause: string; action: string }>> = {
  ECONNREFUSED: {
    cause: 'No server listens at this address.',
    action: 'Start PostgreSQL, or correct host and port in DATABASE_URL.',
  },
  ENOTFOUND: {
    cause: 'The host of DATABASE_URL has no address.',
    action: 'Correct the host in DATABASE_URL, or the DNS server of this machine.',
  },
  EAI_AGAIN: {
    cause: 'The DNS server of this machine does not answer.',
    action: 'Correct the host in DATABASE_URL, or the DNS server of this machine.',
  },
  '28P01': {
    cause: 'PostgreSQL refuses user and password.',
    action:
      'Correct user and password in DATABASE_URL. Characters such as @, / and % are written as %40, %2F and %25.',
  },
  '28000': {
    cause: 'PostgreSQL does not let this user in from here (pg_hba.conf), or there is no such user.',
    action: 'Allow the user in pg_hba.conf, or correct it in DATABASE_URL.',
  },
  '3D000': {
    cause: 'The server has no database of this name.',
    action: 'Create the database with the encoding UTF8, or correct its name in DATABASE_URL.',
  },
  '53300': {
    cause: 'The server has no connection left.',
    action: 'Raise max_connections of PostgreSQL, or end what holds its connections.',
  },
  '25006': {
    cause: 'None of the servers of DATABASE_URL takes writes: a failover is under way, or none was promoted.',
    action: 'Wait for the failover. If none is under way, promote the standby that has the most.',
  },
  '57P03': {
    cause: 'The server is starting, or is being restored.',
    action: 'Wait for it, and look into the log of PostgreSQL if it does not end.',
  },
};

const otherReason = {
  cause: 'The server did not accept the connection.',
  action: 'Compare DATABASE_URL with the settings of the server, and look into the log of PostgreSQL.',
};

async function reachable(examined: Examined): Promise<Outcome[]> {
  const subject = placeOf(examined);
  try {
    const { version, isReadOnly, isStandby } = await examined.database.facts();
    if (!isReadOnly) return [ok(subject, `PostgreSQL ${version} answers`)];
    return [
      failure({
        subject,
        found: isStandby ? 'the server is a standby, which takes no writes' : 'the server takes no writes',
        cause: isStandby
          ? 'DATABASE_URL names a standby, or a failover is under way.'
          : 'default_transaction_read_only is on, for the server, the database or the user.',
        action: isStandby
          ? 'Set DATABASE_URL to the primary.'
          : 'Reset default_transaction_read_only. Look first for why it was set: some services set it when the disk is full.',
      }),
    ];
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    return [
      failure({ subject, found: `not reached: ${message || code}`, ...(reasons[code] ?? otherReason) }),
    ];
  }
}

async function version({ database, limits }: Examined): Promise<Outcome[]> {
  const { version, versionNumber } = await database.reachedFacts();
  if (versionNumber >= limits.oldestPostgres * 10_000) return [ok('version', `PostgreSQL ${version}`)];
  return [
    failure({
      subject: 'version',
      found: `PostgreSQL ${version}`,
      cause: `Migrations and statements need PostgreSQL ${limits.oldestPostgres} or newer.`,
      action: 'Upgrade the server (pg_upgrade), or use another one.',
    }),
  ];
}

async function encoding({ database }: Examined): Promise<Outcome[]> {
  const { encoding } = await database.reachedFacts();
  if (encoding === 'UTF8') return [ok('encoding', 'UTF8')];
  return [
    failure({
      subject: 'encoding',
      found: `the encoding of the database is ${encoding}`,
      cause: 'Names and texts of other languages cannot be stored in it.',
      action: `Create another database with ENCODING 'UTF8' TEMPLATE template0, restore a dump into it, and set DATABASE_URL to it.`,
    }),
  ];
}

async function extensions({ database }: Examined): Promise<Outcome[]> {
  const needed = await neededExtensions();
  const known = await readExtensions(await database.pool(), needed);
  const { mayCreateExtensions, user } = await database.reachedFacts();
  const missing = needed.filter((name) => !known.some((each) => each.name === name));
  const toCreate = known.filter(({ isInstalled }) => !isInstalled).map(({ name }) => name);
  if (missing.length > 0)
    return [
      failure({
        subject: 'extensions',
        found: `the server does not have ${listed(missing)}`,
        cause: 'Migrations create these extensions, and fail without them.',
        action:
          'Install the package with the additional modules of PostgreSQL (postgresql-contrib) on the server.',
      }),
    ];
  if (toCreate.length > 0 && !mayCreateExtensions)
    return [
      failure({
        subject: 'extensions',
        found: `${listed(toCreate)} are not installed in this database, and ${user} may not install them`,
        cause: 'Migrations create these extensions, and fail without the right to.',
        action: `As a superuser: ${toCreate.map((name) => `CREATE EXTENSION ${name};`).join(' ')}`,
      }),
    ];
  return [ok('extensions', needed.join(', '))];
}

async function rights({ database }: Examined): Promise<Outcome[]> {
  const { user, schema, mayCreate } = await database.reachedFacts();
  const tables = await readUnusableTables(await database.pool());
  const outcomes: Outcome[] = [];
  if (!mayCreate)
    outcomes.push(
      failure({
        subject: `user ${user}`,
        found:
          schema === null
            ? 'there is no schema on the search path'
            : `${user} may not create tables in ${schema}`,
        cause:
          'Migrations create tables. From PostgreSQL 15 on, only the owner of a database may do so in the schema public.',
        action: `As a superuser: GRANT CREATE, USAGE ON SCHEMA ${schema ?? 'public'} TO ${user};`,
      }),
    );
  const closed = tables.filter(({ isUsable }) => !isUsable).map(({ name }) => name);
  const foreign = tables.filter(({ isUsable }) => isUsable);
  if (closed.length > 0)
    outcomes.push(
      failure({
        subject: `user ${user}`,
        found: `${user} may not read and write ${listed(closed)}`,
        cause: 'Another user created these tables, for example by restoring a dump.',
        action: `As a superuser: ALTER TABLE … OWNER TO ${user}; for each, or REASSIGN OWNED BY … TO ${user};`,
      }),
    );
  if (foreign.length > 0)
    outcomes.push(
      failure({
        subject: `user ${user}`,
        found: `${listed(foreign.map(({ name }) => name))} belong to ${listed([...new Set(foreign.map(({ owner }) => owner))])}`,
        cause: `Migrations change tables, which only their owner may: the next upgrade would fail.`,
        action: `As a superuser: ALTER TABLE … OWNER TO ${user}; for each, or REASSIGN OWNED BY … TO ${user};`,
      }),
    );
  return outcomes.length > 0 ? outcomes : [ok(`user ${user}`, 'may do what migrations and processes do')];
}

async function durability({ database }: Examined): Promise<Outcome[]> {
  const { fsync, fullPageWrites, synchronousCommit } = await database.reachedFacts();
  const outcomes: Outcome[] = [];
  if (fsync !== 'on')
    outcomes.push(
      failure({
        subject: 'fsync',
        found: `fsync is ${fsync}`,
        cause:
          'After a crash of the machine the database may be damaged beyond repair, and email may be sent twice.',
        action: 'Set fsync = on in postgresql.conf, and restart PostgreSQL.',
      }),
    );
  if (fullPageWrites !== 'on')
    outcomes.push(
      warning({
        subject: 'full_page_writes',
        found: `full_page_writes is ${fullPageWrites}`,
        cause: 'After a crash pages may be half written, unless the file system rules that out.',
        action: 'Set full_page_writes = on, unless the data lies on a file system such as ZFS.',
      }),
    );
  if (synchronousCommit === 'off')
    outcomes.push(
      failure({
        subject: 'synchronous_commit',
        found: 'synchronous_commit is off',
        cause:
          'A crash loses what was accepted in the last moments, and email whose beginning is lost is sent twice.',
        action: 'Set synchronous_commit = on. Statements that may be lost say so themselves.',
      }),
    );
  return outcomes.length > 0 ? outcomes : [ok('durability', 'what is committed is on the disk')];
}

async function schema({ database }: Examined): Promise<Outcome[]> {
  const { kind, pending, deferred, later, changed, misfit } = await database.schema();
  if (kind === 'former')
    return [
      failure({
        subject: 'schema',
        found: 'the database was set up by an earlier version, whose migrations are gone',
        cause: 'The api does not start on it.',
        action: 'Start the last version of the earlier series once, then this one.',
      }),
    ];
  if (kind === 'none')
    return [
      warning({
        subject: 'schema',
        found: 'the database has no tables yet',
        cause:
          'No api has been started on it, or DATABASE_URL names another database than the processes have.',
        action: 'Start the api, which creates them, or run npm run admin -- migrate.',
      }),
    ];
  const outcomes: Outcome[] = [];
  if (misfit !== null)
    outcomes.push(
      failure({
        subject: 'schema',
        found: misfit,
        cause: 'A later version removed what this one needs, or changed more than it knows.',
        action: 'Install the later version here too, or restore a backup from before it.',
      }),
    );
  if (changed.length > 0)
    outcomes.push(
      failure({
        subject: 'schema',
        found: `${listed(changed)} differ from what was applied`,
        cause:
          'The files of migrations were changed after they had been applied, and the api refuses to start.',
        action: 'Install the files of the version again, unchanged.',
      }),
    );
  if (later.length > 0)
    outcomes.push(
      warning({
        subject: 'schema',
        found: `the database has ${listed(later)} of a later version`,
        cause: 'A later version was started on this database. This one may fail where both differ.',
        action:
          'Install the later version here too. Going back to this one for good takes a backup from before it.',
      }),
    );
  if (pending.length > 0)
    outcomes.push(
      warning({
        subject: 'schema',
        found: `${counted(pending.length, 'migration is', 'migrations are')} not applied: ${listed(pending, 3)}`,
        cause: 'No api of this version has been started on this database.',
        action:
          'Start the api of this version, which applies them, or run npm run admin -- migrate. Stop the workers before.',
      }),
    );
  if (outcomes.length > 0) return outcomes;
  return [
    ok(
      'schema',
      deferred.length === 0
        ? 'that of this version'
        : `that of this version; ${listed(deferred, 3)} follow while it runs`,
    ),
  ];
}

async function disk({ config, database, freeShare, limits }: Examined): Promise<Outcome[]> {
  const { dataDirectory } = await database.reachedFacts();
  const hosts = databaseServers(config.DATABASE_URL).map(
    (url) => URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? '',
  );
  const isHere = hosts.every((host) => host === '' || isLoopbackHost(host));
  const free = isHere && dataDirectory !== null ? await freeShare(dataDirectory) : null;
  if (dataDirectory === null || free === null)
    return [ok('disk', 'not on this machine, or not visible: watch it where PostgreSQL runs')];
  if (free >= limits.diskWarning) return [ok('disk', `${percent(free)} are free`)];
  return [
    (free < limits.diskFailure ? failure : warning)({
      subject: dataDirectory,
      found: `${percent(free)} of the disk of PostgreSQL are free`,
      cause: 'PostgreSQL stops when it cannot write: nothing is accepted or sent from then on.',
      action:
        'Make room on this disk, or move the data to a larger one. REQUEST_LOG_MAX_MB limits the request log.',
    }),
  ];
}

async function wraparound({ database, limits }: Examined): Promise<Outcome[]> {
  const share = await readWraparound(await database.pool());
  if (share <= limits.wraparound)
    return [ok('transaction ids', `${percent(share)} of the way to the wraparound`)];
  return [
    failure({
      subject: 'transaction ids',
      found: `${percent(share)} of the way to the wraparound have gone by`,
      cause:
        'Vacuum does not freeze rows fast enough, or a transaction or slot holds it back. At the end PostgreSQL takes no more writes.',
      action:
        'End long transactions and unused replication slots, then run VACUUM FREEZE on the oldest tables.',
    }),
  ];
}

/** Of one process of api, worker or delivery, and what else is open at times. */
const connectionsOfProcess = 22;
const connectionsBeside = 20;

async function connections({ database, mailWorkers }: Examined): Promise<Outcome[]> {
  const { allowed, by, ofOthers } = await readConnections(await database.pool());
  const processes = 2 + mailWorkers;
  const needed = processes * connectionsOfProcess + connectionsBeside;
  const said = `one api, one worker and ${counted(mailWorkers, 'delivery process', 'delivery processes')} need up to ${needed} connections; ${allowed} are allowed (${by})`;
  if (needed > allowed)
    return [
      failure({
        subject: 'connections',
        found: said,
        cause: 'Under load, processes find no connection: requests fail, and email waits.',
        action: `Raise ${by === 'max_connections' ? 'max_connections of PostgreSQL' : by} to ${needed} or more, or lower MAIL_WORKERS.`,
      }),
    ];
  if (needed > allowed - ofOthers)
    return [
      warning({
        subject: 'connections',
        found: `${said}, of which other databases of this server have ${ofOthers} now`,
        cause: 'When all are busy at once, processes find no connection.',
        action: `Raise max_connections of PostgreSQL to ${needed + ofOthers} or more, or lower MAIL_WORKERS.`,
      }),
    ];
  return [ok('connections', said)];
}

async function transactions({ database, limits }: Examined): Promise<Outcome[]> {
  const open = await readLongTransactions(await database.pool(), limits.transactionSeconds);
  if (open.length === 0)
    return [ok('transactions', `none is open for ${duration(limits.transactionSeconds)}`)];
  return open.map(({ pid, user, application, client, state, seconds }) => {
    const from = [application, client].filter(Boolean).join(' from ');
    return warning({
      subject: pid === null ? `prepared transaction ${application}` : `process ${pid}`,
      found: `a transaction of ${user}${from ? ` (${from})` : ''} has been open for ${duration(seconds)}, state "${state}"`,
      cause: 'While it is open, vacuum removes no row that was deleted since, and queues become slower.',
      action:
        pid === null
          ? `Commit it, or run ROLLBACK PREPARED '${application}';`
          : `End the program that left it open, or run SELECT pg_terminate_backend(${pid});`,
    });
  });
}

async function bloat({ database, limits }: Examined): Promise<Outcome[]> {
  const found = await readBloat(await database.pool(), {
    share: limits.bloatShare,
    bytes: limits.bloatBytes,
  });
  if (found.length === 0) return [ok('tables', 'none has much more room than its rows need')];
  return found.map(({ name, bytes, share }) =>
    warning({
      subject: `table ${name}`,
      found: `about ${percent(share)} of its ${size(bytes)} are free`,
      cause:
        'Rows were deleted while a long transaction kept vacuum from using their room again, or many at once.',
      action: `If it does not fill again: VACUUM FULL "${name}" in a maintenance window, or pg_repack.`,
    }),
  );
}

async function autovacuum({ database, limits }: Examined): Promise<Outcome[]> {
  const { autovacuum } = await database.reachedFacts();
  if (autovacuum !== 'on')
    return [
      warning({
        subject: 'autovacuum',
        found: `autovacuum is ${autovacuum}`,
        cause:
          'Queues write and delete all the time: without it they become slower by the hour, and tables grow.',
        action: 'Set autovacuum = on, and reload PostgreSQL.',
      }),
    ];
  const behind = await readUnvacuumed(await database.pool(), {
    rows: limits.deadRows,
    hours: limits.deadRowsHours,
  });
  if (behind.length === 0) return [ok('autovacuum', 'no table waits for it')];
  return behind.map(({ name, deadRows, liveRows, lastVacuum }) =>
    warning({
      subject: `table ${name}`,
      found: `${deadRows} dead rows beside ${liveRows} living ones; last vacuum ${lastVacuum?.toISOString() ?? 'never'}`,
      cause: 'Autovacuum does not keep up, or a transaction or replication slot holds it back.',
      action: `End long transactions and unused slots; raise autovacuum_vacuum_cost_limit; run VACUUM "${name}" once.`,
    }),
  );
}

async function slots({ database }: Examined): Promise<Outcome[]> {
  const idle = await readIdleSlots(await database.pool());
  if (idle.length === 0) return [ok('replication slots', 'none is without a reader')];
  return idle.map(({ name, keptBytes }) =>
    warning({
      subject: `replication slot ${name}`,
      found: `nothing reads it${keptBytes === null ? '' : `; ${size(keptBytes)} of WAL are kept for it`}`,
      cause: 'PostgreSQL keeps all WAL that its reader has not seen, until the disk is full.',
      action: `Start its reader, or run SELECT pg_drop_replication_slot('${name}');`,
    }),
  );
}

const looksAtClock = 3;

async function clock({ database, clock, limits }: Examined): Promise<Outcome[]> {
  const pool = await database.pool();
  let best = { apartMs: 0, uncertainMs: Number.POSITIVE_INFINITY };
  for (let look = 0; look < looksAtClock; look += 1) {
    const [before, began] = [clock(), performance.now()];
    const theirs = await readServerClock(pool);
    const uncertainMs = (performance.now() - began) / 2;
    if (uncertainMs < best.uncertainMs) best = { apartMs: theirs - before - uncertainMs, uncertainMs };
  }
  const sure = Math.abs(best.apartMs) - best.uncertainMs;
  const said = `the clock of the database is ${(Math.abs(best.apartMs) / 1_000).toFixed(3)} s ${best.apartMs < 0 ? 'behind' : 'ahead of'} that of this machine`;
  if (sure <= limits.clockWarningMs) return [ok('clock', said)];
  return [
    (sure > limits.clockFailureMs ? failure : warning)({
      subject: 'clock',
      found: said,
      cause:
        'Leases, limits and links have times of both clocks: email may be attempted late, and links expire early.',
      action: 'Have both machines synchronize their clocks (chrony, systemd-timesyncd).',
    }),
  ];
}

export const postgresChecks = checksOf<Examined>('postgres', ['DATABASE_URL'])({
  reachable: { reference: 'PostgreSQL: connection', run: reachable },
  version: { reference: 'PostgreSQL: version', run: version },
  encoding: { reference: 'PostgreSQL: encoding', run: encoding },
  extensions: { reference: 'PostgreSQL: extensions', run: extensions },
  rights: { reference: 'PostgreSQL: rights', run: rights },
  durability: { reference: 'PostgreSQL: durability', run: durability },
  schema: { reference: 'PostgreSQL: schema', run: schema },
  disk: { reference: 'PostgreSQL: disk', run: disk },
  wraparound: { reference: 'PostgreSQL: wraparound', run: wraparound },
  connections: { reference: 'PostgreSQL: connections', run: connections, needs: ['MAIL_WORKERS'] },
  transactions: { reference: 'PostgreSQL: long transactions', run: transactions },
  bloat: { reference: 'PostgreSQL: bloat', run: bloat },
  autovacuum: { reference: 'PostgreSQL: autovacuum', run: autovacuum },
  slots: { reference: 'PostgreSQL: replication slots', run: slots },
  clock: { reference: 'PostgreSQL: clock', run: clock },
});
