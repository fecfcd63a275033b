import type { CoreConfig } from '../../base/kernel/config.ts';
import { setTracer } from '../../base/kernel/traces.ts';
import type { TracingOptions } from './tracing-options.ts';

/** How long a process that ends waits for the collector, in milliseconds. */
const patienceMs = 2_000;

/**
 * Begins to export spans if the installation has a collector (behaviour B11.13). Without one, nothing of OpenTelemetry is loaded.
 *
 * @returns what exports the last spans, before the process ends
 */
export async function startTracing(
  config: CoreConfig,
  options: TracingOptions,
): Promise<() => Promise<void>> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return async () => undefined;
  const { createTracer } = await import('./otlp-tracer.ts');
  const { tracer, stop } = createTracer(config, options);
  setTracer(tracer);
  return async () => {
    setTracer(null);
    const late = new Promise<void>((resolve) => setTimeout(resolve, patienceMs).unref());
    await Promise.race([stop(), late]);
  };
}
