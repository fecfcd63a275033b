import { parseArgs } from 'node:util';
import { type Sink, type SinkBehaviour, type SinkOptions, startSink } from './sink.ts';

/** A request of the parent process; the reply has the same id. */
export type SinkRequest =
  | { call: 'start'; options: SinkOptions }
  | { call: 'messages' }
  | { call: 'count' }
  | { call: 'find'; emailIds: readonly string[] }
  | { call: 'summarize'; every: number }
  | { call: 'refusals' }
  | { call: 'clear' }
  | { call: 'setBehaviour'; change: Partial<SinkBehaviour> };

export interface SinkAnswer {
  id: number;
  value?: unknown;
  error?: string;
}

let sink: Sink | undefined;

if (process.send) serveParent();
else await serveTerminal();

function serveParent(): void {
  process.on('message', (request: SinkRequest & { id: number }) => {
    answer(request).then(
      (value) => process.send?.({ id: request.id, value }),
      (error: unknown) => process.send?.({ id: request.id, error: String(error) }),
    );
  });
  // The parent process has ended, so no more requests can arrive.
  process.on('disconnect', () => {
    void (sink?.stop() ?? Promise.resolve()).finally(() => process.exit(0));
  });
}

async function answer(request: SinkRequest): Promise<unknown> {
  if (request.call === 'start') {
    sink = await startSink(request.options);
    return sink.port;
  }
  if (!sink) throw new Error('The sink has not been started.');
  if (request.call === 'messages') return sink.messages();
  if (request.call === 'count') return sink.count();
  if (request.call === 'find') return sink.find(request.emailIds);
  if (request.call === 'summarize') return sink.summarize(request.every);
  if (request.call === 'refusals') return sink.refusals();
  if (request.call === 'clear') return sink.clear();
  return sink.setBehaviour(request.change);
}

/** By hand: `node tooling/local/src/sink-main.ts --port 2525 --file mails.ndjson`. */
async function serveTerminal(): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: 'string' }, file: { type: 'string' } } });
  const started = await startSink({
    port: Number(values.port ?? 2525),
    ...(values.file === undefined ? {} : { file: values.file }),
  });
  console.log(`SMTP sink on ${started.url}`);
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      console.log(`${started.count()} messages received.`);
      void started.stop().then(() => process.exit(0));
    });
  }
}
