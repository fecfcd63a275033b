/** A stream of server-sent events, read until it ends. */
export interface EventStream {
  status: number;
  events: number;
  /** when the last event with data arrived, by `performance.now()` */
  lastAt: number;
  isOpen: boolean;
  close(): void;
}

/** Opens a stream. @returns when its reply has begun, or was refused */
export async function openEventStream(
  url: URL | string,
  headers: Record<string, string>,
  body?: string,
): Promise<EventStream> {
  const closing = new AbortController();
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'text/event-stream',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    signal: closing.signal,
  });
  const stream: EventStream = {
    status: response.status,
    events: 0,
    lastAt: performance.now(),
    isOpen: response.ok,
    close: () => closing.abort(),
  };
  if (!response.ok) {
    await response.text();
    return stream;
  }
  void read(response, stream);
  return stream;
}

async function read(response: Response, stream: EventStream): Promise<void> {
  const decoder = new TextDecoder();
  try {
    for await (const piece of response.body ?? []) {
      const found = decoder.decode(piece, { stream: true }).match(/^data: ./gm)?.length ?? 0;
      if (found === 0) continue;
      stream.events += found;
      stream.lastAt = performance.now();
    }
  } catch {
    // Closed by us or by the product: either way it has ended.
  } finally {
    stream.isOpen = false;
  }
}
