import { readAdminEnv, readEnvironment } from './env.ts';
import { runAdmin } from './run-admin.ts';

/** `npm run admin -- <command>`: for the operator of an installation (behaviour B11.6). */
process.exitCode = await runAdmin(process.argv.slice(2), {
  env: () => readAdminEnv(process.env),
  environment: () => readEnvironment(process.env),
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
});

// What a check of doctor has left open, such as a connection that is still being made, keeps the process no longer.
setTimeout(() => process.exit(), 1_000).unref();
