/** @type {Set<{ label: string, begun: number }>} */
const running = new Set();
/** @type {NodeJS.Timeout | undefined} */
let timer;

/**
 * Runs long work and shows its progress: in a terminal one line that counts seconds, shared by all concurrent work;
 * elsewhere a line every 20 seconds for each. Written to stderr, so that the output of a command stays clean. Plain
 * JavaScript, because the bootstrap uses it before the dependencies are installed.
 *
 * @template T
 * @param {string} label
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(label, work) {
  const live = process.stderr.isTTY === true;
  const entry = { label, begun: Date.now() };
  running.add(entry);
  if (live) redraw();
  else process.stderr.write(`${label}\n`);
  timer ??= setInterval(() => (live ? redraw() : list()), live ? 1_000 : 20_000);
  try {
    return await work();
  } finally {
    running.delete(entry);
    if (live) {
      process.stderr.write(`\r\u001b[K${shown(entry)}\n`);
      redraw();
    }
    if (running.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  }
}

function redraw() {
  if (running.size === 0) return;
  const line = [...running].map(shown).join('  |  ');
  // A wrapped line could not be overwritten.
  process.stderr.write(`\r\u001b[K${line.slice(0, (process.stderr.columns ?? 80) - 1)}`);
}

function list() {
  for (const entry of running) process.stderr.write(`${shown(entry)}\n`);
}

/** @param {{ label: string, begun: number }} entry */
function shown({ label, begun }) {
  return `${label} ${Math.round((Date.now() - begun) / 1000)} s`;
}
