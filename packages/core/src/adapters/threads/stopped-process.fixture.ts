/** A process whose task waits in steps for half of its patience; the test stops the process meanwhile. */
import { ownTurns } from '../../base/kernel/ports/owners.ts';
import { stepsTask } from './tasks.fixture.ts';
import { ThreadPool } from './thread-pool.ts';

const pool = new ThreadPool({
  entry: new URL('./thread.fixture.ts', import.meta.url),
  data: { linksUrl: 'http://localhost', secret: 'a secret of these tests alone', previousSecrets: [] },
  memoryMb: 64,
  size: 1,
  owners: ownTurns,
});
await pool.start();
/** A patience of four seconds. */
const options = { projectId: 'a', cpuMs: 40 };
const waited = pool.run(stepsTask, 20, options);
process.send?.('begun');
process.send?.(await waited.catch((error: Error) => error.message));
