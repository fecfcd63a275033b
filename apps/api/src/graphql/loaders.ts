import type { Operation } from '@postrider/core/base/kernel';
import DataLoader from 'dataloader';
import type { z } from 'zod';
import type { GraphqlContext } from './builder.ts';

/** The most ids that an operation with `idList` accepts at once. */
const maxBatchSize = 1_000;

/** An operation that takes the ids of many records and answers with one entry for each of those it knows. */
export type ManyById<Found> = Operation<z.ZodType, z.ZodType<Found[]>>;

const loaders = new WeakMap<GraphqlContext, Map<string, DataLoader<string, unknown>>>();

/**
 * Loads what belongs to an id. All loads of one step of a response with the same operation and input run it once,
 * through its own permission check. Nothing is cached, since the context of a subscription lives for long.
 *
 * @param input the operation's input besides `ids`
 */
export function loaderOf<Found extends { id: string }>(
  context: GraphqlContext,
  operation: ManyById<Found>,
  input: Readonly<Record<string, unknown>> = {},
): DataLoader<string, Found | null> {
  const ofRequest = loaders.get(context) ?? new Map<string, DataLoader<string, unknown>>();
  loaders.set(context, ofRequest);
  const key = `${operation.name} ${JSON.stringify(input)}`;
  const loader =
    ofRequest.get(key) ??
    new DataLoader<string, Found | null>(
      async (ids) => {
        const distinct = [...new Set(ids)];
        const found = await operation.runRaw(context.ctx, { ...input, ids: distinct });
        const byId = new Map(found.map((record) => [record.id, record]));
        return ids.map((id) => byId.get(id) ?? null);
      },
      { cache: false, maxBatchSize },
    );
  ofRequest.set(key, loader);
  return loader as DataLoader<string, Found | null>;
}
