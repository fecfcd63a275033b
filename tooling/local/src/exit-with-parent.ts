/**
 * Loaded before each program that the supervisor starts. When the supervisor is killed, the IPC channel closes; the
 * program then stops as on SIGTERM, and is killed with everything it started if that takes too long.
 */
const PATIENCE_MS = 8_000;

process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(-process.pid, 'SIGKILL'), PATIENCE_MS).unref();
});
// The listener alone would keep an otherwise finished program alive.
process.channel?.unref();
