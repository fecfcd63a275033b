import { z } from 'zod';
import { sortDirection } from './enums.ts';
import { clampedInt, notGiven, sortEnum } from './fields.ts';

/** Query of a cursor list (behaviour B4.1). */
export const cursorQuery = {
  limit: clampedInt(20, 1, 100),
  cursor: notGiven(z.string()),
};

/** Query of a page list. */
export const pageQuery = {
  page: clampedInt(1, 1, 1_000_000),
  pageSize: clampedInt(20, 1, 100),
};

export const directionQuery = sortEnum(sortDirection, 'desc');

export const cursorListOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), cursor: z.string().nullable(), hasMore: z.boolean(), total: z.int() });

export const pageListOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item),
    page: z.int(),
    pageSize: z.int(),
    total: z.int(),
    totalPages: z.int(),
  });
