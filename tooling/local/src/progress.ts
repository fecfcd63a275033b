/**
 * Runs work that takes long and shows that it goes on: one line that counts seconds in a terminal, a line every
 * 20 seconds elsewhere. Written to stderr, so that the output of a command stays clean.
 */
export async function withProgress<T>(label: string, work: () => Promise<T>): Promise<T> {
  const begun = Date.now();
  const live = process.stderr.isTTY === true;
  const seconds = () => Math.round((Date.now() - begun) / 1000);
  process.stderr.write(live ? label : `${label}\n`);
  const timer = setInterval(
    () => process.stderr.write(live ? `\r${label} ${seconds()} s` : `${label} ${seconds()} s\n`),
    live ? 1_000 : 20_000,
  );
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (live) process.stderr.write('\n');
  }
}
