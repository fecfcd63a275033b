import {
  assertMailTransport,
  composeServices,
  startTracing,
  watchEventLoop,
  watchMemory,
} from '@postrider/core/adapters';
import { fitSchema, SchemaError, settleMigrations } from '@postrider/core/base/db';
import { ConfigError } from '@postrider/core/base/kernel';
import { joinInstallation } from '@postrider/core/people/installation';
import { readEnv } from './env.ts';
import { apiServices, drainMs } from './limits.ts';
import { apiLogSource, createApiLog } from './log.ts';
import { prepareApi } from './run-api.ts';

async function main(): Promise<void> {
  const config = readEnv();
  const log = createApiLog(config.LOG_LEVEL);
  await assertMailTransport(config);
  const stopTracing = await startTracing(config, { process: 'api', log });
  const schema = { url: config.DATABASE_URL, mode: config.MIGRATE, log };
  await fitSchema(schema);
  const services = composeServices(config, log, apiServices);
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
  watchEventLoop(apiLogSource(config.LOG_LEVEL));
  watchMemory(services);
  const api = await prepareApi(services, membership.share);

  let stopping = false;
  const stop = async (reason: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    // Without a supervisor no load balancer is to notice it.
    const drainSeconds = reason === 'SIGTERM' ? config.DRAIN_SECONDS : 0;
    setTimeout(
      () => {
        log.error({ interactions: api.unstored() }, 'stopping took too long');
        log.flush();
        process.exit(1);
      },
      drainSeconds * 1_000 + drainMs,
    ).unref();
    settling.abort();
    await api.stop(drainSeconds);
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

  await api.listen();
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
