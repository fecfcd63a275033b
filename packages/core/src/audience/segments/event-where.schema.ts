import { z } from 'zod';
import { accepting } from '../../base/kernel/schemas.ts';
import { eventConditionForm } from './filter-forms.schema.ts';
import type { WhereCondition } from './filters.rules.ts';
import { maxConditions, readEventWhere } from './occurrences.schema.ts';

const form = z.array(eventConditionForm).max(maxConditions);

/** Conditions on the data of an event, as in the `where` of a filter (behaviour B2.5). No condition means any event. */
export const eventWhere = accepting(
  z.unknown().transform((value, ctx): WhereCondition[] => {
    const problems: { code: string; message: string; path: (string | number)[]; input: unknown }[] = [];
    const where = readEventWhere(value, (path, code, message, input) => {
      problems.push({ path, code, message, input });
    });
    if (where && problems.length === 0) return where;
    for (const { code, ...problem } of problems)
      ctx.issues.push({ code: 'custom', params: { code }, ...problem });
    return z.NEVER;
  }),
  form,
);

/** Stored conditions in a reply. */
export const storedEventWhere = accepting(z.unknown(), form);
