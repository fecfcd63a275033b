import { startMailbox } from './start-mailbox.ts';

/** The mailbox as a separate process: MAILBOX_DIR, MAILBOX_SMTP_PORT, MAILBOX_PORT, MAILBOX_HOST, DASHBOARD_URL. */
const { env } = process;
const mailbox = await startMailbox({
  dataDir: env.MAILBOX_DIR ?? '.postrider/mailbox',
  smtpPort: Number(env.MAILBOX_SMTP_PORT ?? 1025),
  webPort: Number(env.MAILBOX_PORT ?? 8025),
  ...(env.DASHBOARD_URL ? { dashboardUrl: env.DASHBOARD_URL } : {}),
  ...(env.MAILBOX_HOST ? { host: env.MAILBOX_HOST } : {}),
});
if (process.send) process.send({ type: 'ready' });
else console.log(`Mailbox on ${mailbox.url}, SMTP on ${mailbox.smtpUrl}`);

let stopping = false;
function stop(): void {
  if (stopping) return;
  stopping = true;
  mailbox.stop().then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
}
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
// Started by the supervisor: without it, nothing else would stop this process.
process.on('disconnect', stop);
