import { type ChaosStack, type ChaosStackOptions, startChaosStack } from '@postrider/harness/chaos-stack';
import { problemsOf, type ScenarioOptions, type ScenarioResult } from './scenario.ts';

/** Runs work on a new stack. If there are problems, the folder with the logs is kept and its path is logged. */
export async function withStack(
  { log, build = false }: ScenarioOptions,
  stackOptions: ChaosStackOptions,
  work: (chaos: ChaosStack) => Promise<ScenarioResult>,
): Promise<ScenarioResult> {
  log('starting PostgreSQL, Temporal, sink, api and worker');
  const chaos = await startChaosStack({ build, onEvent: log, ...stackOptions });
  let keepFolder = true;
  try {
    const result = await work(chaos);
    keepFolder = problemsOf(result).length > 0;
    return result;
  } finally {
    if (keepFolder) log(`logs are kept in ${chaos.folder}`);
    await chaos.stop({ keepFolder });
  }
}
