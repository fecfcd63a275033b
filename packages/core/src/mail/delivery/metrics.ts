import { Counter, register } from 'prom-client';

const name = 'postrider_composing_setbacks_total';

/** How often email could not be composed for a reason outside of it, such as a module that is missing. Each is worth an alarm. */
export const composingSetbacks = (register.getSingleMetric(name) ??
  new Counter({
    name,
    help: 'Attempts to compose the email of a content that failed for a reason outside of it',
  })) as Counter;
