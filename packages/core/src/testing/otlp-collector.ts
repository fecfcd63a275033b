import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface CollectedSpan {
  name: string;
  /** of the resource: `api`, `worker` or `delivery` */
  process: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  hasFailed: boolean;
  milliseconds: number;
  attributes: Record<string, string | number | boolean>;
  links: { traceId: string; spanId: string }[];
}

export interface OtlpCollector {
  url: string;
  spans: CollectedSpan[];
  /** the bodies as they came */
  bodies: string[];
  headers: IncomingMessage['headers'][];
  /** the spans, once one of them fits */
  until(fits: (span: CollectedSpan) => boolean): Promise<CollectedSpan[]>;
  close(): Promise<void>;
}

interface OtlpSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: OtlpAttribute[];
  links: { traceId: string; spanId: string }[];
  status: { code?: number };
}

interface OtlpAttribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean };
}

interface OtlpRequest {
  resourceSpans: { resource: { attributes: OtlpAttribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
}

/** An OTLP/HTTP collector that keeps what it gets. @param answer in place of 200, or of any answer at all */
export async function startOtlpCollector(
  answer?: (response: ServerResponse) => void,
): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.url !== '/v1/traces') return void response.writeHead(404).end();
    headers.push(request.headers);
    bodies.push(body);
    if (answer) return answer(response);
    spans.push(...spansIn(JSON.parse(body) as OtlpRequest));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    for (const look of waiting) look();
  }).listen(0, '127.0.0.1');
  await listening(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers,
    until: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!spans.some(fits)) return;
          waiting.delete(look);
          resolve(spans);
        };
        waiting.add(look);
        look();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const listening = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.once('listening', resolve);
  });

const spansIn = ({ resourceSpans }: OtlpRequest): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const process = String(valuesOf(resource.attributes)['postrider.process']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        name: span.name,
        process,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId,
        hasFailed: span.status.code === 2,
        milliseconds: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
        attributes: valuesOf(span.attributes),
        links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
      })),
    );
  });

const valuesOf = (attributes: readonly OtlpAttribute[]): CollectedSpan['attributes'] =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? value.doubleValue ?? Number(value.intValue),
    ]),
  );
