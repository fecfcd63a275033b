import { z } from 'zod';
import { accepting } from '../../base/kernel/schemas.ts';
import { eventWhereForm, storedEventWhereForm } from './filter-forms.schema.ts';
import type { WhereCondition } from './filters.rules.ts';
import { readEventWhere } from './occurrences.schema.ts';

/** Conditions on the data of an event on its own, all of which it must meet (behaviour B2.5): `where` of waits. */
export const eventWhere = accepting(
  z.unknown().transform((value, ctx): WhereCondition[] => {
    const where = readEventWhere(value, ([, ...path], code, message, input) => {
      ctx.issues.push({ code: 'custom', params: { code }, path, message, input });
    });
    return where ?? z.NEVER;
  }),
  eventWhereForm,
);

/** The same, or none, which means any event. */
export const optionalEventWhere = accepting(
  z.unknown().transform((value, ctx): WhereCondition[] => {
    if (Array.isArray(value) && value.length === 0) return [];
    const read = eventWhere.safeParse(value);
    if (read.success) return read.data;
    for (const { path, message, ...issue } of read.error.issues)
      ctx.issues.push({ ...issue, path, message, input: value } as never);
    return z.NEVER;
  }),
  storedEventWhereForm,
);

/** Stored conditions in a reply. */
export const storedEventWhere = accepting(z.unknown(), storedEventWhereForm);
