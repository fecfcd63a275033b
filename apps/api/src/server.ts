import { assertMailTransport, composeServices, watchEventLoop, watchMemory } from '@postrider/core/adapters';
import { migrate } from '@postrider/core/base/db';
import { ConfigError } from '@postrider/core/base/kernel';
import { fenceEpoch } from '@postrider/core/people/installation';
import { readEnv } from './env.ts';
import { apiServices, drainMs } from './limits.ts';
import { apiLogSource, createApiLog } from './log.ts';
import { prepareApi } from './run-api.ts';

async function main(): Promise<void> {
  const config = readEnv();
  const log = createApiLog(config.LOG_LEVEL);
  await assertMailTransport(config);
  await migrate(config.DATABASE_URL, (message) => log.warn(message));
  const services = composeServices(config, log, apiServices);
  fenceEpoch(services, (text) => {
    log.fatal(text);
    log.flush();
    process.exit(1);
  });
  watchEventLoop(apiLogSource(config.LOG_LEVEL));
  watchMemory(services);
  const api = await prepareApi(services);

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
    await api.stop(drainSeconds);
    await services.close();
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
    error instanceof ConfigError || !(error instanceof Error)
      ? String(error)
      : (error.stack ?? error.message);
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
