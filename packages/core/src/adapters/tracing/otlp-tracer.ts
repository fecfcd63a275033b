import { hostname } from 'node:os';
import {
  type Attributes,
  type HrTime,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type ReadableSpan,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import { version } from '../../base/db/index.ts';
import type { CoreConfig } from '../../base/kernel/config.ts';
import { readHeaders } from '../../base/kernel/otlp-headers.rules.ts';
import type { TraceContext } from '../../base/kernel/trace-context.rules.ts';
import type { EndedSpan, SpanAttributes, Tracer } from '../../base/kernel/traces.ts';
import { perSecond } from './per-second.ts';
import type { TracingOptions } from './tracing-options.ts';

/** Spans that wait for the collector; further ones are lost. */
const mostWaiting = 2_048;
/** Spans in one request to the collector. */
const mostTogether = 512;
/** How long one export may take with its repetitions, in milliseconds. */
const exportMs = 5_000;
/** How often a collector that does not answer is logged, in milliseconds. */
const complaintMs = 60_000;
/** Spans of traces that are not sampled, in a second. */
const mostUnsampled = 5;

type Config = Pick<
  CoreConfig,
  | 'OTEL_EXPORTER_OTLP_ENDPOINT'
  | 'OTEL_EXPORTER_OTLP_HEADERS'
  | 'OTEL_SERVICE_NAME'
  | 'OTEL_TRACES_SAMPLER'
  | 'OTEL_TRACES_SAMPLER_ARG'
>;

/**
 * Exports spans by OTLP over HTTP. Of the SDK it uses the queue, the exporter and the sampler: a span that is not exported costs no more than
 * its object.
 */
export function createTracer(
  config: Config,
  options: TracingOptions,
): { tracer: Tracer; stop(): Promise<void> } {
  const exporter = new OTLPTraceExporter({
    url: `${config.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`,
    headers: readHeaders(config.OTEL_EXPORTER_OTLP_HEADERS) ?? {},
    timeoutMillis: exportMs,
  });
  const queue = new BatchSpanProcessor({
    exporter: complaining(exporter, options),
    maxQueueSize: mostWaiting,
    maxExportBatchSize: mostTogether,
    scheduledDelayMillis: options.delayMs ?? 2_000,
    exportTimeoutMillis: 2 * exportMs,
  });
  const resource = resourceFromAttributes({
    'service.name': config.OTEL_SERVICE_NAME,
    'service.version': version,
    'service.instance.id': `${hostname()}:${process.pid}`,
    'postrider.process': options.process,
  });
  const admitsUnsampled = perSecond(mostUnsampled);
  return {
    tracer: {
      samples: samplerOf(config),
      take: (span) => queue.onEnd(readable(span, resource)),
      admitsUnsampled,
    },
    stop: () => queue.shutdown().catch(() => undefined),
  };
}

function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: Config): Tracer['samples'] {
  const byRatio = new TraceIdRatioBasedSampler(ratio);
  const samplesRoot = (traceId: string): boolean => {
    if (name.endsWith('always_on')) return true;
    if (name.endsWith('always_off')) return false;
    return byRatio.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
  };
  if (!name.startsWith('parentbased_')) return samplesRoot;
  return (traceId, parent) => parent ?? samplesRoot(traceId);
}

/** Says from time to time that spans are lost: nothing else depends on the collector. */
function complaining(exporter: OTLPTraceExporter, { log }: TracingOptions): SpanExporter {
  let complainedAt = Number.NEGATIVE_INFINITY;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error && performance.now() - complainedAt > complaintMs) {
          complainedAt = performance.now();
          log.warn({ err: result.error, spans: spans.length }, 'could not export spans; they are lost');
        }
        // The queue reports a failure a second time, to a handler that is global.
        done({ code: 0 });
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};

const scope = { name: 'postrider' };

const readable = (span: EndedSpan, resource: Resource): ReadableSpan => {
  const context = contextOf(span.context, false);
  return {
    name: span.name,
    kind: kinds[span.kind],
    spanContext: () => context,
    ...(span.parent ? { parentSpanContext: contextOf(span.parent, span.isRemote) } : {}),
    startTime: timeOf(span.begunAt),
    endTime: timeOf(span.endedAt),
    duration: timeOf(span.endedAt - span.begunAt),
    ended: true,
    status: { code: span.hasFailed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: attributesOf(span.attributes),
    links: span.links.map((link) => ({ context: contextOf(link, false) })),
    events: [],
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
};

const contextOf = ({ traceId, spanId, isSampled }: TraceContext, isRemote: boolean): SpanContext => ({
  traceId,
  spanId,
  traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  isRemote,
});

const timeOf = (milliseconds: number): HrTime => {
  const seconds = Math.floor(milliseconds / 1_000);
  return [seconds, Math.floor((milliseconds - seconds * 1_000) * 1e6)];
};

/** What ids, codes, routes and names of operations consist of: a text or an address that got here by mistake is not exported. */
const harmless = /^[\w .:/*{}-]{1,128}$/;

const attributesOf = (attributes: SpanAttributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).filter(
      ([, value]) => value !== undefined && (typeof value !== 'string' || harmless.test(value)),
    ),
  );
