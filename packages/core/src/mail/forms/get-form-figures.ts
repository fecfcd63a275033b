import { projectOf, query } from '../../base/kernel/index.ts';
import { formNotFound } from './form-not-found.ts';
import { formFigures, formFiguresInput } from './forms.schema.ts';
import { findForm } from './forms.store.ts';
import { readFormDays } from './requests.store.ts';

const dayMs = 86_400_000;
/** Days without a start given, the last one included. */
const usualDays = 30;

export const getFormFigures = query({
  name: 'forms.figures',
  summary: 'What became of the sign-ups of a form, by day',
  permission: 'data:read',
  errors: ['RESOURCE_NOT_FOUND'],
  input: formFiguresInput,
  output: formFigures,
  async handler(ctx, { id, from, to }) {
    const { id: projectId, timeZone } = projectOf(ctx);
    if (!(await findForm(ctx.db, projectId, id))) throw formNotFound();
    const last = to ?? todayIn(timeZone);
    const first = from ?? new Date(Date.parse(last) - (usualDays - 1) * dayMs).toISOString().slice(0, 10);
    return { days: await readFormDays(ctx.db, projectId, id, { from: first, to: last }) };
  },
});

/** The Swedish form of a date is that of ISO 8601. */
const todayIn = (timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date());
