import { setTimeout as sleep } from 'node:timers/promises';
import { assertMailTransport, composeServices, startTracing, watchEventLoop } from '@postrider/core/adapters';
import { fitSchema, SchemaError, settleMigrations } from '@postrider/core/base/db';
import { ConfigError } from '@postrider/core/base/kernel';
import { requestLogOf } from '@postrider/core/insight/requests';
import { submissionsProcessed } from '@postrider/core/mail/forms';
import {
  countUnstoredInteractions,
  createClickJudge,
  interactionsStored,
} from '@postrider/core/mail/tracking';
import { settleLocalDomains } from '@postrider/core/people/domains';
import { joinInstallation } from '@postrider/core/people/installation';
import { findSetupLink, sendPendingMail } from '@postrider/core/people/users';
import { createApp } from './app.ts';
import { drain } from './drain.ts';
import { readEnv } from './env.ts';
import { apiLogSource, createApiLog } from './log.ts';
import { announceStop } from './stopping.ts';
import { startConfiguredSubmission } from './submission/configured-submission.ts';

/** The longest time that shutdown waits for requests, and for opens and clicks to be stored, in milliseconds. */
const drainMs = 25_000;

/**
 * No statement of a request runs longer than this, in milliseconds, so that a few slow ones cannot occupy the pool. Migrations use
 * a connection of their own, and the work of the worker has no such limit.
 */
const statementTimeoutMs = 20_000;

/** How long a request waits for a thread, in milliseconds: its owner may have to pause after slow templates. */
const taskPatienceMs = 20_000;

async function main(): Promise<void> {
  const config = readEnv();
  const log = createApiLog(config.LOG_LEVEL);
  await assertMailTransport(config);
  const stopTracing = await startTracing(config, { process: 'api', log });
  const schema = { url: config.DATABASE_URL, mode: config.MIGRATE, log };
  await fitSchema(schema);
  const services = composeServices(config, log, { statementTimeoutMs, taskPatienceMs });
  const membership = joinInstallation(services, {
    kind: 'api',
    onRestored(text) {
      log.fatal(text);
      log.flush();
      process.exit(1);
    },
    onMisfit(text) {
      log.fatal(text);
      process.kill(process.pid, 'SIGTERM');
    },
  });
  const settling = new AbortController();
  const settled = settleMigrations(schema, settling.signal);
  await settleLocalDomains(services);
  const { reports, title } = config.mailProvider;
  if (reports.by === 'notifications' && !config.reportsReceived)
    log.warn(
      `${reports.setting} is not set: no notification of ${title} is accepted, so bounces and complaints are not received`,
    );
  watchEventLoop(apiLogSource(config.LOG_LEVEL));
  const app = createApp(services);
  const judge = createClickJudge(services);
  judge.start();
  const submission = await startConfiguredSubmission(services, membership.share);

  let stopping = false;
  const stop = async (reason: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    announceStop();
    // Load balancers learn by `/health/ready` that no request is to come, and those on the way are still answered. Without a supervisor none comes.
    if (reason === 'SIGTERM') await sleep(config.DRAIN_SECONDS * 1_000);
    setTimeout(() => {
      log.error({ interactions: countUnstoredInteractions(services) }, 'stopping took too long');
      log.flush();
      process.exit(1);
    }, drainMs).unref();
    settling.abort();
    await Promise.all([drain(app), submission?.stop()]);
    await interactionsStored(services);
    await submissionsProcessed(services);
    await requestLogOf(services).settled();
    await judge.stop();
    await settled;
    await membership.leave();
    await services.close();
    await stopTracing();
    log.info('stopped');
    log.flush();
    process.exit(0);
  };
  const stopOn = (reason: string) => () => {
    stop(reason).catch((error: unknown) => {
      log.fatal({ err: error }, 'stopping failed');
      process.exit(1);
    });
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stopOn(signal));
  // The supervisor of `npm start` has ended: without it, nothing else would stop this process.
  process.on('disconnect', stopOn('disconnect'));

  const setupLink = await findSetupLink(services);
  const address = await app.listen({ port: config.PORT, host: config.HOST });
  log.info({ address }, 'listening');
  if (setupLink !== null) log.info(`To create the first account open ${setupLink}`);
  // Email that a process left behind when it ended.
  await sendPendingMail(services);
  process.send?.({ type: 'ready' });
}

main().catch((error: unknown) => {
  const text =
    error instanceof ConfigError || error instanceof SchemaError || !(error instanceof Error)
      ? String(error)
      : (error.stack ?? error.message);
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
