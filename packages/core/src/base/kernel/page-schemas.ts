import { z } from 'zod';
import { sortDirection } from './enums.ts';
import { clampedInt, idList, notGiven, sortEnum } from './fields.ts';

const exampleCursor =
  'WyIyMDI2LTAzLTAxVDA5OjMwOjAwLjAwMFoiLCIwMTk4YzFhNC03ZDFlLTdiM2EtOWM1NS0yZjZkOGU0YjFhOTAiXQ';

/** Query of a cursor list (behaviour B4.1). */
export const cursorQuery = {
  limit: clampedInt(20, 1, 100).describe(
    'Records per page, 1 to 100. Default 20; values out of range are clamped.',
  ),
  cursor: notGiven(z.string()).meta({
    description:
      'Where the page begins: the `cursor` of the previous page, unchanged. Valid only with the same list, `sort`, `dir` and filters.',
    examples: [exampleCursor],
  }),
};

/** Query of a page list. */
export const pageQuery = {
  page: clampedInt(1, 1, 1_000_000).describe(
    'Number of the page, from 1. Default 1; values out of range are clamped.',
  ),
  pageSize: clampedInt(20, 1, 100).describe(
    'Records per page, 1 to 100. Default 20; values out of range are clamped.',
  ),
};

export const directionQuery = sortEnum(sortDirection, 'desc').describe(
  'Direction of the order. Default `desc`; an unknown value falls back to it.',
);

/** How a sort column is described. */
export const sortText = 'Column to sort by. Default `createdAt`; an unknown value falls back to it.';

export const cursorListOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item).describe('The records of this page.'),
    cursor: z
      .string()
      .nullable()
      .meta({
        description: 'Pass it as `cursor` to get the next page; null on the last page.',
        examples: [exampleCursor],
      }),
    hasMore: z.boolean().describe('Whether another page follows.'),
    total: z
      .int()
      .min(0)
      .meta({
        description: 'Number of all matches, on the first page; 0 on pages requested with a cursor.',
        examples: [128],
      }),
  });

/** The metadata of a list with pages. */
export const pageCounts = {
  page: z.int().min(1).describe('Number of this page, from 1.'),
  pageSize: z
    .int()
    .min(1)
    .max(100)
    .meta({ description: 'Records per page.', examples: [20] }),
  total: z
    .int()
    .min(0)
    .meta({ description: 'Number of all matches.', examples: [128] }),
  totalPages: z
    .int()
    .min(0)
    .meta({ description: 'Number of pages; 0 when nothing matches.', examples: [7] }),
};

export const pageListOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item).describe('The records of this page.'),
    ...pageCounts,
  });

/** Input of an operation that reads the same page of a list for each of several parents. */
export const pageOfEach = {
  ...idList.shape,
  ...cursorQuery,
  totals: z.boolean().default(false).describe('Whether all matches of each parent are counted.'),
};

/** The pages of several parents; `total` is 0 unless it was requested. */
export const pagesOfEach = <Item extends z.ZodType>(item: Item) =>
  z.array(z.object({ id: z.string(), data: z.array(item), hasMore: z.boolean(), total: z.int() }));
