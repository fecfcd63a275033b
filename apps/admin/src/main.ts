import { readAdminEnv, readEnvironment } from './env.ts';
import { runAdmin } from './run-admin.ts';

/** `npm run admin -- <command>`: for the operator of an installation (behaviour B11.6). */
process.exitCode = await runAdmin(process.argv.slice(2), {
  env: () => readAdminEnv(process.env),
  environment: () => readEnvironment(process.env),
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
});
