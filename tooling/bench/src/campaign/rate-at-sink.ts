import type { SinkMessage } from '@postrider/local/sink';

/** Messages per second from the first to the last, by the sink's clock. @throws Error if a recipient is missing or got two messages */
export function rateAtSink(messages: SinkMessage[], recipients: number): number {
  const people = new Set(messages.flatMap(({ to }) => to));
  if (messages.length !== recipients || people.size !== recipients) {
    throw new Error(
      `${recipients} recipients, but ${messages.length} messages to ${people.size} people at the sink.`,
    );
  }
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const { at } of messages) {
    first = Math.min(first, at);
    last = Math.max(last, at);
  }
  return (messages.length * 1_000) / Math.max(1, last - first);
}
