/**
 * Loaded before each program that the supervisor starts. When the supervisor is killed its channel closes; then the
 * program stops as it would on SIGTERM, and is ended with everything it started when that takes too long.
 */
const PATIENCE_MS = 8_000;

process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(-process.pid, 'SIGKILL'), PATIENCE_MS).unref();
});
// Listening alone would keep a program alive that has nothing left to do.
process.channel?.unref();
